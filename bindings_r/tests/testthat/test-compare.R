quick <- function(...) renyi_compare(..., alpha = 2, permutations = 39, seed = 2)

test_that("criteria stop where they stop alone", {
  skip_if_no_renyi()
  found <- quick(Species ~ ., iris, criterion = c("mi-perm", "mi-chi2"), runs = 5)
  expect_s3_class(found, "renyi_comparison")
  expect_identical(found$results$criterion, c("mi-perm", "mi-chi2"))
  for (name in found$results$criterion) {
    alone <- renyi_select(Species ~ ., iris, criterion = name, alpha = 2, permutations = 39, seed = 2)
    expect_identical(found$selected[[name]], selected(alone))
    expect_identical(found$results$reason[found$results$criterion == name], alone$verdict$reason)
  }
  expect_identical(found$results$features, lengths(found$selected, use.names = FALSE))
  expect_identical(found$curve$size, 0:4)
  expect_identical(found$results$distance, found$results$features - found$smallest)
  expect_identical(found$runs, 5L)
})

test_that("all criteria are compared by default, and every kind of table does", {
  skip_if_no_renyi()
  truth <- quick(Species ~ ., iris, runs = 3, model = "svm", sizes = c(1, 2))
  expect_gt(nrow(truth$results), 4)
  same <- c("results", "curve", "selected", "path", "best", "smallest")
  expect_identical(quick(iris, target = "Species", runs = 3, sizes = 1:2)[same], truth[same])
  apart <- quick(as.matrix(iris[1:4]), y = iris$Species, runs = 3, sizes = 1:2)
  expect_identical(apart[same], truth[same])
  file <- tempfile(fileext = ".csv")
  on.exit(unlink(file))
  utils::write.csv(iris, file, row.names = FALSE)
  expect_identical(quick(file, target = "Species", runs = 3, sizes = 1:2)[same], truth[same])
})

test_that("a number is judged by R squared", {
  skip_if_no_renyi()
  found <- quick(mpg ~ wt + hp + qsec, mtcars, criterion = "mi-perm", bandwidth = 2, runs = 4)
  expect_identical(c(found$model, found$measure), c("ridge", "r2"))
  expect_output(print(found), "R2")
})

test_that("a comparison is printed and drawn", {
  skip_if_no_renyi()
  found <- quick(Species ~ ., iris, criterion = "mi-perm", runs = 4)
  expect_output(print(found), "criterion columns accuracy")
  expect_output(print(found), "smallest number that predicts no worse is")
  file <- tempfile(fileext = ".pdf")
  on.exit(unlink(file))
  grDevices::pdf(file)
  expect_identical(withVisible(plot(found))$visible, FALSE)
  grDevices::dev.off()
  expect_gt(file.size(file), 1000)
})

test_that("wrong options are errors of their class", {
  skip_if_no_renyi()
  expect_error(quick(Species ~ ., iris, criterion = "none"), class = "renyi_error_option")
  expect_error(quick(Species ~ ., iris, runs = 1), class = "renyi_error_option")
  expect_error(quick(iris, data = iris, target = "Species"), class = "renyi_error_option")
  expect_error(quick("no-such-file.csv", y = 1:3), class = "renyi_error_option")
})

test_that("a comparison has the methods of a fit", {
  skip_if_not_installed("generics")
  skip_if_no_renyi()
  found <- quick(Species ~ ., iris, criterion = c("mi-perm", "mi-chi2"), runs = 4)
  expect_identical(as.data.frame(found), found$results)
  tidied <- generics::tidy(found)
  expect_identical(tidied$term, found$results$criterion)
  expect_identical(tidied$estimate, found$results$mean)
  expect_identical(tidied$conf.low, found$results$low)
  glanced <- generics::glance(found)
  expect_identical(c(nrow(glanced), glanced$n.criteria, glanced$smallest), c(1L, 2L, found$smallest))
  expect_identical(glanced$best.score, max(found$curve$mean))
  said <- utils::capture.output(expect_invisible(print(summary(found))))
  for (part in c("Criteria", "Accuracy by number of columns", sprintf(" mi-perm: %s", paste(found$selected[["mi-perm"]], collapse = ", ")))) {
    expect_true(part %in% said, label = part)
  }
  skip_if_not_installed("ggplot2")
  drawn <- ggplot2::autoplot(found)
  expect_s3_class(drawn, "ggplot")
  expect_identical(drawn$data$mean, 100 * found$curve$mean[found$curve$size > 0])
  built <- ggplot2::ggplot_build(drawn)
  expect_setequal(unlist(strsplit(built$data[[5]]$label, ", ")), found$results$criterion)
})
