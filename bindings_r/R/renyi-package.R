#' renyi: feature selection with explained stopping criteria
#'
#' Which columns of a table matter for a target, in which order, and how many to keep.
#' [renyi_select()] adds one column at a time, the one that together with those already in tells
#' most about the target, and stops where a stated test says that the next one is no better than
#' chance. Dependence is measured by matrix-based Renyi entropy, in bits; columns of numbers and of
#' categories take part together.
#'
#' The work is done by the Python package of the same name (Python 3.11 or newer), which starts at
#' the first call. [install_renyi()] installs it, [renyi_doctor()] says what was found and what is
#' missing, and the environment variable `RENYI_PYTHON` names a Python that has it already.
#'
#' @section Options of R:
#' `options(renyi.progress = FALSE)` turns the progress bar off; by default it is drawn in
#' interactive sessions only.
#'
#' @section Conditions:
#' Errors are of class `renyi_error` and `renyi_error_<code>`, with fields `code`, `message`, `hint`
#' and, where one column is at fault, `column`. Codes: `usage` (with `option`, `column` and
#' `formula`), `data` (with `read`, `missing` and `memory`), `output`, `backend`, `integrity`,
#' `extra`, `python`, `internal`. An error of code `option` is a `renyi_error_usage` too, and so on.
#' What a reader of a result should know is a warning of class `renyi_warning` and
#' `renyi_warning_<code>`. Ctrl-C signals a condition of class `renyi_interrupted` whose field `fit`
#' holds the finished steps.
#'
#' @keywords internal
#' @useDynLib renyi, .registration = TRUE
"_PACKAGE"
