# How long tables take from R to Python and back, beside the figures they are held to.
#
#     RENYI_PYTHON=.venv/bin/python Rscript bindings_r/tools/benchmark.R
#
# Exits with an error where one takes more than twice as long as its figure. Best of nine.
library(renyi)
source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))), "..", "tests", "testthat", "helper-renyi.R"))

best <- function(expr) {
  expr <- substitute(expr)
  home <- parent.frame()
  min(vapply(1:9, function(k) {
    gc()
    system.time(eval(expr, home), gcFirst = FALSE)[["elapsed"]]
  }, 0))
}

set.seed(1)
n <- 1e6
mixed <- data.frame(
  matrix(rnorm(7 * n), n), matrix(sample.int(1e6, 3 * n, TRUE), n),
  unique = sprintf("row %07d", seq_len(n)), word = sample(c("one", "two", "three"), n, TRUE),
  level = factor(sample(letters, n, TRUE)), flag = sample(c(TRUE, FALSE, NA), n, TRUE),
  day = as.Date("2000-01-01") + sample.int(9000, n, TRUE)
)
mixed[[3]][5] <- NA
long <- list2DF(list(x = rnorm(1e7)))
wide <- as.data.frame(matrix(rnorm(20000 * 100), 100))
big <- matrix(0, 1e5, 1000)
invisible(in_python(iris, ""))

there <- function(x) in_python(x, "table.num_rows")
found <- list(
  c("a million rows of 15 mixed columns, to Python", best(there(mixed)), 0.040),
  c("the same, there and back", best(from_python("out = table", mixed)), 0.270),
  c("10^7 doubles, to Python", best(there(long)), 0.004),
  c("a matrix of 800 MB, to Python", best(there(big)), 0.033),
  c("20,000 columns of 100 doubles, to Python", best(there(wide)), 0.200)
)
# What a selection adds to the crossing: a table of a million rows reaches the core.
start <- best(try(renyi_select(mixed[c(1:6, 15)], target = "no such column"), silent = TRUE))
found <- c(found, list(c("a million rows reach the core", start, 0.100)))
# The example of the help page, once Python runs: 3 s are too many.
example <- best(renyi_select(Species ~ ., iris, criterion = "cmi-perm", seed = 1))
found <- c(found, list(c("the example of the help page", example, 1.5)))

rows <- data.frame(
  what = vapply(found, `[`, "", 1), seconds = as.numeric(vapply(found, `[`, "", 2)),
  figure = as.numeric(vapply(found, `[`, "", 3))
)
rows$ratio <- round(rows$seconds / rows$figure, 2)
print(rows, row.names = FALSE, right = FALSE)
if (any(rows$seconds > 2 * rows$figure)) stop("slower than twice a figure")
