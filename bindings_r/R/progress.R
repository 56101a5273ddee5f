# A line on standard error, drawn over and over: in interactive sessions, or where `renyi.progress`
# says so. `tick` is called from Python on R's own thread; FALSE ends the work, as Ctrl-C does.
progress_bar <- function(asked = NULL) {
  if (is.null(asked)) asked <- getOption("renyi.progress", interactive())
  check_option(is_flag(asked), "progress", "TRUE or FALSE", asked)
  drawn <- 0L
  draw <- function(text) {
    cat("\r", formatC(text, width = -drawn), sep = "", file = stderr())
    drawn <<- nchar(text)
  }
  list(
    tick = function(report) {
      tryCatch(
        {
          allowInterrupts(.Call(c_interrupt))
          if (asked) draw(progress_text(reticulate::py_to_r(report)))
          TRUE
        },
        interrupt = function(condition) FALSE
      )
    },
    close = function() {
      if (drawn > 0L) {
        draw("")
        cat("\r", file = stderr())
        drawn <<- 0L
      }
    }
  )
}

progress_text <- function(report) {
  words <- c(
    prepare = "entropies", candidates = "candidates", permutations = "permutations", step = "done",
    explain = "explaining", sensitivity = "settings", stability = "halves", models = "models"
  )
  share <- report$share
  if (is.null(share)) share <- if (report$total > 0) min(1, report$done / report$total) else 0
  full <- round(20 * share)
  bar <- paste0("[", strrep("=", full), strrep(" ", 20 - full), "]")
  of <- if (is.null(report$steps_total)) "" else paste0("/", report$steps_total)
  feature <- if (is.null(report$feature)) "" else paste0(" ", report$feature)
  sprintf("step %s%s %s %s%s", report$step, of, bar, words[[report$phase]], feature)
}
