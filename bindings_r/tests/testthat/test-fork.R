test_that("a fork after a call ends in one sentence, at once", {
  skip_if_no_renyi()
  skip_on_os("windows")
  fit <- renyi_select(Species ~ ., iris)
  select_again <- function(i) tryCatch(renyi_select(Species ~ ., iris), error = identity)
  forked <- parallel::mclapply(1:2, select_again, mc.cores = 2)
  for (answer in forked) {
    expect_s3_class(answer, "renyi_error_usage")
    expect_match(conditionMessage(answer), "makePSOCKcluster")
  }
  kept <- parallel::mclapply(1, function(i) selected(fit))  # what was found needs no table
  expect_identical(kept[[1]], selected(fit))
})

test_that("a fork before the first call works", {
  skip_if_no_renyi()
  skip_on_os("windows")
  said <- in_child(c(
    "library(renyi)",
    "select <- function(k) tryCatch(selected(renyi_select(Species ~ ., iris, max_features = 1)), error = conditionMessage)",
    "cat(unlist(parallel::mclapply(1:2, select, mc.cores = 2)), sep = '\\n')"
  ))
  expect_identical(said, rep("Petal.Width", 2))
})
