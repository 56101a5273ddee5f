#' Make a page of results
#'
#' One HTML file that fetches nothing: what was selected and why the search stopped, the path step by step, every
#' column with what became of it, all options, and the result itself to download. With the table at hand each column
#' has a small picture of what it says of the target, made of summaries: no row goes into the page.
#'
#' @param fit A `renyi_path`, a `renyi_comparison` or a `renyi_score_comparison`; or a list of these, which are set
#'   side by side under the names of the list.
#' @param file Where to write it, .html.
#' @param data The table that the results are of, as it was given to [renyi_select()]: a data frame, tibble,
#'   data.table, matrix or the path of a file. By default the variable that the call named, or the file; a table whose
#'   content is another one now is not drawn, and a warning says so.
#' @param y The target, where it was given apart from the table.
#' @param no_data Whether the table is left alone: nothing but what the results hold is in the page.
#' @param force Whether a file that is there may be replaced.
#' @return The path of the file, invisibly.
#' @seealso [plot.renyi_path()] for one figure.
#' @examplesIf renyi::renyi_available()
#' fit <- renyi_select(Species ~ ., data = iris)
#' renyi_report(fit, tempfile(fileext = ".html"))
#' @export
renyi_report <- function(fit, file, data = NULL, y = NULL, no_data = FALSE, force = FALSE) {
  fits <- if (is_result(fit)) list(fit) else fit
  known <- is.list(fits) && length(fits) > 0 && all(vapply(fits, is_result, NA))
  check_option(known, "fit", "a result of renyi_select() or renyi_compare(), or a list of these", fit)
  check_option(!missing(file) && is_text(file), "file", "the path of a file", if (missing(file)) NULL else file)
  check_option(is_flag(no_data), "no_data", "TRUE or FALSE", no_data)
  check_option(!no_data || (is.null(data) && is.null(y)), "no_data", "FALSE where `data` or `y` is given", no_data)
  check_option(is_flag(force), "force", "TRUE or FALSE", force)
  if (is.null(data) && is.null(y) && !no_data) {
    named <- data_of_call(fits[[1]], parent.frame())
    data <- named$data
    y <- named$y
  }
  table <- if (no_data) NULL else report_place(fits[[1]], data, y)
  results <- lapply(unname(fits), function(one) as_dict(list(json = one$json)))
  names <- if (is.null(names(fits))) NULL else as.list(as_utf8(names(fits)))
  value <- call_bridge("report", results, path.expand(file), table$place, NULL, force, no_data, names)
  invisible(value$file)
}

is_result <- function(x) inherits(x, c("renyi_path", "renyi_comparison", "renyi_score_comparison"))

# The variables that a call named as its table and target: nothing is computed anew.
data_of_call <- function(fit, env) {
  look_up <- function(name) if (is.name(name)) get0(as.character(name), env, inherits = TRUE)
  call <- fit$call
  table <- look_up(if (is.null(fit$formula)) call$x else call$data)
  if (is.data.frame(table) || is.matrix(table)) list(data = table, y = look_up(call$y)) else list()
}

# Where the table of a fit is, NULL for what the result itself names. `structs` keeps it alive.
report_place <- function(fit, data, y) {
  if (is.null(data)) {
    return(NULL)
  }
  if (is.character(data)) {
    return(list(place = file_place(data)))
  }
  if (!is.data.frame(data) && !is.matrix(data)) abort_table(data)
  if (!is.null(fit$formula)) {
    table <- formula_table(fit$formula, data)
    structs <- arrow_export(table$columns, table$rows)
  } else {
    table <- with_target(table_members(data), y, list(), !is.null(y))
    structs <- arrow_export(table$members, table$rows)
  }
  list(place = addresses(structs, source = source_name(data)), structs = structs)
}
