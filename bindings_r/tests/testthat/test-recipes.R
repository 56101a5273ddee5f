recipe_of_iris <- function(...) {
  frame <- tibble::as_tibble(iris)
  frame$id <- rep(c("a", "b", "c"), 50)
  frame$day <- as.Date("2024-01-01") + 0:149
  recipes::recipe(Species ~ ., data = frame) |>
    recipes::update_role(id, new_role = "name") |>
    step_select_renyi(
      recipes::all_predictors(), outcome = "Species", alpha = 2, seed = 1, options = list(bandwidth = 2), ...
    )
}

test_that("prep and bake keep the selected columns and their types", {
  skip_if_not_installed("recipes")
  skip_if_no_renyi()
  rec <- recipe_of_iris()
  done <- recipes::prep(rec)
  baked <- recipes::bake(done, new_data = NULL)
  columns <- cbind(iris[1:4], day = as.Date("2024-01-01") + 0:149, Species = iris$Species)
  direct <- renyi_select(columns, target = "Species", alpha = 2, bandwidth = 2, seed = 1)
  expect_setequal(names(baked), c(selected(direct), "id", "Species"))
  expect_identical(done$steps[[1]]$fit$steps, direct$steps)
  expect_s3_class(baked$Species, "factor")
  new <- recipes::bake(done, new_data = utils::head(done$template, 0) |> (\(x) tibble::as_tibble(iris[1:5, ]) |> tibble::add_column(id = "a", day = Sys.Date()))())
  expect_identical(nrow(new), 5L)
  expect_false("Sepal.Length" %in% names(new) && !"Sepal.Length" %in% selected(direct))
  piped <- recipe_of_iris(max_features = 1L) |> recipes::prep() |> recipes::bake(new_data = NULL)
  expect_identical(ncol(piped), 3L)
})

test_that("further options and explicit columns reach the selection", {
  skip_if_not_installed("recipes")
  skip_if_no_renyi()
  rec <- recipes::recipe(Species ~ ., data = iris) |>
    step_select_renyi(Petal.Width, Petal.Length, outcome = "Species", alpha = 2, criterion = "none", options = list(keep = "Petal.Width", max_features = 1))
  done <- recipes::prep(rec)
  expect_identical(names(recipes::bake(done, new_data = NULL)), c("Sepal.Length", "Sepal.Width", "Petal.Width", "Species"))
  expect_identical(done$steps[[1]]$removals, "Petal.Length")
})

test_that("the step prints, tidies and can be tuned", {
  skip_if_not_installed("recipes")
  skip_if_no_renyi()
  rec <- recipe_of_iris()
  expect_output(print(rec$steps[[1]]), "Columns that matter")
  before <- generics::tidy(rec, number = 1)
  expect_identical(names(before), c("terms", "selected", "step", "mi", "cmi", "id"))
  done <- recipes::prep(rec)
  expect_output(print(done$steps[[1]]), "Columns that matter")
  after <- generics::tidy(done, number = 1)
  expect_identical(names(after), names(before))
  expect_identical(nrow(after), 5L)
  fit <- done$steps[[1]]$fit
  expect_identical(after$terms[after$selected], selected(fit))
  expect_identical(after$mi[after$selected], fit$steps$mi[fit$steps$selected])
  expect_identical(generics::required_pkgs(rec$steps[[1]]), "renyi")
  tunable <- generics::tunable(rec$steps[[1]])
  expect_identical(names(tunable), c("name", "call_info", "source", "component", "component_id"))
  expect_identical(tunable$name, c("criterion", "alpha", "max_features", "significance", "permutations", "seed"))
  expect_true(all(tunable$name %in% names(rec$steps[[1]])))
})

test_that("a prepared recipe can be saved and baked without Python", {
  skip_if_not_installed("recipes")
  skip_if_no_renyi()
  done <- recipes::prep(recipe_of_iris())
  file <- tempfile(fileext = ".rds")
  on.exit(unlink(file))
  saveRDS(done, file)
  said <- in_child(python = "/no/such/python", c(
    "library(renyi)", "suppressPackageStartupMessages(library(recipes))", sprintf("done <- readRDS('%s')", file),
    "cat(names(bake(done, new_data = NULL)), '\\n')"
  ))
  expect_identical(utils::tail(said, 1), paste(c(names(recipes::bake(done, new_data = NULL)), ""), collapse = " "))
})

test_that("nothing to choose from is no failure, a wrong outcome is", {
  skip_if_not_installed("recipes")
  skip_if_no_renyi()
  none <- recipes::recipe(Species ~ ., data = iris) |>
    step_select_renyi(recipes::all_numeric(), -recipes::all_numeric(), outcome = "Species") |>
    recipes::prep()
  expect_identical(names(recipes::bake(none, new_data = NULL)), names(iris))
  expect_error(step_select_renyi(recipes::recipe(Species ~ ., iris), Petal.Width), class = "renyi_error_option")
  expect_error(
    step_select_renyi(recipes::recipe(Species ~ ., iris), recipes::all_predictors(), outcome = "Species", alhpa = 2),
    "`alhpa`",
    class = "renyi_error_option"
  )
  error <- expect_error(
    step_select_renyi(recipes::recipe(Species ~ ., iris), Petal.Width, outcome = Species),
    class = "renyi_error_option"
  )
  expect_identical(error$hint, "Write outcome = \"Species\".")
  expect_error(
    step_select_renyi(recipes::recipe(Species ~ ., iris), Petal.Width, outcome = recipes::all_outcomes()),
    "name of one column",
    class = "renyi_error_option"
  )
  wrong <- recipes::recipe(Species ~ ., iris) |> step_select_renyi(Petal.Width, outcome = "none")
  expect_error(recipes::prep(wrong), "none")
})

test_that("arguments marked to be tuned are found", {
  skip_if_not_installed("recipes")
  skip_if_no_renyi()
  tune <- function(id) if (missing(id)) quote(tune()) else call("tune", id) # as in hardhat
  marked <- recipes::recipe(Species ~ ., iris) |>
    step_select_renyi(recipes::all_predictors(), outcome = "Species", alpha = tune(), max_features = tune("most"))
  found <- generics::tune_args(marked)
  expect_identical(found$name, c("alpha", "max_features"))
  expect_identical(found$tunable, c(TRUE, TRUE))
  expect_identical(found$id, c("alpha", "most"))
})

test_that("case weights count, as their class says, and are no candidate", {
  skip_if_not_installed("recipes")
  skip_if_no_renyi()
  weights <- rep(c(0, 1, 2), 50)
  for (kind in c("importance", "frequency")) {
    weighted <- tibble::as_tibble(iris)
    made <- if (kind == "importance") weights else as.integer(weights)
    weighted$weight <- structure(made, class = c(sprintf("hardhat_%s_weights", kind), "hardhat_case_weights", "vctrs_vctr"))
    rec <- recipes::recipe(Species ~ ., weighted) |>
      step_select_renyi(recipes::all_predictors(), outcome = "Species", max_features = 2)
    done <- suppressWarnings(recipes::prep(rec))
    columns <- cbind(iris, weight = weights)
    direct <- suppressWarnings(renyi_select(columns, target = "Species", max_features = 2, weights = "weight", weight_kind = kind))
    expect_identical(done$steps[[1]]$fit$steps, direct$steps, label = kind)
    expect_setequal(names(recipes::bake(done, new_data = NULL)), c(selected(direct), "Species", "weight"))
  }
  expect_false(identical(direct$steps$mi, renyi_select(iris, target = "Species", max_features = 2)$steps$mi))
})

test_that("names that the locale cannot read keep their columns", {
  skip_if_not_installed("recipes")
  skip_if_no_renyi()
  withr::local_envvar(LC_ALL = "C")
  said <- in_child(c(
    "library(renyi); suppressMessages(library(recipes))",
    "for (marked in c('UTF-8', 'unknown')) {",
    "name <- 'caf\\xc3\\xa9'; Encoding(name) <- marked",
    "d <- stats::setNames(iris, c('a', 'b', 'c', name, 'Species'))",
    "fit <- renyi_select(d, target = 'Species', max_features = 1)",
    "stopifnot(identical(names(predict(fit, d)), name), identical(predict(fit, d)[[1]], iris[[4]]))",
    "stopifnot(identical(names(predict(renyi_select(Species ~ ., d, max_features = 1), d)), name))",
    "roles <- c(rep('predictor', 4), 'outcome')",
    "done <- recipe(d, vars = names(d), roles = roles) |> step_select_renyi(all_predictors(), outcome = 'Species', max_features = 1) |> prep()",
    "baked <- bake(done, new_data = d)",
    "stopifnot(identical(names(baked), c(name, 'Species')), identical(baked[[1]], iris[[4]]))",
    "stopifnot(inherits(tryCatch(selected_formula(fit), error = identity), 'renyi_error_formula'))",
    "stopifnot(renyi_select(d, target = name)$data$target == enc2utf8(fit$selected))",
    "cat('all kept of', marked, '\\n')",
    "}"
  ))
  expect_true(all(paste("all kept of", c("UTF-8", "unknown"), "") %in% said), info = paste(said, collapse = "\n"))
})
