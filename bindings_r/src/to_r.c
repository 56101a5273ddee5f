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
NUMBERS(uint32_t, REALSXP, double, REAL, NA_REAL)
NUMBERS(float, REALSXP, double, REAL, NA_REAL)
NUMBERS(double, REALSXP, double, REAL, NA_REAL)

/* As integers; as doubles where the one value that R takes for NA occurs. */
static SEXP import_int32(const struct view *view) {
  const int32_t *values = (const int32_t *)view->array->buffers[1] + view->offset;
  int clash = 0;
  for (int64_t i = 0; i < view->length && !clash; i++)
    clash = values[i] == NA_INTEGER && !is_missing(view, i);
  SEXP out = PROTECT(Rf_allocVector(clash ? REALSXP : INTSXP, view->length));
  for (int64_t i = 0; i < view->length; i++) {
    if (clash)
      REAL(out)[i] = is_missing(view, i) ? NA_REAL : values[i];
    else
      INTEGER(out)[i] = is_missing(view, i) ? NA_INTEGER : values[i];
  }
  UNPROTECT(1);
  return out;
}

static SEXP with_class(SEXP x, const char *class) {
  PROTECT(x);
  Rf_setAttrib(x, R_ClassSymbol, PROTECT(Rf_mkString(class)));
  UNPROTECT(2);
  return x;
}

static SEXP import_int64(const struct view *view) {
  const int64_t *values = (const int64_t *)view->array->buffers[1] + view->offset;
  SEXP out = PROTECT(Rf_allocVector(REALSXP, view->length));
  int64_t *to = (int64_t *)REAL(out);
  for (int64_t i = 0; i < view->length; i++) {
    if (!is_missing(view, i) && values[i] == INT64_MIN)
      refuse(view->name, "holds -2^63, which R takes for NA (row %" PRId64 ").", i + 1);
    to[i] = is_missing(view, i) ? INT64_MIN : values[i];
  }
  UNPROTECT(1);
  return with_class(out, "integer64");
}

static SEXP import_uint64(const struct view *view) {
  const uint64_t *values = (const uint64_t *)view->array->buffers[1] + view->offset;
  SEXP out = PROTECT(Rf_allocVector(REALSXP, view->length));
  for (int64_t i = 0; i < view->length; i++) {
    if (!is_missing(view, i) && values[i] > (UINT64_C(1) << 53))
      refuse(view->name, "holds a whole number above 2^53 (row %" PRId64 ").", i + 1);
    REAL(out)[i] = is_missing(view, i) ? NA_REAL : (double)values[i];
  }
  UNPROTECT(1);
  return out;
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

static SEXP import_format(const struct view *view);

/* A factor where the dictionary is of text, the values themselves otherwise. R numbers levels from 1
 * and has none twice; `as_factor` puts the rare other dictionaries right. */
static SEXP import_dictionary(const struct view *view) {
  SEXP codes = PROTECT(import_format(view));
  const struct ArrowArray *array = view->array->dictionary;
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
    case 'i': return import_int32(view);
    case 'I': return import_uint32_t(view);
    case 'l': return import_int64(view);
    case 'L': return import_uint64(view);
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
