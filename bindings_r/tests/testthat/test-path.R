test_that("print, format and summary say what was found", {
  skip_if_no_renyi()
  fit <- iris_fit()
  expect_snapshot(print(fit))
  expect_snapshot(print(fit, digits = 2))
  expect_snapshot(print(summary(fit)))
  utils::capture.output(expect_invisible(print(fit)))
  expect_type(format(fit), "character")
  many <- suppressWarnings(renyi_select(mpg ~ ., mtcars, alpha = 2, criterion = "none"))
  expect_snapshot(print(many, n = 7))
  nothing <- renyi_select(data.frame(x = rep(c(1.5, 2.5, 3.5, 4.5), 10), y = rep(c("a", "b"), 20)), target = "y", alpha = 2, keep = "x")
  expect_identical(selected(nothing), "x")
})

test_that("a path without a selected column is an answer", {
  skip_if_not_installed("generics")
  skip_if_no_renyi()
  frame <- data.frame(x = sin(1:60 * 12.9), z = cos(1:60 * 78.2), y = rep(c("a", "b"), 30))
  fit <- renyi_select(frame, target = "y", alpha = 2, criterion = "mi-chi2")
  expect_identical(selected(fit), character())
  expect_output(print(fit), "none")
  expect_equal(selected_formula(fit), y ~ 1)
  expect_identical(dim(predict(fit, frame)), c(60L, 0L))
  expect_identical(generics::glance(fit)$n.selected, 0L)
  expect_identical(generics::glance(fit)$mi, NA_real_)
})

test_that("a fit is plain R data that can be saved", {
  skip_if_no_renyi()
  fit <- iris_fit()
  file <- tempfile(fileext = ".rds")
  on.exit(unlink(file))
  saveRDS(fit, file)
  at_home <- function(fit) {
    environment(fit$formula) <- globalenv() # a copy of an environment is another one
    fit
  }
  expect_true(identical(at_home(readRDS(file)), at_home(fit)))
  plain <- function(x) {
    if (is.list(x)) all(vapply(x, plain, NA)) else is.atomic(x) || is.null(x) || is.call(x) || is.name(x)
  }
  expect_true(plain(unclass(fit)))
  skip_if_not_installed("generics")
  said <- in_child(python = "/no/such/python", c(
    sprintf("fit <- readRDS('%s')", file), "library(renyi)", "print(fit)", "cat(selected(fit), '\\n')",
    "invisible(predict(fit, iris))", "grDevices::pdf(NULL)", "plot(fit)", "cat(names(generics::tidy(fit))[1], '\\n')"
  ))
  expect_identical(utils::tail(said, 2), c(paste(c(selected(fit), ""), collapse = " "), "step "))
})

test_that("the whole result is there as the terminal writes it", {
  skip_if_no_renyi()
  fit <- iris_fit()
  file <- tempfile(fileext = ".json")
  on.exit(unlink(file))
  writeLines(fit$json, file, useBytes = TRUE)
  again <- renyi:::call_bridge("read_result", file)
  expect_identical(renyi:::texts(again$result$selected), selected(fit))
})

test_that("the selected columns of new data keep class and types", {
  skip_if_no_renyi()
  fit <- iris_fit()
  names <- selected(fit)
  expect_identical(predict(fit, iris), iris[names])
  expect_identical(predict(fit, iris[1:3, ]), iris[1:3, names])
  expect_identical(predict(fit, tibble::as_tibble(iris)), tibble::as_tibble(iris)[names])
  if (requireNamespace("data.table", quietly = TRUE)) {
    tables <- data.table::as.data.table(iris)
    expect_s3_class(predict(fit, tables), "data.table")
    expect_equal(predict(fit, tables), tables[, names, with = FALSE])
  }
  expect_identical(predict(fit, as.matrix(iris[1:4])), as.matrix(iris[1:4])[, names])
  expect_identical(renyi_apply(fit, iris), iris[c(names, "Species")])
  expect_identical(renyi_apply(fit, iris, target = FALSE), iris[names])
  expect_error(predict(fit, iris[1:2]), class = "renyi_error_column")
})

test_that("files are reduced without passing through R", {
  skip_if_no_renyi()
  fit <- iris_fit()
  file <- tempfile(fileext = ".parquet")
  less <- tempfile(fileext = ".parquet")
  on.exit(unlink(c(file, less)))
  in_python(iris, sprintf("import pyarrow.parquet\npyarrow.parquet.write_table(pa.Table.from_batches([table]), '%s')", file))
  expect_identical(renyi_apply(fit, file, less), less)
  expect_identical(renyi_apply(fit, less), iris[c(selected(fit), "Species")])
  expect_identical(renyi_apply(fit, file, target = FALSE), iris[selected(fit)])
  expect_error(renyi_apply(fit, file, less), class = "renyi_error_output")
  expect_identical(renyi_apply(fit, file, less, force = TRUE), less)
})

test_that("formulas of the selected columns quote what must be quoted", {
  skip_if_no_renyi()
  frame <- stats::setNames(iris, c("a b", "if", "x1", "x_2", "the class"))
  fit <- renyi_select(frame, target = "the class", alpha = 2, criterion = "none")
  formula <- selected_formula(fit)
  expect_setequal(all.vars(formula), names(frame))
  expect_s3_class(stats::model.frame(formula, frame), "data.frame")
  expect_identical(environment(formula), environment())
})

test_that("tidy and glance give rows for steps and fits", {
  skip_if_not_installed("generics")
  skip_if_no_renyi()
  fit <- iris_fit()
  rows <- generics::tidy(fit)
  expect_s3_class(rows, "tbl_df")
  expect_identical(rows$term, fit$steps$feature)
  expect_identical(rows$mi, fit$steps$mi)
  expect_identical(rows$p.upper, fit$criteria$p_upper)
  one <- generics::glance(fit)
  expect_identical(dim(one), c(1L, 12L))
  expect_identical(one$n.selected, length(selected(fit)))
  expect_identical(one$nobs, 150)
  several <- renyi_select(Species ~ ., iris, alpha = 2, criterion = c("cmi-perm", "mi-chi2"))
  expect_identical(nrow(generics::tidy(several)), nrow(several$steps))
  expect_identical(generics::glance(several)$criterion, "cmi-perm+mi-chi2")
})

test_that("plots are drawn", {
  skip_if_not_installed("ggplot2")
  skip_if_no_renyi()
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  fits <- list(
    iris_fit(), renyi_select(Species ~ ., iris, alpha = 2, criterion = "mi-chi2"),
    renyi_select(Species ~ ., iris, alpha = 1.01, criterion = "none"),
    renyi_select(Species ~ ., iris, alpha = 2, criterion = "none", max_features = 1),
    renyi_select(Species ~ ., iris, alpha = 2, criterion = c("mi-perm", "cmi-perm"))
  )
  for (fit in fits) {
    expect_identical(expect_invisible(plot(fit)), fit)
    drawn <- ggplot2::autoplot(fit)
    expect_s3_class(drawn, "ggplot")
    built <- ggplot2::ggplot_build(drawn)
    expect_identical(sort(built$data[[4]]$y), sort(c(fit$steps$mi, fit$steps$cmi)))
    expect_equal(as.double(built$data[[5]]$y), fit$steps$mi_chance[!is.na(fit$steps$mi_chance)])
    bits <- fit$criteria$statistic_name != "z"
    expect_identical(nrow(built$data[[3]]), sum(!is.na(fit$criteria$null_low) & bits))
    expect_false(anyNA(built$data[[3]]$fill))
  }
})

test_that("what chance gives stands beside MI and gain", {
  skip_if_not_installed("generics")
  skip_if_no_renyi()
  steps <- as.data.frame(iris_fit())
  expect_equal(steps$above_chance, steps$gain - steps$chance)
  expect_true(all(steps$mi_chance > 0 & steps$mi_chance < steps$mi))
  expect_identical(sign(steps$z), sign(steps$above_chance))
  expect_identical(generics::tidy(iris_fit())$z, steps$z)
  expect_identical(nrow(renyi:::null_bands(iris_fit())), 0L)
  other <- renyi_select(Species ~ ., iris, alpha = 1.01, criterion = "none")
  expect_true(all(is.na(other$steps[c("mi_chance", "chance", "above_chance", "z")])))
  expect_false(any(grepl("chance", format(other))))
  drawn <- renyi_select(Species ~ ., iris, alpha = 3, criterion = "none", rank = "chance", max_features = 1)
  expect_equal(drawn$steps$above_chance, drawn$steps$gain - drawn$steps$chance)
  expect_true(is.na(drawn$steps$mi_chance))
  expect_match(format(drawn), "rank chance, alpha 3", all = FALSE)
})

test_that("a p-value that needed no draws is a rough bound", {
  skip_if_no_renyi()
  fit <- iris_fit()
  fit$criteria$drawn[1:2] <- 0L
  fit$criteria$p_value[1:2] <- NA
  fit$criteria$p_upper[1:2] <- c(3e-7, 1)
  expect_identical(renyi:::p_words(fit)[1:2], c("< 1e-6", "-"))
})

test_that("bands lie where the statistic would have been", {
  skip_if_no_renyi()
  fit <- renyi_select(Species ~ ., iris, criterion = c("cmi-local", "mi-perm"), rank = "raw", bandwidth = 2, seed = 1)
  bands <- renyi:::null_bands(fit)
  expect_identical(unique(bands$statistic), "mi")
  expect_identical(bands$best, rep(c(TRUE, FALSE), nrow(fit$steps)))
  gains <- fit$criteria[fit$criteria$criterion == "cmi-local", ]
  expect_equal(bands$low[bands$best], c(0, utils::head(fit$steps$mi, -1)) + gains$null_low)
  expect_identical(bands$high[!bands$best], fit$criteria$null_high[fit$criteria$criterion == "mi-perm"])
  expect_identical(renyi:::shuffled_words(bands), "shuffled columns")
  expect_identical(renyi:::shuffled_words(bands[bands$best, ]), "best of all columns shuffled")
  expect_identical(renyi:::shuffled_words(bands[!bands$best, ]), "newest column shuffled")
})

test_that("measures and descriptions are data frames", {
  skip_if_no_renyi()
  found <- renyi_measure(iris, x = "Petal.Width", y = "Species", given = "Petal.Length", alpha = 2)
  expect_s3_class(found, c("renyi_measure", "data.frame"), exact = TRUE)
  value <- stats::setNames(found$value, found$name)
  expect_equal(value[["I(x;y)"]], value[["H(x)"]] + value[["H(y)"]] - value[["H(x,y)"]], tolerance = 1e-12)
  expect_snapshot(print(found))
  p <- table(iris$Species) / 150
  expect_equal(value[["H(y)"]], -log2(sum(p^2)), tolerance = 1e-9)
  described <- renyi_describe(iris, target = "Species", alpha = 2)
  expect_identical(described$name, names(iris))
  expect_equal(described$mi_with_target[4], value[["I(x;y)"]], tolerance = 1e-9)
  expect_snapshot(print(described))
  expect_output(print(described[c("name", "entropy")]), "Petal.Width")
  expect_output(print(found["value"]), "value")
  petals <- renyi_measure(iris, x = "petal", y = "Species", group_columns = c(petal = "Petal.*"))
  expect_identical(petals$text[4], "I(petal; Species)")
})

test_that("aliases, reasons and pairs come over", {
  skip_if_not_installed("generics")
  skip_if_no_renyi()
  set.seed(3)
  n <- 120
  a <- rbinom(n, 1, 0.5)
  b <- rbinom(n, 1, 0.5)
  frame <- data.frame(a = a, noise = rnorm(n), b = b, not_a = 1L - a, y = ifelse(a == b, "p", "q"))
  frame$noise_too <- -3 * frame$noise
  fit <- suppressWarnings(renyi_select(
    y ~ ., frame, criterion = "cmi-max", alpha = 2, lookahead = 2, permutations = 39
  ))
  expect_identical(selected(fit), c("a", "b"))
  expect_identical(fit$steps$feature[1], "a + b")
  expect_identical(fit$aliases, list(a = "not_a"))
  expect_identical(fit$unselected$feature, c("noise", "noise_too"))
  expect_identical(fit$unselected$code, c("uninformative", "alias"))
  expect_identical(fit$unselected$given, list(character(), "noise"))
  expect_output(print(fit), "a stands for not_a, the same column")
  expect_output(print(summary(fit)), "noise_too: the same as noise")
  expect_identical(renyi:::place_of(fit, c("b", "noise", "z")), c(1L, match("noise", fit$steps$feature), NA))
  expect_identical(generics::tidy(fit)$term[1], "a + b")
  expect_identical(generics::glance(fit)$n.selected, 2L)
  described <- suppressWarnings(renyi_describe(frame, target = "y", alpha = 2))
  expect_identical(described$alias_of, c(NA, NA, NA, "a", NA, "noise"))
  plain <- suppressWarnings(renyi_select(y ~ a + b, frame, alpha = 2, criterion = "none"))
  expect_length(plain$aliases, 0)
  expect_identical(nrow(plain$unselected), 0L)
})

test_that("what the columns are for comes from the core, not from the criterion's name", {
  skip_if_no_renyi()
  expect_identical(iris_fit()$purpose, "model")
  news <- renyi_select(Species ~ ., iris, purpose = "news")
  expect_identical(news$purpose, "news")
  expect_output(print(news), "For news:")
  plain <- renyi_select(Species ~ ., iris, criterion = "none")
  expect_null(plain$purpose)
  expect_false(any(grepl("^For ", format(plain))))
  renamed <- iris_fit()
  renamed$options$criteria <- "another name"
  expect_output(print(renamed), "For a model:")
})

test_that("augment() adds the expressions that were selected", {
  skip_if_not_installed("generics")
  skip_if_no_renyi()
  fit <- renyi_select(mpg ~ scale(hp) + wt, mtcars, criterion = "none")
  added <- generics::augment(fit, mtcars[1:3, ])
  expect_identical(names(added), c(names(mtcars), "scale(hp)"))
  expect_identical(added[["scale(hp)"]], as.vector(scale(mtcars$hp))[1:3])
  expect_identical(names(generics::augment(iris_fit(), iris)), names(iris))
  expect_error(generics::augment(fit), "`data` must be given", class = "renyi_error_option")
  expect_error(generics::augment(fit, iris), class = "renyi_error_column")
})

test_that("repeats are drawn: which columns stay, and how often", {
  skip_if_not_installed("ggplot2")
  skip_if_no_renyi()
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  fit <- renyi_select(Species ~ ., iris[c(1:20, 51:70, 101:120), ], sensitivity = TRUE, stability = 4, permutations = 19)
  drawn <- ggplot2::autoplot(fit, type = "sensitivity")
  cells <- drawn$data
  expect_identical(sum(cells$kind == "selected"), length(fit$selected) + sum(fit$sensitivity$settings$size))
  expect_identical(nlevels(cells$group), 1L + length(unique(fit$sensitivity$settings$alpha)))
  expect_s3_class(ggplot2::ggplotGrob(drawn), "gtable")
  drawn <- ggplot2::autoplot(fit, type = "stability")
  share <- stats::setNames(drawn$data$share, as.character(drawn$data$column))
  expect_identical(unname(share[fit$stability$features$feature]), fit$stability$features$share)
  expect_identical(levels(drawn$data$column)[nlevels(drawn$data$column)], fit$stability$features$feature[1])
  expect_s3_class(ggplot2::ggplotGrob(drawn), "gtable")
  alone <- iris_fit()
  expect_error(ggplot2::autoplot(alone, type = "sensitivity"), "not repeated at other settings", class = "renyi_error")
  expect_error(ggplot2::autoplot(alone, type = "stability"), "not repeated on halves", class = "renyi_error")
  expect_error(ggplot2::autoplot(alone, type = "matrix"), "`type` must be path", class = "renyi_error")
})

test_that("long names stay apart beside rows", {
  long <- paste0("measurement_of_the_concentration_of_substance_", c("alpha", "beta"), "_in_blood_plasma_after_twelve_hours")
  expect_length(unique(renyi:::unmistakable(long)), 2)
  expect_true(all(nchar(renyi:::unmistakable(long)) <= 31))
  expect_identical(renyi:::unmistakable(c("a", "b")), c("a", "b"))
})

test_that("what columns leave of each other is drawn by the table", {
  skip_if_not_installed("ggplot2")
  skip_if_no_renyi()
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  fit <- renyi_select(Species ~ . - Sepal.Width, iris, permutations = 19, max_features = 2)
  drawn <- ggplot2::autoplot(fit, type = "redundancy", data = iris)
  left <- renyi:::redundancy_of(fit, iris)$left
  expect_identical(colnames(left), fit$selected)
  expect_identical(rownames(left)[seq_along(fit$selected)], fit$selected)
  expect_true(all(is.na(diag(left))))
  expect_equal(drawn$data$left, c(left))
  expect_s3_class(ggplot2::ggplotGrob(drawn), "gtable")
  expect_error(ggplot2::autoplot(fit, type = "redundancy"), "needs the table", class = "renyi_error")
  expect_error(ggplot2::autoplot(fit, type = "redundancy", data = iris[1:99, ]), "content is another", class = "renyi_error")
  expect_error(ggplot2::autoplot(fit, data = iris), "`data` must be left out", class = "renyi_error")
})
