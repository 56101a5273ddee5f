test_that("the example of the help page works", {
  skip_if_no_renyi()
  fit <- renyi_select(Species ~ ., data = iris, seed = 1)
  expect_s3_class(fit, "renyi_path")
  expect_identical(selected(fit), c("Petal.Width", "Petal.Length", "Sepal.Length", "Sepal.Width"))
  expect_identical(fit$verdict$stopped, "exhausted")
  expect_identical(fit$data$rows_used, 150)
  expect_identical(fit$seed, 1L)
  expect_identical(as.data.frame(fit)$feature, selected(fit))
  expect_identical(fit$criteria$statistic_name, rep("z", 4))
  expect_identical(fit$call, quote(renyi_select(x = Species ~ ., data = iris, seed = 1)))
})

test_that("defaults are those of the help page", {
  skip_if_no_renyi()
  chosen <- renyi_select(Species ~ ., iris, max_features = 1)$options
  expect_identical(
    chosen[c("preset", "criteria", "permutations", "significance", "lookahead", "standardise", "min_gain")],
    list(
      preset = "default", criteria = "cmi-max", permutations = "auto:59", significance = 0.05, lookahead = 1L,
      standardise = "zscore", min_gain = NULL
    )
  )
  expect_identical(
    chosen[c("bandwidth", "rank", "nominal", "class_weights")],
    list(bandwidth = "steady", rank = "chance", nominal = "soft", class_weights = "balanced")
  )
  expect_equal(chosen$alpha, 2)
  plain <- renyi_select(Species ~ ., iris, max_features = 1, rank = "raw", nominal = "delta", class_weights = "none")
  expect_identical(
    plain$options[c("rank", "nominal", "class_weights")],
    list(rank = "raw", nominal = "delta", class_weights = "none")
  )
})

test_that("the example runs in a session of its own", {
  skip_if_no_renyi()
  said <- in_child(c(
    "library(renyi)",
    "fit <- renyi_select(Species ~ ., iris, seed = 1)",
    "print(fit)",
    "stopifnot(length(selected(fit)) > 0)",
    "cat('done\\n')"
  ))
  expect_identical(said[1], "Target `Species` (asked for), 150 rows, 4 columns")
  expect_identical(utils::tail(said, 1), "done")
})

test_that("a million rows reach the core before anybody notices", {
  skip_if_no_renyi()
  long <- data.frame(x = as.double(seq_len(1e6)), i = seq_len(1e6), w = rep(c("a", "b"), 5e5), f = factor(rep(1:4, 250000)))
  took <- system.time(expect_error(renyi_select(long, target = "none"), class = "renyi_error_column"))
  expect_lt(took[["elapsed"]], 1) # a tenth of it on an idle machine, see tools/benchmark.R
})

test_that("every kind of table gives the same answer", {
  skip_if_no_renyi()
  answer <- function(...) {
    fit <- renyi_select(..., alpha = 2, seed = 3)
    fit[c("selected", "steps", "criteria", "verdict")]
  }
  truth <- answer(Species ~ ., data = iris)
  expect_identical(answer(iris, target = "Species"), truth)
  expect_identical(answer(tibble::as_tibble(iris), target = "Species"), truth)
  if (requireNamespace("data.table", quietly = TRUE)) {
    expect_identical(answer(data.table::as.data.table(iris), target = "Species"), truth)
    expect_identical(answer(Species ~ ., data = data.table::as.data.table(iris)), truth)
  }
  expect_identical(answer(as.matrix(iris[1:4]), iris$Species)[c("selected", "steps", "criteria")], truth[c("selected", "steps", "criteria")])
  expect_identical(answer(iris[1:4], iris["Species"])$steps, truth$steps)
  file <- tempfile(fileext = ".parquet")
  on.exit(unlink(file))
  in_python(iris, sprintf("import pyarrow.parquet\npyarrow.parquet.write_table(pa.Table.from_batches([table]), '%s')", file))
  expect_identical(answer(file, target = "Species"), truth)
})

test_that("a target that is NULL is an error, not the last column", {
  skip_if_no_renyi()
  for (call in list(renyi_select, renyi_compare)) {
    error <- expect_error(call(iris[1:4], y = iris$species), "`y` must hold one value a row, got NULL", class = "renyi_error_option")
    expect_match(error$hint, "misspelt")
  }
  expect_error(renyi_select(as.matrix(iris[1:4]), iris$species), class = "renyi_error_option")
  expect_error(renyi_select(iris[1:4], mean), "got an object of class function", class = "renyi_error_option")
  expect_error(renyi_select(iris[1:4], as.POSIXlt(Sys.time() + 1:150)), "`y` is of class POSIXlt", class = "renyi_error_column")
  expect_identical(renyi_select(iris[1:4], array(iris$Species))$data$target, "y")
  expect_identical(renyi_select(iris, y = NULL, target = "Species")$data$target, "Species")
})

test_that("print says why a column is the target", {
  skip_if_no_renyi()
  expect_output(print(renyi_select(iris)), "Target `Species` (the last column), 150 rows", fixed = TRUE)
  expect_output(print(iris_fit()), "Target `Species` (asked for)", fixed = TRUE)
  expect_output(print(renyi_select(iris[1:4], iris$Species)), "Target `y` (asked for)", fixed = TRUE)
})

test_that("a stream of batches reaches Python as it is", {
  skip_if_no_renyi()
  space <- in_python(iris, paste(
    "room = pa.allocate_buffer(64)",
    "reader = pa.RecordBatchReader.from_batches(table.schema, [table.slice(0, 70), table.slice(70)])",
    "reader._export_to_c(room.address)",
    "address = str(room.address)",
    sep = "\n"
  ))
  place <- renyi:::as_dict(list(stream = reticulate::py_to_r(space["address"]), source = "stream"))
  fit <- renyi:::new_path(renyi:::run_select(place, list(target = "Species", alpha = 2, seed = 1)), NULL)
  expect_identical(fit$steps, iris_fit()$steps)
  expect_identical(fit$data$source, "stream")
})

test_that("Arrow tables of R need nanoarrow, and it is said so", {
  skip_if_no_renyi()
  skip_if(requireNamespace("nanoarrow", quietly = TRUE), "nanoarrow is there")
  table <- structure(list(), class = c("Table", "ArrowTabular"))
  for (call in list(renyi_select, renyi_describe)) {
    error <- expect_error(call(table), class = "renyi_error_extra")
    expect_match(conditionMessage(error), "class Table needs the package nanoarrow", fixed = TRUE)
  }
})

test_that("options are passed on under their own names", {
  skip_if_no_renyi()
  fit <- suppressWarnings(renyi_select(
    Species ~ ., iris,
    alpha = 2, criterion = c("mi-perm", "cmi-heuristic"), stop_when = "all", keep = "Sepal.Width",
    kind = c(Sepal.Length = "nominal"), bandwidths = c(Petal.Width = 0.5), bandwidth = "silverman",
    standardise = "rank", permutations = 39, significance = 0.1, epsilon = 0.01, max_features = 3,
    rows = 100, seed = 2^40
  ))
  expect_identical(fit$options$criteria, c("mi-perm", "cmi-heuristic"))
  expect_identical(fit$options$stop_when, "all")
  expect_identical(fit$options$bandwidths, list(Petal.Width = 0.5))
  expect_identical(fit$options$bandwidth, "silverman")
  expect_identical(fit$options$permutations, 39L)
  expect_identical(fit$seed, 2^40)
  expect_identical(fit$data_options$keep, "Sepal.Width")
  expect_identical(fit$data$rows_used, 100)
  expect_identical(fit$steps$action[1:2], c("keep", "add"))
  expect_identical(fit$data$columns$kind[1], "nominal")
  expect_true(all(c("mi-perm", "cmi-heuristic") %in% fit$criteria$criterion))
})

test_that("what the columns are for names the criterion", {
  skip_if_no_renyi()
  answer <- function(...) renyi_select(Species ~ ., iris, seed = 1, ...)
  same <- c("selected", "steps", "criteria", "verdict", "options")
  for (pair in list(c("model", "cmi-max"), c("news", "cmi-local"))) {
    fit <- answer(purpose = pair[1])
    expect_identical(fit$options$criteria, pair[2])
    expect_identical(fit[same], answer(criterion = pair[2])[same])
    expect_identical(fit[same], answer(criterion = pair[2], purpose = pair[1])[same])
  }
  words <- function(fit) paste(trimws(format(fit)), collapse = " ")
  expect_match(words(fit), "For news: columns that say something beyond those before; purpose \"model\" keeps", fixed = TRUE)
  other <- answer(criterion = c("cmi-max", "mi-perm"), permutations = 19, max_features = 1)
  expect_false(grepl("purpose", words(other)))
})

test_that("rules in place of numbers are passed on", {
  skip_if_no_renyi()
  rules <- list(permutations = "besag-clifford:99", min_gain = "1%", bandwidth = "growing:1.5")
  given <- c(list(iris, target = "Species", criterion = "cmi-max"), rules)
  fit <- suppressWarnings(do.call(renyi_select, given)) # widths that grow let CMI fall below 0
  expect_identical(fit$options[names(rules)], rules)
  expect_identical(unique(fit$criteria$criterion), c("min-gain", "cmi-max"))
  expect_true(all(fit$criteria$drawn <= 99, na.rm = TRUE))
  few <- renyi_select(iris, target = "Species", permutations = "auto", min_gain = 0.05, max_features = 1)
  expect_identical(few$options$permutations, "auto:59")
  expect_identical(few$options$min_gain, 0.05)
})

test_that("kinds follow from R's types", {
  skip_if_no_renyi()
  frame <- every_type()[rep(1:6, 4), ]
  frame$double[!is.finite(frame$double)] <- 2
  frame$y <- rep(c("p", "q"), 12)
  found <- suppressWarnings(renyi_describe(frame, target = "y", alpha = 2, missing = "drop"))
  kinds <- stats::setNames(found$kind, found$name)
  expect_identical(
    kinds[c("double", "integer", "logical", "text", "factor", "ordered", "date", "time", "big", "y")],
    c(
      double = "continuous", integer = "continuous", logical = "nominal", text = "nominal", factor = "nominal",
      ordered = "ordinal", date = "continuous", time = "continuous", big = "continuous", y = "nominal"
    )
  )
  expect_identical(found$missing[found$name == "integer"], 4)
})

test_that("NA never turns into a number", {
  skip_if_no_renyi()
  frame <- data.frame(i = c(1L, 2L, 5L, NA), d = c(0.5, NA, 1, 2), y = c("a", "b", "a", "b"))
  error <- expect_error(renyi_select(frame, target = "y"), class = "renyi_error_missing")
  expect_match(conditionMessage(error), "`i` (1), `d` (1)", fixed = TRUE)
  frame <- iris
  frame$Petal.Width[5] <- NA
  expect_warning(fit <- renyi_select(frame, target = "Species", alpha = 2, missing = "drop"), class = "renyi_warning_rows_dropped")
  expect_identical(fit$steps, renyi_select(iris[-5, ], target = "Species", alpha = 2)$steps)
  expect_identical(fit$warnings$code, "rows_dropped")
  expect_identical(fit$warnings$columns, list("Petal.Width"))
})

test_that("R's own random numbers are left alone", {
  skip_if_no_renyi()
  set.seed(5)
  before <- .Random.seed
  renyi_select(Species ~ ., iris, alpha = 2)
  expect_identical(.Random.seed, before)
})

test_that("calls keep nothing of R's alive", {
  skip_if_no_renyi()
  before <- alive()
  renyi_select(Species ~ ., iris, alpha = 2)
  renyi_describe(iris, target = "Species", alpha = 2)
  try(renyi_select(Species ~ ., iris, alpha = -1), silent = TRUE)
  try(renyi_select(iris, target = "none"), silent = TRUE)
  expect_identical(alive(), before)
})

test_that("options are arguments, for completion to find", {
  known <- names(formals(renyi_select))
  expect_true(all(c("x", "...", "target", "alpha", "criterion", "max_features", "progress") %in% known))
  complete <- function(line) {
    utils:::.assignLinebuffer(line)
    utils:::.assignEnd(nchar(line))
    utils:::.guessTokenFromLine()
    utils:::.completeToken()
    utils:::.retrieveCompletions()
  }
  withr::local_package("renyi")
  expect_true("max_features=" %in% gsub(" ", "", complete("renyi_select(iris, max_f")))
  for (name in c("renyi_compare", "renyi_describe", "renyi_measure")) {
    expect_true("alpha" %in% names(formals(getExportedValue("renyi", name))), label = name)
  }
})

test_that("an option that is no argument is still told of by the core", {
  skip_if_no_renyi()
  expect_error(renyi_select(Species ~ ., iris, max_feature = 2), "Did you mean `max_features`", class = "renyi_error_option")
})
