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
  expect_identical(names(table$expressions), c("I(hp^2)", "factor(cyl)", "log(mpg)"))
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

every <- function(...) suppressWarnings(renyi_select(..., criterion = "none"))

test_that("what an expression took from its rows is kept for new ones", {
  skip_if_no_renyi()
  fit <- every(mpg ~ scale(hp) + poly(wt, 1) + factor(cyl), mtcars)
  new <- mtcars[c(3, 1, 20), ]
  found <- predict(fit, new)
  expect_identical(found[["scale(hp)"]], as.vector(scale(mtcars$hp))[c(3, 1, 20)])
  expect_equal(found[["poly(wt, 1)"]], as.vector(stats::poly(mtcars$wt, 1))[c(3, 1, 20)])
  expect_identical(found[["factor(cyl)"]], factor(new$cyl, levels = c(4, 6, 8)))
  new$cyl[1] <- 5
  expect_identical(levels(predict(fit, new)[["factor(cyl)"]]), c("4", "6", "8", "5"))
  expect_identical(predict(fit, tibble::as_tibble(mtcars))[["scale(hp)"]], as.vector(scale(mtcars$hp)))
  expect_identical(predict(fit, mtcars[1, ])[["scale(hp)"]], as.vector(scale(mtcars$hp))[1])
  reread <- unserialize(serialize(fit, NULL))
  expect_identical(predict(reread, new), predict(fit, new))
})

test_that("values from where the formula was written are those of then", {
  skip_if_no_renyi()
  local_fit <- function() {
    k <- 0.01
    twice <- function(x) 2 * x
    every(mpg ~ exp(hp * k) + twice(wt), mtcars)
  }
  found <- predict(local_fit(), mtcars[1:3, ])
  expect_identical(found[["exp(hp * k)"]], exp(mtcars$hp[1:3] * 0.01))
  expect_identical(found[["twice(wt)"]], 2 * mtcars$wt[1:3])
  k <- 1
  fit <- every(mpg ~ I(hp * k) + wt, mtcars)
  k <- 7
  expect_identical(as.numeric(predict(fit, mtcars)[["I(hp * k)"]]), mtcars$hp)
  expect_identical(fit$expressions[["I(hp * k)"]]$constants, list(k = 1))
})

test_that("an expression that hangs on the other rows is refused on new ones", {
  skip_if_no_renyi()
  for (made in c("rank(hp)", "I(hp - mean(hp))", "I(hp/max(hp))", "cumsum(hp)", "cut(hp, 3)", "log(scale(hp) + 5)")) {
    fit <- every(stats::as.formula(paste("mpg ~ wt +", made)), mtcars)
    expect_error(predict(fit, mtcars[1:9, ]), "hangs on all rows", class = "renyi_error_formula", label = made)
    expect_identical(nrow(predict(fit, mtcars)), 32L, label = made)
  }
  width <- iris$Petal.Width
  fit <- every(Species ~ log(width) + Sepal.Length, iris)
  expect_error(predict(fit, iris[1:9, ]), "no column `width`", class = "renyi_error_column")
  expect_identical(predict(fit, cbind(iris, width = width)[1:9, ])[["log(width)"]], log(width[1:9]))
})

test_that("subset takes names of rows, and says what it cannot", {
  skip_if_no_renyi()
  rows <- c("Mazda RX4", "Fiat 128", "Honda Civic", "Datsun 710", "Valiant", "Duster 360")
  named <- every(mpg ~ hp + wt, mtcars, subset = rows)
  expect_identical(named$steps, every(mpg ~ hp + wt, mtcars[rows, ])$steps)
  expect_identical(nobs(every(mpg ~ hp + wt, mtcars, subset = -(1:4))), 28L)
  expect_identical(nobs(every(mpg ~ hp + wt, mtcars, subset = NULL)), 32L)
  refused <- function(rows, words) {
    expect_error(renyi_select(mpg ~ hp + wt, mtcars, subset = rows), words, class = "renyi_error_option")
  }
  refused(c("Mazda RX4", "Lada"), "no row `Lada`")
  refused(1:33, "up to 32, got 33")
  refused(mtcars$spelt_wrong, "got NULL")
  refused(list(1), "class list")
})

test_that("a fit answers the generics of models", {
  skip_if_no_renyi()
  fit <- suppressWarnings(renyi_select(mpg ~ . - cyl + log(hp), data = mtcars, criterion = "none"))
  others <- setdiff(names(mtcars), c("mpg", "cyl"))
  plain <- stats::lm(mpg ~ . - cyl + log(hp), mtcars)
  expect_setequal(attr(stats::terms(formula(fit)), "term.labels"), attr(stats::terms(formula(plain)), "term.labels"))
  expect_identical(environment(formula(fit)), environment())
  expect_identical(nobs(fit), stats::nobs(plain))
  expect_identical(variable.names(fit), selected(fit))
  expect_identical(variable.names(fit, full = TRUE), c(others, "log(hp)"))

  smaller <- suppressWarnings(update(fit, . ~ . - wt - log(hp)))
  expect_setequal(variable.names(smaller, full = TRUE), setdiff(others, "wt"))
  expect_identical(smaller$steps, every(stats::as.formula(paste("mpg ~", paste(setdiff(others, "wt"), collapse = "+"))), mtcars)$steps)
  expect_identical(suppressWarnings(update(fit, log(.) ~ hp + wt))$data$target, "log(mpg)")
  expect_identical(suppressWarnings(update(fit, . ~ wt + cyl, max_features = 1))$verdict$stopped, "max_features")
  expect_identical(update(fit, . ~ wt, evaluate = FALSE)$x[[3]], quote(wt))
  expect_error(update(fit, . ~ . - wtt), "Did you mean `wt`", class = "renyi_error_column")

  table <- renyi_select(iris, target = "Species")
  expect_equal(formula(table), Species ~ Sepal.Length + Sepal.Width + Petal.Length + Petal.Width)
  expect_identical(suppressWarnings(update(table, exclude = "Petal.Width"))$data$target, "Species")
  expect_error(update(table, . ~ . - Petal.Width), "exclude", class = "renyi_error_usage")
})

test_that("a formula of thousands of columns is written and read again", {
  wide <- stats::setNames(as.list(1:5000 + 0), paste0("V", 1:5000))
  path <- structure(list(
    data = list(columns = data.frame(name = names(wide)), target = "V1"), formula = V1 ~ ., expressions = list()
  ), class = "renyi_path")
  whole <- formula(path)
  expect_identical(names(renyi:::formula_terms(whole[[3]], character(), names(wide), TRUE)), paste0("V", 2:5000))
  expect_length(names(renyi:::formula_terms(renyi:::updated_formula(path, . ~ . - V7)[[3]], character(), names(wide), TRUE)), 4998)
})

test_that("an odd column of a formula is told by its class", {
  frame <- data.frame(y = 1:3)
  frame$part <- data.frame(a = 1:3)
  expect_error(columns_of(y ~ I(part), frame), "class data.frame", class = "renyi_error_formula")
  expect_error(columns_of(y ~ mean, frame), class = "renyi_error_column")
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
    columns_of(cbind(Petal.Width, Petal.Width) ~ .)
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

test_that("a formula by the name that other models have is told the right one", {
  expect_error(renyi_select(formula = Species ~ ., data = iris), "or as `x`", class = "renyi_error_usage")
})

test_that("what is left out or cannot be computed is said in words", {
  expect_error(renyi_select(Species ~ ., iris, subset = nothing > 0), "`subset`", class = "renyi_error_option")
  expect_error(renyi_measure(iris, "Petal.Width"), "`x` and `y`", class = "renyi_error_option")
  path <- structure(list(), class = "renyi_path")
  expect_error(predict(path), "`newdata`", class = "renyi_error_option")
})
