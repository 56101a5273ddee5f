#' Tidy a selection
#'
#' Methods for the generics of the packages generics and broom.
#'
#' @param x A `renyi_path`.
#' @param ... Not used.
#' @return `tidy()`: one row a step, with `step`, `term`, `action`, `selected`, `mi`, `mi.chance`, `cmi`,
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
  chosen <- x$steps[x$steps$selected, ]
  last <- nrow(chosen)
  of_last <- function(name) if (last) chosen[[name]][last] else NA_real_
  as_tibble_if(data.frame(
    target = x$data$target,
    nobs = x$data$rows_used,
    n.features = candidates(x$data),
    n.selected = length(x$selected),
    mi = of_last("mi"), cmi = of_last("cmi"), saturation = of_last("saturation"),
    target.entropy = if (nrow(x$steps)) x$steps$entropy_target[1] else NA_real_,
    criterion = paste(texts(x$options$criteria), collapse = "+"),
    alpha = as.double(x$options$alpha), stopped = x$verdict$stopped, seed = as.double(x$seed),
    stringsAsFactors = FALSE
  ))
}

as_tibble_if <- function(frame) {
  if (requireNamespace("tibble", quietly = TRUE)) tibble::as_tibble(frame) else frame
}
