# Nothing is started here: Python begins at the first call. The shared library stays loaded for as long
# as the process lives, since Python may release a table at any time.
.onLoad <- function(libname, pkgname) { # nolint
  chosen <- Sys.getenv("RENYI_PYTHON")
  if (nzchar(chosen)) {
    Sys.setenv(RETICULATE_PYTHON = chosen)
  }
  if ("py_require" %in% getNamespaceExports("reticulate")) { # since 1.41
    getExportedValue("reticulate", "py_require")(python_version = paste0(">=", python_least))
  }
  invisible()
}
