test_that("Python sees what R has", {
  skip_if_not_installed("bit64")
  skip_if_no_renyi()
  frame <- every_type()
  expect_identical(
    python_says(frame, "[str(field.type) for field in table.schema]"),
    paste0(
      "['double', 'int32', 'bool', 'large_string', 'dictionary<values=large_string, indices=int32, ordered=0>', ",
      "'dictionary<values=large_string, indices=int32, ordered=1>', 'date32[day]', 'timestamp[us, tz=UTC]', ",
      "'timestamp[us, tz=Europe/Berlin]', 'int64']"
    )
  )
  expect_identical(python_says(frame, "table.validate(full=True)"), "None")
  expect_identical(python_says(frame, "[column.null_count for column in table.columns]"), "[1, 1, 2, 1, 1, 1, 1, 1, 1, 1]")
  expect_identical(python_says(frame, "table['double'].to_pylist()"), "[1.5, None, nan, -0.0, inf, 1e-300]")
  expect_identical(python_says(frame, "table['integer'].to_pylist()"), "[1, None, -5, 2147483647, 0, 7]")
  expect_identical(python_says(frame, "table['logical'].to_pylist()"), "[True, None, False, True, False, None]")
  expect_identical(python_says(frame, "[len(s.encode()) if s is not None else -1 for s in table['text'].to_pylist()]"), "[1, -1, 0, 5, 4, 1]")
  expect_identical(python_says(frame, "table['factor'].to_pylist()"), "['b', None, 'a', 'c', 'a', 'b']")
  expect_identical(python_says(frame, "table['factor'].dictionary.to_pylist()"), "['c', 'b', 'a', 'unused']")
  expect_identical(python_says(frame, "table['date'].to_pylist()[3]"), "1900-03-01")
  expect_identical(python_says(frame, "table['time'].cast(pa.int64()).to_pylist()[5]"), "1709164800123456")
  expect_identical(python_says(frame, "table['big'].to_pylist()"), "[1099511627776, None, 1, -3, 0, 5]")
})

test_that("doubles and integers cross without a copy, read only", {
  skip_if_no_renyi()
  x <- stats::runif(1000)
  space <- in_python(list2DF(list(x = x)), paste(
    "address = str(table.column(0).buffers()[1].address)",
    "mutable = table.column(0).buffers()[1].is_mutable",
    sep = "\n"
  ))
  expect_false(reticulate::py_to_r(space["mutable"]))
  at <- as.numeric(sub("^@([0-9a-f]+) .*", "0x\\1", utils::capture.output(.Internal(inspect(x)))[1]))
  skip_if(is.na(at), "R does not tell the address of a vector")
  expect_identical(as.numeric(reticulate::py_to_r(space["address"])) - at, 48)
})

test_that("a table comes back through Python bit by bit", {
  skip_if_no_renyi()
  frame <- every_type()
  frame$big <- as.double(frame$big) # whole numbers come back as narrow as they can
  expect_true(all(mapply(same_bits, from_python("out = table", frame), frame)))
  part <- from_python("out = table.slice(2, 3)", frame)
  expect_true(all(mapply(same_bits, part, frame[3:5, ])))
  twice <- from_python("out = pa.Table.from_batches([table, table.slice(1, 2)])", frame)
  expect_true(all(mapply(same_bits, twice, frame[c(1:6, 2:3), ])))
})

test_that("types that R does not send are understood", {
  skip_if_no_renyi()
  back <- from_python(paste(
    "types = dict(i8=pa.int8(), u8=pa.uint8(), i16=pa.int16(), u16=pa.uint16(), u32=pa.uint32(), u64=pa.uint64(), f32=pa.float32())",
    "columns = {name: pa.array([1, None, 3], type) for name, type in types.items()}",
    "long = 'x' * 40",
    "columns['str'] = pa.array(['a', None, long])",
    "columns['view'] = pa.array(['a', None, long], pa.string_view())",
    "columns['null'] = pa.nulls(3)",
    "columns['ms'] = pa.array([0, None, 1500], pa.timestamp('ms'))",
    "columns['ns'] = pa.array([0, None, 1500000000], pa.timestamp('ns', 'Asia/Tokyo'))",
    "columns['s'] = pa.array([0, None, 2], pa.timestamp('s', 'UTC'))",
    "columns['d64'] = pa.array([0, None, 86400000], pa.date64())",
    "columns['took'] = pa.array([0, None, 1500], pa.duration('ms'))",
    "columns['clock'] = pa.array([0, None, 61], pa.time32('s'))",
    "columns['clock64'] = pa.array([0, None, 61000000], pa.time64('us'))",
    "columns['dict8'] = pa.array(['p', None, 'q']).dictionary_encode().cast(pa.dictionary(pa.int8(), pa.string()))",
    "columns['numbers'] = pa.array([7, None, 9]).dictionary_encode()",
    "columns['twice'] = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2]), pa.array(['a', None, 'a']))",
    "columns['least'] = pa.array([-2147483648, None, 1], pa.int32())",
    "out = pa.table(columns)",
    sep = "\n"
  ))
  for (name in c("i8", "u8", "i16", "u16", "u32", "u64")) expect_identical(back[[name]], c(1L, NA, 3L), label = name)
  expect_identical(back$f32, c(1, NA, 3))
  long <- strrep("x", 40)
  expect_identical(back$str, c("a", NA, long))
  expect_identical(back$view, c("a", NA, long))
  expect_identical(back$null, c(NA, NA, NA))
  point <- function(x, zone) structure(x, class = c("POSIXct", "POSIXt"), tzone = zone)
  expect_identical(back$ms, point(c(0, NA, 1.5), "UTC"))
  expect_identical(back$ns, point(c(0, NA, 1.5), "Asia/Tokyo"))
  expect_identical(back$s, point(c(0, NA, 2), "UTC"))
  expect_identical(back$d64, as.Date(c("1970-01-01", NA, "1970-01-02")))
  expect_identical(back$took, as.difftime(c(0, NA, 1.5), units = "secs"))
  expect_identical(back$clock, as.difftime(c(0, NA, 61), units = "secs"))
  expect_identical(back$clock64, as.difftime(c(0, NA, 61), units = "secs"))
  expect_identical(back$dict8, factor(c("p", NA, "q")))
  expect_identical(back$numbers, c(7L, NA, 9L))
  expect_identical(back$twice, factor(c("a", NA, "a")))
  expect_identical(back$least, c(-2147483648, NA, 1))
})

test_that("a dictionary is read by indices of every width, and chunk by chunk", {
  skip_if_no_renyi()
  for (type in c("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")) {
    back <- from_python(sprintf(
      "out = pa.table({'f': pa.DictionaryArray.from_arrays(pa.array([2, None, 0, 1], pa.%s()), ['a', 'b', 'c']).slice(1)})", type
    ))
    expect_identical(back$f, factor(c(NA, "a", "b"), levels = c("a", "b", "c")), label = type)
  }
  damaged <- "out = pa.table({'f': pa.DictionaryArray.from_arrays(pa.array([0, 7], pa.int64()), ['a'], safe=False)})"
  error <- expect_error(from_python(damaged), "index without a level (row 2)", fixed = TRUE, class = "renyi_error_column")
  expect_identical(error$column, "f")
})

test_that("whole numbers of a file are integers, doubles or integer64", {
  skip_if_no_renyi()
  skip_if_not_installed("bit64")
  back <- from_python(paste(
    "columns = {'fits': [1, None, 2147483647], 'double': [1, None, 2**53], 'beyond': [1, None, 2**53 + 1]}",
    "out = pa.table({name: pa.array(values, pa.int64()) for name, values in columns.items()})",
    "out = out.append_column('unsigned', pa.array([1, None, 2**32 - 1], pa.uint32()))",
    "out = out.append_column('large', pa.array([1, None, 2**62], pa.uint64()))",
    sep = "\n"
  ))
  expect_identical(back$fits, c(1L, NA, 2147483647L))
  expect_identical(back$double, c(1, NA, 2^53))
  expect_identical(back$unsigned, c(1, NA, 2^32 - 1))
  expect_identical(as.character(back$beyond), c("1", NA, "9007199254740993"))
  expect_identical(as.character(back$large), c("1", NA, "4611686018427387904"))
})

test_that("a file with such columns is applied as it is", {
  skip_if_no_renyi()
  file <- tempfile(fileext = ".arrow")
  on.exit(unlink(file))
  from_python(paste(
    "import pyarrow.feather as feather",
    "n = 60",
    "words = pa.DictionaryArray.from_arrays(pa.array([i % 3 for i in range(n)], pa.int64()), ['a', 'b', 'c'])",
    "out = pa.table({'words': words, 'count': pa.array(list(range(n)), pa.int64()), 'y': pa.array(['p', 'q', 'r'] * (n // 3))})",
    sprintf("feather.write_feather(out, '%s')", file),
    sep = "\n"
  ))
  fit <- suppressWarnings(renyi_select(file, target = "y", criterion = "none"))
  back <- renyi_apply(fit, file)
  expect_identical(back$words, factor(rep(c("a", "b", "c"), 20)))
  expect_identical(back$count, 0:59)
  expect_identical(mean(back$count), 29.5)
})

test_that("slices at odd offsets keep their bits", {
  skip_if_no_renyi()
  frame <- data.frame(b = rep(c(TRUE, FALSE, NA), 10), x = c(NA, 1:29) + 0, s = c(NA, letters, "a", "b", "c"))
  for (from in c(1, 7, 8, 13)) {
    back <- from_python(sprintf("out = table.slice(%d, 11)", from), frame)
    expect_identical(back, data.frame(lapply(frame, `[`, from + 1:11)))
  }
})

test_that("what R has no vector for is refused by name", {
  skip_if_no_renyi()
  for (made in c(
    "pa.array([[1], [2]])", "pa.array([b'a', b'b'])", "pa.array([{'a': 1}, {'a': 2}])",
    "pa.array([1, 2]).cast(pa.decimal128(21, 2))", "pa.array([2**63, 1], pa.uint64())", "pa.array(['a\\0b', ''])",
    "pa.array([-2**63, 1])"
  )) {
    error <- expect_error(from_python(sprintf("out = pa.table({'bad': %s})", made)), class = "renyi_error_column")
    expect_identical(error$column, "bad")
  }
  expect_identical(alive(), 0)
})

test_that("a release on another thread waits for R's thread", {
  skip_if_no_renyi()
  gc()
  before <- alive()
  in_python(list2DF(list(x = c(1, 2), y = 3:4)), paste(
    "import threading",
    "held = [table]",
    "del table",
    "thread = threading.Thread(target=held.clear)",
    "thread.start()",
    "thread.join()",
    sep = "\n"
  ))
  expect_identical(alive(), before)
})

test_that("round trips through Python leave nothing alive", {
  skip_if_no_renyi()
  frame <- every_type()
  before <- alive()
  for (k in 1:200) from_python("out = table", frame)
  expect_identical(alive(), before)
})
