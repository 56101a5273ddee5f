# What several test files ask for.

skip_if_no_renyi <- function() {
  skip_if_not(renyi_available(), "the Python package renyi cannot be loaded")
}

# Out of R and back in without Python.
round_trip <- function(x) {
  table <- renyi:::table_members(x)
  renyi:::arrow_import(renyi:::arrow_export(table$members, table$rows))
}

# Run Python code in a namespace of its own; `table` in it is a pyarrow record batch of `x`.
in_python <- function(x, code) {
  table <- renyi:::table_members(x)
  structs <- renyi:::arrow_export(table$members, table$rows)
  where <- .Call(renyi:::c_addresses, structs)
  space <- reticulate::dict(schema = where[1], array = where[2])
  start <- "import pyarrow as pa\ntable = pa.RecordBatch._import_from_c(int(array), int(schema))"
  builtins <- reticulate::import_builtins(convert = FALSE)
  builtins$exec(paste(start, code, sep = "\n"), space)
  space
}

# What a Python expression gives, as text.
python_says <- function(x, expression) {
  space <- in_python(x, paste0("said = str(", expression, ")"))
  reticulate::py_to_r(space["said"])
}

# A data frame that Python code makes: it leaves a pyarrow table or record batch in `out`.
from_python <- function(code, x = data.frame()) {
  back <- .Call(renyi:::c_structs)
  where <- .Call(renyi:::c_addresses, back)
  in_python(x, paste(
    code,
    "if isinstance(out, pa.Table): out = out.combine_chunks().to_batches()[0]",
    sprintf("out._export_to_c(%s, %s)", where[2], where[1]),
    "del table, out",
    sep = "\n"
  ))
  renyi:::arrow_import(back)
}

alive <- function() {
  gc()
  sum(renyi:::arrow_alive())
}

# A column of every kind, with NA.
every_type <- function() {
  frame <- data.frame(
    double = c(1.5, NA, NaN, -0, Inf, 1e-300),
    integer = c(1L, NA, -5L, .Machine$integer.max, 0L, 7L),
    logical = c(TRUE, NA, FALSE, TRUE, FALSE, NA),
    text = c("a", NA, "", "\u00e9t\u00e9", "\U1F600", "z"),
    factor = factor(c("b", NA, "a", "c", "a", "b"), levels = c("c", "b", "a", "unused")),
    ordered = factor(c("lo", "hi", NA, "mid", "lo", "hi"), levels = c("lo", "mid", "hi"), ordered = TRUE),
    date = as.Date(c("2024-02-29", NA, "1970-01-01", "1900-03-01", "2100-12-31", "0001-01-01")),
    time = as.POSIXct(c(0, NA, 1.5, 1e9, -1e9, 1709164800.123456), origin = "1970-01-01", tz = "UTC"),
    zoned = as.POSIXct(c(0, NA, 1, 2, 3, 4) * 86400, origin = "1970-01-01", tz = "Europe/Berlin"),
    stringsAsFactors = FALSE
  )
  big <- c(2^40, NA, 1, -3, 0, 5)
  frame$big <- if (requireNamespace("bit64", quietly = TRUE)) bit64::as.integer64(big) else big
  frame
}

same_bits <- function(x, y) identical(x, y, num.eq = FALSE)

# What an R process of its own prints on either stream, line by line.
in_child <- function(lines, python = NULL) {
  script <- tempfile(fileext = ".R")
  writeLines(lines, script)
  on.exit(unlink(script))
  if (is.null(python)) python <- reticulate::py_config()$python
  withr::local_envvar(RENYI_PYTHON = python, RETICULATE_PYTHON = python, R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep))
  suppressWarnings(system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", script), stdout = TRUE, stderr = TRUE))
}

# A small fit that the tests of methods share.
iris_fit <- local({
  fit <- NULL
  function() {
    if (is.null(fit)) fit <<- renyi_select(Species ~ ., iris, alpha = 2, seed = 1)
    fit
  }
})
