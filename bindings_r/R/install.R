#' Install the Python package
#'
#' Makes a virtual environment of its own, `r-renyi`, and installs the Python package `renyi` into it.
#' It is found there from the next session on. Nothing else ever installs anything.
#'
#' @param source What to install: the folder of a checkout, the path of a wheel, or an address that pip
#'   understands.
#' @param envname Name of the environment.
#' @param python A Python, 3.11 or newer, to make it from; the first one on the path if left out.
#' @param ... Passed on to [reticulate::virtualenv_create()].
#' @return The environment's Python, invisibly.
#' @seealso [renyi_doctor()]
#' @examples
#' \dontrun{
#' install_renyi("path/to/checkout")
#' }
#' @export
install_renyi <- function(source, envname = "r-renyi", python = NULL, ...) {
  if (missing(source)) {
    renyi_abort("option", "`source` must be given: the folder of a checkout, or the path of a wheel.")
  }
  check_option(is_text(source), "source", "one text", source)
  check_option(is_text(envname), "envname", "one text", envname)
  if (is.null(python)) python <- find_python()
  if (file.exists(source)) source <- normalizePath(source)
  tryCatch(
    {
      reticulate::virtualenv_create(envname, python = python, packages = FALSE, ...)
      reticulate::virtualenv_install(envname, source, ignore_installed = FALSE)
    },
    error = function(error) {
      renyi_abort(
        "python", sprintf("The Python package could not be installed: %s.", first_line(error)),
        "What pip said stands above."
      )
    }
  )
  message("Installed. It is found by itself after a restart of R; renyi_doctor() says how things stand.")
  invisible(reticulate::virtualenv_python(envname))
}

# The first Python on the path that is new enough.
find_python <- function() {
  ask <- shQuote("import sys; print(sys.version_info >= (3, 11))")
  for (name in c("python3", "python3.11", "python3.12", "python3.13", "python")) {
    path <- Sys.which(name)[[1]]
    if (nzchar(path) && identical(system2(path, c("-c", ask), stdout = TRUE, stderr = FALSE), "True")) {
      return(path)
    }
  }
  renyi_abort("python", "No Python 3.11 or newer was found.", "Install one, or name it by `python`.")
}
