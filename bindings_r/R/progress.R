# A line on standard error, drawn over and over: in interactive sessions, or where `renyi.progress`
# says so. `tick` is called from Python on R's own thread; FALSE ends the work, as Ctrl-C does.
# A long run says how long it will take, unless no progress was asked for.
progress_bar <- function(asked = NULL) {
  tell <- is.null(asked) || isTRUE(asked)
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
          report <- reticulate::py_to_r(report)
          # not as a message: a handler that leaves would jump out of Python's frames
          if (is.null(report$estimate)) {
            if (asked) draw(progress_text(report))
          } else if (tell) {
            cat(estimate_text(report$estimate), "\n", sep = "", file = stderr())
          }
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

estimate_text <- function(estimate) {
  one <- function(way) sprintf("%s (%s)", way_words(way), roughly(way$seconds))
  ways <- vapply(estimate$ways, one, "")
  faster <- if (length(ways)) paste0(" Faster: ", paste(ways, collapse = ", "), ".") else ""
  sprintf("This will take about %s.%s", roughly(estimate$seconds), faster)
}

# A time that is known to within a factor of two.
roughly <- function(seconds) {
  if (seconds < 5) {
    return("seconds")
  }
  if (seconds < 55) {
    return(sprintf("%.0f s", max(10, 10 * round(seconds / 10))))
  }
  if (seconds < 3300) {
    return(sprintf("%.0f min", max(1, round(seconds / 60))))
  }
  sprintf("%.1f h", seconds / 3600)
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
