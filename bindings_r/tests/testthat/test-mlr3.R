# mlr3 is not in Debian: a stand-in for the base class and for paradox, by what mlr3filters documents.
stand_in <- function(types = "task_types") {
  initialize <- function(id, param_set, feature_types, packages) NULL
  formals(initialize) <- c(formals(initialize), stats::setNames(alist(x = ), types), alist(label = NULL, man = NULL))
  body(initialize) <- substitute({
    self$id <- id
    self$task_types <- types
    self$param_set <- param_set
  }, list(types = as.name(types)))
  R6::R6Class("Filter", public = list(
    id = NULL, task_types = NULL, param_set = NULL, scores = NULL, initialize = initialize,
    calculate = function(task, nfeat = length(task$feature_names)) {
      self$scores <- sort(private$.calculate(task, nfeat), decreasing = TRUE)
      invisible(self)
    }
  ))
}
paradox <- list(
  ps = function(...) list2env(list(values = list(), known = names(list(...)))),
  p_uty = function(...) "uty", p_dbl = function(...) "dbl", p_int = function(...) "int"
)
task <- list(feature_names = names(iris)[1:4], data = function(cols) iris[cols], truth = function() iris$Species)

test_that("the filter of mlr3 scores features as they were selected", {
  skip_if_no_renyi()
  skip_if_not_installed("R6")
  for (types in c("task_types", "task_type")) {
    filter <- renyi:::filter_class(stand_in(types), paradox)$new()
    expect_identical(filter$id, "renyi")
    expect_identical(filter$task_types, c("classif", "regr"))
  }
  filter$calculate(task)
  expect_identical(names(filter$scores), selected(renyi_select(Species ~ ., iris)))
  expect_identical(unname(filter$scores), c(1, 0.75, 0.5, 0.25))
  filter$param_set$values <- list(alpha = 1.01, options = list(bandwidth = 1))
  expect_identical(
    names(filter$calculate(task, nfeat = 2)$scores)[1:2],
    selected(renyi_select(Species ~ ., iris, alpha = 1.01, bandwidth = 1, max_features = 2))
  )
  expect_identical(unname(filter$scores), c(1, 0.75, -0.25, -0.5))
})

test_that("a feature may be called as the target", {
  skip_if_no_renyi()
  scores <- renyi:::selection_scores(data.frame(target = iris$Petal.Width, b = iris$Sepal.Width), iris$Species, 1, list(seed = NULL))
  expect_identical(scores, c(target = 1, b = -0.5))
})

test_that("the filter registers itself when mlr3filters is loaded", {
  skip_if("mlr3filters" %in% loadedNamespaces(), "mlr3filters is there")
  expect_length(getHook(packageEvent("mlr3filters", "onLoad")), 1)
})
