#' Print and summarise a selection
#'
#' `print()` shows one line a step and the verdict; `summary()` what was done with each column and
#' what the criteria compared as well; `as.data.frame()` is one row a step.
#'
#' @param x,object A `renyi_path`.
#' @param digits Digits after the point.
#' @param n Most steps to show; the last ones are always among them.
#' @param row.names,optional Not used.
#' @param ... Passed on by `print()` to `format()`, otherwise not used.
#' @return `print()` returns `x` invisibly; `format()` lines of text; `summary()` an object of class
#'   `summary.renyi_path`; `as.data.frame()` a data frame, see [renyi_path].
#' @examplesIf renyi::renyi_available()
#' fit <- renyi_select(Species ~ ., data = iris)
#' print(fit, digits = 2)
#' summary(fit)
#' as.data.frame(fit)[c("step", "feature", "mi", "cmi")]
#' @export
print.renyi_path <- function(x, ...) {
  writeLines(format(x, ...))
  invisible(x)
}

#' @rdname print.renyi_path
#' @export
format.renyi_path <- function(x, digits = 4L, n = 30L, ...) {
  c(heading(x), "", step_lines(x, digits, n), verdict_lines(x))
}

heading <- function(x) {
  options <- x$options
  both <- if (identical(options$stop_when, "all")) " and " else " or "
  features <- sum(x$data$columns$role == "feature")
  c(
    sprintf("Target `%s`, %s rows, %s", x$data$target, commas(x$data$rows_used), counted(features, "column")),
    sprintf(
      "%s, alpha %s, bandwidth %s, %s, seed %s",
      paste(texts(options$criteria), collapse = both), options$alpha, options$bandwidth,
      options$standardise, x$seed
    )
  )
}

step_lines <- function(x, digits, n) {
  steps <- x$steps
  if (!nrow(steps)) {
    return(character())
  }
  bits <- function(value) ifelse(is.na(value), "-", formatC(value, format = "f", digits = digits))
  cells <- list(
    "#" = as.character(steps$step),
    feature = ifelse(steps$action == "keep", paste(steps$feature, "(kept)"), steps$feature),
    MI = bits(steps$mi),
    CMI = bits(steps$cmi)
  )
  cells$p <- p_words(x)
  cells$gain <- bits(steps$gain)
  cells$saturation <- bits(steps$saturation)
  cells[[" "]] <- ifelse(steps$selected, "", "not selected")
  if (all(steps$selected)) cells[[" "]] <- NULL
  if (all(is.na(steps$cmi))) cells$CMI <- NULL
  left <- names(cells) %in% c("feature", " ")
  columns <- Map(function(title, values, left) {
    padded <- formatC(c(title, values), width = max(nchar(c(title, values), "width")), flag = if (left) "-" else "")
    padded
  }, names(cells), cells, left)
  lines <- sub(" +$", "", do.call(paste, c(unname(columns), sep = "  ")))
  hidden <- nrow(steps) - n
  if (hidden > 0) {
    keep <- seq_len(max(n - 5, 1))
    dots <- sprintf("... %s ...", counted(nrow(steps) - length(keep) - 5L, "step"))
    lines <- c(lines[1], lines[keep + 1], dots, utils::tail(lines, 5))
  }
  c(lines, "")
}

# The p-value of the first permutation criterion, or the level that it is certainly below.
p_words <- function(x) {
  tests <- x$criteria[!is.na(x$criteria$drawn), ]
  tests <- tests[match(x$steps$step, tests$step), ]
  if (all(is.na(tests$drawn))) {
    return(NULL)
  }
  number <- function(value) formatC(value, format = "g", digits = 3)
  ifelse(
    !is.na(tests$p_value), number(tests$p_value),
    ifelse(is.na(tests$p_upper), "-", paste("<=", formatC(signif(tests$p_upper, 2), format = "g")))
  )
}

verdict_lines <- function(x) {
  reason <- x$verdict$reason
  substr(reason, 1, 1) <- toupper(substr(reason, 1, 1))
  features <- sum(x$data$columns$role == "feature")
  chosen <- if (length(x$selected)) paste(x$selected, collapse = ", ") else "none"
  same <- vapply(x$aliases, paste, "", collapse = ", ")
  strwrap(
    c(
      reason,
      sprintf("Selected %d of %s: %s", length(x$selected), counted(features, "column"), chosen),
      sprintf("%s stands for %s, the same column.", names(same), same)
    ),
    width = 0.95 * getOption("width"), exdent = 2
  )
}

commas <- function(number) formatC(number, format = "d", big.mark = ",")

counted <- function(number, word) paste0(commas(number), " ", word, if (number == 1) "" else "s")

#' @rdname print.renyi_path
#' @export
summary.renyi_path <- function(object, ...) {
  structure(list(path = object), class = "summary.renyi_path")
}

#' @export
print.summary.renyi_path <- function(x, digits = 4L, ...) {
  path <- x$path
  print(path, digits = digits)
  cat("\nColumns\n")
  columns <- path$data$columns
  columns$kernel[is.na(columns$kernel)] <- "-"
  columns$kind[is.na(columns$kind)] <- "-"
  print(columns[c("name", "role", "kind", "kernel", "distinct", "missing", "reason")], row.names = FALSE, right = FALSE)
  cat("\nCriteria\n")
  criteria <- path$criteria
  for (k in seq_len(nrow(criteria))) {
    said <- sprintf("step %d, %s: %s", criteria$step[k], criteria$criterion[k], criteria$reason[k])
    writeLines(strwrap(said, width = 0.95 * getOption("width"), indent = 1, exdent = 3))
  }
  if (nrow(path$unselected)) {
    cat("\nNot selected\n")
    said <- sprintf("%s: %s", path$unselected$feature, path$unselected$reason)
    writeLines(strwrap(said, width = 0.95 * getOption("width"), indent = 1, exdent = 3))
  }
  writeLines(repeat_lines(path))
  if (nrow(path$warnings)) {
    cat("\nNotes\n")
    writeLines(strwrap(path$warnings$message, width = 0.95 * getOption("width"), indent = 1, exdent = 3))
  }
  invisible(x)
}

#' @rdname print.renyi_path
#' @export
as.data.frame.renyi_path <- function(x, row.names = NULL, optional = FALSE, ...) { # nolint
  x$steps
}
