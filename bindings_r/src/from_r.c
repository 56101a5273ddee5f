/* One column, from R to Arrow. */
#include "arrow.h"

/* The bitmap of missing values, made when the first one is found. */
static void mark_missing(struct ArrowArray *array, int64_t row) {
  struct holder *held = array->private_data;
  uint8_t *bits = held->owned[0];
  if (bits == NULL) {
    size_t bytes = (size_t)(array->length + 7) / 8;
    bits = held->owned[0] = fresh(bytes, 1);
    memset(bits, 0xff, bytes);
    held->buffers[0] = bits;
  }
  bits[row / 8] &= (uint8_t)~(1u << (row % 8));
  array->null_count++;
}

/* Whether a NaN may be among the values: one makes its sum NaN. Infinities may do so, too, which costs a
 * second look and nothing else. Four sums, for each addition waits for the one before it. */
static int may_hold_nan(const double *values, int64_t length) {
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  int64_t i = 0;
  for (; i + 4 <= length; i += 4) {
    sum[0] += values[i];
    sum[1] += values[i + 1];
    sum[2] += values[i + 2];
    sum[3] += values[i + 3];
  }
  for (; i < length; i++) sum[0] += values[i];
  double all = sum[0] + sum[1] + sum[2] + sum[3];
  return all != all;
}

static void doubles(SEXP x, R_xlen_t from, struct ArrowArray *array) {
  struct holder *held = array->private_data;
  const double *values = REAL(x) + from;
  held->cell = lend(x);
  held->buffers[1] = values;
  for (int64_t start = 0; start < array->length; start += CHUNK) {
    int64_t end = start + CHUNK < array->length ? start + CHUNK : array->length;
    if (may_hold_nan(values + start, end - start))
      for (int64_t i = start; i < end; i++)
        if (values[i] != values[i] && R_IsNA(values[i])) mark_missing(array, i);
    look_for_interrupt(start);
  }
}

static void whole_numbers(SEXP x, R_xlen_t from, struct ArrowArray *array) {
  struct holder *held = array->private_data;
  const int *values = INTEGER(x) + from;
  held->cell = lend(x);
  held->buffers[1] = values;
  for (int64_t start = 0; start < array->length; start += CHUNK) {
    int64_t end = start + CHUNK < array->length ? start + CHUNK : array->length;
    int missing = 0;
    for (int64_t i = start; i < end; i++) missing |= values[i] == NA_INTEGER;
    if (missing)
      for (int64_t i = start; i < end; i++)
        if (values[i] == NA_INTEGER) mark_missing(array, i);
    look_for_interrupt(start);
  }
}

static void integers64(SEXP x, R_xlen_t from, struct ArrowArray *array) {
  struct holder *held = array->private_data;
  const int64_t *values = (const int64_t *)REAL(x) + from;
  held->cell = lend(x);
  held->buffers[1] = values;
  for (int64_t i = 0; i < array->length; i++) {
    if (values[i] == INT64_MIN) mark_missing(array, i);
    look_for_interrupt(i);
  }
}

static void logicals(SEXP x, R_xlen_t from, struct ArrowArray *array) {
  struct holder *held = array->private_data;
  const int *values = LOGICAL(x) + from;
  uint8_t *bits = held->owned[1] = fresh((size_t)(array->length + 7) / 8, 1);
  held->buffers[1] = bits;
  for (int64_t i = 0; i < array->length; i++) {
    if (values[i] == NA_LOGICAL)
      mark_missing(array, i);
    else if (values[i])
      bits[i / 8] |= (uint8_t)(1u << (i % 8));
    look_for_interrupt(i);
  }
}
/* One pass, for strings lie all over R's memory: the bytes grow as they come. */
static void strings(SEXP x, R_xlen_t from, struct ArrowArray *array, const char *column) {
  struct holder *held = array->private_data;
  int64_t *ends = held->owned[1] = fresh((size_t)array->length + 1, sizeof *ends);
  held->buffers[1] = ends;
  size_t size = 0, room = 16 * (size_t)array->length + 64;
  char *bytes = held->owned[2] = fresh(room, 1);
  const SEXP *all = STRING_PTR_RO(x) + from;
  const void *top = vmaxget();
  for (int64_t i = 0; i < array->length; i++) {
    if (all[i] == NA_STRING) {
      mark_missing(array, i);
    } else {
      size_t length;
      const char *text = utf8(all[i], column, i, &length);
      if (size + length > room) {
        room = 2 * room + length;
        bytes = realloc(bytes, room);
        if (bytes == NULL) Rf_error("There is not enough memory for the text of column `%s`.", column);
        held->owned[2] = bytes;
      }
      memcpy(bytes + size, text, length);
      size += length;
      vmaxset(top);
    }
    ends[i + 1] = (int64_t)size;
    look_for_interrupt(i);
  }
  held->buffers[2] = bytes;
}

/* Codes from 0; the levels, in their order, are the dictionary. */
static void factor(SEXP x, R_xlen_t from, struct ArrowSchema *schema, struct ArrowArray *array,
                   const char *column) {
  SEXP levels = Rf_getAttrib(x, R_LevelsSymbol);
  if (TYPEOF(levels) != STRSXP && levels != R_NilValue) refuse(column, "is a factor whose levels are not text.");
  int64_t n_levels = levels == R_NilValue ? 0 : XLENGTH(levels);
  struct holder *held = array->private_data;
  const int *codes = INTEGER(x) + from;
  int *indices = held->owned[1] = fresh((size_t)array->length, sizeof *indices);
  held->buffers[1] = indices;
  for (int64_t i = 0; i < array->length; i++) {
    if (codes[i] == NA_INTEGER)
      mark_missing(array, i);
    else if (codes[i] < 1 || codes[i] > n_levels)
      refuse(column, "is a damaged factor: row %" PRId64 " has no level.", i + 1);
    else
      indices[i] = codes[i] - 1;
    look_for_interrupt(i);
  }
  if (Rf_inherits(x, "ordered")) schema->flags |= FLAG_ORDERED;
  schema->dictionary = fresh(1, sizeof *schema->dictionary);
  name_schema(schema->dictionary, "U", "");
  array->dictionary = fresh(1, sizeof *array->dictionary);
  open_array(array->dictionary, n_levels, 3);
  if (levels == R_NilValue) levels = Rf_allocVector(STRSXP, 0);
  PROTECT(levels);
  strings(levels, 0, array->dictionary, column);
  UNPROTECT(1);
}

static double number_at(SEXP x, R_xlen_t i) {
  if (TYPEOF(x) == REALSXP) return REAL(x)[i];
  return INTEGER(x)[i] == NA_INTEGER ? NA_REAL : INTEGER(x)[i];
}

/* Whole days; the part of a day that R may carry along has no meaning for a Date. */
static void dates(SEXP x, R_xlen_t from, struct ArrowArray *array, const char *column) {
  struct holder *held = array->private_data;
  int32_t *days = held->owned[1] = fresh((size_t)array->length, sizeof *days);
  held->buffers[1] = days;
  for (int64_t i = 0; i < array->length; i++) {
    double day = floor(number_at(x, from + i));
    if (day != day)
      mark_missing(array, i);
    else if (day <= INT32_MIN || day > INT32_MAX)
      refuse(column, "holds a date out of range (row %" PRId64 ").", i + 1);
    else
      days[i] = (int32_t)day;
    look_for_interrupt(i);
  }
}

static void times(SEXP x, R_xlen_t from, struct ArrowArray *array, const char *column) {
  struct holder *held = array->private_data;
  int64_t *ticks = held->owned[1] = fresh((size_t)array->length, sizeof *ticks);
  held->buffers[1] = ticks;
  for (int64_t i = 0; i < array->length; i++) {
    double tick = nearbyint(number_at(x, from + i) * 1e6);
    if (tick != tick)
      mark_missing(array, i);
    else if (fabs(tick) >= 9.2e18)
      refuse(column, "holds a time out of range (row %" PRId64 ").", i + 1);
    else
      ticks[i] = (int64_t)tick;
    look_for_interrupt(i);
  }
}

static void time_format(SEXP x, char *format, size_t size) {
  SEXP zone = Rf_getAttrib(x, Rf_install("tzone"));
  const char *name = TYPEOF(zone) == STRSXP && XLENGTH(zone) > 0 && STRING_ELT(zone, 0) != NA_STRING
                         ? CHAR(STRING_ELT(zone, 0))
                         : "";
  snprintf(format, size, "tsu:%.64s", name[0] ? name : "UTC");
}

/* Whether a class says nothing about what the values mean. */
static int is_plain(SEXP x) {
  if (!OBJECT(x)) return 1;
  if (IS_S4_OBJECT(x)) return 0;
  SEXP class = Rf_getAttrib(x, R_ClassSymbol);
  for (R_xlen_t k = 0; k < XLENGTH(class); k++) {
    const char *name = CHAR(STRING_ELT(class, k));
    if (strcmp(name, "AsIs") && strcmp(name, "noquote") && strcmp(name, "numeric") &&
        strcmp(name, "integer") && strcmp(name, "character") && strcmp(name, "logical"))
      return 0;
  }
  return 1;
}

static void NORET refuse_class(SEXP x, const char *column) {
  SEXP class = Rf_getAttrib(x, R_ClassSymbol);
  const char *name = Rf_type2char(TYPEOF(x));
  for (R_xlen_t k = 0; TYPEOF(class) == STRSXP && k < XLENGTH(class); k++)
    if (strcmp(CHAR(STRING_ELT(class, k)), "AsIs")) { /* I() says nothing of what it is */
      name = CHAR(STRING_ELT(class, k));
      break;
    }
  refuse(column, "is of class %s, which cannot be used.", name);
}

/* Describe elements `from` to `from + length - 1` of a vector. */
attribute_hidden void export_column(SEXP x, R_xlen_t from, R_xlen_t length, const char *name,
                          struct ArrowSchema *schema, struct ArrowArray *array) {
  char format[80] = "";
  enum { DOUBLE, INTEGER32, INTEGER64, LOGICAL_, TEXT, FACTOR, DAY, TIME } what = DOUBLE;
  switch (TYPEOF(x)) {
  case LGLSXP:
    if (!is_plain(x)) refuse_class(x, name);
    what = LOGICAL_, strcpy(format, "b");
    break;
  case STRSXP:
    if (!is_plain(x)) refuse_class(x, name);
    what = TEXT, strcpy(format, "U");
    break;
  case INTSXP:
    if (Rf_inherits(x, "factor"))
      what = FACTOR, strcpy(format, "i");
    else if (Rf_inherits(x, "Date"))
      what = INTEGER32, strcpy(format, "tdD");
    else if (Rf_inherits(x, "POSIXct"))
      what = TIME, time_format(x, format, sizeof format);
    else if (is_plain(x))
      what = INTEGER32, strcpy(format, "i");
    else
      refuse_class(x, name);
    break;
  case REALSXP:
    if (Rf_inherits(x, "integer64"))
      what = INTEGER64, strcpy(format, "l");
    else if (Rf_inherits(x, "Date"))
      what = DAY, strcpy(format, "tdD");
    else if (Rf_inherits(x, "POSIXct"))
      what = TIME, time_format(x, format, sizeof format);
    else if (is_plain(x))
      what = DOUBLE, strcpy(format, "g");
    else
      refuse_class(x, name);
    break;
  default:
    refuse_class(x, name);
  }
  name_schema(schema, format, name);
  open_array(array, length, what == TEXT ? 3 : 2);
  switch (what) {
  case DOUBLE: doubles(x, from, array); break;
  case INTEGER32: whole_numbers(x, from, array); break;
  case INTEGER64: integers64(x, from, array); break;
  case LOGICAL_: logicals(x, from, array); break;
  case TEXT: strings(x, from, array, name); break;
  case FACTOR: factor(x, from, schema, array, name); break;
  case DAY: dates(x, from, array, name); break;
  case TIME: times(x, from, array, name); break;
  }
}
