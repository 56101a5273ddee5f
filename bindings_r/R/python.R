# Python and the bridge, which is imported at the first call.

state <- new.env(parent = emptyenv())

protocol <- 1L # of renyi.bridge
python_least <- "3.11"

bridge <- function() {
  if (is.null(state$bridge)) state$bridge <- open_bridge()
  state$bridge
}

open_bridge <- function() {
  start_python()
  module <- tryCatch(
    reticulate::import("renyi.bridge", convert = FALSE),
    error = function(error) abort_import(conditionMessage(error))
  )
  found <- reticulate::py_to_r(module$BRIDGE_PROTOCOL)
  if (!identical(as.integer(found), protocol)) {
    renyi_abort(
      "python",
      sprintf("The Python package `renyi` speaks protocol %s, this R package %d.", found, protocol),
      "Update both to the same version."
    )
  }
  module
}

start_python <- function() {
  if (!reticulate::py_available() && !nzchar(Sys.getenv("RETICULATE_PYTHON")) && reticulate::virtualenv_exists("r-renyi")) {
    reticulate::use_virtualenv("r-renyi") # what install_renyi() made
  }
  tryCatch(
    reticulate::py_config(),
    error = function(error) {
      renyi_abort("python", paste0("Python cannot be started: ", first_line(error), "."), way_out())
    }
  )
  version <- reticulate::py_version()
  if (package_version(version) < python_least) {
    renyi_abort(
      "python",
      sprintf("`renyi` needs Python %s or newer, got %s.", python_least, version), way_out()
    )
  }
}

abort_import <- function(reason) {
  where <- reticulate::py_config()$python
  if (grepl("No module named 'renyi", reason, fixed = TRUE)) {
    message <- sprintf("The Python package `renyi` was not found in %s.", where)
  } else {
    message <- sprintf("The Python package `renyi` in %s cannot be loaded: %s.", where, first_line(reason))
  }
  renyi_abort("python", message, way_out())
}

way_out <- function() {
  paste(
    "Install it with install_renyi(\"path/to/checkout\"), or set the environment variable RENYI_PYTHON to a Python",
    "that has it, and restart R."
  )
}

first_line <- function(text) {
  if (inherits(text, "condition")) text <- conditionMessage(text)
  sub("[.[:space:]]+$", "", strsplit(text, "\n", fixed = TRUE)[[1]][1])
}

#' Can renyi be used?
#'
#' Starts Python if it is not running yet, and loads the Python package.
#'
#' @return `TRUE` or `FALSE`. [renyi_doctor()] says why not.
#' @examples
#' renyi_available()
#' @export
renyi_available <- function() {
  tryCatch(
    {
      bridge()
      TRUE
    },
    renyi_error = function(error) FALSE
  )
}

# Call a function of the bridge; return its reply as R lists. By way of JSON: reticulate cuts whole numbers
# of more than 32 bits, and turns lists into vectors by what happens to be in them.
ask_python <- function(name, ...) {
  reply <- bridge()[[name]](...)
  text <- reticulate::import("json", convert = FALSE)$dumps(reply)
  jsonlite::fromJSON(reticulate::py_to_r(text), simplifyVector = FALSE)
}

# The value of a call, or its error; its notes are raised as warnings.
call_bridge <- function(name, ..., warn = TRUE) {
  reply <- ask_python(name, ...)
  if (!reply$ok) abort_reply(reply)
  if (warn) renyi_warn(reply$warnings)
  reply$value
}

abort_reply <- function(reply) {
  error <- reply$error
  if (identical(error$code, "interrupted")) renyi_interrupt(error$message)
  renyi_abort(error$code, error$message, paste(vapply(error$parts, way_words, ""), collapse = ""))
}

# A part of a hint: text, or an option that leads out of the error, as R writes it.
way_words <- function(part) {
  if (is.character(part)) {
    return(enc2utf8(part))
  }
  if (is.null(part$value) && !nzchar(part$rule)) {
    return(sprintf("`%s`", part$option))
  }
  value <- if (is.null(part$value)) part$rule else way_value(part$value)
  sprintf("`%s = %s`", part$option, value)
}

way_value <- function(value) {
  if (!is.list(value)) {
    return(if (is.numeric(value)) format(value, digits = 15) else deparse(value))
  }
  columns <- vapply(names(value), function(name) deparse(as.name(name), backtick = TRUE), "")
  sprintf("c(%s)", paste(columns, vapply(value, way_value, ""), sep = " = ", collapse = ", "))
}

# A Python dict of what is not NULL. A vector of one value goes as that value, others as lists.
as_dict <- function(values) {
  bridge() # a Python that does not do is told of here, not by reticulate
  values <- values[!vapply(values, is.null, NA)]
  if (!length(values)) {
    return(reticulate::dict())
  }
  reticulate::r_to_py(lapply(values, plain_value))
}

plain_value <- function(value) {
  if (is.factor(value)) value <- as.character(value)
  if (is.character(value)) value[] <- as_utf8(value)
  if (!is.null(names(value))) names(value) <- as_utf8(names(value))
  if (is.null(names(value))) value else as.list(value)
}

addresses <- function(structs, ...) {
  found <- .Call(c_addresses, structs)
  as_dict(list(schema = found[1], array = found[2], ...))
}

# Options as the bridge takes them, checked for what Python would not see: unnamed ones and NA.
named_options <- function(given) {
  names <- names(given)
  if (length(given) && (is.null(names) || !all(nzchar(names)))) {
    renyi_abort(
      "usage", "Options must be given by name.",
      "See ?renyi_options for their names."
    )
  }
  twice <- names[duplicated(names)]
  if (length(twice)) renyi_abort("option", sprintf("`%s` must be given once.", twice[1]), "Leave one out.")
  for (name in names) {
    value <- given[[name]]
    known <- is.null(value) || is.atomic(value) || is.list(value)
    check_option(known && !anyNA(value, recursive = TRUE), name, "given without NA", value)
  }
  check_by_column(given[["kind"]], "kind", "\"nominal\"", c("continuous", "ordinal", "nominal"))
  check_by_column(given[["bandwidths"]], "bandwidths", "0.5")
  check_groups(given[["group_columns"]])
  sensitivity <- given[["sensitivity"]]
  check_option(is.null(sensitivity) || is_flag(sensitivity), "sensitivity", "TRUE or FALSE", sensitivity)
  given
}

# Groups of columns: a named vector of globs, or a named list of names.
check_groups <- function(value) {
  named <- is.null(value) || (!is.null(names(value)) && all(nzchar(names(value))) &&
    all(vapply(value, is.character, NA)))
  check_option(
    named, "group_columns", "a named vector or list of names or globs", value,
    "Write group_columns = c(name = \"glob_*\")."
  )
}

# An option that is a named vector, column to value: Python would tell of it in its own syntax.
check_by_column <- function(value, name, example, known = NULL) {
  if (is.null(value)) {
    return(invisible())
  }
  named <- !is.null(names(value)) && all(nzchar(names(value))) && all(lengths(value) == 1)
  hint <- sprintf("Write it as %s = c(column = %s).", name, example)
  check_option(named, name, "a named vector, one value a column", value, hint)
  for (one in if (!is.null(known)) as.list(value)) {
    check_option(as.character(one) %in% known, name, paste("one of", paste(known, collapse = ", ")), one, hint)
  }
}
