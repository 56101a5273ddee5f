# A Python that is one but for what is put before it: a shell script.
odd_python <- function(..., env = parent.frame()) {
  file <- withr::local_tempfile(.local_envir = env)
  writeLines(c("#!/bin/sh", ..., sprintf("exec '%s' \"$@\"", reticulate::py_config()$python)), file)
  Sys.chmod(file, "755")
  file
}

refused <- function(words, ...) {
  root <- withr::local_tempdir()
  withr::local_envvar(WORKON_HOME = root)
  error <- expect_error(install_renyi("renyi", ...), words, class = "renyi_error_python")
  expect_identical(list.files(root), character())
  error
}

test_that("a Python that will not do is refused before anything is made", {
  skip_if_no_renyi()
  skip_on_os("windows")
  refused("is no Python that runs", python = "/no/such/python")
  refused("is no Python that runs", python = odd_python("exit 3"))
  refused("needs Python 3.11 or newer, got 3.9", python = odd_python("echo 3.9; exit 0"))
  without <- withr::local_tempdir()
  writeLines("raise ImportError", file.path(without, "ssl.py"))
  refused("has no module ssl: pip cannot download", python = odd_python(sprintf("export PYTHONPATH='%s'", without)))
  asked <- odd_python("case \"$1\" in *config.py) echo cannot >&2; exit 1;; esac") # reticulate asks by a script of this name
  refused("reticulate .* cannot start Python", python = asked)
})

test_that("the folders of R are taken off, of each R that was started by another", {
  ldpaths <- file.path(R.home(), "etc", "ldpaths")
  skip_if_not(file.exists(ldpaths))
  own <- system2("sh", c("-c", shQuote(sprintf(". '%s'; printf %%s \"$R_LD_LIBRARY_PATH\"", ldpaths))), stdout = TRUE)
  for (paths in list(own, c(own, own), c(own, own, "/of/mine"), "/of/mine")) {
    withr::local_envvar(LD_LIBRARY_PATH = paste(paths, collapse = ":"))
    expect_identical(renyi:::outside_r(Sys.getenv("LD_LIBRARY_PATH")), paste(setdiff(paths, own), collapse = ":"))
    expect_identical(Sys.getenv("LD_LIBRARY_PATH"), paste(paths, collapse = ":"))
  }
})

test_that("an environment that comes to nothing is removed, one that was there is left", {
  skip_if_no_renyi()
  skip_on_os("windows")
  root <- withr::local_tempdir()
  withr::local_envvar(WORKON_HOME = root, PIP_NO_INDEX = "1")
  install <- function() utils::capture.output(install_renyi(file.path(root, "none.whl"), python = reticulate::py_config()$python))
  error <- expect_error(suppressWarnings(install()), "could not be installed", class = "renyi_error_python")
  expect_match(error$hint, "removed again")
  expect_false(file.exists(file.path(root, "r-renyi")))
  dir.create(file.path(root, "r-renyi"))
  expect_error(install(), "is none", class = "renyi_error_option")
  expect_true(file.exists(file.path(root, "r-renyi")))
})

# Wheels of next to nothing: a `renyi` with the extra `more`, which needs `morerenyi`, of which there are two versions.
write_wheels <- function(folder) {
  reticulate::py_run_string(sprintf(r"(
def wheel(name, version, files, metadata=''):
    import zipfile
    home = f'{name}-{version}.dist-info'
    files |= {f'{home}/METADATA': f'Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{metadata}',
              f'{home}/WHEEL': 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n'}
    files[f'{home}/RECORD'] = ''.join(f'{file},,\n' for file in files)
    with zipfile.ZipFile(f'%s/{name}-{version}-py3-none-any.whl', 'w') as archive:
        for file, text in files.items():
            archive.writestr(file, text)
extra = "Provides-Extra: more\nRequires-Dist: morerenyi; extra == 'more'\n"
wheel('renyi', '9.9', {'renyi/__init__.py': '', 'renyi/bridge.py': 'BRIDGE_PROTOCOL = 1\n'}, extra)
for version in ('1.0', '2.0'):
    wheel('morerenyi', version, {'morerenyi.py': f'version = {version!r}\n'})
)", folder), local = TRUE, convert = FALSE)
}

test_that("extras are installed, and the lock is kept to", {
  skip_if_no_renyi()
  skip_on_os("windows")
  root <- withr::local_tempdir()
  write_wheels(root)
  writeLines("morerenyi==1.0", file.path(root, "lock.txt"))
  withr::local_envvar(WORKON_HOME = root, PIP_NO_INDEX = "1", PIP_FIND_LINKS = root, PYTHONPATH = NA)
  utils::capture.output(suppressMessages(python <- install_renyi(
    file.path(root, "renyi-9.9-py3-none-any.whl"),
    python = reticulate::py_config()$python, extras = "more", lock = file.path(root, "lock.txt")
  )))
  said <- system2(python, c("-c", shQuote("import renyi.bridge, morerenyi; print(morerenyi.version)")), stdout = TRUE)
  expect_identical(said, "1.0")
})

test_that("pip is asked for what is meant", {
  expect_identical(renyi:::wanted_package("renyi==1.0", c("plot", "gpu")), "renyi[plot,gpu]==1.0")
  expect_identical(renyi:::wanted_package("https://x.org/a.whl", "plot"), "renyi[plot] @ https://x.org/a.whl")
  root <- withr::local_tempdir()
  expect_identical(renyi:::wanted_package(root, "plot"), paste0(root, "[plot]"))
  expect_identical(renyi:::wanted_package(root, character()), root)
  expect_null(renyi:::lock_file(root, NULL))
  writeLines("numpy==2.0", file.path(root, "constraints.txt"))
  expect_identical(renyi:::lock_file(root, NULL), file.path(root, "constraints.txt"))
  expect_null(renyi:::lock_file(root, FALSE))
  expect_error(renyi:::lock_file(root, "none.txt"), class = "renyi_error_option")
  expect_error(install_renyi(root, extras = "a b"), class = "renyi_error_option")
})
