page_of <- function(file) paste(readLines(file, encoding = "UTF-8", warn = FALSE), collapse = "\n")

test_that("a page is written of a selection, with pictures of the table that the call named", {
  skip_if_no_renyi()
  table <- iris
  fit <- renyi_select(Species ~ ., data = table)
  file <- withr::local_tempfile(fileext = ".html")
  expect_identical(renyi_report(fit, file), file)
  expect_invisible(renyi_report(fit, file, force = TRUE))
  page <- page_of(file)
  expect_match(page, "<!doctype html>", fixed = TRUE)
  for (name in selected(fit)) expect_match(page, name, fixed = TRUE)
  expect_error(renyi_report(fit, file), class = "renyi_error_output")
  bare <- withr::local_tempfile(fileext = ".html")
  renyi_report(fit, bare, no_data = TRUE)
  expect_lt(nchar(page_of(bare)), nchar(page))
})

test_that("a table that is another one now is not drawn, and a warning says so", {
  skip_if_no_renyi()
  table <- iris
  fit <- renyi_select(Species ~ ., data = table)
  file <- withr::local_tempfile(fileext = ".html")
  table$Sepal.Length[1] <- 0
  expect_warning(renyi_report(fit, file), class = "renyi_warning_no_pictures")
  expect_true(file.exists(file))
  expect_silent(renyi_report(fit, file, data = iris, force = TRUE))
})

test_that("a target apart, a matrix and a file are found again", {
  skip_if_no_renyi()
  numbers <- as.matrix(iris[1:4])
  species <- iris$Species
  fit <- renyi_select(numbers, species, max_features = 1)
  file <- withr::local_tempfile(fileext = ".html")
  expect_silent(renyi_report(fit, file))
  expect_silent(renyi_report(fit, file, data = as.matrix(iris[1:4]), y = iris$Species, force = TRUE))
  source <- withr::local_tempfile(fileext = ".csv")
  utils::write.csv(iris, source, row.names = FALSE)
  of_file <- renyi_select(source, target = "Species", max_features = 1)
  expect_silent(renyi_report(of_file, file, force = TRUE))
})

test_that("several results stand side by side under their names", {
  skip_if_no_renyi()
  fit <- renyi_select(Species ~ ., data = iris, max_features = 1)
  file <- withr::local_tempfile(fileext = ".html")
  renyi_report(list(`the <first>` = fit, second = iris_fit()), file)
  page <- page_of(file)
  expect_match(page, "the &lt;first&gt;", fixed = TRUE)
  expect_match(page, "second", fixed = TRUE)
})

test_that("what is no result or no page is named", {
  skip_if_no_renyi()
  expect_error(renyi_report(iris, "report.html"), "`fit` must be a result of renyi_select", class = "renyi_error_option")
  expect_error(renyi_report(iris_fit(), "report.txt"), class = "renyi_error_option")
  expect_error(renyi_report(iris_fit()), "`file` must be the path of a file", class = "renyi_error_option")
  expect_error(renyi_report(iris_fit(), "report.html", data = 3), class = "renyi_error_usage")
})
