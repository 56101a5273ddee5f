# Columns that are expressions of a formula: how they are computed on other rows with the same result.

# What predict() needs: the call with what it took from the rows it was fitted on, as scale() its centre and
# spread; values from outside the data, as they were; the levels of a factor. Where a value still hangs on all rows
# (rank(x), x - mean(x)), it is kept, and other rows are refused.
expression_record <- function(term, value, data, env, rows) {
  call <- stats::makepredictcall(value, term)
  plain <- plain_column(value, label_of(term))
  outer <- outer_values(call, data, env)
  wide <- vapply(outer, NROW, 0L) == rows & rows > 1
  columns <- c(if (!is.null(data)) unclass(data)[intersect(all.vars(call), names(data))], outer[wide])
  home <- list2env(outer[!wide], parent = env)
  list(
    written = term, call = call, constants = outer[!wide], outer = names(outer)[wide], levels = levels(plain),
    value = if (is_row_by_row(call, plain, columns, home, rows)) NULL else plain
  )
}

# Variables of an expression that are no columns of the data. Functions stay where they are.
outer_values <- function(call, data, env) {
  names <- setdiff(all.vars(call), names(data))
  found <- stats::setNames(lapply(names, get0, env, inherits = TRUE), names)
  found[!vapply(found, function(x) is.null(x) || is.function(x) || is.environment(x), NA)]
}

# Whether each half of the rows gives what the whole gave there.
is_row_by_row <- function(call, value, columns, home, rows) {
  for (part in list(seq_len(rows) %% 2 == 1, seq_len(rows) %% 2 == 0)) {
    again <- tryCatch(
      suppressWarnings(eval(call, lapply(columns, take_rows, part), home)),
      error = function(error) NULL
    )
    if (is.matrix(again)) again <- as.vector(again)
    if (!same_values(value[part], again)) {
      return(FALSE)
    }
  }
  TRUE
}

same_values <- function(x, y) {
  if (is.factor(x)) {
    return(is.factor(y) && identical(as.character(x), as.character(y)))
  }
  if (!length(x)) {
    return(TRUE) # of one row there is no other half
  }
  isTRUE(all.equal(x, y, tolerance = 1e-10, check.attributes = FALSE))
}

# The column on the rows of `table`.
expression_column <- function(name, record, table, env) {
  home <- list2env(record$constants, parent = env)
  names(table) <- as_utf8(names(table))
  # a column that the formula took from its home must be among the new ones
  absent <- setdiff(record$outer, names(table))
  if (length(absent)) abort_unknown(absent[1], names(table))
  value <- tryCatch(eval(record$call, as.list(table), home), error = function(error) {
    renyi_abort("formula", sprintf("`%s` cannot be computed: %s.", name, first_line(error)), "Check it on the table alone, or leave it out.")
  })
  value <- plain_column(value, name)
  if (length(value) != NROW(table)) {
    renyi_abort(
      "formula", sprintf("`%s` must have one value a row: it has %d for %d rows.", name, length(value), NROW(table)),
      "Compute it of columns of the data, row by row."
    )
  }
  if (!is.null(record$value) && !same_values(record$value, value)) {
    renyi_abort(
      "formula", sprintf("`%s` hangs on all rows that it is computed of: other rows cannot have the same column.", name),
      "Make it a column of the data before the selection."
    )
  }
  if (is.factor(value)) {
    value <- factor(as.character(value), levels = union(record$levels, levels(value)), ordered = is.ordered(value))
  }
  value
}
