# Tables to Arrow and back. The C code does one column at a time; what belongs to the whole table is
# done here: names, rows, matrices, and factors whose levels R allows and Arrow does not.

# Export a list of columns and matrices, all with `rows` rows. The result must be kept until the
# other side is done: it owns the structs.
arrow_export <- function(members, rows) {
  odd <- vapply(members, is.factor, NA)
  members[odd] <- lapply(members[odd], without_missing_level)
  structs <- .Call(c_structs)
  .Call(c_export, structs, members, column_names(members), as.numeric(rows))
  structs
}

# One name a column; those of a matrix with several columns are joined to its own, as data.frame()
# does it.
column_names <- function(members) {
  names <- names(members)
  wide <- which(vapply(members, is.matrix, NA))
  if (!length(wide)) {
    return(as_utf8(names))
  }
  unlist(lapply(seq_along(members), function(k) {
    if (k %in% wide) matrix_names(members[[k]], names[k]) else names[k]
  }))
}

matrix_names <- function(x, name) {
  own <- colnames(x)
  if (is.null(own) && ncol(x) == 1 && nzchar(name)) {
    return(name)
  }
  if (is.null(own)) own <- sprintf("%s%d", if (nzchar(name)) "" else "x", seq_len(ncol(x)))
  if (nzchar(name) && length(own)) paste(name, own, sep = ".") else own
}

# A level that is NA says what a missing code says.
without_missing_level <- function(x) {
  if (!anyNA(levels(x))) {
    return(x)
  }
  factor(as.character(x), levels = stats::na.omit(levels(x)), ordered = is.ordered(x))
}

# A data frame of what the other side put into the structs.
arrow_import <- function(structs) {
  columns <- .Call(c_import, structs)
  rows <- attr(columns, "rows")
  large <- vapply(columns, inherits, NA, "integer64")
  if (any(large) && !requireNamespace("bit64", quietly = TRUE)) { # R itself would read them as tiny numbers
    name <- names(columns)[large][1]
    renyi_abort(
      "extra", sprintf("Column `%s` holds whole numbers above 2^53, for which R needs the package bit64.", name),
      "Install it: install.packages(\"bit64\")",
      column = name
    )
  }
  attributes(columns) <- list(names = names(columns))
  class(columns) <- "data.frame"
  attr(columns, "row.names") <- .set_row_names(rows)
  columns
}

# Called by the C code: codes from 1 and a dictionary to a factor, or to the values themselves where
# those are no text. Arrow allows a value twice in a dictionary, and a missing one.
as_factor <- function(codes, values, ordered) {
  if (!is.character(values)) {
    return(values[codes])
  }
  levels <- unique(values[!is.na(values)])
  if (length(levels) != length(values)) {
    codes <- match(values, levels)[codes]
  }
  structure(codes, levels = levels, class = c(if (ordered) "ordered", "factor"))
}

# How many exported arrays and schemas and lent vectors are not released yet.
arrow_alive <- function() {
  stats::setNames(.Call(c_alive), c("arrays", "schemas", "vectors"))
}

# The columns of a table as a plain list, and its number of rows.
table_members <- function(x) {
  if (is.data.frame(x)) {
    rows <- .row_names_info(x, 2L)
    members <- unclass(x)
    attributes(members) <- list(names = names(x))
  } else {
    rows <- nrow(x)
    members <- list(x)
    names(members) <- ""
  }
  list(members = members, rows = rows)
}
