#' Compare the stopping criteria on a table of your own
#'
#' Runs one path of columns and shows where each criterion would stop on it alone, and how well a model
#' predicts from the columns up to there: in each bootstrap run as many rows as there are, drawn with
#' replacement, train it, and those never drawn test it. All numbers of columns are judged on the same
#' draws.
#'
#' The columns were chosen on all rows, so that the scores compare numbers of columns; for new data they
#' are somewhat too good.
#'
#' With several scores their paths are compared: each score ranks the columns by itself and stops by the criterion that
#' goes with it, and all are judged on the same draws.
#'
#' @param x A formula, with `data`; or a data frame, tibble, data.table or matrix; the path of a file; an
#'   `arrow` table or a `nanoarrow` array or stream.
#' @param data The data frame of a formula.
#' @param y The target where it is not a column of `x`: a vector with one value a row.
#' @param target Name of the target; found by rule if left out.
#' @param criterion Criteria to compare; all if left out, and with several scores the one that goes with each. Of several
#'   scores each is asked those that it takes.
#' @param score How candidates are ranked, see [renyi_options]; several, `c("mi", "jmi")`, have their paths compared.
#' @param model `"svm"` (linear, the default), `"logistic"`, `"knn"` or `"forest"` for classes;
#'   `"ridge"` (the default), `"svm"`, `"knn"` or `"forest"` for a number. All but `"svm"` for classes
#'   and `"ridge"` need the Python package scikit-learn.
#' @param runs Bootstrap runs (100).
#' @param sizes Numbers of columns to judge besides those that criteria select; each one to 80 and every
#'   tenth beyond if left out.
#' @param test How sizes are compared with the best one: `"paired"` (the default), a paired t-test, or `"corrected"`
#'   for the rows that runs share (Nadeau and Bengio 2003).
#' @param ... Not used.
#' @param features,exclude,keep,group_columns,groups,shuffle,blocks,kind,table,decimal,thousands,missing,rows,weights,weight_kind,preset,alpha,bandwidth,bandwidths,standardise,kernel,nominal,label_kernel,class_weights,rank,permutations,significance,p_rule,epsilon,bins,binning,min_gain,max_features,solver,tolerance,seed,backend,jobs,max_memory,progress
#'   Options of data, method and work, see [renyi_options].
#' @return A list of class `renyi_comparison`:
#'   \describe{
#'     \item{`results`}{A data frame with one row a criterion: `criterion`, `features` (how many),
#'       `stopped`, `step`, `p_value` at the stop, `mean`, `deviation`, `low` and `high` (95 percent
#'       interval) of the score, `p_value_from_best`, `distance` from the smallest number of columns
#'       that predicts no worse than the best, `rank` by it, `reason`.}
#'     \item{`curve`}{A data frame with one row a number of columns: `size`, `mean`, `deviation`, `low`,
#'       `high`, `p_value`.}
#'     \item{`selected`}{A named list: the columns that each criterion selects.}
#'     \item{`path`, `best`, `smallest`}{The columns in their order; the number of them that predicts
#'       best, and the smallest that predicts no worse.}
#'     \item{`model`, `measure`, `runs`, `test`}{What predicts; `accuracy` or `r2`; how it was judged.}
#'     \item{`data`, `options`, `warnings`, `json`}{As in a [renyi_path].}
#'   }
#'   With several scores a list of class `renyi_score_comparison`:
#'   \describe{
#'     \item{`results`}{A data frame with one row a score and criterion: `score`, what `results` above has, `smallest`
#'       and `best`, numbers of columns of its own path, and against the best stop of all, run by run, the
#'       `difference` of the mean and `p_value_from_best_stop`.}
#'     \item{`paths`}{A data frame of the paths side by side: `place` and a column a score.}
#'     \item{`comparisons`}{A named list: the `renyi_comparison` of each score, without `json`.}
#'     \item{`best`}{The score and the criterion whose stop predicts best.}
#'     \item{`model`, `measure`, `runs`, `test`, `data`, `warnings`, `json`}{As above.}
#'   }
#' @examplesIf renyi::renyi_available()
#' found <- renyi_compare(Species ~ ., iris, criterion = c("cmi-max", "mi-perm"), runs = 10)
#' found
#' plot(found)
#' renyi_compare(Species ~ ., iris, score = c("mi", "jmi"), runs = 10)
#' @export
#' @include options.R
renyi_compare <- with_options("compare", function(x, data = NULL, y = NULL, target = NULL, criterion = NULL,
                                                  model = NULL, runs = NULL, sizes = NULL, test = NULL, ...) {
  options <- given_options("compare", environment(), list(...))
  place <- comparison_place(x, data, y, options, !base::missing(y)) # `missing` is an option
  value <- run_compare(place$place, place$options)
  if (is.null(value$result$comparisons)) new_comparison(value) else new_score_comparison(value)
})

# Where the table is and the options that come with it. `structs` keeps it alive.
comparison_place <- function(x, data, y, options, given) {
  if (inherits(x, "formula")) {
    table <- formula_table(x, data)
    options$target <- table$target
    structs <- arrow_export(table$columns, table$rows)
    return(list(place = addresses(structs, source = source_name(data)), options = options, structs = structs))
  }
  if (!is.null(data)) renyi_abort("option", "`data` must be left out but for a formula.", "Give the table first, or a formula and then the table.")
  if (is.data.frame(x) || is.matrix(x)) {
    table <- with_target(table_members(x), y, options, given)
    structs <- arrow_export(table$members, table$rows)
    return(list(place = addresses(structs, source = source_name(x)), options = table$options, structs = structs))
  }
  if (!is.null(y)) renyi_abort("option", "`y` must be a column of the data, named as `target`.", "As in target = \"y\".")
  c(table_place(x), list(options = options))
}

# Call `compare` with a progress bar; Ctrl-C ends it.
run_compare <- function(place, options) {
  bar <- progress_bar(options$progress)
  options$progress <- NULL
  on.exit(bar$close())
  options <- as_dict(options)
  # An interrupt must not jump out of Python's frames: it waits for `tick`, which tells Python.
  suspendInterrupts(reply <- ask_python("compare", place, options, NULL, bar$tick))
  bar$close()
  if (!reply$ok) abort_reply(reply)
  renyi_warn(reply$warnings)
  reply$value
}

new_comparison <- function(value) {
  record <- value$result
  outcomes <- record$results
  names <- field_texts(outcomes, "criterion")
  scores <- score_frame(lapply(outcomes, `[[`, "score"))
  results <- data.frame(
    criterion = names,
    features = field_wholes(outcomes, "features"),
    stopped = field_texts(outcomes, "stopped"),
    step = field_wholes(outcomes, "step"),
    p_value = field_numbers(outcomes, "p_value"),
    scores[c("mean", "deviation", "low", "high")],
    p_value_from_best = scores$p_value,
    distance = field_wholes(outcomes, "distance"),
    rank = field_wholes(outcomes, "rank"),
    reason = field_texts(outcomes, "reason"),
    stringsAsFactors = FALSE
  )
  structure(
    list(
      results = results,
      curve = score_frame(record$curve),
      selected = stats::setNames(lapply(outcomes, function(o) texts(o$selected)), names),
      path = texts(record$path),
      best = as.integer(record$best),
      smallest = as.integer(record$smallest),
      model = record$model,
      measure = record$measure,
      runs = as.integer(record$runs),
      test = record$test,
      data = data_report(record$data),
      options = simplified(record$options),
      warnings = notes_frame(record$warnings),
      json = text_or_na(value$json)
    ),
    class = "renyi_comparison"
  )
}

score_frame <- function(scores) {
  mean <- field_numbers(scores, "mean")
  half <- field_numbers(scores, "half_width")
  data.frame(
    size = field_wholes(scores, "size"), mean = mean, deviation = field_numbers(scores, "deviation"),
    low = mean - half, high = mean + half, p_value = field_numbers(scores, "p_value")
  )
}

# How scores are written: accuracy in percent, R squared as it is.
score_words <- function(measure) {
  if (identical(measure, "r2")) return(function(value) formatC(value, format = "f", digits = 3))
  function(value) sprintf("%.1f%%", 100 * value)
}

#' @export
print.renyi_comparison <- function(x, ...) {
  number <- identical(x$measure, "r2")
  score <- score_words(x$measure)
  at <- function(size) x$curve[match(size, x$curve$size), ]
  cat(sprintf(
    "Target `%s`, %s rows, model %s, %d bootstrap runs\n\n",
    x$data$target, format(x$data$rows_used, big.mark = ","), x$model, x$runs
  ))
  shown <- data.frame(
    criterion = x$results$criterion, columns = x$results$features, score = score(x$results$mean),
    interval = paste(score(x$results$low), "to", score(x$results$high)),
    "p(best)" = format.pval(x$results$p_value_from_best, digits = 2),
    distance = sprintf("%+d", x$results$distance), rank = x$results$rank, check.names = FALSE
  )
  names(shown)[3] <- if (number) "R2" else "accuracy"
  names(shown)[4] <- "95% interval"
  print(shown, row.names = FALSE, right = TRUE)
  cat(sprintf(
    "\nBest: %d columns, %s; the smallest number that predicts no worse is %d, %s.\n",
    x$best, score(at(x$best)$mean), x$smallest, score(at(x$smallest)$mean)
  ))
  invisible(x)
}

#' Plot a comparison of criteria
#'
#' The mean score of a model against the number of columns, with its 95 percent interval, and a line
#' where each criterion stops.
#'
#' @param x A `renyi_comparison`.
#' @param xlab,ylab,main Labels.
#' @param ... Passed on to [graphics::plot.default()].
#' @return `x`, invisibly.
#' @examplesIf renyi::renyi_available()
#' plot(renyi_compare(Species ~ ., iris, criterion = "mi-perm", runs = 10))
#' @export
plot.renyi_comparison <- function(x, xlab = "number of columns", ylab = NULL, main = NULL, ...) {
  number <- identical(x$measure, "r2")
  factor <- if (number) 1 else 100
  curve <- x$curve
  # No column at all may predict so badly that the rest would be flattened by it.
  seen <- curve[curve$size > 0 | nrow(curve) == 1, ]
  if (is.null(ylab)) ylab <- if (number) "R2" else "accuracy, %"
  stops <- split(x$results$criterion, x$results$features)
  at <- as.integer(names(stops))
  names <- vapply(stops, paste, "", collapse = "\n")
  line <- label_lines(at, names, graphics::par("pin")[1] / max(1, 1.08 * diff(range(seen$size))))
  heights <- vapply(seq_len(max(line)), function(k) max(lengths(stops)[line == k]), 0L)
  below <- cumsum(c(0, heights))
  if (is.null(main)) main <- fitting_title(sprintf("Where criteria stop for %s", x$data$target))
  more <- spare_lines(label_size * below[length(below)] + 2.7 - graphics::par("mar")[3])
  old <- graphics::par(mar = graphics::par("mar") + c(0, 0, more, 0))
  on.exit(graphics::par(old))
  graphics::plot(
    range(seen$size), factor * range(seen$low, seen$high),
    type = "n", xlab = xlab, ylab = ylab, las = 1, ...
  )
  graphics::title(main, line = graphics::par("mar")[3] - 1.7)
  colour <- curve_colours[["mi"]]
  graphics::polygon(
    c(seen$size, rev(seen$size)), factor * c(seen$low, rev(seen$high)),
    col = grDevices::adjustcolor(colour, 0.2), border = NA
  )
  graphics::lines(seen$size, factor * seen$mean, type = "b", col = colour, pch = 19, cex = 0.7)
  graphics::abline(v = at, col = "grey40", lty = 3)
  graphics::mtext(
    names, side = 3, at = at, line = 0.2 + label_size * below[line], cex = label_size * graphics::par("cex"), padj = 0
  )
  invisible(x)
}
