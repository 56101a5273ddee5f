#' Plot a selection
#'
#' MI and CMI against the step, with what chance gives MI, the target's entropy, and the place where the
#' search stopped. Where a test compared bits, a band shows where the statistic of shuffled columns lay (5
#' to 95 percent; for `"cmi-max"` and `"cmi-local"` the MI that the best of all candidates, shuffled, would
#' have led to). A hollow point is a column that was tested and not selected.
#'
#' @param x,object A `renyi_path`.
#' @param xlab,ylab,main Labels.
#' @param las Direction of the axis labels, see [graphics::par()].
#' @param ... Passed on to [graphics::plot.default()] by `plot()`; not used by `autoplot()`.
#' @return `plot()` returns `x` invisibly; `autoplot()` a ggplot.
#' @examplesIf renyi::renyi_available()
#' fit <- renyi_select(Species ~ ., data = iris)
#' plot(fit)
#' @export
plot.renyi_path <- function(x, xlab = "", ylab = "bits", main = NULL, las = 2, ...) {
  steps <- x$steps
  if (!nrow(steps)) renyi_abort("usage", "There must be a step to plot, got none.")
  bands <- null_bands(x)
  target <- steps$entropy_target[1]
  limits <- range(0, target, steps$mi, steps$mi_chance, steps$cmi, bands$low, bands$high, na.rm = TRUE)
  limits[2] <- limits[2] + 0.3 * diff(limits) # the legend's own place
  if (is.null(main)) main <- sprintf("What the columns tell about %s", x$data$target)
  graphics::plot(
    range(steps$step) + c(-0.4, 0.4), limits,
    type = "n", xaxt = "n", xlab = xlab, ylab = ylab, main = main, las = 1, ...
  )
  graphics::axis(1, at = steps$step, labels = steps$feature, las = las, cex.axis = 0.8)
  graphics::abline(h = c(0, target), col = "grey60", lty = c(1, 2))
  colours <- curve_colours
  if (nrow(bands)) {
    graphics::rect(
      bands$step - 0.3, bands$low, bands$step + 0.3, bands$high,
      col = grDevices::adjustcolor(colours[bands$statistic], 0.25), border = NA
    )
    graphics::segments(bands$step - 0.3, bands$median, bands$step + 0.3, bands$median, col = colours[bands$statistic])
  }
  for (name in c("mi", "cmi")) {
    graphics::lines(steps$step, steps[[name]], col = colours[name])
    graphics::points(
      steps$step, steps[[name]],
      pch = 21, col = colours[name], bg = ifelse(steps$selected, colours[name], "white")
    )
  }
  by_chance <- !all(is.na(steps$mi_chance))
  if (by_chance) graphics::lines(steps$step, steps$mi_chance, col = colours["mi"], lty = 3)
  stop <- stop_place(x)
  if (!is.na(stop)) graphics::abline(v = stop, col = "grey40", lty = 3)
  graphics::legend(
    "topleft", ncol = 2,
    legend = c(
      "MI", "CMI", "entropy of the target", if (by_chance) "MI by chance",
      if (nrow(bands)) paste0(shuffled_words(bands), ", 5-95%")
    ),
    col = c(colours, "grey60", if (by_chance) colours["mi"], if (nrow(bands)) "grey75"),
    lty = c(1, 1, 2, if (by_chance) 3, if (nrow(bands)) 1),
    lwd = c(1, 1, 1, if (by_chance) 1, if (nrow(bands)) 6), bty = "n", cex = 0.8
  )
  invisible(x)
}

curve_colours <- c(mi = "#1f6fb4", cmi = "#c2571a")

# Where the statistic of shuffled copies lay, one row for each test with draws that compared bits. A gain is
# shown as the MI that it would have led to: it has no curve of its own.
null_bands <- function(x) {
  tests <- x$criteria[!is.na(x$criteria$null_low) & x$criteria$statistic_name != "z", ]
  gains <- tests$statistic_name == "gain"
  before <- x$steps[match(tests$step, x$steps$step), ]
  base <- ifelse(gains, before$mi - before$gain, 0)
  data.frame(
    step = tests$step, statistic = ifelse(gains, "mi", tests$statistic_name), low = base + tests$null_low,
    median = base + tests$null_median, high = base + tests$null_high, best = gains, stringsAsFactors = FALSE
  )
}

shuffled_words <- function(bands) {
  if (all(bands$best)) "best of all columns shuffled" else if (any(bands$best)) "shuffled columns" else "newest column shuffled"
}

# Between the last column selected and the one that was not, or after the last one.
stop_place <- function(x) {
  steps <- x$steps
  if (!identical(x$verdict$stopped, "criterion")) {
    return(NA_real_)
  }
  last <- nrow(steps)
  if (steps$selected[last]) last + 0.5 else last - 0.5
}

#' @rdname plot.renyi_path
#' @exportS3Method ggplot2::autoplot
autoplot.renyi_path <- function(object, ...) {
  steps <- object$steps
  if (!nrow(steps)) renyi_abort("usage", "There must be a step to plot, got none.")
  curves <- data.frame(
    step = rep(steps$step, 2), value = c(steps$mi, steps$cmi),
    measure = rep(c("mi", "cmi"), each = nrow(steps)), selected = rep(steps$selected, 2)
  )
  curves <- curves[!is.na(curves$value), ]
  bands <- null_bands(object)
  names(bands)[2] <- "measure"
  aes <- ggplot2::aes
  plot <- ggplot2::ggplot(curves, aes(.data$step, .data$value, colour = .data$measure)) +
    ggplot2::geom_hline(yintercept = 0, colour = "grey60") +
    ggplot2::geom_hline(yintercept = steps$entropy_target[1], colour = "grey60", linetype = 2) +
    ggplot2::geom_rect(
      aes(xmin = .data$step - 0.3, xmax = .data$step + 0.3, ymin = .data$low, ymax = .data$high, fill = .data$measure),
      data = bands, inherit.aes = FALSE, alpha = 0.25
    ) +
    ggplot2::geom_line() +
    ggplot2::geom_line(
      aes(.data$step, .data$mi_chance),
      data = steps[!is.na(steps$mi_chance), ], inherit.aes = FALSE, colour = curve_colours[["mi"]], linetype = 3
    ) +
    ggplot2::geom_point(aes(shape = .data$selected), size = 2, fill = "white") +
    ggplot2::scale_shape_manual(values = c("TRUE" = 19, "FALSE" = 21), guide = "none") +
    ggplot2::scale_colour_manual(values = curve_colours, labels = c(mi = "MI", cmi = "CMI"), name = NULL) +
    ggplot2::scale_fill_manual(values = curve_colours, guide = "none") +
    ggplot2::scale_x_continuous(breaks = steps$step, labels = steps$feature, minor_breaks = NULL) +
    ggplot2::labs(x = NULL, y = "bits", title = sprintf("What the columns tell about %s", object$data$target)) +
    ggplot2::theme_minimal() +
    ggplot2::theme(axis.text.x = ggplot2::element_text(angle = 90, hjust = 1, vjust = 0.5))
  stop <- stop_place(object)
  if (is.na(stop)) plot else plot + ggplot2::geom_vline(xintercept = stop, colour = "grey40", linetype = 3)
}

utils::globalVariables(".data")
