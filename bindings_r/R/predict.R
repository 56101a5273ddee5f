#' Take the selected columns of new data
#'
#' `predict()` returns the selected columns of a table in the order they were selected, as `[` would:
#' of the same class, with types untouched; of a group all its columns. Columns that were expressions in the formula are computed as they were:
#' `scale(x)` with the centre and spread of the rows of the selection, `x * k` with the `k` of then, a factor with
#' the levels of then and new ones after them. An expression whose value in a row hangs on the other rows,
#' such as `rank(x)`, is refused for other rows than those of the selection.
#'
#' @param object A `renyi_path`.
#' @param newdata A data frame, tibble, data.table or matrix with the selected columns.
#' @param ... Not used.
#' @return Those columns. A column that is not there is an error of class `renyi_error_column`.
#' @seealso [renyi_apply()], which takes files, too.
#' @examplesIf renyi::renyi_available()
#' fit <- renyi_select(Species ~ ., data = iris)
#' head(predict(fit, iris))
#' @export
predict.renyi_path <- function(object, newdata, ...) {
  if (missing(newdata)) renyi_abort("option", "`newdata` must be given, got nothing.", "Name the table to take columns of.")
  if (!is.data.frame(newdata) && !is.matrix(newdata)) abort_table(newdata)
  take_columns(newdata, columns_of(object), object)
}

# The columns with these names, those that were expressions in the formula of `fit` computed.
take_columns <- function(table, names, fit) {
  if (is.matrix(table)) {
    known <- as_utf8(matrix_names(table, ""))
    found <- match(names, known)
    if (anyNA(found)) abort_unknown(names[is.na(found)][1], known)
    return(table[, found, drop = FALSE])
  }
  table <- with_expressions(table, names, fit)
  places <- match(names, as_utf8(names(table)))
  if (inherits(table, "data.table")) {
    kept <- unclass(table)[places]
    return(getExportedValue("data.table", "as.data.table")(kept))
  }
  table[, places, drop = FALSE]
}

# A table with what `names` names, expressions added after its columns.
with_expressions <- function(table, names, fit) {
  known <- as_utf8(names(table))
  env <- if (is.null(fit$formula)) baseenv() else environment(fit$formula)
  absent <- setdiff(names, known)
  unknown <- setdiff(absent, names(fit$expressions))
  if (length(unknown)) abort_unknown(unknown[1], known)
  # all of them before the first is added: one column may be called as another's variable
  values <- lapply(absent, function(name) expression_column(name, fit$expressions[[name]], table, env))
  for (k in seq_along(absent)) table[[absent[k]]] <- values[[k]]
  table
}
