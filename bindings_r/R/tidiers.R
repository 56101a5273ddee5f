#' Tidy a selection
#'
#' Methods for the generics of the packages generics and broom.
#'
#' @param x A `renyi_path`.
#' @param ... Not used.
#' @return `augment()`: `data` with the selected columns that are expressions of the formula added, as `predict()` computes
#'   them; all its rows. `tidy()`: one row a step, with `step`, `term`, `action`, `selected`, `mi`, `mi.chance`, `cmi`,
#'   `gain`, `chance`, `z`, `saturation` and, of the first criterion, `criterion`, `statistic`, `threshold`, `p.value` (`NA`
#'   where the test was decided early or without draws; then `p.upper` bounds it) and `p.upper`. `glance()`: one row a
#'   fit. Tibbles where the package tibble is installed.
#' @examplesIf renyi::renyi_available() && requireNamespace("generics", quietly = TRUE)
#' fit <- renyi_select(Species ~ ., data = iris)
#' generics::tidy(fit)
#' generics::glance(fit)
#' @exportS3Method generics::tidy
tidy.renyi_path <- function(x, ...) {
  steps <- x$steps
  criteria <- x$criteria[!duplicated(x$criteria$step), ]
  first <- criteria[match(steps$step, criteria$step), ]
  as_tibble_if(data.frame(
    step = steps$step, term = steps$feature, action = steps$action, selected = steps$selected,
    mi = steps$mi, mi.chance = steps$mi_chance, cmi = steps$cmi, gain = steps$gain, chance = steps$chance,
    z = steps$z, saturation = steps$saturation,
    criterion = first$criterion, statistic = first$statistic, threshold = first$threshold,
    p.value = first$p_value, p.upper = first$p_upper, stringsAsFactors = FALSE
  ))
}

#' @rdname tidy.renyi_path
#' @exportS3Method generics::glance
glance.renyi_path <- function(x, ...) {
  chosen <- x$steps[is_done(x$steps), ]
  last <- nrow(chosen)
  of_last <- function(name) if (last) chosen[[name]][last] else NA_real_
  as_tibble_if(data.frame(
    target = x$data$target,
    nobs = x$data$rows_used,
    n.features = feature_count(x$data),
    n.selected = length(x$selected),
    mi = of_last("mi"), cmi = of_last("cmi"), saturation = of_last("saturation"),
    target.entropy = if (nrow(x$steps)) x$steps$entropy_target[1] else NA_real_,
    criterion = paste(texts(x$options$criteria), collapse = "+"),
    alpha = as.double(x$options$alpha), stopped = x$verdict$stopped, seed = as.double(x$seed),
    stringsAsFactors = FALSE
  ))
}

#' @rdname tidy.renyi_path
#' @param data The data frame, tibble or data.table to add columns to, such as the one of the selection.
#' @exportS3Method generics::augment
augment.renyi_path <- function(x, data, ...) {
  if (missing(data)) renyi_abort("option", "`data` must be given: a fit does not hold its table.", "Write augment(fit, data).")
  if (!is.data.frame(data)) abort_table(data)
  as_tibble_if(as.data.frame(with_expressions(data, columns_of(x), x)))
}

#' Tidy a comparison of criteria
#'
#' Methods for the generics of base R, of the packages generics and broom, and of ggplot2.
#'
#' @param x,object A `renyi_comparison`.
#' @param row.names,optional Not used.
#' @param ... Not used.
#' @return `as.data.frame()`: one row a criterion, the part `results` of a [renyi_compare()]. `tidy()`: the same with the
#'   names of broom (`term` is the criterion, `estimate` its mean score, `std.dev`, `conf.low`, `conf.high`, `p.value`
#'   of being as good as the best number of columns), `n.features`, `distance`, `rank` and `stopped`. `glance()`: one row
#'   a comparison. Tibbles where the package tibble is installed. `summary()`: an object that prints the page of
#'   `print()`, the columns and the reason of each criterion, and the score of each number of columns. `autoplot()`: a
#'   ggplot.
#' @examplesIf renyi::renyi_available() && requireNamespace("generics", quietly = TRUE)
#' found <- renyi_compare(Species ~ ., iris, criterion = c("cmi-max", "mi-perm"), runs = 10)
#' as.data.frame(found)
#' generics::tidy(found)
#' generics::glance(found)
#' summary(found)
#' @exportS3Method generics::tidy
tidy.renyi_comparison <- function(x, ...) {
  results <- x$results
  as_tibble_if(data.frame(
    term = results$criterion, n.features = results$features, estimate = results$mean, std.dev = results$deviation,
    conf.low = results$low, conf.high = results$high, p.value = results$p_value_from_best,
    distance = results$distance, rank = results$rank, stopped = results$stopped, stringsAsFactors = FALSE
  ))
}

#' @rdname tidy.renyi_comparison
#' @exportS3Method generics::glance
glance.renyi_comparison <- function(x, ...) {
  as_tibble_if(data.frame(
    target = x$data$target, nobs = x$data$rows_used, model = x$model, measure = x$measure, runs = x$runs, test = x$test,
    n.criteria = nrow(x$results), best = x$best, smallest = x$smallest,
    best.score = x$curve$mean[match(x$best, x$curve$size)],
    smallest.score = x$curve$mean[match(x$smallest, x$curve$size)], stringsAsFactors = FALSE
  ))
}

#' @rdname tidy.renyi_comparison
#' @export
as.data.frame.renyi_comparison <- function(x, row.names = NULL, optional = FALSE, ...) { # nolint
  x$results
}

#' @rdname tidy.renyi_comparison
#' @export
summary.renyi_comparison <- function(object, ...) {
  structure(list(comparison = object), class = "summary.renyi_comparison")
}

#' @export
print.summary.renyi_comparison <- function(x, ...) {
  found <- x$comparison
  print(found)
  cat("\nCriteria\n")
  for (name in found$results$criterion) {
    columns <- found$selected[[name]]
    reason <- found$results$reason[found$results$criterion == name]
    said <- c(
      sprintf("%s: %s", name, if (length(columns)) paste(columns, collapse = ", ") else "none"),
      if (!is.na(reason)) paste0("  ", reason)
    )
    writeLines(strwrap(said, width = 0.95 * getOption("width"), indent = 1, exdent = 3))
  }
  cat(sprintf("\n%s by number of columns\n", if (identical(found$measure, "r2")) "R2" else "Accuracy"))
  print(found$curve, row.names = FALSE, digits = 3)
  if (nrow(found$warnings)) {
    cat("\nNotes\n")
    writeLines(strwrap(found$warnings$message, width = 0.95 * getOption("width"), indent = 1, exdent = 3))
  }
  invisible(x)
}

as_tibble_if <- function(frame) {
  if (requireNamespace("tibble", quietly = TRUE)) tibble::as_tibble(frame) else frame
}
