# The paths of several scores, as `compare` of Python returns them.
new_score_comparison <- function(value) {
  record <- value$result
  scores <- texts(record$scores)
  parts <- lapply(record$comparisons, function(one) new_comparison(list(result = one, json = NULL)))
  names(parts) <- scores
  of_each <- function(part, field) rep(part[[field]], nrow(part$results))
  rows <- lapply(parts, function(part) {
    cbind(part$results, smallest = of_each(part, "smallest"), best = of_each(part, "best"))
  })
  results <- do.call(rbind, unname(rows))
  results <- cbind(
    score = field_texts(record$stops, "score"), results,
    difference = field_numbers(record$stops, "difference"),
    p_value_from_best_stop = field_numbers(record$stops, "p_value"), stringsAsFactors = FALSE
  )
  last <- names(results) == "reason"
  longest <- max(vapply(parts, function(part) length(part$path), 0L))
  paths <- lapply(parts, function(part) part$path[seq_len(longest)])
  first <- parts[[1]]
  structure(
    list(
      results = cbind(results[!last], results[last]),
      paths = data.frame(place = seq_len(longest), paths, check.names = FALSE, stringsAsFactors = FALSE),
      comparisons = parts,
      best = list(score = record$best$score, criterion = record$best$criterion),
      model = first$model,
      measure = first$measure,
      runs = first$runs,
      test = first$test,
      data = first$data,
      warnings = notes_frame(record$warnings),
      json = text_or_na(value$json)
    ),
    class = "renyi_score_comparison"
  )
}

#' @export
print.renyi_score_comparison <- function(x, ...) {
  score <- score_words(x$measure)
  cat(sprintf(
    "Target `%s`, %s rows, model %s, %d bootstrap runs\n\n",
    x$data$target, format(x$data$rows_used, big.mark = ","), x$model, x$runs
  ))
  results <- x$results
  shown <- data.frame(
    score = results$score, criterion = results$criterion, columns = results$features, mean = score(results$mean),
    interval = paste(score(results$low), "to", score(results$high)),
    "p(best)" = format.pval(results$p_value_from_best_stop, digits = 2),
    smallest = results$smallest, distance = sprintf("%+d", results$distance), check.names = FALSE
  )
  names(shown)[4:5] <- c(if (identical(x$measure, "r2")) "R2" else "accuracy", "95% interval")
  print(shown, row.names = FALSE, right = TRUE)
  at <- which(results$score == x$best$score & results$criterion == x$best$criterion)
  cat(sprintf(
    "\nBest stop: %s with %d columns, %s; p(best) is against it, on the same draws.\n\n",
    x$best$score, results$features[at], score(results$mean[at])
  ))
  seen <- x$paths[seq_len(min(nrow(x$paths), 1L + max(results$features, results$smallest))), , drop = FALSE]
  for (name in names(x$comparisons)) {
    last <- intersect(results$features[results$score == name], seen$place)
    seen[[name]][last] <- paste(seen[[name]][last], "*")
    seen[[name]][is.na(seen[[name]])] <- ""
  }
  print(seen, row.names = FALSE, right = FALSE)
  cat("* the last column before a stop\n")
  invisible(x)
}

#' Tidy a comparison of scores
#'
#' Methods for the generics of base R, of the packages generics and broom, and of ggplot2.
#'
#' @param x,object A `renyi_score_comparison`, see [renyi_compare()].
#' @param row.names,optional,... Not used.
#' @return `as.data.frame()`: one row a score and criterion, the part `results`. `tidy()`: the same with the names of broom
#'   (`score`, `term` is the criterion, `estimate` its mean score, `std.dev`, `conf.low`, `conf.high`, and `p.value` of being
#'   as good as the best stop of all, from which it is `difference` away), `n.features`, `smallest`, `distance`
#'   and `stopped`. `glance()`: one row a comparison. Tibbles where the package tibble is installed. `summary()`: an object
#'   that prints the page of `print()`, and the columns and the reason of each score and criterion. `autoplot()`: a ggplot.
#' @examplesIf renyi::renyi_available() && requireNamespace("generics", quietly = TRUE)
#' found <- renyi_compare(Species ~ ., iris, score = c("mi", "jmi"), runs = 10)
#' as.data.frame(found)
#' generics::tidy(found)
#' generics::glance(found)
#' summary(found)
#' @export
as.data.frame.renyi_score_comparison <- function(x, row.names = NULL, optional = FALSE, ...) { # nolint
  x$results
}

#' @rdname as.data.frame.renyi_score_comparison
#' @exportS3Method generics::tidy
tidy.renyi_score_comparison <- function(x, ...) {
  results <- x$results
  as_tibble_if(data.frame(
    score = results$score, term = results$criterion, n.features = results$features, estimate = results$mean,
    std.dev = results$deviation, conf.low = results$low, conf.high = results$high,
    difference = results$difference, p.value = results$p_value_from_best_stop,
    smallest = results$smallest, distance = results$distance, stopped = results$stopped, stringsAsFactors = FALSE
  ))
}

#' @rdname as.data.frame.renyi_score_comparison
#' @exportS3Method generics::glance
glance.renyi_score_comparison <- function(x, ...) {
  results <- x$results
  at <- which(results$score == x$best$score & results$criterion == x$best$criterion)
  as_tibble_if(data.frame(
    target = x$data$target, nobs = x$data$rows_used, model = x$model, measure = x$measure, runs = x$runs, test = x$test,
    n.scores = length(x$comparisons), best = x$best$score, best.criterion = x$best$criterion,
    best.features = results$features[at], best.score = results$mean[at], stringsAsFactors = FALSE
  ))
}

#' @rdname as.data.frame.renyi_score_comparison
#' @export
summary.renyi_score_comparison <- function(object, ...) {
  structure(list(comparison = object), class = "summary.renyi_score_comparison")
}

#' @export
print.summary.renyi_score_comparison <- function(x, ...) {
  found <- x$comparison
  print(found)
  cat("\nScores\n")
  for (k in seq_len(nrow(found$results))) {
    one <- found$results[k, ]
    columns <- found$comparisons[[one$score]]$selected[[one$criterion]]
    said <- c(
      sprintf("%s, %s: %s", one$score, one$criterion, if (length(columns)) paste(columns, collapse = ", ") else "none"),
      if (!is.na(one$reason)) paste0("  ", one$reason)
    )
    writeLines(strwrap(said, width = 0.95 * getOption("width"), indent = 1, exdent = 3))
  }
  if (nrow(found$warnings)) {
    cat("\nNotes\n")
    writeLines(strwrap(found$warnings$message, width = 0.95 * getOption("width"), indent = 1, exdent = 3))
  }
  invisible(x)
}

#' @rdname as.data.frame.renyi_score_comparison
#' @exportS3Method ggplot2::autoplot
autoplot.renyi_score_comparison <- function(object, ...) {
  number <- identical(object$measure, "r2")
  times <- if (number) 1 else 100
  scores <- names(object$comparisons)
  ends <- split(object$results, factor(object$results$score, levels = scores))
  words <- vapply(ends, function(end) paste(end$criterion, end$features, collapse = ", "), "")
  words <- stats::setNames(sprintf("%s (%s)", scores, words), scores)
  curves <- do.call(rbind, lapply(scores, function(score) {
    curve <- object$comparisons[[score]]$curve
    curve <- curve[curve$size > 0 | nrow(curve) == 1, ] # none at all may be so bad that it flattens the rest
    data.frame(score = score, size = curve$size, mean = times * curve$mean)
  }))
  stops <- object$results[c("score", "features", "mean", "low", "high", "stopped")]
  stops[c("mean", "low", "high")] <- times * stops[c("mean", "low", "high")]
  curves$score <- factor(curves$score, levels = scores)
  stops$score <- factor(stops$score, levels = scores)
  turn <- function(values) stats::setNames(rep_len(values, length(scores)), scores)
  scale <- function(make, values) make(values = turn(values), labels = words, name = NULL)
  aes <- ggplot2::aes
  ggplot2::ggplot(curves, aes(.data$size, .data$mean, colour = .data$score)) +
    ggplot2::geom_line(aes(linetype = .data$score)) +
    ggplot2::geom_point(aes(shape = .data$score), size = 1.2) +
    ggplot2::geom_errorbar(
      aes(.data$features, ymin = .data$low, ymax = .data$high, colour = .data$score),
      data = stops, inherit.aes = FALSE, width = 0.15, show.legend = FALSE
    ) +
    ggplot2::geom_point(aes(.data$features, .data$mean, shape = .data$score), data = stops, size = 4, show.legend = FALSE) +
    ggplot2::geom_point( # hollow: the path ended before the criterion did
      aes(.data$features, .data$mean, shape = .data$score),
      data = stops[stops$stopped != "criterion", ], size = 2.4, colour = "white", show.legend = FALSE
    ) +
    scale(ggplot2::scale_colour_manual, series_colours) +
    scale(ggplot2::scale_linetype_manual, c("solid", "dashed", "dotted", "dotdash", "longdash")) +
    scale(ggplot2::scale_shape_manual, c(19, 15, 17, 18, 25, 3, 4, 8)) +
    ggplot2::scale_x_continuous(breaks = function(limits) unique(round(pretty(limits)))) +
    ggplot2::labs(
      x = "number of columns", y = if (number) "R2" else "accuracy, %",
      title = wrapped("Where scores stop for %s", object$data$target)
    ) +
    ggplot2::theme_minimal() +
    ggplot2::theme(legend.position = "top", legend.justification = "left")
}

#' Plot the paths of several scores
#'
#' The mean score of a model against the number of columns, a line for each path, and a large mark with its 95 percent
#' interval where it stops; the mark is open where the path ended before the criterion did.
#'
#' @param x A `renyi_score_comparison`, see [renyi_compare()].
#' @param xlab,ylab,main Labels.
#' @param ... Passed on to [graphics::plot.default()].
#' @return `x`, invisibly.
#' @examplesIf renyi::renyi_available()
#' plot(renyi_compare(Species ~ ., iris, score = c("mi", "jmi"), runs = 10))
#' @export
plot.renyi_score_comparison <- function(x, xlab = "number of columns", ylab = NULL, main = NULL, ...) {
  number <- identical(x$measure, "r2")
  factor <- if (number) 1 else 100
  if (is.null(ylab)) ylab <- if (number) "R2" else "accuracy, %"
  if (is.null(main)) main <- fitting_title(sprintf("Where scores stop for %s", x$data$target))
  # No column at all may predict so badly that the rest would be flattened by it.
  curves <- lapply(x$comparisons, function(one) one$curve[one$curve$size > 0 | nrow(one$curve) == 1, ])
  results <- x$results
  seen <- c(unlist(lapply(curves, `[[`, "mean")), results$low[results$features > 0], results$high[results$features > 0])
  sizes <- range(unlist(lapply(curves, `[[`, "size")), results$features)
  graphics::plot(sizes, factor * range(seen), type = "n", xlab = xlab, ylab = ylab, main = main, las = 1, ...)
  number_of <- seq_along(curves)
  colours <- series_colours[(number_of - 1) %% length(series_colours) + 1]
  dashes <- (number_of - 1) %% 6 + 1
  marks <- c(21, 22, 24, 23, 25)[(number_of - 1) %% 5 + 1]
  for (k in number_of) {
    curve <- curves[[k]]
    graphics::lines(curve$size, factor * curve$mean, type = "b", col = colours[k], lty = dashes[k], pch = marks[k], cex = 0.5)
    ends <- results[results$score == names(curves)[k], ]
    graphics::segments(ends$features, factor * ends$low, y1 = factor * ends$high, col = colours[k])
    graphics::points(
      ends$features, factor * ends$mean, pch = marks[k], cex = 1.8, col = colours[k],
      bg = ifelse(ends$stopped == "criterion", colours[k], "white")
    )
  }
  graphics::legend(
    "bottomright", legend = names(curves), col = colours, lty = dashes, pch = marks, pt.bg = colours, bty = "n"
  )
  invisible(x)
}
