# Codes that are a special case of another: an error of the one is an error of the other, too.
code_parents <- c(
  option = "usage", column = "usage", formula = "usage",
  read = "data", missing = "data", memory = "data"
)

# Raise an error of class renyi_error_<code>. A message is one sentence: the argument, the rule, the
# value; a hint is the way out.
renyi_abort <- function(code, message, hint = "", ...) {
  parent <- unname(code_parents[code])
  codes <- c(code, parent[!is.na(parent)])
  shown <- if (nzchar(hint)) paste(message, hint, sep = "\n") else message
  stop(structure(
    class = c(paste0("renyi_error_", codes), "renyi_error", "error", "condition"),
    list(message = shown, call = NULL, code = code, hint = hint, ...)
  ))
}

# Warn of class renyi_warning_<code>, once for each note of a result.
renyi_warn <- function(notes) {
  for (note in notes) {
    warning(structure(
      class = c(paste0("renyi_warning_", note$code), "renyi_warning", "warning", "condition"),
      list(message = note$message, call = NULL, code = note$code, columns = texts(note$columns))
    ))
  }
}

# Called by the C code, with a column's name and the rest of the sentence.
refuse_column <- function(column, what) {
  class <- sub("^is of class (.*), which cannot be used[.]$", "\\1", what)
  known <- conversions[class]
  hint <- if (is.na(known)) "Convert it or leave it out." else sprintf("Convert it, by %s, or leave it out.", known)
  renyi_abort("column", sprintf("Column `%s` %s", column, what), hint, column = column)
}

# What turns a column of a class that has no one meaning as a variable into one that has.
conversions <- c(
  complex = "Re(), Im() or Mod()", difftime = "as.numeric(x, units = \"secs\")", POSIXlt = "as.POSIXct()",
  numeric_version = "as.character()", hms = "as.numeric()", yearmon = "as.Date()", yearqtr = "as.Date()",
  haven_labelled = "haven::as_factor() or as.numeric()", list = "unlist() where it has one value a row",
  raw = "as.integer()", data.frame = "taking its columns into the table", tbl_df = "taking its columns into the table"
)

# The class that says what an object is: I() does not.
class_name <- function(x) c(setdiff(class(x), "AsIs"), class(x))[1]

# Signal that Ctrl-C stopped the work. Who catches it gets what was finished. At the prompt the work
# just ends. A script ends, too, whatever try() or tryCatch(error = ) is around the call: an interrupt is no
# error, and what stop() is given that nobody catches goes to the top.
renyi_interrupt <- function(message, fit = NULL) {
  hint <- if (is.null(fit)) "" else "Catch the condition `renyi_interrupted` to keep them."
  condition <- structure(
    class = c("renyi_interrupted", "interrupt", "condition"),
    list(message = paste(message, hint), call = NULL, fit = fit)
  )
  if (interactive()) {
    signalCondition(condition)
    message(conditionMessage(condition))
    invokeRestart("abort")
  }
  stop(condition)
}

# The argument at fault is named first, the value last.
check_option <- function(ok, name, rule, value, hint = "") {
  if (isTRUE(ok)) {
    return(invisible())
  }
  renyi_abort("option", sprintf("`%s` must be %s, got %s.", name, rule, shown(value)), hint)
}

shown <- function(value) {
  text <- paste(deparse(value, width.cutoff = 60L), collapse = " ")
  if (nchar(text) <= 60) text else paste("an object of class", class_name(value))
}

is_text <- function(x) is.character(x) && length(x) == 1 && !is.na(x)
is_flag <- function(x) is.logical(x) && length(x) == 1 && !is.na(x)
