#' Keep the selected columns
#'
#' @param fit A `renyi_path`.
#' @param data A data frame, tibble, data.table or matrix, or the path of a file.
#' @param output Path of a file to write to, where `data` is a file: Parquet, Arrow, CSV, TSV or NDJSON by
#'   its suffix. Rows are streamed, types stay as they are, and R never sees them.
#' @param target Whether the target is kept, as the last column.
#' @param force Whether a file that is there may be replaced.
#' @return With `output` its path, invisibly; otherwise the columns, as a data frame for a file and of
#'   the class of `data` for all else. Whole numbers of 64 bits come as `integer64` (package bit64).
#' @seealso [predict.renyi_path()]
#' @examplesIf renyi::renyi_available()
#' fit <- renyi_select(Species ~ ., data = iris)
#' head(renyi_apply(fit, iris))
#' @export
renyi_apply <- function(fit, data, output = NULL, target = TRUE, force = FALSE) {
  check_option(inherits(fit, "renyi_path"), "fit", "a result of renyi_select()", fit)
  check_option(is_flag(target), "target", "TRUE or FALSE", target)
  check_option(is_flag(force), "force", "TRUE or FALSE", force)
  check_option(is.null(output) || is_text(output), "output", "the path of a file", output)
  if (is.data.frame(data) || is.matrix(data)) {
    if (!is.null(output)) {
      renyi_abort("usage", "`output` is for files; `data` is a table in memory.", "Leave it out, and write the columns returned.")
    }
    return(take_columns(data, c(fit$selected, if (target) fit$data$target), fit))
  }
  if (!is.character(data)) abort_table(data)
  result <- as_dict(list(json = fit$json))
  if (!is.null(output)) {
    value <- call_bridge("apply", result, file_place(data), path.expand(output), NULL, force, target)
    return(invisible(value$file))
  }
  structs <- .Call(c_structs)
  call_bridge("apply", result, file_place(data), NULL, addresses(structs), force, target)
  arrow_import(structs)
}
