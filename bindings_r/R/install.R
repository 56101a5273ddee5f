#' Install the Python package
#'
#' Makes a virtual environment of its own, `r-renyi`, and installs the Python package `renyi` into it.
#' It is found there from the next session on. Nothing else ever installs anything.
#'
#' First it is seen whether the Python will do: its version, the modules that an environment and a download need,
#' and whether reticulate can start it. An environment that comes to nothing is removed again; one that was there
#' before is left.
#'
#' @param source What to install: the folder of a checkout, the path of a wheel, or an address that pip
#'   understands.
#' @param envname Name of the environment.
#' @param python A Python, 3.11 or newer, to make it from; the first one on the path that will do if left out.
#' @param extras Optional parts of the Python package to install as well, such as `"plot"` or `c("plot", "gpu")`.
#' @param lock The file of exact versions that pip keeps to (`pip install -c`); the `constraints.txt` of a checkout
#'   if left out, and `FALSE` for none.
#' @param ... Passed on to [reticulate::virtualenv_create()].
#' @return The environment's Python, invisibly.
#' @seealso [renyi_doctor()]
#' @examples
#' \dontrun{
#' install_renyi("path/to/checkout")
#' install_renyi("path/to/checkout", extras = "plot")
#' }
#' @export
install_renyi <- function(source, envname = "r-renyi", python = NULL, extras = character(), lock = NULL, ...) {
  if (missing(source)) {
    renyi_abort("option", "`source` must be given, got nothing.", "Name the folder of a checkout, or the path of a wheel.")
  }
  check_option(is_text(source), "source", "one text", source)
  check_option(is_text(envname), "envname", "one text", envname)
  check_option(is.null(python) || is_text(python), "python", "the path of a Python", python)
  check_option(
    is.character(extras) && all(grepl("^[A-Za-z0-9][A-Za-z0-9._-]*$", extras)), "extras", "names of optional parts", extras
  )
  if (file.exists(source)) source <- normalizePath(source)
  lock <- lock_file(source, lock)
  folder <- if (grepl("[/\\\\]", envname)) envname else file.path(reticulate::virtualenv_root(), envname)
  there <- file.exists(folder)
  if (there && !file.exists(file.path(folder, "pyvenv.cfg"))) {
    renyi_abort("option", sprintf("`envname` must name a virtual environment, and %s is none.", folder), "Name another one.")
  }
  python <- if (is.null(python)) find_python() else usable_python(python)

  finished <- FALSE
  on.exit(if (!finished && !there) unlink(folder, recursive = TRUE))
  tryCatch(
    outside_r({
      reticulate::virtualenv_create(envname, python = python, packages = FALSE, ...)
      reticulate::virtualenv_install(
        envname, wanted_package(source, extras),
        pip_options = if (!is.null(lock)) c("-c", shQuote(lock)) else character()
      )
    }),
    error = function(error) {
      left <- if (there) "The environment was there before, and is left." else "The environment was removed again."
      renyi_abort(
        "python", sprintf("The Python package could not be installed: %s.", first_line(error)),
        paste("What pip said stands above.", left)
      )
    }
  )
  made <- reticulate::virtualenv_python(envname)
  loaded <- start_elsewhere(made, "library(renyi); if (renyi_available()) cat('ready') else print(renyi_doctor())")
  if (!identical(utils::tail(loaded, 1), "ready")) {
    renyi_abort("python", "The Python package was installed, and cannot be loaded.", paste(loaded, collapse = "\n"))
  }
  finished <- TRUE
  message("Installed. It is found by itself after a restart of R; renyi_doctor() says how things stand.")
  invisible(made)
}

# The file of exact versions, NULL for none.
lock_file <- function(source, lock) {
  if (identical(lock, FALSE)) {
    return(NULL)
  }
  if (is.null(lock)) {
    own <- file.path(source, "constraints.txt")
    return(if (file.exists(own)) own)
  }
  check_option(is_text(lock) && file.exists(lock), "lock", "the path of a file, or FALSE", lock)
  normalizePath(lock)
}

# What pip is asked for: a package with its optional parts.
wanted_package <- function(source, extras) {
  if (!length(extras)) {
    return(source)
  }
  parts <- sprintf("[%s]", paste(extras, collapse = ","))
  if (grepl("^[A-Za-z0-9+]+://", source)) {
    return(sprintf("renyi%s @ %s", parts, source))
  }
  if (file.exists(source)) paste0(source, parts) else sub("^([A-Za-z0-9_.-]+)", paste0("\\1", parts), source)
}

# The first Python on the path that will do; what is wrong with the first one, if there is none.
find_python <- function() {
  wrong <- NULL
  paths <- Sys.which(c("python3", "python3.11", "python3.12", "python3.13", "python"))
  for (path in unique(paths[nzchar(paths)])) {
    found <- tryCatch(usable_python(path), renyi_error = function(error) error)
    if (is.character(found)) {
      return(found)
    }
    if (is.null(wrong)) wrong <- found
  }
  if (!is.null(wrong)) stop(wrong)
  renyi_abort("python", "No Python was found.", "Install Python 3.11 or newer, or name one by `python`.")
}

needed_modules <- c(ssl = "pip cannot download", venv = "no environment can be made", ensurepip = "an environment has no pip")

# The path, if this Python can be used; an error that says why not otherwise.
usable_python <- function(path) {
  hint <- "Name another one by `python`."
  asked <- sprintf(
    "import sys\nprint('%%d.%%d' %% sys.version_info[:2])\nfor name in %s:\n try: __import__(name)\n except Exception: print(name)",
    paste0("('", paste(names(needed_modules), collapse = "', '"), "')")
  )
  script <- tempfile(fileext = ".py")
  writeLines(asked, script)
  on.exit(unlink(script))
  said <- suppressWarnings(tryCatch(
    outside_r(system2(path, shQuote(script), stdout = TRUE, stderr = FALSE)),
    error = function(error) character()
  ))
  version <- if (length(said)) said[1] else ""
  if (!grepl("^[0-9]+[.][0-9]+$", version)) renyi_abort("python", sprintf("%s is no Python that runs.", path), hint)
  if (package_version(version) < python_least) {
    renyi_abort("python", sprintf("`renyi` needs Python %s or newer, got %s in %s.", python_least, version, path), hint)
  }
  if (length(said) > 1) {
    why <- needed_modules[[said[2]]]
    renyi_abort("python", sprintf("Python %s in %s has no module %s: %s.", version, path, said[2], why), hint)
  }
  started <- start_elsewhere(path, "invisible(reticulate::py_config()); cat(reticulate::py_eval(\"'started'\"))")
  if (!identical(utils::tail(started, 1), "started")) {
    renyi_abort(
      "python", sprintf(
        "reticulate %s cannot start Python %s in %s: %s.", utils::packageVersion("reticulate"), version, path,
        first_line(c(grep("^Error", started, value = TRUE), started, "it says nothing")[1])
      ), hint
    )
  }
  path
}

# R puts folders of its own before those that a Python finds its libraries in: one of another version is loaded then,
# and modules such as ssl with it fail. A Python that is a process of its own is started without them.
outside_r <- function(code) {
  paths <- Sys.getenv("LD_LIBRARY_PATH", unset = NA)
  file <- file.path(R.home(), "etc", "ldpaths") # where R keeps them
  own <- if (!file.exists(file)) "" else {
    system2("sh", c("-c", shQuote(sprintf(". '%s'; printf %%s \"$R_LD_LIBRARY_PATH\"", file))), stdout = TRUE)
  }
  if (!is.na(paths) && nzchar(own) && startsWith(paths, own)) {
    rest <- paths
    while (startsWith(rest, own)) { # once for each R that was started by another
      rest <- sub("^:", "", substring(rest, nchar(own) + 1))
    }
    Sys.setenv(LD_LIBRARY_PATH = rest)
    on.exit(Sys.setenv(LD_LIBRARY_PATH = paths))
  }
  code
}

# What another R prints that works with this Python: a session can start one only.
start_elsewhere <- function(python, line) {
  script <- tempfile(fileext = ".R")
  writeLines(line, script)
  old <- Sys.getenv(c("RETICULATE_PYTHON", "RENYI_PYTHON", "R_LIBS"), unset = NA, names = TRUE)
  on.exit({
    unlink(script)
    do.call(Sys.setenv, as.list(old[!is.na(old)]))
    Sys.unsetenv(names(old)[is.na(old)])
  })
  Sys.setenv(
    RETICULATE_PYTHON = python, RENYI_PYTHON = python, R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep)
  )
  suppressWarnings(system2(
    file.path(R.home("bin"), "Rscript"), c("--vanilla", shQuote(script)),
    stdout = TRUE, stderr = TRUE
  ))
}
