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
