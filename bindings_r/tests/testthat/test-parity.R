# R, Python and the terminal: the same data, options and seed, the same answer to the last bit.

three_answers <- function(frame, file, options) {
  fit <- suppressWarnings(do.call(renyi_select, c(list(frame), options)))
  python <- in_python(data.frame(), paste(
    "import json, pyarrow.parquet, renyi",
    sprintf("options = json.loads(r'''%s''')", jsonlite::toJSON(options, auto_unbox = TRUE, digits = NA)),
    sprintf("said = renyi.select(pyarrow.parquet.read_table('%s'), **options).to_json()", file),
    sep = "\n"
  ))
  flags <- unlist(Map(function(name, value) c(paste0("--", gsub("_", "-", name)), value), names(options), options))
  command <- file.path(dirname(reticulate::py_config()$python), "renyi")
  withr::local_envvar(LD_LIBRARY_PATH = NA) # R's own may lead Python to the libraries of another Python
  terminal <- system2(command, c("select", shQuote(file), flags, "--json", "--quiet"), stdout = TRUE)
  texts <- list(R = fit$json, Python = reticulate::py_to_r(python["said"]), terminal = paste(terminal, collapse = "\n"))
  records <- lapply(texts, jsonlite::fromJSON, simplifyVector = FALSE)
  answer <- function(record) {
    c(record[c("selected", "steps", "verdict", "options", "data_options", "seed")], record$data[c("fingerprint", "rows", "rows_used")])
  }
  answers <- lapply(records, answer)
  for (where in c("Python", "terminal")) expect_identical(answers$R, answers[[where]], label = where)
  numbers <- vapply(records$Python$steps, `[[`, 0, "mi")
  expect_true(identical(fit$steps$mi, numbers, num.eq = FALSE))
  expect_gt(length(fit$steps$mi), 0)
}

# A public set, as an R data frame and as the file it is.
public_set <- function(name) {
  home <- Sys.getenv("RENYI_DATA_HOME")
  skip_if(home == "", "RENYI_DATA_HOME is not set: no public data sets at hand")
  file <- file.path(home, paste0(name, ".parquet"))
  skip_if_not(file.exists(file), paste0(name, ".parquet is not in RENYI_DATA_HOME"))
  frame <- from_python(sprintf("import pyarrow.parquet\nout = pyarrow.parquet.read_table('%s')", file))
  list(frame = frame, file = file)
}

# An R data frame, written to a file by Python.
own_set <- function(frame) {
  file <- tempfile(fileext = ".parquet")
  in_python(frame, sprintf("import pyarrow.parquet\npyarrow.parquet.write_table(pa.Table.from_batches([table]), '%s')", file))
  list(frame = frame, file = file)
}

quick <- list(alpha = 2, seed = 7, permutations = 39, max_features = 4, rows = 250)
expect_parity <- function(set, ...) three_answers(set$frame, set$file, utils::modifyList(quick, list(...)))

test_that("titanic", {
  skip_if_no_renyi()
  expect_parity(public_set("titanic"), target = "survived", missing = "drop")
})

test_that("credit_g", {
  skip_if_no_renyi()
  expect_parity(public_set("credit_g"), target = "class", criterion = "mi-perm")
})

test_that("heart", {
  skip_if_no_renyi()
  expect_parity(public_set("heart"), target = "class", alpha = 1.01, rows = 120)
})

test_that("iris", {
  skip_if_no_renyi()
  expect_parity(public_set("iris"), target = "species", alpha = 1.01, criterion = "cmi-heuristic")
})

test_that("bike_hour", {
  skip_if_no_renyi()
  expect_parity(public_set("bike_hour"), target = "cnt", criterion = "mi-chi2")
})

test_that("mtcars", {
  skip_if_no_renyi()
  expect_parity(own_set(mtcars), target = "mpg", criterion = "none", bandwidth = "silverman")
})

test_that("mtcars, with rules in place of numbers", {
  skip_if_no_renyi()
  expect_parity(own_set(mtcars), target = "mpg", permutations = "besag-clifford:99", min_gain = "1%", bandwidth = "growing")
})

test_that("Ionosphere", {
  skip_if_not_installed("mlbench")
  skip_if_no_renyi()
  utils::data("Ionosphere", package = "mlbench", envir = environment())
  expect_parity(own_set(Ionosphere), target = "Class", score = "chi2-gain")
})

test_that("a data frame of every type with NA", {
  skip_if_no_renyi()
  frame <- every_type()[rep(1:6, 10), ]
  rownames(frame) <- NULL
  frame$double[!is.finite(frame$double) & !is.na(frame$double)] <- 3
  frame$double <- frame$double + rep(1:10, each = 6)
  frame$y <- factor(rep(c("p", "q", "r"), 20))
  expect_parity(own_set(frame), target = "y", missing = "drop")
})
