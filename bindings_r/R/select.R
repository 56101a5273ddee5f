#' Select the columns that matter for a target
#'
#' Greedy forward selection by the joint matrix-based Renyi mutual information I(S; y), with a stopping
#' criterion that says why it stopped. The same data, options and seed give the same numbers as the
#' Python package and the command `renyi select`, to the last digit.
#'
#' @param x A formula `target ~ columns`; a data frame, tibble or data.table; a matrix of numbers;
#'   the path of a file (Parquet, Arrow, CSV, TSV, NDJSON, a glob or a folder of Parquet files), which
#'   Python reads itself, only the columns needed; an `arrow` table or a `nanoarrow` array or stream.
#' @param ... `data`, `subset`, `na.action` and `y`, see the sections below.
#' @param target,features,exclude,keep,start,group_columns,groups,shuffle,blocks,kind,table,decimal,thousands,missing,rows,weights,weight_kind Which columns and rows take part, and what they are. All
#'   options are given by name; what each one does stands in [renyi_options].
#' @param purpose,criterion,search,score,rank,permutations,significance,p_rule,epsilon,bins,binning,min_gain,max_features,stop_when,lookahead,error_rate,pairs
#'   How sets of columns are searched and columns ranked, and when it is enough.
#' @param preset,alpha,bandwidth,bandwidths,standardise,kernel,nominal,label_kernel,class_weights How rows are
#'   compared.
#' @param solver,tolerance,seed,backend,jobs,max_memory,executor,checkpoint,progress How the work is done.
#' @param sensitivity,stability Whether to select again under other settings, and on halves of the rows.
#' @section With a formula:
#' `renyi_select(formula, data, ..., subset, na.action)`
#' \describe{
#'   \item{`data`}{A data frame that holds the variables of the formula; by default they are looked for
#'     where the formula was written.}
#'   \item{`subset`}{Which rows to use: an expression in the columns of `data` that gives logical values, numbers or
#'     names of rows.}
#'   \item{`na.action`}{`na.omit` or `na.exclude` use complete rows (`missing = "drop"`), `na.fail` ends
#'     the run at a missing value (`missing = "error"`, the default), `na.pass` leaves it to `missing`.}
#' }
#' @section With a table:
#' `renyi_select(x, y, ...)`
#' \describe{
#'   \item{`y`}{The target where it is not a column of `x`: a vector with one value a row. Without it and without
#'     `target`, a column called target, label, class or y is the target, else the last one; `print()` says
#'     which and why.}
#' }
#' @return An object of class `renyi_path`: a list of plain R data, see [renyi_path]. Without any
#'   column that passes its test, [selected()] is empty: that is an answer, not an error.
#' @details
#' Factors, strings and logicals are nominal, ordered factors ordinal, doubles, dates and times
#' continuous, integers continuous unless they have two values. `NA` is missing and never turns into
#' a number; missing values end the run until `missing` or `na.action` says what they mean.
#'
#' A column of another class (a list, complex numbers, `difftime`, ...) is refused by name.
#' @seealso [renyi_path] for what can be done with the result, [renyi_measure()],
#'   [renyi_describe()], [step_select_renyi()].
#' @references
#' Yu, S. and Principe, J. C. (2019) Simple stopping criteria for information theoretic feature
#' selection. *Entropy* 21, 99.
#'
#' Sanchez Giraldo, L. G., Rao, M. and Principe, J. C. (2015) Measures of entropy from data using
#' infinitely divisible kernels. *IEEE Transactions on Information Theory* 61, 535-548.
#' @examplesIf renyi::renyi_available()
#' fit <- renyi_select(Species ~ ., data = iris)
#' fit
#' selected(fit)
#'
#' # a matrix and a target
#' renyi_select(as.matrix(iris[1:4]), iris$Species, max_features = 2)
#' @export
#' @include options.R
renyi_select <- with_options("select", function(x, ...) {
  UseMethod("renyi_select")
})

#' @export
renyi_select.default <- with_options("select", function(x, ...) {
  abort_table(x)
})

#' @export
renyi_select.formula <- with_options("select", function(x, data = NULL, ..., subset = NULL, na.action = NULL) {
  if (base::missing(x)) { # `missing` is an option
    renyi_abort("usage", "A formula or table must be given, got none.", "Give it first, or as `x`.")
  }
  options <- given_options("select", environment(), list(...))
  for (name in c("target", "features")) {
    if (!is.null(options[[name]])) {
      renyi_abort("option", sprintf("`%s` must be left out with a formula.", name), "Leave it out: the formula says it.")
    }
  }
  options$missing <- missing_rule(na.action, options$missing)
  table <- formula_table(x, data)
  rows <- tryCatch(eval(substitute(subset), table$data, environment(x)), error = function(error) {
    said <- sprintf("`subset` cannot be computed: %s.", first_line(error))
    renyi_abort("option", said, "Check it on the table alone, or leave it out.")
  })
  if (is.null(rows) && !is.null(substitute(subset))) {
    renyi_abort("option", "`subset` must say which rows to use, got NULL.", "Is a name in it misspelt? Leave it out for all rows.")
  }
  rows <- subset_rows(rows, table$rows, row.names(data))
  if (!is.null(rows)) table$columns <- lapply(table$columns, take_rows, rows)
  options$target <- table$target
  path <- select_columns(
    table$columns, if (is.null(rows)) table$rows else NULL, options, source_name(data)
  )
  path$formula <- x
  path$expressions <- table$expressions
  path$call <- as_written(match.call())
  path
})

#' @export
renyi_select.data.frame <- with_options("select", function(x, y = NULL, ...) {
  options <- given_options("select", environment(), list(...))
  table <- with_target(table_members(x), y, options, !base::missing(y)) # `missing` is an option
  path <- select_columns(table$members, table$rows, table$options, source_name(x))
  path$call <- as_written(match.call())
  path
})

#' @export
renyi_select.matrix <- renyi_select.data.frame

#' @export
renyi_select.character <- with_options("select", function(x, ...) {
  options <- given_options("select", environment(), list(...))
  new_path(run_select(file_place(x), options), as_written(match.call()))
})

#' @export
renyi_select.ArrowTabular <- with_options("select", function(x, ...) {
  options <- given_options("select", environment(), list(...))
  new_path(run_select(stream_place(x), options), as_written(match.call()))
})

#' @export
renyi_select.nanoarrow_array_stream <- renyi_select.ArrowTabular

#' @export
renyi_select.nanoarrow_array <- renyi_select.ArrowTabular

# The columns of a table in memory, on their way to Python and back as a path.
select_columns <- function(members, rows, options, source) {
  structs <- arrow_export(members, if (is.null(rows)) length(members[[1]]) else rows)
  new_path(run_select(addresses(structs, source = source), options), NULL)
}

# A method's call under the name of its generic.
as_written <- function(call) {
  call[[1]] <- quote(renyi_select)
  call
}

# Call `select` with a progress bar; Ctrl-C keeps what was finished.
run_select <- function(place, options) {
  bar <- progress_bar(options$progress)
  options$progress <- NULL
  if (inherits(options$start, "renyi_path")) options$start <- list(json = options$start$json)
  on.exit(bar$close())
  options <- as_dict(options)
  # An interrupt must not jump out of Python's frames: it waits for `tick`, which tells Python.
  suspendInterrupts(reply <- ask_python("select", place, options, NULL, bar$tick))
  bar$close()
  if (reply$ok) {
    renyi_warn(reply$warnings)
    return(reply$value)
  }
  if (identical(reply$error$code, "interrupted") && !is.null(reply$value)) {
    renyi_interrupt(reply$error$message, new_path(reply$value, NULL))
  }
  abort_reply(reply)
}

# Join a target that was given apart, under the name `y`, and say that it is the target.
with_target <- function(table, y, options, given) {
  if (is.null(y)) {
    # `data$spelt_wrong` is NULL; the last column must not become the target for it
    if (given && is.null(options$target)) {
      renyi_abort(
        "option", "`y` must hold one value a row, got NULL.",
        "Is a name in it misspelt? To name a column of the table, write target = \"name\"."
      )
    }
    return(c(table, list(options = options)))
  }
  if (!is.null(options$target)) {
    renyi_abort("option", "`target` must be left out where `y` is given.", "Leave out one of the two.")
  }
  if (is.array(y) && length(dim(y)) == 1) y <- as.vector(y)
  if (!is.vector(y) && !is.factor(y) && !is.object(y) && !is.matrix(y)) {
    said <- sprintf("`y` must hold one value a row, got an object of class %s.", class_name(y))
    renyi_abort("option", said, "Give a vector, or name a column of the table as `target`.")
  }
  if (is_text(y) && table$rows != 1 && y %in% column_names(table$members)) {
    renyi_abort(
      "option", "`y` must hold one value a row, got the name of a column.",
      sprintf("Write target = \"%s\".", y)
    )
  }
  if (is.data.frame(y) || is.matrix(y)) {
    if (ncol(y) != 1) {
      renyi_abort("option", sprintf("`y` must be one column, got %d.", ncol(y)), "Name several targets as `target`, columns of the table.")
    }
    y <- if (is.data.frame(y)) y[[1]] else y[, 1]
  }
  if (length(y) != table$rows) {
    renyi_abort(
      "data", sprintf("`y` must have one value a row: it has %d for %d rows.", length(y), table$rows),
      "Take it of the same rows as the table."
    )
  }
  if ("y" %in% column_names(table$members)) {
    renyi_abort(
      "usage", "`y` must have a name of its own; `y` is a column of the data too.",
      "Rename it, or name the target instead."
    )
  }
  table$members <- c(table$members, list(y = y))
  options$target <- "y"
  c(table, list(options = options))
}

# R's four ways to say what becomes of missing values, in the words of `missing`.
missing_rule <- function(na.action, missing) { # nolint
  if (is.null(na.action)) {
    return(missing)
  }
  named <- list(
    na.omit = "drop", na.exclude = "drop", na.fail = "error",
    na.pass = if (is.null(missing)) "error" else missing
  )
  for (name in names(named)) {
    if (identical(na.action, name) || identical(na.action, getExportedValue("stats", name))) {
      rule <- named[[name]]
      if (!is.null(missing) && !identical(missing, rule)) {
        said <- sprintf("`missing` must agree with `na.action`, got \"%s\" and %s.", missing, name)
        renyi_abort("option", said, "Leave out one of the two.")
      }
      return(rule)
    }
  }
  renyi_abort("option", "`na.action` must be na.omit, na.exclude, na.fail or na.pass.", "Or leave it out, and say `missing`.")
}

source_name <- function(x) if (is.null(x)) "formula" else class(x)[1]

file_place <- function(path) {
  check_option(is_text(path), "x", "the path of one file", path)
  as_dict(list(path = path.expand(path)))
}

abort_table <- function(x) {
  renyi_abort(
    "usage", sprintf("A table is needed, got an object of class %s.", class(x)[1]),
    "Give a formula, a data frame, a matrix of numbers with `y`, or a file's path."
  )
}
