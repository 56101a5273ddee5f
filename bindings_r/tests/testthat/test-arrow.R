test_that("every type comes back as it went, bit by bit", {
  frame <- every_type()
  back <- round_trip(frame)
  expect_identical(back$big, as.double(frame$big)) # whole numbers come back as narrow as they can
  frame$big <- NULL
  for (name in names(frame)) expect_true(same_bits(back[[name]], frame[[name]]), label = name)
  expect_identical(names(back), c(names(frame), "big"))
  expect_identical(nrow(back), nrow(frame))
})

test_that("whole numbers of 64 bits are integers, doubles or integer64, as narrow as they can be", {
  skip_if_not_installed("bit64")
  back <- function(text) round_trip(data.frame(x = bit64::as.integer64(text)))$x
  expect_identical(back(c("1", NA, "-2147483647")), c(1L, NA, -2147483647L))
  expect_identical(back(c("1", NA, "-2147483648")), c(1, NA, -2147483648))
  expect_identical(back(c("9007199254740992", NA)), c(2^53, NA))
  beyond <- c("9007199254740993", NA, "-1")
  expect_true(same_bits(back(beyond), bit64::as.integer64(beyond)))
  expect_identical(as.character(back(beyond)), beyond)
})

test_that("without bit64 what only integer64 can hold is refused, not misread", {
  skip_if_not_installed("bit64")
  frame <- data.frame(fits = 1:2, big = bit64::as.integer64(c("9007199254740993", "1")))
  table <- renyi:::table_members(frame)
  structs <- renyi:::arrow_export(table$members, table$rows)
  without_bit64 <- function(package, ...) package != "bit64"
  import <- renyi:::arrow_import
  environment(import) <- list2env(list(requireNamespace = without_bit64), parent = environment(import))
  error <- expect_error(import(structs), class = "renyi_error_extra")
  expect_identical(error$column, "big")
})

test_that("NA, NaN and negative zero stay apart", {
  x <- round_trip(data.frame(x = c(NA, NaN, -0, 0)))$x
  expect_identical(is.na(x) & !is.nan(x), c(TRUE, FALSE, FALSE, FALSE))
  expect_identical(1 / x[3:4], c(-Inf, Inf))
})

test_that("tables of any size cross", {
  expect_identical(round_trip(iris), iris)
  expect_identical(round_trip(iris[0, ]), iris[0, ])
  none <- data.frame()[1:3, ]
  expect_identical(dim(round_trip(none)), c(3L, 0L))
  expect_identical(dim(round_trip(data.frame())), c(0L, 0L))
  wide <- as.data.frame(matrix(as.double(1:40000), 2))
  expect_identical(round_trip(wide), wide)
  long <- data.frame(x = as.double(seq_len(3e6)), i = seq_len(3e6), b = rep(c(TRUE, FALSE, NA), 1e6))
  long$x[c(5, 3e6)] <- NA
  expect_identical(round_trip(long), long)
})

test_that("tibbles and data.tables are tables", {
  plain <- data.frame(a = c(1, NA), b = c("x", "y"), stringsAsFactors = FALSE)
  if (requireNamespace("tibble", quietly = TRUE)) expect_identical(round_trip(tibble::as_tibble(plain)), plain)
  skip_if_not_installed("data.table")
  expect_identical(round_trip(data.table::as.data.table(plain)), plain)
})

test_that("matrices are tables", {
  m <- matrix(c(1, NA, 3, 4, NaN, 6), 2)
  expect_identical(round_trip(m), data.frame(x1 = m[, 1], x2 = m[, 2], x3 = m[, 3]))
  colnames(m) <- c("a", "b", "a b")
  expect_identical(round_trip(m), data.frame(m, check.names = FALSE))
  whole <- matrix(1:6, 3, dimnames = list(NULL, c("p", "q")))
  expect_identical(round_trip(whole), as.data.frame(whole))
  words <- matrix(c("a", NA, "b", "c"), 2, dimnames = list(NULL, c("p", "q")))
  expect_identical(round_trip(words), as.data.frame(words))
  flags <- matrix(c(TRUE, NA, FALSE, TRUE), 2, dimnames = list(NULL, c("p", "q")))
  expect_identical(round_trip(flags), as.data.frame(flags))
  expect_identical(dim(round_trip(matrix(0, 4, 0))), c(4L, 0L))
})

test_that("a matrix within a data frame is its columns", {
  frame <- data.frame(a = 1:2)
  frame$m <- matrix(c(1, 2, 3, 4), 2)
  frame$n <- matrix(c(5, 6), 2)
  expect_identical(round_trip(frame), data.frame(a = 1:2, m.1 = c(1, 2), m.2 = c(3, 4), n = c(5, 6)))
  frame$m <- matrix(c(1, 2, 3, 4), 2, dimnames = list(NULL, c("p", "q")))
  expect_identical(names(round_trip(frame)), c("a", "m.p", "m.q", "n"))
})

test_that("strings are re-encoded, and refused where they have no encoding", {
  latin <- "caf\xe9"
  Encoding(latin) <- "latin1"
  back <- round_trip(data.frame(x = c(latin, "b")))$x
  expect_identical(back, c("caf\u00e9", "b"))
  expect_identical(Encoding(back[1]), "UTF-8")
  frame <- data.frame(x = 1)
  names(frame) <- latin
  expect_identical(names(round_trip(frame)), "caf\u00e9")

  bytes <- "\xff\xfe"
  Encoding(bytes) <- "bytes"
  expect_error(round_trip(data.frame(x = c("a", bytes))), class = "renyi_error_column")
  broken <- "a\xffb"
  Encoding(broken) <- "UTF-8"
  expect_error(round_trip(data.frame(x = broken)), "not valid UTF-8 (row 1)", fixed = TRUE)
  surrogate <- "\xed\xa0\x80"
  Encoding(surrogate) <- "UTF-8"
  expect_error(round_trip(data.frame(x = surrogate)), class = "renyi_error_column")
  expect_identical(alive(), 0)
})

test_that("odd factors are mended or refused", {
  with_na <- factor(c("a", NA, "b"), exclude = NULL)
  expect_identical(round_trip(data.frame(f = with_na))$f, factor(c("a", NA, "b")))
  none <- factor(c(NA, NA), levels = character())
  expect_identical(round_trip(data.frame(f = none))$f, none)
  damaged <- structure(c(1L, 9L), levels = "a", class = "factor")
  frame <- structure(list(f = damaged), class = "data.frame", row.names = 1:2)
  expect_error(round_trip(frame), class = "renyi_error_column")
})

test_that("dates and times keep days and microseconds", {
  days <- structure(c(1L, NA), class = "Date")
  expect_equal(round_trip(data.frame(d = days))$d, days)
  idate <- structure(19727L, class = c("IDate", "Date")) # as data.table has them
  expect_identical(round_trip(data.frame(d = idate))$d, as.Date("2024-01-05"))
  local <- as.POSIXct("2024-06-01 12:00:00", tz = "")
  back <- round_trip(data.frame(t = local))$t
  expect_equal(as.numeric(back), as.numeric(local))
  expect_identical(attr(back, "tzone"), "UTC")
  expect_error(round_trip(data.frame(d = as.Date(Inf))), class = "renyi_error_column")
  expect_error(round_trip(data.frame(t = as.POSIXct(1e300, origin = "1970-01-01"))), class = "renyi_error_column")
})

test_that("a class that cannot be used is refused by name", {
  refused <- function(x) {
    frame <- data.frame(good = 1:2)
    frame$bad <- x
    expect_error(round_trip(frame), class = "renyi_error_column")
  }
  expect_identical(refused(list(1, 2))$column, "bad")
  refused(complex(2))
  refused(as.raw(1:2))
  refused(as.difftime(1:2, units = "secs"))
  refused(as.POSIXlt(c("2024-01-01", "2024-01-02"), tz = "UTC"))
  refused(structure(1:2, class = "mine"))
  refused(structure(c(1, 2), class = "mine"))
  refused(data.frame(p = 1:2))
  refused(as.numeric_version(c("1.0", "2.0")))
  expect_identical(round_trip(data.frame(x = I(1:2)))$x, 1:2)
  expect_identical(round_trip(data.frame(x = I(c("a", "b"))))$x, c("a", "b"))
  expect_identical(alive(), 0)
})

test_that("a column that is refused is told by its class, with the way to convert it", {
  told <- function(x) {
    frame <- data.frame(good = 1:2)
    frame$bad <- x
    tryCatch(round_trip(frame), renyi_error = conditionMessage)
  }
  expect_identical(told(I(list(1, 2))), "Column `bad` is of class list, which cannot be used.\nConvert it, by unlist() where it has one value a row, or leave it out.")
  expect_match(told(as.difftime(1:2, units = "secs")), "is of class difftime, .*as.numeric\\(x, units = \"secs\"\\)")
  expect_match(told(complex(2)), "is of class complex, .*Mod\\(\\)")
  expect_match(told(structure(1:2, class = c("mine", "yours"))), "is of class mine, which cannot be used.\nConvert it or leave it out.", fixed = TRUE)
})

test_that("columns of different lengths are refused", {
  ragged <- structure(list(a = 1:2, b = 1:3), class = "data.frame", row.names = 1:2)
  expect_error(round_trip(ragged), class = "renyi_error_column")
  expect_identical(alive(), 0)
})

test_that("a lent vector is copied before R changes it", {
  x <- c(1, 2, 3)
  frame <- list(x = x)
  structs <- renyi:::arrow_export(frame, 3)
  x[1] <- 99
  frame$x[2] <- 99
  expect_identical(renyi:::arrow_import(structs)$x, c(1, 2, 3))
})

test_that("nothing stays alive, whoever lets go", {
  gc()
  before <- alive()
  structs <- renyi:::arrow_export(list(x = c(1, NA), f = factor(c("a", "b")), s = c("p", "q")), 2)
  expect_identical(unname(renyi:::arrow_alive()) - before, c(5, 5, 1))
  rm(structs)
  expect_identical(alive(), before)
  for (k in 1:2000) round_trip(iris[1:3, ])
  expect_identical(alive(), before)
})

test_that("thousands of round trips leave memory flat", {
  frame <- every_type()[rep(1:6, 1000), ]
  size <- function() {
    gc()
    as.numeric(strsplit(grep("^VmRSS", readLines("/proc/self/status"), value = TRUE), " +")[[1]][2]) / 1024
  }
  skip_if_not(file.exists("/proc/self/status"), "no /proc to read the memory from")
  skip_if(nzchar(Sys.getenv("RENYI_MEMORY_CHECKER")), "a memory checker keeps memory of its own")
  for (k in 1:1000) round_trip(frame)
  before <- size()
  for (k in 1:2000) round_trip(frame)
  # 2000 copies of a column of codes are 48 MB; what is smaller, the test above counts.
  expect_lt(size() - before, 32)
})

test_that("the round trip survives a collection at every allocation", {
  frame <- every_type()
  table <- renyi:::table_members(frame)
  gctorture(TRUE)
  back <- renyi:::arrow_import(renyi:::arrow_export(table$members, table$rows))
  gctorture(FALSE)
  frame$big <- as.double(frame$big)
  expect_true(all(mapply(same_bits, back, frame)))
})

test_that("structs that are used up are not used again", {
  structs <- .Call(renyi:::c_structs)
  expect_error(renyi:::arrow_import(structs), "Nothing came back")
  structs <- renyi:::arrow_export(list(x = 1), 1)
  expect_error(.Call(renyi:::c_export, structs, list(x = 1), "x", 1), "in use")
  renyi:::arrow_import(structs)
  expect_error(renyi:::arrow_import(structs), "Nothing came back")
})
