/* One column, from Arrow to R. */
#include "arrow.h"

static int is_missing(const struct view *view, int64_t i) {
  if (view->bits == NULL) return 0;
  int64_t at = view->offset + i;
  return !((view->bits[at / 8] >> (at % 8)) & 1);
}

#define NUMBERS(ctype, rtype, target, access, missing)                                             \
  static SEXP import_##ctype(const struct view *view) {                                            \
    const ctype *values = (const ctype *)view->array->buffers[1] + view->offset;                   \
    SEXP out = PROTECT(Rf_allocVector(rtype, view->length));                                       \
    target *to = access(out);                                                                      \
    for (int64_t i = 0; i < view->length; i++)                                                     \
      to[i] = is_missing(view, i) ? missing : (target)values[i];                                   \
    UNPROTECT(1);                                                                                  \
    return out;                                                                                    \
  }

NUMBERS(int8_t, INTSXP, int, INTEGER, NA_INTEGER)
NUMBERS(uint8_t, INTSXP, int, INTEGER, NA_INTEGER)
NUMBERS(int16_t, INTSXP, int, INTEGER, NA_INTEGER)
NUMBERS(uint16_t, INTSXP, int, INTEGER, NA_INTEGER)
NUMBERS(float, REALSXP, double, REAL, NA_REAL)
NUMBERS(double, REALSXP, double, REAL, NA_REAL)

static SEXP with_class(SEXP x, const char *class) {
  PROTECT(x);
  Rf_setAttrib(x, R_ClassSymbol, PROTECT(Rf_mkString(class)));
  UNPROTECT(2);
  return x;
}

/* Whole numbers of 32 and 64 bits: integers where all of them fit, doubles up to 2^53, integer64 beyond. The
 * least integer and the least integer64 are R's NA. */
#define WHOLE_NUMBERS(ctype)                                                                       \
  static SEXP import_##ctype(const struct view *view) {                                            \
    const ctype *values = (const ctype *)view->array->buffers[1] + view->offset;                   \
    int wide = 0, exact = 1;                                                                       \
    for (int64_t i = 0; i < view->length; i++) {                                                   \
      if (is_missing(view, i)) continue;                                                           \
      double value = (double)values[i];                                                            \
      wide |= value > INT_MAX || value <= INT_MIN;                                                 \
      exact &= fabs(value) <= 9007199254740992.0 && (ctype)value == values[i];                     \
      look_for_interrupt(i);                                                                       \
    }                                                                                              \
    if (!wide) {                                                                                   \
      SEXP out = PROTECT(Rf_allocVector(INTSXP, view->length));                                    \
      for (int64_t i = 0; i < view->length; i++)                                                   \
        INTEGER(out)[i] = is_missing(view, i) ? NA_INTEGER : (int)values[i];                       \
      UNPROTECT(1);                                                                                \
      return out;                                                                                  \
    }                                                                                              \
    SEXP out = PROTECT(Rf_allocVector(REALSXP, view->length));                                     \
    int64_t *to = (int64_t *)REAL(out);                                                            \
    for (int64_t i = 0; i < view->length; i++) {                                                   \
      if (exact)                                                                                   \
        REAL(out)[i] = is_missing(view, i) ? NA_REAL : (double)values[i];                          \
      else                                                                                         \
        to[i] = is_missing(view, i) ? INT64_MIN : (int64_t)values[i];                              \
    }                                                                                              \
    UNPROTECT(1);                                                                                  \
    return exact ? out : with_class(out, "integer64");                                             \
  }

WHOLE_NUMBERS(int32_t)
WHOLE_NUMBERS(uint32_t)
WHOLE_NUMBERS(int64_t)

/* Those of 64 bits, where R has a value for each. */
static SEXP import_large(const struct view *view) {
  int is_signed = view->schema->format[0] == 'l';
  const int64_t *values = (const int64_t *)view->array->buffers[1] + view->offset;
  for (int64_t i = 0; i < view->length; i++) {
    if (is_missing(view, i)) continue;
    if (is_signed && values[i] == INT64_MIN)
      refuse(view->name, "holds -2^63, which R takes for NA (row %" PRId64 ").", i + 1);
    if (!is_signed && values[i] < 0) /* what is above 2^63 - 1, read as signed */
      refuse(view->name, "holds a whole number above 2^63 - 1 (row %" PRId64 ").", i + 1);
  }
  return import_int64_t(view); /* below 2^63 both are written alike */
}

static SEXP import_logical(const struct view *view) {
  const uint8_t *bits = view->array->buffers[1];
  SEXP out = PROTECT(Rf_allocVector(LGLSXP, view->length));
  for (int64_t i = 0; i < view->length; i++) {
    int64_t at = view->offset + i;
    LOGICAL(out)[i] = is_missing(view, i) ? NA_LOGICAL : (bits[at / 8] >> (at % 8)) & 1;
  }
  UNPROTECT(1);
  return out;
}

static SEXP import_nulls(const struct view *view) {
  SEXP out = PROTECT(Rf_allocVector(LGLSXP, view->length));
  for (int64_t i = 0; i < view->length; i++) LOGICAL(out)[i] = NA_LOGICAL;
  UNPROTECT(1);
  return out;
}

/* The text of one row: offsets of 32 or 64 bits, or views of 16 bytes. */
static const char *text_at(const struct view *view, int64_t i, int64_t *length) {
  int64_t at = view->offset + i;
  const void **buffers = view->array->buffers;
  const char *format = view->schema->format;
  if (format[0] == 'u') {
    const int32_t *ends = buffers[1];
    *length = (int64_t)ends[at + 1] - ends[at];
    return (const char *)buffers[2] + ends[at];
  }
  if (format[0] == 'U') {
    const int64_t *ends = buffers[1];
    *length = ends[at + 1] - ends[at];
    return (const char *)buffers[2] + ends[at];
  }
  const char *entry = (const char *)buffers[1] + 16 * at;
  int32_t size, buffer, start;
  memcpy(&size, entry, 4);
  *length = size;
  if (size <= 12) return entry + 4;
  memcpy(&buffer, entry + 8, 4);
  memcpy(&start, entry + 12, 4);
  return (const char *)buffers[2 + buffer] + start;
}

static SEXP import_text(const struct view *view) {
  SEXP out = PROTECT(Rf_allocVector(STRSXP, view->length));
  for (int64_t i = 0; i < view->length; i++) {
    int64_t length = 0;
    if (is_missing(view, i)) {
      SET_STRING_ELT(out, i, NA_STRING);
      continue;
    }
    const char *text = text_at(view, i, &length);
    if (length == 0) continue; /* it is "" already; an empty buffer may be NULL */
    if (length > INT32_MAX || memchr(text, 0, (size_t)length) != NULL)
      refuse(view->name, "holds text that R cannot hold (row %" PRId64 ").", i + 1);
    SET_STRING_ELT(out, i, Rf_mkCharLenCE(text, (int)length, CE_UTF8));
    if (i % CHUNK == CHUNK - 1) R_CheckUserInterrupt();
  }
  UNPROTECT(1);
  return out;
}

/* 32 bits of days or 64 bits of milliseconds. */
static SEXP import_dates(const struct view *view) {
  SEXP out = PROTECT(Rf_allocVector(REALSXP, view->length));
  int days = view->schema->format[2] == 'D';
  for (int64_t i = 0; i < view->length; i++) {
    int64_t at = view->offset + i;
    const void *values = view->array->buffers[1];
    double value = days ? ((const int32_t *)values)[at] : (double)((const int64_t *)values)[at] / 86400000.0;
    REAL(out)[i] = is_missing(view, i) ? NA_REAL : value;
  }
  UNPROTECT(1);
  return with_class(out, "Date");
}

static double ticks_a_second(char unit) {
  return unit == 's' ? 1.0 : unit == 'm' ? 1e3 : unit == 'u' ? 1e6 : 1e9;
}

/* Ticks as seconds; times of day in seconds and milliseconds are the ones with 32 bits. */
static SEXP import_seconds(const struct view *view) {
  const char *format = view->schema->format;
  int narrow = format[1] == 't' && (format[2] == 's' || format[2] == 'm');
  double rate = ticks_a_second(format[2]);
  SEXP out = PROTECT(Rf_allocVector(REALSXP, view->length));
  for (int64_t i = 0; i < view->length; i++) {
    int64_t at = view->offset + i;
    const void *values = view->array->buffers[1];
    double ticks = narrow ? ((const int32_t *)values)[at] : (double)((const int64_t *)values)[at];
    REAL(out)[i] = is_missing(view, i) ? NA_REAL : ticks / rate;
  }
  if (format[1] == 's') { /* a point in time; without a zone it is a wall clock, shown as UTC */
    SEXP class = PROTECT(Rf_allocVector(STRSXP, 2));
    SET_STRING_ELT(class, 0, Rf_mkChar("POSIXct"));
    SET_STRING_ELT(class, 1, Rf_mkChar("POSIXt"));
    Rf_setAttrib(out, R_ClassSymbol, class);
    Rf_setAttrib(out, Rf_install("tzone"), PROTECT(Rf_mkString(format[4] ? format + 4 : "UTC")));
    UNPROTECT(2);
  } else {
    with_class(out, "difftime");
    Rf_setAttrib(out, Rf_install("units"), PROTECT(Rf_mkString("secs")));
    UNPROTECT(1);
  }
  UNPROTECT(1);
  return out;
}

/* Row of the dictionary that an index of any width names, -1 where it is none. */
static int64_t index_at(const struct view *view, int64_t i) {
  int64_t at = view->offset + i;
  const void *values = view->array->buffers[1];
  switch (view->schema->format[0]) {
  case 'c': return ((const int8_t *)values)[at];
  case 'C': return ((const uint8_t *)values)[at];
  case 's': return ((const int16_t *)values)[at];
  case 'S': return ((const uint16_t *)values)[at];
  case 'i': return ((const int32_t *)values)[at];
  case 'I': return ((const uint32_t *)values)[at];
  case 'l':
  case 'L': return ((const int64_t *)values)[at]; /* what is above 2^63 - 1 is negative here */
  }
  return -1;
}

/* A factor where the dictionary is of text, the values themselves otherwise. R numbers levels from 1
 * and has none twice; `as_factor` puts the rare other dictionaries right. */
static SEXP import_dictionary(const struct view *view) {
  const struct ArrowArray *array = view->array->dictionary;
  if (array->length > INT_MAX) refuse(view->name, "has more levels than R can number.");
  SEXP codes = PROTECT(Rf_allocVector(INTSXP, view->length));
  for (int64_t i = 0; i < view->length; i++) {
    int64_t index = is_missing(view, i) ? -1 : index_at(view, i);
    if (!is_missing(view, i) && (index < 0 || index >= array->length))
      refuse(view->name, "has an index without a level (row %" PRId64 ").", i + 1);
    INTEGER(codes)[i] = index < 0 ? NA_INTEGER : (int)index + 1;
    look_for_interrupt(i);
  }
  struct view of = {view->schema->dictionary, array, array->offset, array->length,
                    array->null_count != 0 ? array->buffers[0] : NULL, view->name};
  SEXP levels = PROTECT(import_column(&of));
  SEXP ordered = PROTECT(Rf_ScalarLogical((view->schema->flags & FLAG_ORDERED) != 0));
  SEXP home = PROTECT(Rf_mkString("renyi"));
  SEXP space = PROTECT(R_FindNamespace(home));
  SEXP call = PROTECT(Rf_lang4(Rf_install("as_factor"), codes, levels, ordered));
  SEXP out = Rf_eval(call, space);
  UNPROTECT(6);
  return out;
}

static SEXP import_format(const struct view *view);

attribute_hidden SEXP import_column(const struct view *view) {
  return view->schema->dictionary != NULL ? import_dictionary(view) : import_format(view);
}

static SEXP import_format(const struct view *view) {
  const char *format = view->schema->format;
  size_t length = strlen(format);
  if (length == 1) {
    switch (format[0]) {
    case 'n': return import_nulls(view);
    case 'b': return import_logical(view);
    case 'c': return import_int8_t(view);
    case 'C': return import_uint8_t(view);
    case 's': return import_int16_t(view);
    case 'S': return import_uint16_t(view);
    case 'i': return import_int32_t(view);
    case 'I': return import_uint32_t(view);
    case 'l':
    case 'L': return import_large(view);
    case 'f': return import_float(view);
    case 'g': return import_double(view);
    case 'u':
    case 'U': return import_text(view);
    }
  }
  if (strcmp(format, "vu") == 0) return import_text(view);
  if (format[0] == 't' && length >= 3) {
    if (format[1] == 'd') return import_dates(view);
    if (format[1] == 't' || format[1] == 'D' || (format[1] == 's' && length >= 4)) return import_seconds(view);
  }
  refuse(view->name, "has a type that R has no vector for (Arrow format %s).", format);
}
