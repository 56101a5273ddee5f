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

test_that("progress is drawn where asked, and only there", {
  skip_if_no_renyi()
  drawn <- function(...) {
    file <- tempfile()
    to <- file(file, "w")
    sink(to, type = "message")
    on.exit({
      sink(type = "message")
      close(to)
    })
    renyi_select(Species ~ ., iris, alpha = 2, ...)
    flush(to)
    paste(readLines(file, warn = FALSE), collapse = "")
  }
  expect_identical(drawn(), "")
  expect_match(drawn(progress = TRUE), "step 1/4 [", fixed = TRUE)
  withr::with_options(list(renyi.progress = TRUE), {
    expect_match(drawn(), "step 1/4")
    expect_identical(drawn(progress = FALSE), "")
  })
  expect_identical(
    renyi:::progress_text(list(phase = "permutations", step = 2L, done = 50L, total = 100L, feature = "age", steps_total = 9L)),
    "step 2/9 [==========          ] permutations age"
  )
})

test_that("a long run says how long and what is faster", {
  way <- list(option = "rows", value = 5000L, rule = "", seconds = 14)
  expect_identical(
    renyi:::estimate_text(list(seconds = 260, ways = list(way))),
    "This will take about 4 min. Faster: `rows = 5000` (10 s)."
  )
  expect_identical(renyi:::estimate_text(list(seconds = 5000, ways = list())), "This will take about 1.4 h.")
})

test_that("Ctrl-C keeps what was finished", {
  skip_if_no_renyi()
  said <- in_child(c(
    "library(renyi)",
    "d <- as.data.frame(matrix(sin(seq_len(1200 * 40)^1.5), 1200)); d$y <- sin(seq_len(1200) * 7)",
    "invisible(renyi_available())",
    "reticulate::py_run_string('import os, signal, threading\\nthreading.Timer(3, os.kill, (os.getpid(), signal.SIGINT)).start()')",
    "found <- tryCatch(renyi_select(y ~ ., d, criterion = 'none', alpha = 1.01), renyi_interrupted = function(c) c)",
    "cat(class(found), '\\n')",
    "cat(class(found$fit), found$fit$verdict$stopped, nrow(found$fit$steps) < 40, '\\n')",
    "cat('R goes on\\n')"
  ))
  expect_identical(said[1:3], c("renyi_interrupted interrupt condition ", "renyi_path interrupted TRUE ", "R goes on"))
})

test_that("try() lets an interrupt pass, and a script ends by it", {
  skip_if_no_renyi()
  stopped <- function(line) {
    said <- in_child(c("library(renyi)", line, "cat('not reached')"))
    expect_false(any(grepl("not reached", said)), label = line)
    expect_identical(attr(said, "status"), 1L, label = line)
    expect_true(any(grepl("It was interrupted", said)), label = line)
  }
  call <- "renyi:::renyi_interrupt('It was interrupted.')"
  for (around in c("%s", "try(%s)", "tryCatch(%s, error = function(e) 1)", "suppressWarnings(try(%s, silent = TRUE))")) {
    stopped(sprintf(around, call))
  }
  caught <- tryCatch(renyi:::renyi_interrupt("It was interrupted."), interrupt = class)
  expect_identical(caught, c("renyi_interrupted", "interrupt", "condition"))
})

test_that("try() around a selection does not swallow Ctrl-C", {
  skip_if_no_renyi()
  said <- in_child(c(
    "library(renyi)",
    "d <- as.data.frame(matrix(sin(seq_len(1200 * 40)^1.5), 1200)); d$y <- sin(seq_len(1200) * 7)",
    "invisible(renyi_available())",
    "reticulate::py_run_string('import os, signal, threading\\nthreading.Timer(2, os.kill, (os.getpid(), signal.SIGINT)).start()')",
    "try(renyi_select(y ~ ., d, criterion = 'none', alpha = 1.01))",
    "cat('not reached')"
  ))
  expect_false(any(grepl("not reached", said)))
  expect_true(any(grepl("The selection was interrupted after", said)))
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

test_that("groups of columns are selected, applied and baked as a whole", {
  groups <- c(sepal = "Sepal.*", petal = "Petal.*")
  fit <- renyi_select(Species ~ ., data = iris, group_columns = groups)
  expect_identical(selected(fit)[1], "petal")
  expect_identical(selected(fit, columns = TRUE)[1:2], c("Petal.Length", "Petal.Width"))
  expect_identical(fit$data$group_columns$sepal, c("Sepal.Length", "Sepal.Width"))
  expect_true(all(c("Petal.Length", "Petal.Width") %in% names(predict(fit, iris))))
  expect_true("Species" %in% names(renyi_apply(fit, iris)))
  expect_true("Petal.Width" %in% all.vars(selected_formula(fit)))
  expect_match(format(fit), "petal is 2 columns: Petal.Length, Petal.Width.", fixed = TRUE, all = FALSE)
  expect_match(format(fit), "of 2 columns", fixed = TRUE, all = FALSE)
  named <- renyi_select(Species ~ ., data = iris, group_columns = list(petal = c("Petal.Length", "Petal.Width")), keep = "petal")
  expect_identical(selected(named)[1], "petal")
  expect_error(renyi_select(Species ~ ., data = iris, group_columns = "Petal.*"), "named vector", class = "renyi_error_option")
  single <- renyi_select(Species ~ ., data = iris, max_features = 1)
  expect_identical(selected(single, columns = TRUE), selected(single))
})

test_that("a recipe step keeps all columns of a group", {
  skip_if_not_installed("recipes")
  options <- list(group_columns = c(petal = "Petal.*"))
  step <- recipes::recipe(Species ~ ., data = iris) |>
    step_select_renyi(recipes::all_predictors(), outcome = "Species", max_features = 1, options = options)
  prepared <- recipes::prep(step)
  expect_setequal(names(recipes::bake(prepared, new_data = iris)), c("Petal.Length", "Petal.Width", "Species"))
  told <- recipes::tidy(prepared, 1)
  expect_identical(told$terms[told$selected], c("Petal.Length", "Petal.Width"))
  expect_identical(told$step[told$selected], c(1L, 1L))
})

test_that("several targets are one", {
  set.seed(1)
  cars <- datasets::mtcars
  cars$am <- factor(cars$am)
  fit <- renyi_select(cbind(mpg, am) ~ ., data = cars, max_features = 2)
  expect_identical(fit$data$targets, c("mpg", "am"))
  expect_identical(fit$data$target, "mpg, am")
  expect_false(any(c("mpg", "am") %in% fit$data$columns$name[fit$data$columns$role == "feature"]))
  table <- renyi_select(cars, target = c("mpg", "am"), max_features = 2)
  expect_identical(fit$steps$mi, table$steps$mi)
  expect_identical(all.vars(selected_formula(fit)[[2]]), c("mpg", "am"))
  expect_identical(selected_formula(fit)[[2]], quote(cbind(mpg, am)))
  expect_identical(utils::tail(names(renyi_apply(fit, cars)), 2), c("mpg", "am"))
  logged <- renyi_select(cbind(log(mpg), am) ~ wt + hp, data = cars, max_features = 1)
  expect_identical(logged$data$targets, c("log(mpg)", "am"))
  expect_error(renyi_select(cbind(mpg, mpg) ~ ., data = cars), "each target once", class = "renyi_error_formula")
})

test_that("a search may take columns away, and goes on from a fit or a file", {
  skip_if_no_renyi()
  back <- renyi_select(Species ~ ., iris, search = "backward", criterion = "none", max_features = 2)
  expect_identical(back$steps$action, c("start", "remove", "remove"))
  expect_identical(back$steps$selected, c(TRUE, FALSE, FALSE))
  expect_length(selected(back), 2)
  expect_identical(back$options$search, "backward")
  expect_output(print(back), "4 columns (start)", fixed = TRUE)
  expect_output(print(back), paste("-", back$steps$feature[2]), fixed = TRUE)
  expect_output(print(back), "search backward", fixed = TRUE)
  if (requireNamespace("generics", quietly = TRUE)) {
    expect_identical(generics::glance(back)$mi, back$steps$mi[3])
  }
  first <- renyi_select(Species ~ ., iris, max_features = 1)
  on <- renyi_select(Species ~ ., iris, start = first, criterion = "none", search = "floating")
  expect_identical(on$steps$action[1], "start")
  expect_identical(on$data_options$start, selected(first))
  expect_setequal(selected(on), setdiff(names(iris), "Species"))
  file <- withr::local_tempfile(fileext = ".json")
  writeLines(first$json, file)
  again <- renyi_select(Species ~ ., iris, start = file, criterion = "none", search = "floating")
  expect_identical(again$steps, on$steps)
  expect_error(renyi_select(iris[-match(selected(first), names(iris))], target = "Species", start = first), class = "renyi_error_column")
  expect_error(renyi_select(Species ~ ., iris, start = 3), class = "renyi_error")
  expect_error(renyi_select(Species ~ ., iris, search = "sideways"), class = "renyi_error_option")
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  expect_invisible(plot(back))
})

test_that("every score ranks, with a test of its own", {
  skip_if_no_renyi()
  scores <- c(
    "mim", "mifs", "mifs-u", "nmifs", "mrmr", "mrmr-quotient", "cife", "condred", "jmi", "jmi3", "relax", "jmim",
    "njmim", "disr", "cmim", "icap", "cmi"
  )
  for (score in scores) {
    fit <- renyi_select(Species ~ ., iris, score = score, seed = 1)
    expect_identical(fit$options$preset, "shannon")
    expect_identical(fit$options$criteria, "score-max")
    expect_true(all(is.finite(fit$steps$score)), label = score)
    # with nothing selected each is I(x; y) of five bins, whose entropies are counted here
    first <- table(cut(iris[[fit$steps$feature[1]]], 5, include.lowest = TRUE), iris$Species) / 150
    bits <- function(p) -sum(p[p > 0] * log2(p[p > 0]))
    expect_equal(fit$steps$score[1], bits(rowSums(first)) + bits(colSums(first)) - bits(first), tolerance = 0.05)
  }
  expect_identical(renyi_select(Species ~ ., iris, score = "knn", seed = 1)$options$criteria, "score-perm")
})
