columns_of <- function(formula, data = iris) names(renyi:::formula_table(formula, data)$columns)

test_that("formulas name columns as R users know it", {
  expect_identical(columns_of(Species ~ .), names(iris))
  expect_identical(columns_of(Species ~ Petal.Width + Sepal.Width), c("Sepal.Width", "Petal.Width", "Species"))
  expect_identical(columns_of(Species ~ . - Petal.Width), c("Sepal.Length", "Sepal.Width", "Petal.Length", "Species"))
  expect_identical(columns_of(Species ~ . - Petal.Width - Sepal.Width), c("Sepal.Length", "Petal.Length", "Species"))
  expect_identical(columns_of(Species ~ . - (Petal.Width + Sepal.Width)), c("Sepal.Length", "Petal.Length", "Species"))
  expect_identical(columns_of(Species ~ (Petal.Width) - 1), c("Petal.Width", "Species"))
  expect_identical(columns_of(Species ~ 0 + Petal.Width + Petal.Width), c("Petal.Width", "Species"))
  expect_identical(columns_of(Petal.Width ~ Species + Petal.Width), c("Species", "Petal.Width"))
})

test_that("expressions are columns of their own", {
  table <- renyi:::formula_table(log(mpg) ~ . + I(hp^2) + factor(cyl) - cyl, mtcars)
  expect_identical(names(table$columns), c(setdiff(names(mtcars), c("mpg", "cyl")), "I(hp^2)", "factor(cyl)", "log(mpg)"))
  expect_identical(table$target, "log(mpg)")
  expect_identical(table$terms, c("I(hp^2)", "factor(cyl)", "log(mpg)"))
  expect_identical(table$columns[["log(mpg)"]], log(mtcars$mpg))
  expect_identical(table$columns[["factor(cyl)"]], factor(mtcars$cyl))
  expect_identical(renyi:::formula_table(mpg ~ scale(hp), mtcars)$columns[[1]], as.vector(scale(mtcars$hp)))
})

test_that("variables may come from where the formula was written", {
  outcome <- iris$Species
  width <- iris$Petal.Width
  table <- renyi:::formula_table(outcome ~ width, NULL)
  expect_identical(table$columns, list(width = width, outcome = outcome))
  expect_identical(columns_of(outcome ~ . + width), c(names(iris), "width", "outcome"))
})

test_that("names need not be syntactic", {
  frame <- data.frame("a b" = 1:3, y = 4:6, check.names = FALSE)
  expect_identical(columns_of(y ~ `a b`, frame), c("a b", "y"))
  expect_identical(columns_of(y ~ ., frame), c("a b", "y"))
})

test_that("a wide formula takes no time", {
  wide <- as.data.frame(matrix(0, 2, 20000))
  expect_lt(system.time(renyi:::formula_table(V1 ~ . - V7, wide))[["elapsed"]], 5)
})

test_that("subset and na.action do what they say", {
  skip_if_no_renyi()
  fit <- renyi_select(Species ~ ., iris, bandwidth = 2, subset = Sepal.Length > 5)
  part <- renyi_select(Species ~ ., iris[iris$Sepal.Length > 5, ], bandwidth = 2)
  expect_identical(fit$steps, part$steps)
  expect_identical(fit$data$rows, part$data$rows)
  odd <- renyi_select(Species ~ ., iris, bandwidth = 2, subset = seq(1, 150, 2))
  expect_identical(odd$data$rows, 75)
  expect_error(renyi_select(Species ~ ., iris, subset = c(TRUE, FALSE)), class = "renyi_error_option")

  air <- function(...) suppressWarnings(renyi_select(Ozone ~ ., airquality, alpha = 2, ...))
  expect_identical(air(na.action = na.omit)$steps, air(missing = "drop")$steps)
  expect_identical(air(na.action = "na.exclude")$data$rows_used, 111)
  expect_error(air(na.action = na.fail), class = "renyi_error_missing")
  expect_error(air(), class = "renyi_error_missing")
  expect_identical(air(na.action = na.pass, missing = "drop")$data$rows_used, 111)
  expect_error(air(na.action = na.omit, missing = "error"), class = "renyi_error_option")
  expect_error(air(na.action = mean), class = "renyi_error_option")
})

test_that("expressions are computed again on new data", {
  skip_if_no_renyi()
  fit <- suppressWarnings(renyi_select(mpg ~ log(hp) + wt, mtcars, alpha = 2, criterion = "none"))
  expect_setequal(selected(fit), c("log(hp)", "wt"))
  expect_identical(predict(fit, mtcars[3:5, ])[["log(hp)"]], log(mtcars$hp[3:5]))
  formula <- selected_formula(fit)
  expect_setequal(attr(stats::terms(formula), "term.labels"), c("log(hp)", "wt"))
  expect_s3_class(stats::lm(formula, mtcars), "lm")
})

test_that("what a formula cannot say is refused in words", {
  expect_snapshot(error = TRUE, {
    columns_of(~Petal.Width)
    columns_of(Species ~ Petal.Width:Sepal.Width)
    columns_of(Species ~ Petal.Width * Sepal.Width)
    columns_of(Species ~ (Petal.Width + Sepal.Width)^2)
    columns_of(Species ~ Petal.Wdth)
    columns_of(Species ~ log(nothing))
    columns_of(Species ~ log(.))
    columns_of(Species ~ poly(Petal.Width, 2))
    columns_of(Species ~ offset(Petal.Width))
    columns_of(Species ~ 1)
    columns_of(Species ~ 2)
    columns_of(Species ~ Petal.Width - Petal.Width)
    columns_of(cbind(Petal.Width, Sepal.Width) ~ .)
    columns_of(Species ~ mean(Petal.Width))
    columns_of(Species ~ ., as.matrix(iris[1:4]))
    columns_of(Species ~ ., NULL)
  })
})

test_that("a column taken away must be there, and every column have a name of its own", {
  expect_error(columns_of(Species ~ . - Petal.Wdth), "Did you mean `Petal.Width`", class = "renyi_error_column")
  expect_silent(columns_of(Species ~ Petal.Width - Sepal.Width))
  twice <- stats::setNames(iris, c("a", "b", "b", "c", "Species"))
  expect_error(columns_of(Species ~ ., twice), "`b`", class = "renyi_error_data")
  unnamed <- stats::setNames(iris, c("a", "b", "", "c", "Species"))
  expect_error(columns_of(Species ~ ., unnamed), "Column 3", class = "renyi_error_data")
})

test_that("what is left out or cannot be computed is said in words", {
  expect_error(renyi_select(Species ~ ., iris, subset = nothing > 0), "`subset`", class = "renyi_error_option")
  expect_error(renyi_measure(iris, "Petal.Width"), "`x` and `y`", class = "renyi_error_option")
  path <- structure(list(), class = "renyi_path")
  expect_error(predict(path), "`newdata`", class = "renyi_error_option")
})
