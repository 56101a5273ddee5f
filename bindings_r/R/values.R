# From the lists that JSON gives to R vectors of one type.

# Names in UTF-8, for every look-up: R takes equal names of two encodings for different ones where a locale
# cannot read the one of them.
as_utf8 <- function(x) if (is.character(x)) .Call(c_utf8, x) else x

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

# Options and the like as a reader wants them: lists of single values as vectors.
simplified <- function(x) {
  if (!is.list(x)) {
    return(x)
  }
  single <- vapply(x, function(value) is.atomic(value) && length(value) == 1, NA)
  if (is.null(names(x)) && all(single)) {
    return(if (length(x)) unlist(x) else character())
  }
  lapply(x, simplified)
}

joined <- function(names) paste(texts(names), collapse = " + ")
