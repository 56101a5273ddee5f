# From what reticulate makes of Python's builtins to R vectors of one type: a list of names may come as
# a list or as a vector, None as NULL.

texts <- function(x) if (length(x)) enc2utf8(as.character(unlist(x))) else character()

text_or_na <- function(x) if (is.null(x)) NA_character_ else enc2utf8(as.character(x))
number_or_na <- function(x) if (is.null(x)) NA_real_ else as.double(x)
whole_or_na <- function(x) if (is.null(x)) NA_integer_ else as.integer(x)
flag_or_na <- function(x) if (is.null(x)) NA else as.logical(x)

# One vector of a field of many records.
field_texts <- function(records, name) vapply(records, function(r) text_or_na(r[[name]]), "")
field_numbers <- function(records, name) vapply(records, function(r) number_or_na(r[[name]]), 0)
field_wholes <- function(records, name) vapply(records, function(r) whole_or_na(r[[name]]), 0L)
field_flags <- function(records, name) vapply(records, function(r) flag_or_na(r[[name]]), NA)

joined <- function(names) paste(texts(names), collapse = " + ")
