test_that("progress is drawn where asked, and only there", {
  skip_if_no_renyi()
  drawn <- function(...) {
    file <- tempfile()
    to <- file(file, "w")
    sink(to, type = "message")
    on.exit({
      sink(type = "message")
      close(to)
    })
    renyi_select(Species ~ ., iris, alpha = 2, ...)
    flush(to)
    paste(readLines(file, warn = FALSE), collapse = "")
  }
  expect_identical(drawn(), "")
  expect_match(drawn(progress = TRUE), "step 1/4 [", fixed = TRUE)
  withr::with_options(list(renyi.progress = TRUE), {
    expect_match(drawn(), "step 1/4")
    expect_identical(drawn(progress = FALSE), "")
  })
  expect_identical(
    renyi:::progress_text(list(phase = "permutations", step = 2L, done = 50L, total = 100L, feature = "age", steps_total = 9L)),
    "step 2/9 [==========          ] permutations age"
  )
})

test_that("a long run says how long and what is faster", {
  way <- list(option = "rows", value = 5000L, rule = "", seconds = 14)
  expect_identical(
    renyi:::estimate_text(list(seconds = 260, ways = list(way))),
    "This will take about 4 min. Faster: `rows = 5000` (10 s)."
  )
  expect_identical(renyi:::estimate_text(list(seconds = 5000, ways = list())), "This will take about 1.4 h.")
})

# Ctrl-C a second after Python has begun to select, however long that takes.
press_during <- c(
  "invisible(renyi_available())",
  "reticulate::py_run_string(r\"(",
  "import os, signal, threading",
  "import renyi.bridge as bridge",
  "select = bridge.select",
  "def begun(*given):",
  "    threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()",
  "    return select(*given)",
  "bridge.select = begun",
  ")\")"
)

test_that("Ctrl-C keeps what was finished, and try() does not swallow it", {
  skip_if_no_renyi()
  said <- in_child(c(
    "library(renyi)",
    "d <- as.data.frame(matrix(sin(seq_len(1200 * 40)^1.5), 1200)); d$y <- sin(seq_len(1200) * 7)",
    press_during,
    "found <- tryCatch(renyi_select(y ~ ., d, criterion = 'none', alpha = 1.01), renyi_interrupted = function(c) c)",
    "cat(class(found), '\\n')",
    "cat(class(found$fit), found$fit$verdict$stopped, nrow(found$fit$steps) < 40, '\\n')",
    "cat('R goes on\\n')",
    "try(renyi_select(y ~ ., d, criterion = 'none', alpha = 1.01))", # does not swallow it
    "cat('not reached')"
  ))
  expect_identical(said[1:3], c("renyi_interrupted interrupt condition ", "renyi_path interrupted TRUE ", "R goes on"))
  expect_false(any(grepl("not reached", said)))
  expect_true(any(grepl("The selection was interrupted after", said)))
})

test_that("try() lets an interrupt pass, and a script ends by it", {
  skip_if_no_renyi()
  stopped <- function(line) {
    said <- in_child(c("library(renyi)", line, "cat('not reached')"))
    expect_false(any(grepl("not reached", said)), label = line)
    expect_identical(attr(said, "status"), 1L, label = line)
    expect_true(any(grepl("It was interrupted", said)), label = line)
  }
  call <- "renyi:::renyi_interrupt('It was interrupted.')"
  for (around in c("%s", "suppressWarnings(try(%s, silent = TRUE))")) stopped(sprintf(around, call))
  for (around in c("%s", "try(%s)", "tryCatch(%s, error = function(e) 1)", "suppressWarnings(try(%s, silent = TRUE))")) {
    caught <- tryCatch(eval(str2lang(sprintf(around, call))), interrupt = class)
    expect_identical(caught, c("renyi_interrupted", "interrupt", "condition"), label = around)
  }
})
