#' Print and summarise a selection
#'
#' `print()` shows one line a step, in as many columns as the page has room for, and the verdict; `summary()` what was done with each column and
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
  features <- feature_count(x$data)
  c(
    sprintf(
      "Target `%s` (%s), %s rows, %s", x$data$target, x$data$target_reason, commas(x$data$rows_used), counted(features, "column")
    ),
    sprintf(
      "%s, %salpha %s, bandwidth %s, %s, %sseed %s",
      paste(texts(options$criteria), collapse = both), paste0(pair_words(options), plain_words(options, "search", "forward"), plain_words(options, "rank", "chance", "raw")), options$alpha,
      options$bandwidth, options$standardise,
      paste0(plain_words(options, "kernel", "gaussian"), plain_words(options, "nominal", "soft"), plain_words(options, "class_weights", "balanced", "none")), x$seed
    )
  )
}

# The share of all pairs that sums are estimated from.
pair_words <- function(options) {
  if (is.null(options$pairs)) "" else sprintf("%s%% of pairs, ", format(100 * options$pairs))
}

# An option that is not as usual, at order 2 or at another.
plain_words <- function(options, name, usual, other = usual) {
  value <- options[[name]]
  if (is.null(value) || value == (if (options$alpha == 2) usual else other)) "" else paste0(sub("_", " ", name), " ", value, ", ")
}

step_lines <- function(x, digits, n) {
  steps <- x$steps
  if (!nrow(steps)) {
    return(character())
  }
  bits <- function(value) ifelse(is.na(value), "-", formatC(value, format = "f", digits = digits))
  deviations <- function(value) ifelse(is.na(value), "-", formatC(value, format = "f", digits = 1))
  cells <- list(
    "#" = as.character(steps$step),
    feature = feature_words(steps),
    MI = with_error(bits(steps$mi), bits(steps$mi_error), steps$mi_error),
    "by chance" = bits(steps$mi_chance),
    CMI = with_error(bits(steps$cmi), bits(steps$cmi_error), steps$cmi_error),
    gain = with_error(bits(steps$gain), bits(steps$gain_error), steps$gain_error),
    chance = bits(steps$chance),
    z = with_error(deviations(steps$z), deviations(steps$z_error), steps$z_error)
  )
  cells$p <- p_words(x)
  cells[["room left"]] <- bits(steps$saturation)
  marks <- ifelse(is_done(steps), "", ifelse(steps$selected, "stays", "not selected"))
  open <- ifelse(steps$choice_open %in% TRUE, "choice open", "")
  open <- paste0(open, ifelse(steps$stop_open %in% TRUE, ifelse(open == "", "stop open", ", stop open"), ""))
  cells[[" "]] <- paste0(marks, ifelse(marks != "" & open != "", ", ", ""), open)
  if (all(cells[[" "]] == "")) cells[[" "]] <- NULL
  unknown <- c("by chance" = "mi_chance", CMI = "cmi", chance = "chance", z = "z")
  for (title in names(unknown)) {
    if (all(is.na(steps[[unknown[[title]]]]))) cells[[title]] <- NULL
  }
  # where kernels widen with the number of columns it compares two widths
  if (grepl("^(steady|growing)|:joint$", as.character(x$options$bandwidth))) cells$CMI <- NULL
  cells <- fitting(cells)
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

# A number that is an estimate with its standard error; an exact one as it is.
with_error <- function(text, error, value) {
  ifelse(is.na(value) | value == 0, text, paste0(text, " +-", error))
}

# Whether what a step proposes was done: its column entered, or was taken away.
is_done <- function(steps) steps$selected != (steps$action == "remove")

# The column of each step, and what the step does with it where it does not enter.
feature_words <- function(steps) {
  counts <- lengths(strsplit(steps$feature, " + ", fixed = TRUE))
  named <- ifelse(steps$action == "start" & counts > 3, sprintf("%d columns", counts), steps$feature)
  words <- c(keep = " (kept)", start = " (start)")
  paste0(ifelse(steps$action == "remove", "- ", ""), named, ifelse(steps$action %in% names(words), words[steps$action], ""))
}

# The columns that the page has room for, the least needed left out first.
fitting <- function(cells) {
  width <- function() sum(vapply(names(cells), function(title) max(nchar(c(title, cells[[title]]), "width")) + 2, 0)) - 2
  for (title in c("by chance", "room left", "CMI")) {
    if (width() > getOption("width")) cells[[title]] <- NULL
  }
  cells
}

# The p-value of the first permutation criterion, or the level that it is certainly below. Where no draws
# were needed a bound is known roughly, and none where the column failed.
p_words <- function(x) {
  tests <- x$criteria[!is.na(x$criteria$drawn), ]
  tests <- tests[match(x$steps$step, tests$step), ]
  if (all(is.na(tests$drawn))) {
    return(NULL)
  }
  number <- function(value) formatC(value, format = "g", digits = 3)
  power <- ceiling(log10(tests$p_upper) - 1e-9)
  drawn <- !is.na(tests$drawn) & tests$drawn > 0
  bound <- ifelse(
    drawn, paste("<=", formatC(signif(tests$p_upper, 2), format = "g")),
    ifelse(tests$p_upper >= 1, "-", paste("<", ifelse(power > -4, formatC(10^power, format = "g"), sprintf("1e%.0f", power))))
  )
  ifelse(!is.na(tests$p_value), number(tests$p_value), ifelse(is.na(tests$p_upper), "-", bound))
}

verdict_lines <- function(x) {
  reason <- x$verdict$reason
  substr(reason, 1, 1) <- toupper(substr(reason, 1, 1))
  features <- feature_count(x$data)
  chosen <- if (length(x$selected)) paste(x$selected, collapse = ", ") else "none"
  same <- vapply(x$aliases, paste, "", collapse = ", ")
  groups <- x$data$group_columns[intersect(names(x$data$group_columns), x$selected)]
  parts <- vapply(groups, function(columns) {
    more <- if (length(columns) > 8) sprintf(" and %d more", length(columns) - 8L) else ""
    paste0(counted(length(columns), "column"), ": ", paste(utils::head(columns, 8), collapse = ", "), more)
  }, "")
  strwrap(
    c(
      reason,
      sprintf("Selected %d of %s: %s", length(x$selected), counted(features, "column"), chosen),
      purpose_line(x),
      sprintf("%s is %s.", names(parts), parts),
      sprintf("%s stands for %s, the same column.", names(same), same)
    ),
    width = 0.95 * getOption("width"), exdent = 2
  )
}

# What the verdict answers, where the columns of its criterion are for something that has a name.
purpose_line <- function(x) {
  if (is.null(x$purpose)) {
    return(NULL)
  }
  switch(
    x$purpose,
    model = paste(
      "For a model: columns that help together with those before; purpose \"news\" keeps only those that",
      "say something beyond them."
    ),
    news = paste(
      "For news: columns that say something beyond those before; purpose \"model\" keeps all that help",
      "together with them."
    )
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
