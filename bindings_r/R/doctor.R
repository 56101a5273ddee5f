#' What was found, and what is missing
#'
#' Says in plain words which R, reticulate and Python were found, whether the Python package `renyi`
#' can be loaded, and what to do if not. Nothing is installed or changed.
#'
#' @return A list of class `renyi_doctor`, invisibly the same when printed: `ok`; `lines`, what is said;
#'   `python`, what the Python package says of its machine, `NULL` where it cannot be loaded.
#' @seealso [install_renyi()], [renyi_available()]
#' @examples
#' renyi_doctor()
#' @export
renyi_doctor <- function() {
  lines <- c(
    finding(TRUE, "R", as.character(getRversion())),
    finding(TRUE, "reticulate", as.character(utils::packageVersion("reticulate"))),
    finding(TRUE, "R package renyi", as.character(utils::packageVersion("renyi")))
  )
  chosen <- Sys.getenv("RENYI_PYTHON")
  if (nzchar(chosen)) lines <- c(lines, finding(file.exists(chosen), "RENYI_PYTHON", chosen))
  problem <- tryCatch(
    {
      bridge()
      NULL
    },
    renyi_error = function(error) error
  )
  if (reticulate::py_available()) {
    config <- reticulate::py_config()
    lines <- c(lines, finding(TRUE, "Python", paste(reticulate::py_version(), "in", config$python)))
  }
  report <- NULL
  if (is.null(problem)) {
    report <- simplified(call_bridge("doctor"))
    versions <- call_bridge("versions")
    packages <- versions[c("numpy", "polars", "pyarrow")]
    lines <- c(
      lines,
      finding(TRUE, "Python package renyi", sprintf("%s, protocol %s", versions$renyi, versions$protocol)),
      finding(TRUE, "with", paste(names(packages), packages, collapse = ", ")),
      finding(TRUE, "cores", as.character(report$cores$usable)),
      finding(TRUE, "GPU", if (isTRUE(report$gpu$usable)) report$gpu$device else "none that can be used")
    )
    lines <- c(lines, to_mend(versions$renyi, report$advice))
  } else {
    lines <- c(lines, finding(FALSE, "Python package renyi", conditionMessage(problem)))
  }
  for (package in c("generics", "ggplot2", "recipes", "tibble", "bit64", "nanoarrow")) {
    there <- requireNamespace(package, quietly = TRUE)
    lines <- c(lines, finding(NA, paste("optional:", package), if (there) as.character(utils::packageVersion(package)) else "not installed"))
  }
  structure(list(ok = is.null(problem), lines = lines, python = report), class = "renyi_doctor")
}

# What is outdated: either package against the other, and what the Python package says of its own.
to_mend <- function(python, advice, own = as.character(utils::packageVersion("renyi"))) {
  said <- vapply(advice, `[[`, "", "message")
  if (package_version(own) != python) {
    older <- if (package_version(own) < python) "the R package" else "the Python package"
    said <- c(sprintf("the R package is %s, the Python package %s: update %s", own, python, older), said)
  }
  vapply(said, function(one) finding(FALSE, "to mend", one), "", USE.NAMES = FALSE)
}

finding <- function(ok, what, value) {
  mark <- if (is.na(ok)) " " else if (ok) "+" else "!"
  sprintf("%s %s: %s", mark, what, gsub("\n", "\n  ", value, fixed = TRUE))
}

#' @export
print.renyi_doctor <- function(x, ...) {
  writeLines(x$lines)
  writeLines(if (x$ok) "renyi is ready." else "renyi cannot be used yet.")
  invisible(x)
}
