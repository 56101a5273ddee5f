#' Plot a selection
#'
#' MI and CMI against the step, with what chance gives MI, the target's entropy, and the place where the
#' search stopped. Where a test compared bits, a band shows where the statistic of shuffled columns lay (5
#' to 95 percent; for `"cmi-max"` and `"cmi-local"` the MI that the best of all candidates, shuffled, would
#' have led to). A hollow point is a step whose test ended the search: a column that was not selected, or one that
#' was to be taken away and stays.
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
  if (!nrow(steps)) renyi_abort("usage", "There must be a step to plot, got none.", "The selection ended before its first step: see print().")
  bands <- null_bands(x)
  target <- steps$entropy_target[1]
  limits <- range(0, target, steps$mi, steps$mi_chance, steps$cmi, bands$low, bands$high, na.rm = TRUE)
  limits[2] <- limits[2] + 0.3 * diff(limits) # the legend's own place
  if (is.null(main)) main <- fitting_title(sprintf("What the columns tell about %s", x$data$target))
  labels <- step_labels(feature_words(steps), las)
  old <- graphics::par(mar = graphics::par("mar") + c(labels$more, 0, 0, 0))
  on.exit(graphics::par(old))
  graphics::plot(
    range(steps$step) + c(-0.4, 0.4), limits,
    type = "n", xaxt = "n", xlab = xlab, ylab = ylab, main = main, las = 1, ...
  )
  shown <- labels_in_turn(steps$step, labels$text, las)
  graphics::axis(1, at = steps$step, labels = FALSE, tcl = -0.2)
  graphics::axis(1, at = steps$step[shown], labels = labels$text[shown], las = las, cex.axis = label_size, gap.axis = -1)
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
      pch = 21, col = colours[name], bg = ifelse(is_done(steps), colours[name], "white")
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

label_size <- 0.8 # of the names below the axis

# Names below the axis, shortened where they would take more than a third of the page, and by how many lines the
# margin must grow for them.
step_labels <- function(names, las) {
  upright <- las %in% 2:3
  line <- graphics::par("csi") # inches
  most <- if (upright) graphics::par("din")[2] / 3 else graphics::par("pin")[1] / min(length(names), 3)
  text <- vapply(names, shortened, "", most, USE.NAMES = FALSE)
  needed <- if (upright) max(label_inches(text)) / line + 1.5 else 3
  list(text = text, more = spare_lines(needed - graphics::par("mar")[1]))
}

# By how many lines a margin may grow: an inch is left to the plot.
spare_lines <- function(wanted) max(0, min(wanted, (graphics::par("pin")[2] - 1) / graphics::par("csi")))

label_inches <- function(text) graphics::strwidth(text, units = "inches", cex = label_size)

# A name that takes no more than so many inches: its middle left out, since names often differ at the end.
shortened <- function(name, most) {
  letters <- nchar(name)
  while (letters > 5 && label_inches(name) > most) {
    letters <- letters - 1
    whole <- nchar(name)
    keep <- letters - 3
    name <- paste0(substr(name, 1, ceiling(keep / 2)), "...", substr(name, whole - floor(keep / 2) + 1, whole))
  }
  name
}

# Which of the labels are drawn so that none lies on another: every one, every second, ... In a plot that is set up.
labels_in_turn <- function(at, text, las) {
  inches <- if (las %in% 2:3) graphics::par("csi") * label_size else max(label_inches(text)) + 0.05
  room <- graphics::par("pin")[1] / diff(graphics::par("usr")[1:2])
  every <- max(1, ceiling(inches / room))
  seq_along(at) %% every == 1 %% every
}

# A title that fits above the plot, on two lines if it must.
fitting_title <- function(text) {
  width <- function(line) max(graphics::strwidth(line, units = "inches", cex = graphics::par("cex.main"), font = 2))
  most <- graphics::par("din")[1] - 0.3
  if (width(text) <= most) {
    return(text)
  }
  lines <- strwrap(text, width = max(10, floor(nchar(text) * most / width(text)) - 2))
  lines <- c(lines[1], if (length(lines) > 1) paste(lines[-1], collapse = " "))
  paste(vapply(lines, shortened, "", most * label_size / (1.1 * graphics::par("cex.main"))), collapse = "\n")
}

# On which line above the axis each name stands, so that none lies on another: names from left to right, each on the
# lowest line that is free there. `room` is in inches a unit of the axis.
label_lines <- function(at, names, room) {
  inches <- vapply(strsplit(names, "\n", fixed = TRUE), function(text) max(label_inches(text)), 0) + 0.08
  ends <- numeric() # right end of the last name on each line
  line <- integer(length(at))
  for (k in order(at)) {
    free <- which(ends <= at[k] * room - inches[k] / 2)
    line[k] <- if (length(free)) free[1] else length(ends) + 1L
    ends[line[k]] <- at[k] * room + inches[k] / 2
  }
  line
}

# Okabe and Ito's palette but for its yellow, which is pale on white: as in the figures of Python.
series_colours <- c("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
curve_colours <- c(mi = series_colours[1], cmi = series_colours[2])
curve_words <- c(mi = "MI of features so far with y", cmi = "CMI: what the rest could add")

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
  if (is_done(steps)[last]) last + 0.5 else last - 0.5
}

#' @rdname plot.renyi_path
#' @param type What `autoplot()` draws: the `"path"`, or what was asked for with it: `"sensitivity"`, which columns stay at
#'   other alpha and bandwidth, or `"stability"`, how often each is selected on halves of the rows; or, by the table, the
#'   `"redundancy"`: how much of what each column says of the target is left given each selected one.
#' @param data For `"redundancy"`, the table of the selection, with the target: a data frame, or the path of a file.
#' @exportS3Method ggplot2::autoplot
autoplot.renyi_path <- function(object, type = c("path", "sensitivity", "stability", "redundancy"), data = NULL, ...) {
  known <- c("path", "sensitivity", "stability", "redundancy")
  if (missing(type)) type <- known[1]
  rule <- "path, sensitivity, stability or redundancy"
  check_option(is.character(type) && length(type) == 1 && type %in% known, "type", rule, type)
  if (type == "redundancy") {
    return(ggplot_redundancy(object, data))
  }
  if (!is.null(data)) {
    renyi_abort("option", sprintf("`data` must be left out for the type \"%s\".", type), "Leave it out: the fit holds all that it takes.")
  }
  switch(type, path = ggplot_path(object), sensitivity = ggplot_sensitivity(object), stability = ggplot_stability(object))
}

# The shares that Python finds in the table of a fit, as a matrix.
redundancy_of <- function(object, data) {
  if (is.null(data)) {
    renyi_abort("usage", "The type \"redundancy\" needs the table of the selection.", "Give it as `data`.")
  }
  if (!is.null(object$formula) && is.data.frame(data)) {
    table <- formula_table(object$formula, data)
    data <- as.data.frame(table$columns, optional = TRUE, stringsAsFactors = FALSE)
    names(data) <- names(table$columns)
  }
  table <- table_place(data)
  found <- call_bridge("redundancy", as_dict(list(json = object$json)), table$place)
  share <- function(value) if (is.null(value)) NA_real_ else as.double(value)
  left <- do.call(rbind, lapply(found$left, function(row) vapply(row, share, 0)))
  dimnames(left) <- list(texts(found$features), texts(found$given))
  list(left = left, little = found$little, rows = found$rows)
}

ggplot_redundancy <- function(object, data) {
  found <- redundancy_of(object, data)
  rows <- rownames(found$left)
  given <- colnames(found$left)
  cells <- data.frame(
    column = rep(rows_from_top(rows), length(given)),
    given = factor(rep(given, each = length(rows)), levels = given, labels = unmistakable(given)), left = c(found$left)
  )
  more <- 1.2
  kinds <- c(
    sprintf("redundant given it: at most %g left", found$little), sprintf("more together: at least %g left", more)
  )
  marked <- cells[!is.na(cells$left) & (cells$left <= found$little | cells$left >= more), ]
  marked$kind <- factor(kinds[ifelse(marked$left >= more, 2, 1)], levels = kinds)
  outside <- sum(!rows %in% object$selected)
  aes <- ggplot2::aes
  plot <- ggplot2::ggplot(cells, aes(.data$given, .data$column)) +
    ggplot2::geom_tile(aes(fill = pmin(pmax(.data$left, 0), 1)), colour = "white") +
    ggplot2::geom_point(aes(shape = .data$kind, colour = .data$kind), data = marked, size = 1.8) +
    ggplot2::scale_shape_manual(values = stats::setNames(c(19, 3), kinds), name = NULL) +
    ggplot2::scale_colour_manual(values = stats::setNames(c("grey60", "black"), kinds), name = NULL) +
    ggplot2::scale_fill_gradient(
      low = "#08406f", high = "#dde8f2", limits = c(0, 1), breaks = c(0, 0.5, 1), na.value = "white",
      labels = c("0: a copy", "half", "1: all"), name = NULL
    ) +
    ggplot2::labs(
      x = "given this selected column", y = NULL, title = wrapped("What columns leave of each other, for %s", object$data$target)
    ) +
    ggplot2::theme_minimal() +
    ggplot2::theme(
      panel.grid = ggplot2::element_blank(), axis.text.x = ggplot2::element_text(angle = 90, hjust = 1, vjust = 0.5)
    )
  if (outside && outside < length(rows)) plot + ggplot2::geom_hline(yintercept = outside + 0.5) else plot
}

ggplot_path <- function(object) {
  steps <- object$steps
  if (!nrow(steps)) renyi_abort("usage", "There must be a step to plot, got none.", "The selection ended before its first step: see print().")
  curves <- data.frame(
    step = rep(steps$step, 2), value = c(steps$mi, steps$cmi),
    measure = rep(c("mi", "cmi"), each = nrow(steps)), selected = rep(is_done(steps), 2)
  )
  curves <- curves[!is.na(curves$value), ]
  bands <- null_bands(object)
  names(bands)[2] <- "measure"
  aes <- ggplot2::aes
  scale <- function(make, values) make(values = values, labels = curve_words, breaks = names(curve_words), name = NULL)
  plot <- ggplot2::ggplot(curves, aes(.data$step, .data$value, colour = .data$measure)) +
    ggplot2::geom_hline(yintercept = 0, colour = "grey60") +
    ggplot2::geom_hline(yintercept = steps$entropy_target[1], colour = "grey35", linetype = 2) +
    ggplot2::geom_rect(
      aes(xmin = .data$step - 0.3, xmax = .data$step + 0.3, ymin = .data$low, ymax = .data$high, fill = .data$measure),
      data = bands, inherit.aes = FALSE, alpha = 0.22
    ) +
    ggplot2::geom_line(aes(linetype = .data$measure)) +
    ggplot2::geom_line(
      aes(.data$step, .data$mi_chance),
      data = steps[!is.na(steps$mi_chance), ], inherit.aes = FALSE, colour = curve_colours[["mi"]], linetype = 3
    ) +
    ggplot2::geom_point(aes(shape = .data$measure), data = curves[curves$selected, ], size = 2) +
    ggplot2::geom_point( # tested, and not done
      aes(shape = .data$measure), data = curves[!curves$selected, ], size = 3, stroke = 1, show.legend = FALSE
    ) +
    ggplot2::geom_point( # hollow
      aes(shape = .data$measure), data = curves[!curves$selected, ], size = 1.8, colour = "white", show.legend = FALSE
    ) +
    scale(ggplot2::scale_shape_manual, c(mi = 19, cmi = 15)) +
    scale(ggplot2::scale_linetype_manual, c(mi = "solid", cmi = "dashed")) +
    scale(ggplot2::scale_colour_manual, curve_colours) +
    ggplot2::scale_fill_manual(values = curve_colours, guide = "none") +
    ggplot2::scale_x_continuous(
      breaks = steps$step, labels = middle_left_out(feature_words(steps)), minor_breaks = NULL,
      guide = ggplot2::guide_axis(check.overlap = TRUE)
    ) +
    ggplot2::labs(x = NULL, y = "bits", title = wrapped("What the columns tell about %s", object$data$target)) +
    ggplot2::theme_minimal() +
    ggplot2::theme(
      legend.position = "top", legend.justification = "left",
      axis.text.x = ggplot2::element_text(angle = 90, hjust = 1, vjust = 0.5)
    )
  stop <- stop_place(object)
  if (is.na(stop)) plot else plot + ggplot2::geom_vline(xintercept = stop, colour = "grey25", linetype = 3)
}

# A row a column of the table, from the top in the order of its names.
rows_from_top <- function(names) factor(names, levels = rev(names), labels = rev(unmistakable(names)))

# Names without their middle, numbered where that makes them alike.
unmistakable <- function(names) {
  short <- middle_left_out(names)
  alike <- short %in% short[duplicated(short)]
  short[alike] <- middle_left_out(paste(seq_along(names), names))[alike]
  short
}

ggplot_sensitivity <- function(object) {
  found <- object$sensitivity
  if (is.null(found)) {
    renyi_abort("usage", "The selection was not repeated at other settings.", "Select again with `sensitivity = TRUE`.")
  }
  columns <- unique(c(object$selected, found$features$feature))
  if (!length(columns)) {
    renyi_abort("usage", "There must be a selected column to plot, got none.", "Plot the path: it shows what was tested.")
  }
  rows <- rows_from_top(columns)
  settings <- found$settings
  groups <- c("result", sprintf("alpha %g", settings$alpha))
  chosen <- c(list(object$selected), settings$selected)
  ran <- c(TRUE, !is.na(settings$stopped))
  kinds <- c("selected", "not selected", "could not be run")
  cell <- function(k) {
    kind <- if (!ran[k]) 3 else ifelse(columns %in% chosen[[k]], 1, 2)
    data.frame(
      column = rows, bandwidth = c(format(object$options$bandwidth), settings$bandwidth)[k], group = groups[k],
      kind = factor(kinds[kind], levels = kinds)
    )
  }
  cells <- do.call(rbind, lapply(seq_along(groups), cell))
  cells$bandwidth <- factor(cells$bandwidth, levels = unique(cells$bandwidth))
  cells$group <- factor(cells$group, levels = unique(groups))
  aes <- ggplot2::aes
  scale <- function(make, values) make(values = stats::setNames(values, kinds), name = NULL)
  ggplot2::ggplot(cells, aes(.data$bandwidth, .data$column)) +
    ggplot2::geom_point(aes(shape = .data$kind, size = .data$kind, colour = .data$kind)) +
    ggplot2::facet_grid(~group, scales = "free_x", space = "free_x") +
    scale(ggplot2::scale_shape_manual, c(19, 19, 4)) +
    scale(ggplot2::scale_size_manual, c(3, 0.7, 2)) +
    scale(ggplot2::scale_colour_manual, c(series_colours[1], "grey35", series_colours[2])) +
    ggplot2::labs(x = "bandwidth", y = NULL, title = wrapped("Which columns stay at other settings, for %s", object$data$target)) +
    ggplot2::theme_minimal() +
    ggplot2::theme(
      legend.position = "top", legend.justification = "left", panel.grid = ggplot2::element_blank(),
      axis.text.x = ggplot2::element_text(angle = 90, hjust = 1, vjust = 0.5)
    )
}

ggplot_stability <- function(object) {
  found <- object$stability
  if (is.null(found)) {
    renyi_abort("usage", "The selection was not repeated on halves of the rows.", "Select again with `stability = 50`.")
  }
  columns <- unique(c(found$features$feature, setdiff(object$selected, found$kept)))
  if (!length(columns)) {
    renyi_abort("usage", "There must be a selected column to plot, got none.", "Plot the path: it shows what was tested.")
  }
  share <- found$features$share[match(columns, found$features$feature)]
  kinds <- c("selected", "selected on halves only")
  frame <- data.frame(
    column = rows_from_top(columns), share = ifelse(is.na(share), 0, share),
    kind = factor(ifelse(columns %in% object$selected, kinds[1], kinds[2]), levels = kinds)
  )
  aes <- ggplot2::aes
  ggplot2::ggplot(frame, aes(.data$share, .data$column)) +
    ggplot2::geom_vline(xintercept = found$thresholds$threshold, colour = "grey35", linetype = 2) +
    ggplot2::geom_segment(aes(x = 0, xend = .data$share, yend = .data$column), colour = series_colours[1], alpha = 0.4) +
    ggplot2::geom_point(aes(shape = .data$kind), colour = series_colours[1], fill = "white", size = 3, stroke = 1) +
    ggplot2::scale_shape_manual(values = stats::setNames(c(19, 21), kinds), name = NULL) +
    ggplot2::scale_x_continuous(limits = c(0, 1)) +
    ggplot2::labs(
      x = sprintf("share of %d halves of %s rows", nrow(found$halves), format(found$rows, big.mark = ",")), y = NULL,
      title = wrapped("How often each column is selected, for %s", object$data$target)
    ) +
    ggplot2::theme_minimal() +
    ggplot2::theme(legend.position = "top", legend.justification = "left")
}

# A ggplot knows no page before it is drawn: names of no more than so many letters.
middle_left_out <- function(names, most = 30L) {
  long <- nchar(names) > most
  names[long] <- paste0(
    substr(names[long], 1, ceiling(most / 2) - 2), "...", substring(names[long], nchar(names[long]) - floor(most / 2) + 2)
  )
  names
}

wrapped <- function(format, name) paste(strwrap(sprintf(format, name), 60), collapse = "\n")

#' @rdname tidy.renyi_comparison
#' @exportS3Method ggplot2::autoplot
autoplot.renyi_comparison <- function(object, ...) {
  number <- identical(object$measure, "r2")
  curve <- object$curve[object$curve$size > 0 | nrow(object$curve) == 1, ]
  factor <- if (number) 1 else 100
  curve[c("mean", "low", "high")] <- factor * curve[c("mean", "low", "high")]
  stops <- split(object$results$criterion, object$results$features)
  stops <- data.frame(size = as.integer(names(stops)), name = vapply(stops, paste, "", collapse = ", "))
  aes <- ggplot2::aes
  ggplot2::ggplot(curve, aes(.data$size, .data$mean)) +
    ggplot2::geom_vline(aes(xintercept = .data$size), data = stops, colour = "grey40", linetype = 3) +
    ggplot2::geom_ribbon(aes(ymin = .data$low, ymax = .data$high), fill = curve_colours[["mi"]], alpha = 0.2) +
    ggplot2::geom_line(colour = curve_colours[["mi"]]) +
    ggplot2::geom_point(colour = curve_colours[["mi"]]) +
    ggplot2::geom_text( # along its line, where neighbours have room
      aes(.data$size, min(curve$low), label = .data$name),
      data = stops, angle = 90, hjust = 0, vjust = -0.4, size = 3, colour = "grey30"
    ) +
    ggplot2::scale_x_continuous(breaks = function(limits) unique(round(pretty(limits)))) +
    ggplot2::labs(
      x = "number of columns", y = if (number) "R2" else "accuracy, %", title = wrapped("Where criteria stop for %s", object$data$target)
    ) +
    ggplot2::theme_minimal()
}

utils::globalVariables(".data")
