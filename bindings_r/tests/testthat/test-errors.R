test_that("errors are classed, one sentence and a way out", {
  skip_if_no_renyi()
  expect_snapshot(error = TRUE, {
    renyi_select(Species ~ ., iris, critereon = "none")
    renyi_select(Species ~ ., iris, criterion = "cmi")
    renyi_select(Species ~ ., iris, purpose = "news", criterion = "cmi-max")
    renyi_select(Species ~ ., iris, alpha = -1)
    renyi_select(Species ~ ., iris, alpha = NA)
    renyi_select(Species ~ ., iris, kind = "nominal")
    renyi_select(Species ~ ., iris, kind = c(Sepal.Width = "nomial"))
    renyi_select(Species ~ ., iris, bandwidths = 2)
    renyi_select(Species ~ ., iris, sensitivity = "yes")
    renyi_select(Species ~ ., iris, stability = 3)
    renyi_select(Species ~ ., iris, permutations = "autoo")
    renyi_select(Species ~ ., iris, min_gain = "much")
    renyi_select(Species ~ ., iris, lookahead = 3)
    renyi_select(Species ~ ., iris, alpha = mean)
    renyi_select(Species ~ ., iris, "cmi-perm")
    renyi_select(Species ~ ., iris, target = "Species")
    renyi_select(Species ~ ., iris, progress = "yes")
    renyi_select(Species ~ ., iris, seed = 1, seed = 2)
    renyi_select(iris, target = "species")
    renyi_select(iris, "Species")
    renyi_select(iris[1:4], 1:3)
    renyi_select(iris, y = 1:150, target = "Species")
    renyi_select(data.frame(y = 1:3, x = 1:3), y = 1:3)
    renyi_select(iris[1:4], y = iris[1:2])
    renyi_select(list(1, 2))
    renyi_select("no-such-file.parquet")
    renyi_select(c("a.csv", "b.csv"))
    renyi_select(Ozone ~ ., airquality)
    renyi_select(cbind(iris, when = I(as.list(1:150))), target = "Species")
    renyi_measure(iris, x = "Petal.Wdth", y = "Species")
    renyi_measure(iris, x = 1, y = "Species")
    renyi_describe(1:3)
    renyi_apply(list(), iris)
    renyi_apply(iris_fit(), iris, output = "a.parquet")
    renyi_apply(iris_fit(), mtcars)
    predict(iris_fit(), 1:3)
    predict(iris_fit(), as.matrix(mtcars))
    install_renyi()
    install_renyi(source = 1)
  })
})

test_that("a class tells the code and what it is a case of", {
  error <- tryCatch(renyi:::renyi_abort("option", "A.", "B."), error = identity)
  expect_identical(class(error), c("renyi_error_option", "renyi_error_usage", "renyi_error", "error", "condition"))
  expect_identical(error[c("code", "hint")], list(code = "option", hint = "B."))
  expect_identical(conditionMessage(error), "A.\nB.")
  error <- tryCatch(renyi:::renyi_abort("missing", "A."), error = identity)
  expect_s3_class(error, "renyi_error_data")
  expect_s3_class(tryCatch(renyi:::renyi_abort("internal", "A."), error = identity), "renyi_error_internal")
})

test_that("a way out of an error is written as R writes it", {
  words <- function(...) renyi:::way_words(list(...))
  expect_identical(words(option = "rows", value = NULL, rule = "N"), "`rows = N`")
  expect_identical(words(option = "alpha", value = 2L, rule = ""), "`alpha = 2`")
  expect_identical(words(option = "missing", value = "drop", rule = ""), "`missing = \"drop\"`")
  expect_identical(words(option = "target", value = FALSE, rule = ""), "`target = FALSE`")
  expect_identical(words(option = "max_memory", value = NULL, rule = ""), "`max_memory`")
  kind <- words(option = "kind", value = list(`a b` = "continuous"), rule = "")
  expect_identical(kind, "`kind = c(`a b` = \"continuous\")`")
  expect_identical(renyi:::way_words("Use "), "Use ")
})

test_that("notes are warnings of their own class", {
  skip_if_no_renyi()
  frame <- iris
  frame$same <- 1
  caught <- list()
  withCallingHandlers(
    renyi_select(frame, target = "Species", alpha = 2),
    renyi_warning = function(w) {
      caught <<- c(caught, list(w))
      invokeRestart("muffleWarning")
    }
  )
  expect_identical(class(caught[[1]]), c("renyi_warning_constant_column", "renyi_warning", "warning", "condition"))
  expect_identical(caught[[1]]$columns, "same")
  expect_snapshot(invisible(renyi_select(frame, target = "Species", alpha = 2)))
})

test_that("without the Python package there is one helpful sentence", {
  skip_if_no_renyi()
  bare <- tempfile("bare")
  on.exit(unlink(bare, recursive = TRUE))
  withr::local_envvar(LD_LIBRARY_PATH = NA, PYTHONPATH = NA)
  system2(reticulate::py_config()$python, c("-m", "venv", "--without-pip", bare))
  said <- in_child(python = file.path(bare, "bin", "python"), c(
    "library(renyi)",
    "cat(renyi_available(), '\\n')",
    "error <- tryCatch(renyi_select(Species ~ ., iris), error = identity)",
    "cat(class(error)[1], '\\n')",
    "cat(conditionMessage(error), '\\n')",
    "print(renyi_doctor())"
  ))
  said <- gsub(bare, "BARE", said, fixed = TRUE)
  expect_identical(said[1:4], c(
    "FALSE ", "renyi_error_python ", "The Python package `renyi` was not found in BARE/bin/python.",
    "Install it with install_renyi(\"path/to/checkout\"), or set the environment variable RENYI_PYTHON to a Python that has it, and restart R. "
  ))
  expect_true(any(grepl("^! Python package renyi: The Python package `renyi` was not found", said)))
  expect_true("renyi cannot be used yet." %in% said)
  expect_false(any(grepl("Traceback|ModuleNotFoundError", said)))
})

test_that("a Python that is not there is said to be so", {
  skip_if_no_renyi()
  said <- in_child(python = "/no/such/python", c(
    "library(renyi)",
    "error <- tryCatch(renyi_select(Species ~ ., iris), error = identity)",
    "cat(class(error)[1], '\\n')"
  ))
  expect_true("renyi_error_python " %in% said)
})

test_that("another protocol is refused", {
  skip_if_no_renyi()
  said <- in_child(c(
    "library(renyi)",
    "bridge <- reticulate::import('renyi.bridge')",
    "bridge$BRIDGE_PROTOCOL <- 99L",
    "cat(tryCatch(renyi_select(Species ~ ., iris), error = conditionMessage), '\\n')"
  ))
  expect_identical(said[1:2], c("The Python package `renyi` speaks protocol 99, this R package 1.", "Update both to the same version. "))
})

test_that("the doctor says what is outdated", {
  expect_identical(renyi:::to_mend("0.1.0", character(), own = "0.1.0"), character())
  expect_identical(
    to_mend("0.1.0", list(list(code = "older", message = "numpy is old.")), own = "0.2.0"),
    c("! to mend: the R package is 0.2.0, the Python package 0.1.0: update the Python package", "! to mend: numpy is old.")
  )
  expect_match(renyi:::to_mend("0.10.0", character(), own = "0.9.0"), "update the R package", fixed = TRUE)
})

test_that("the doctor finds what is there", {
  skip_if_no_renyi()
  found <- renyi_doctor()
  expect_true(found$ok)
  expect_identical(found$python$renyi, as.character(utils::packageVersion("renyi")))
  expect_output(print(found), "renyi is ready.", fixed = TRUE)
})
