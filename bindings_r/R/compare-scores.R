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

#' The stops of several scores as a data frame
#'
#' @param x A `renyi_score_comparison`, see [renyi_compare()].
#' @param row.names,optional,... Not used.
#' @return Its `results`: one row a score and criterion.
#' @examplesIf renyi::renyi_available()
#' as.data.frame(renyi_compare(Species ~ ., iris, score = c("mi", "jmi"), runs = 10))
#' @export
as.data.frame.renyi_score_comparison <- function(x, row.names = NULL, optional = FALSE, ...) { # nolint
  x$results
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
  # Okabe and Ito's palette but for its yellow, which is pale on white
  palette <- c("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
  number_of <- seq_along(curves)
  colours <- palette[(number_of - 1) %% length(palette) + 1]
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
