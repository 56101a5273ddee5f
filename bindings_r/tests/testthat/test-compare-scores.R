quick <- function(..., runs = 5) renyi_compare(..., permutations = 39, seed = 2, runs = runs)

test_that("scores have their own paths and stop where they stop alone", {
  skip_if_no_renyi()
  found <- quick(Species ~ ., iris, score = c("mi", "jmi", "mrmr"))
  expect_s3_class(found, "renyi_score_comparison")
  results <- as.data.frame(found)
  expect_identical(results$score, c("mi", "jmi", "mrmr"))
  expect_identical(results$criterion, c("cmi-max", "score-max", "score-max"))
  for (k in seq_len(nrow(results))) {
    one <- results[k, ]
    alone <- renyi_select(Species ~ ., iris, score = one$score, permutations = 39, seed = 2)
    expect_identical(utils::head(found$paths[[one$score]], one$features), selected(alone))
    expect_identical(one$reason, alone$verdict$reason)
    part <- quick(Species ~ ., iris, score = one$score, criterion = one$criterion)
    same <- c("results", "curve", "path", "best", "smallest")
    expect_identical(found$comparisons[[one$score]][same], part[same])
    expect_identical(one$smallest, part$smallest)
  }
  best <- which.max(results$mean)
  expect_identical(found$best, list(score = results$score[best], criterion = results$criterion[best]))
  expect_equal(results$difference, results$mean - max(results$mean))
  expect_identical(results$p_value_from_best_stop[best], 1)
})

test_that("one score is compared as ever", {
  skip_if_no_renyi()
  found <- quick(Species ~ ., iris, score = "mi", criterion = "mi-chi2")
  expect_s3_class(found, "renyi_comparison")
  expect_identical(found$results, quick(Species ~ ., iris, criterion = "mi-chi2")$results)
})

test_that("a comparison of scores is printed and drawn", {
  skip_if_no_renyi()
  found <- quick(Species ~ ., iris, score = c("mi", "jmi"))
  said <- utils::capture.output(expect_invisible(print(found)))
  expect_match(said, "^ score criterion columns accuracy", all = FALSE)
  expect_match(said, sprintf("^Best stop: %s with", found$best$score), all = FALSE)
  first <- found$paths$mi[1]
  expect_match(said, sprintf("^ 1 +%s", gsub(".", "\\.", first, fixed = TRUE)), all = FALSE)
  expect_identical(sum(lengths(regmatches(said, gregexpr("[A-Za-z] \\*", said)))), 2L)
  file <- tempfile(fileext = ".pdf")
  on.exit(unlink(file))
  grDevices::pdf(file)
  expect_identical(withVisible(plot(found))$visible, FALSE)
  grDevices::dev.off()
  expect_gt(file.size(file), 1000)
})

test_that("numbers are judged by R squared, and wrong scores refused", {
  skip_if_no_renyi()
  found <- quick(mpg ~ wt + hp + qsec, mtcars, score = c("mim", "jmi"))
  expect_output(print(found), "R2")
  expect_error(quick(Species ~ ., iris, score = c("mi", "mi")), "once", class = "renyi_error_option")
  expect_error(quick(Species ~ ., iris, score = c("mi", "mj")), class = "renyi_error_option")
  expect_error(
    quick(Species ~ ., iris, score = c("mi", "jmi"), criterion = "score-max"), "score mi takes",
    class = "renyi_error_option"
  )
})

test_that("a comparison of scores has the methods of others", {
  skip_if_not_installed("generics")
  skip_if_no_renyi()
  found <- quick(Species ~ ., iris, score = c("mi", "jmi"), runs = 4)
  results <- as.data.frame(found)
  tidied <- generics::tidy(found)
  expect_identical(tidied$score, results$score)
  expect_identical(tidied$term, results$criterion)
  expect_identical(tidied$estimate, results$mean)
  expect_identical(tidied$p.value, results$p_value_from_best_stop)
  glanced <- generics::glance(found)
  expect_identical(c(nrow(glanced), glanced$n.scores), c(1L, 2L))
  expect_identical(c(glanced$best, glanced$best.criterion), c(found$best$score, found$best$criterion))
  expect_identical(glanced$best.score, max(results$mean))
  said <- utils::capture.output(expect_invisible(print(summary(found))))
  first <- results[1, ]
  chosen <- utils::head(found$paths[[first$score]], first$features)
  expect_true(sprintf(" %s, %s: %s", first$score, first$criterion, paste(chosen, collapse = ", ")) %in% said)
  expect_true(all(utils::capture.output(print(found)) %in% said))
  skip_if_not_installed("ggplot2")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  drawn <- ggplot2::autoplot(found)
  built <- ggplot2::ggplot_build(drawn)
  curves <- do.call(rbind, lapply(found$comparisons, function(one) one$curve[one$curve$size > 0, ]))
  expect_equal(sort(as.double(built$data[[1]]$y)), sort(100 * curves$mean))
  expect_identical(unique(built$data[[1]]$colour), renyi:::series_colours[1:2])
  expect_equal(as.double(built$data[[4]]$y), 100 * results$mean)
  expect_equal(as.double(built$data[[3]]$ymin), 100 * results$low)
  expect_s3_class(ggplot2::ggplotGrob(drawn), "gtable")
})
