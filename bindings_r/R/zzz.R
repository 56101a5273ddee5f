# Nothing is started here: Python begins at the first call. The shared library stays loaded for as long
# as the process lives, since Python may release a table at any time.
.onLoad <- function(libname, pkgname) { # nolint
  chosen <- Sys.getenv("RENYI_PYTHON")
  if (nzchar(chosen)) {
    # The folder made absolute, the link left as it is: a virtual environment is known by its link.
    if (file.exists(chosen)) chosen <- file.path(normalizePath(dirname(chosen)), basename(chosen))
    Sys.setenv(RETICULATE_PYTHON = chosen)
  }
  if ("py_require" %in% getNamespaceExports("reticulate")) { # since 1.41
    getExportedValue("reticulate", "py_require")(python_version = paste0(">=", python_least))
  }
  register_filter()
  invisible()
}
