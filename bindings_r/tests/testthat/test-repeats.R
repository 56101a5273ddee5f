test_that("what is not asked for is NULL", {
  skip_if_no_renyi()
  fit <- iris_fit()
  expect_null(fit$bandwidth_choice)
  expect_null(fit$sensitivity)
  expect_null(fit$stability)
})

test_that("selections are repeated under other settings and on halves", {
  skip_if_no_renyi()
  fit <- renyi_select(
    Species ~ ., iris,
    criterion = "cmi-perm", alpha = 2, permutations = 19, seed = 1, sensitivity = TRUE, stability = 4
  )
  settings <- fit$sensitivity$settings
  expect_identical(fit$sensitivity$asked, 8L)
  expect_identical(settings$alpha, rep(c(2, 1.01), each = 4))
  expect_identical(settings$bandwidth[c(4, 8)], c("growing", "growing"))
  expect_identical(settings$size, lengths(settings$selected))
  expect_identical(max(fit$sensitivity$features$share), 1)
  found <- fit$stability
  expect_identical(c(found$asked, found$rows, found$candidates), c(4L, 75L, 4L))
  expect_true(found$stratified)
  expect_identical(found$halves$pair, c(1L, 1L, 2L, 2L))
  expect_identical(sum(found$sizes$count), 4L)
  expect_equal(found$mean_size, mean(lengths(found$halves$selected)))
  expect_identical(found$thresholds$threshold, c(0.6, 0.75, 0.9))
  counts <- table(unlist(found$halves$selected))
  expect_identical(found$features$count, as.integer(counts[found$features$feature]))
  said <- capture.output(summary(fit))
  expect_true("On halves of 75 rows, selected in" %in% said)
  expect_true("Under other settings, selected in" %in% said)
  copy <- unserialize(serialize(fit, NULL))
  expect_identical(copy$stability, found)
})

test_that("the data choose a bandwidth", {
  skip_if_no_renyi()
  expect_warning(
    fit <- renyi_select(Species ~ ., iris, criterion = "mi-perm", alpha = 2, bandwidth = "auto", max_features = 1),
    "was chosen by the data"
  )
  choice <- fit$bandwidth_choice
  expect_identical(choice$trials$sigma, c(0.5, 1, 2, 3, 5))
  expect_identical(choice$sigma, choice$trials$sigma[which.max(choice$trials$standardised)])
  expect_equal(choice$p_value, 1 / 60)
  widths <- fit$data$columns$bandwidth[fit$data$columns$role == "feature"]
  expect_identical(widths, rep(choice$sigma, 4))
})

test_that("halves come in pairs", {
  skip_if_no_renyi()
  expect_error(renyi_select(Species ~ ., iris, stability = 3), class = "renyi_error_option")
})
