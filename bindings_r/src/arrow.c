/* R vectors to Arrow arrays and back, over the Arrow C Data Interface.
 *
 * Out: every vector becomes an ArrowArray and an ArrowSchema. Doubles, integers and integer64 are
 * lent as they lie in R's memory; everything else, and every bitmap of missing values, is a copy of
 * our own. In: every array becomes a fresh R vector, and the array is released.
 *
 * Who frees what: a struct lives in an external pointer whose finalizer releases it. It is complete
 * enough to be released after every single assignment, so that an R error or an interrupt (both
 * leave by longjmp) loses nothing. A lent vector hangs in a list of R's own until its array is
 * released; a release on another thread must not touch R, so it queues its cell for the next call.
 *
 * The two structs and the format strings are those of the specification,
 * https://arrow.apache.org/docs/format/CDataInterface.html
 */
#define R_NO_REMAP
#include <R.h>
#include <Rinternals.h>
#include <R_ext/Rdynload.h>
#include <R_ext/Utils.h>
#include <R_ext/Visibility.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FLAG_ORDERED 1
#define FLAG_NULLABLE 2

struct ArrowSchema {
  const char *format;
  const char *name;
  const char *metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema **children;
  struct ArrowSchema *dictionary;
  void (*release)(struct ArrowSchema *);
  void *private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void **buffers;
  struct ArrowArray **children;
  struct ArrowArray *dictionary;
  void (*release)(struct ArrowArray *);
  void *private_data;
};

/* What an exported array owns; a schema owns the text of its strings. */
struct holder {
  SEXP cell; /* of the lent vector, NULL where nothing of R's is lent */
  const void *buffers[3];
  void *owned[3];
  struct ArrowArray **children;
  struct ArrowArray *block;
  struct holder *next; /* in the queue of cells that R's thread lets go */
};

struct labels {
  char *format;
  char *name;
  struct ArrowSchema **children;
  struct ArrowSchema *block;
};

static _Thread_local int on_r_thread = 0; /* set once, when the package is loaded */
static SEXP lent = NULL;                  /* head of a doubly linked list of lent vectors */
static atomic_llong arrays_alive, schemas_alive, vectors_lent;
static _Atomic(struct holder *) queue = NULL;

/* ------------------------------------------------------------------ refusals, memory, lending */

/* Raise a classed R condition that names the column. */
static void NORET refuse(const char *column, const char *format, ...) {
  char text[512];
  va_list values;
  va_start(values, format);
  vsnprintf(text, sizeof text, format, values);
  va_end(values);
  SEXP home = PROTECT(Rf_mkString("renyi"));
  SEXP space = PROTECT(R_FindNamespace(home));
  SEXP name = PROTECT(Rf_ScalarString(Rf_mkCharCE(column, CE_UTF8)));
  SEXP what = PROTECT(Rf_ScalarString(Rf_mkCharCE(text, CE_UTF8)));
  SEXP call = PROTECT(Rf_lang3(Rf_install("refuse_column"), name, what));
  Rf_eval(call, space);
  Rf_error("Column `%s` %s", column, text); /* the call above does not return */
}

static void *fresh(size_t count, size_t size) {
  void *block = calloc(count ? count : 1, size);
  if (block == NULL) Rf_error("There is not enough memory for a copy of %.0f bytes.", (double)count * (double)size);
  return block;
}

static char *text_copy(const char *text) {
  char *copy = fresh(strlen(text) + 1, 1);
  strcpy(copy, text);
  return copy;
}

/* A cell holds its vector as tag, its neighbours as car and cdr: both ways in constant time. */
static SEXP lend(SEXP vector) {
  SEXP after = CDR(lent);
  SEXP cell = PROTECT(Rf_cons(lent, after));
  SET_TAG(cell, vector);
  SETCDR(lent, cell);
  if (after != R_NilValue) SETCAR(after, cell);
  UNPROTECT(1);
  vectors_lent++;
  return cell;
}

static void take_back(SEXP cell) {
  SEXP before = CAR(cell), after = CDR(cell);
  SET_TAG(cell, R_NilValue);
  SETCDR(before, after);
  if (after != R_NilValue) SETCAR(after, before);
  vectors_lent--;
}

static void drain(void) {
  struct holder *item = atomic_exchange(&queue, NULL);
  while (item != NULL) {
    struct holder *next = item->next;
    take_back(item->cell);
    free(item);
    item = next;
  }
}

/* ------------------------------------------------------------------ release of what we export */

static void release_array(struct ArrowArray *array) {
  struct holder *held = array->private_data;
  if (held->block != NULL) {
    for (int64_t k = 0; k < array->n_children; k++)
      if (held->block[k].release != NULL) held->block[k].release(&held->block[k]);
    free(held->block);
    free(held->children);
  }
  if (array->dictionary != NULL) {
    if (array->dictionary->release != NULL) array->dictionary->release(array->dictionary);
    free(array->dictionary);
  }
  for (int k = 0; k < 3; k++) free(held->owned[k]);
  array->release = NULL;
  array->private_data = NULL;
  arrays_alive--;
  if (held->cell == NULL) {
    free(held);
  } else if (on_r_thread) {
    take_back(held->cell);
    free(held);
  } else {
    held->next = atomic_load(&queue);
    while (!atomic_compare_exchange_weak(&queue, &held->next, held)) continue;
  }
}

static void release_schema(struct ArrowSchema *schema) {
  struct labels *held = schema->private_data;
  if (held->block != NULL) {
    for (int64_t k = 0; k < schema->n_children; k++)
      if (held->block[k].release != NULL) held->block[k].release(&held->block[k]);
    free(held->block);
    free(held->children);
  }
  if (schema->dictionary != NULL) {
    if (schema->dictionary->release != NULL) schema->dictionary->release(schema->dictionary);
    free(schema->dictionary);
  }
  free(held->format);
  free(held->name);
  free(held);
  schema->release = NULL;
  schema->private_data = NULL;
  schemas_alive--;
}

/* Make an array that can be released from now on. */
static struct holder *open_array(struct ArrowArray *array, int64_t length, int n_buffers) {
  struct holder *held = fresh(1, sizeof *held);
  memset(array, 0, sizeof *array);
  array->private_data = held;
  array->release = release_array;
  array->length = length;
  array->n_buffers = n_buffers;
  array->buffers = held->buffers;
  arrays_alive++;
  return held;
}

static struct labels *open_schema(struct ArrowSchema *schema) {
  struct labels *held = fresh(1, sizeof *held);
  memset(schema, 0, sizeof *schema);
  schema->private_data = held;
  schema->release = release_schema;
  schema->flags = FLAG_NULLABLE;
  schema->format = schema->name = "";
  schemas_alive++;
  return held;
}

static void name_schema(struct ArrowSchema *schema, const char *format, const char *name) {
  struct labels *held = open_schema(schema);
  schema->format = held->format = text_copy(format);
  schema->name = held->name = text_copy(name);
}

/* ------------------------------------------------------------------ from R: one column */

#define CHUNK 65536 /* elements between two looks for Ctrl-C */

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

static void look_for_interrupt(int64_t row) {
  if (row != 0 && row % (16 * CHUNK) == 0) R_CheckUserInterrupt();
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

/* Length of the UTF-8 sequence at `s`, 0 where there is none (RFC 3629). */
static size_t sequence(const unsigned char *s, size_t left) {
  if (s[0] < 0x80) return 1;
  size_t length = s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;
  if (length == 0 || length > left) return 0;
  for (size_t k = 1; k < length; k++)
    if ((s[k] & 0xc0) != 0x80) return 0;
  if (s[0] == 0xe0 && s[1] < 0xa0) return 0;
  if (s[0] == 0xed && s[1] > 0x9f) return 0;
  if (s[0] == 0xf0 && s[1] < 0x90) return 0;
  if (s[0] == 0xf4 && s[1] > 0x8f) return 0;
  return length;
}

static int is_ascii(const char *text, size_t length) {
  size_t at = 0;
  uint64_t eight;
  for (; at + 8 <= length; at += 8) {
    memcpy(&eight, text + at, 8);
    if (eight & UINT64_C(0x8080808080808080)) return 0;
  }
  for (; at < length; at++)
    if (text[at] & 0x80) return 0;
  return 1;
}

static int is_utf8(const char *text, size_t length) {
  const unsigned char *s = (const unsigned char *)text;
  for (size_t at = 0; at < length;) {
    size_t step = sequence(s + at, length - at);
    if (step == 0) return 0;
    at += step;
  }
  return 1;
}

/* A string in UTF-8, from whatever encoding R marked it with; allocates only to re-encode. */
static const char *utf8(SEXP string, const char *column, int64_t row, size_t *length) {
  *length = (size_t)LENGTH(string);
  if (is_ascii(CHAR(string), *length)) return CHAR(string); /* as most text is */
  if (Rf_getCharCE(string) == CE_BYTES)
    refuse(column, "holds bytes without an encoding (row %" PRId64 ").", row + 1);
  const char *text = Rf_translateCharUTF8(string);
  *length = text == CHAR(string) ? (size_t)LENGTH(string) : strlen(text);
  if (!is_utf8(text, *length))
    refuse(column, "holds text that is not valid UTF-8 (row %" PRId64 ").", row + 1);
  return text;
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
  const char *name = TYPEOF(class) == STRSXP && XLENGTH(class) > 0 ? CHAR(STRING_ELT(class, 0))
                                                                   : Rf_type2char(TYPEOF(x));
  refuse(column, "is of class %s, which cannot be used.", name);
}

/* Describe elements `from` to `from + length - 1` of a vector. */
static void export_column(SEXP x, R_xlen_t from, R_xlen_t length, const char *name,
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

/* ------------------------------------------------------------------ from R: tables */

static void finalize_array(SEXP pointer) {
  struct ArrowArray *array = R_ExternalPtrAddr(pointer);
  if (array == NULL) return;
  if (array->release != NULL) array->release(array);
  free(array);
  R_ClearExternalPtr(pointer);
}

static void finalize_schema(SEXP pointer) {
  struct ArrowSchema *schema = R_ExternalPtrAddr(pointer);
  if (schema == NULL) return;
  if (schema->release != NULL) schema->release(schema);
  free(schema);
  R_ClearExternalPtr(pointer);
}

static SEXP owner(size_t size, void (*finalizer)(SEXP)) {
  SEXP pointer = PROTECT(R_MakeExternalPtr(NULL, R_NilValue, R_NilValue));
  R_RegisterCFinalizerEx(pointer, finalizer, FALSE);
  R_SetExternalPtrAddr(pointer, fresh(1, size));
  UNPROTECT(1);
  return pointer;
}

/* Two empty structs, list(schema, array), to be filled by us or by the other side. */
static SEXP c_structs(void) {
  drain();
  SEXP pair = PROTECT(Rf_allocVector(VECSXP, 2));
  SET_VECTOR_ELT(pair, 0, owner(sizeof(struct ArrowSchema), finalize_schema));
  SET_VECTOR_ELT(pair, 1, owner(sizeof(struct ArrowArray), finalize_array));
  UNPROTECT(1);
  return pair;
}

static struct ArrowSchema *schema_of(SEXP pair) {
  struct ArrowSchema *schema = R_ExternalPtrAddr(VECTOR_ELT(pair, 0));
  if (schema == NULL) Rf_error("An Arrow schema does not outlive its session.");
  return schema;
}

static struct ArrowArray *array_of(SEXP pair) {
  struct ArrowArray *array = R_ExternalPtrAddr(VECTOR_ELT(pair, 1));
  if (array == NULL) Rf_error("An Arrow array does not outlive its session.");
  return array;
}

/* Decimal text: an address has more digits than a double has. */
static SEXP c_addresses(SEXP pair) {
  char text[2][32];
  snprintf(text[0], sizeof text[0], "%" PRIuPTR, (uintptr_t)schema_of(pair));
  snprintf(text[1], sizeof text[1], "%" PRIuPTR, (uintptr_t)array_of(pair));
  SEXP both = PROTECT(Rf_allocVector(STRSXP, 2));
  SET_STRING_ELT(both, 0, Rf_mkChar(text[0]));
  SET_STRING_ELT(both, 1, Rf_mkChar(text[1]));
  UNPROTECT(1);
  return both;
}

/* Columns that a member of a table makes: those of a matrix, or one. */
static R_xlen_t width(SEXP x) {
  SEXP dim = Rf_getAttrib(x, R_DimSymbol);
  return TYPEOF(dim) == INTSXP && XLENGTH(dim) == 2 ? INTEGER(dim)[1] : 1;
}

/* Fill a pair with a struct of the columns of a list of vectors and matrices, with `names` for all of
 * them. The columns of a matrix lie one after the other and are lent like vectors. */
static SEXP c_export(SEXP pair, SEXP members, SEXP names, SEXP n_rows) {
  drain();
  struct ArrowSchema *schema = schema_of(pair);
  struct ArrowArray *array = array_of(pair);
  if (schema->release != NULL || array->release != NULL) Rf_error("The structs are in use.");
  R_xlen_t rows = (R_xlen_t)Rf_asReal(n_rows), columns = XLENGTH(names), counted = 0;
  for (R_xlen_t m = 0; m < XLENGTH(members); m++) counted += width(VECTOR_ELT(members, m));
  if (counted != columns) Rf_error("There must be one name a column.");

  struct labels *labels = open_schema(schema);
  schema->format = labels->format = text_copy("+s");
  schema->flags = 0;
  struct holder *held = open_array(array, rows, 1);
  labels->block = fresh((size_t)columns, sizeof *labels->block);
  labels->children = fresh((size_t)columns, sizeof *labels->children);
  held->block = fresh((size_t)columns, sizeof *held->block);
  held->children = fresh((size_t)columns, sizeof *held->children);
  for (R_xlen_t k = 0; k < columns; k++) {
    labels->children[k] = &labels->block[k];
    held->children[k] = &held->block[k];
  }
  schema->children = labels->children, schema->n_children = columns;
  array->children = held->children, array->n_children = columns;

  const void *top = vmaxget();
  R_xlen_t k = 0;
  for (R_xlen_t m = 0; m < XLENGTH(members); m++) {
    SEXP member = VECTOR_ELT(members, m);
    R_xlen_t wide = width(member);
    for (R_xlen_t j = 0; j < wide; j++, k++) {
      size_t length;
      const char *name = utf8(STRING_ELT(names, k), "names", k, &length);
      if (Rf_isVector(member) && XLENGTH(member) != rows * wide)
        refuse(name, "has %" PRId64 " values for %" PRId64 " rows.", (int64_t)XLENGTH(member), (int64_t)rows);
      export_column(member, j * rows, rows, name, &labels->block[k], &held->block[k]);
      vmaxset(top);
    }
  }
  return R_NilValue;
}

/* ------------------------------------------------------------------ to R */

/* A column as it comes in: `offset` counts those of the parents too. */
struct view {
  const struct ArrowSchema *schema;
  const struct ArrowArray *array;
  int64_t offset, length;
  const uint8_t *bits; /* NULL: nothing is missing */
  const char *name;
};

static int is_missing(const struct view *view, int64_t i) {
  if (view->bits == NULL) return 0;
  int64_t at = view->offset + i;
  return !((view->bits[at / 8] >> (at % 8)) & 1);
}

static SEXP import_column(const struct view *view);

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

static SEXP import_column(const struct view *view) {
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

/* Turn a filled pair into a named list of columns, and release it. */
static SEXP c_import(SEXP pair) {
  drain();
  struct ArrowSchema *schema = schema_of(pair);
  struct ArrowArray *array = array_of(pair);
  if (schema->release == NULL || array->release == NULL) Rf_error("Nothing came back.");
  if (strcmp(schema->format, "+s") != 0) Rf_error("What came back is no table.");
  SEXP out = PROTECT(Rf_allocVector(VECSXP, array->n_children));
  SEXP names = PROTECT(Rf_allocVector(STRSXP, array->n_children));
  for (int64_t k = 0; k < array->n_children; k++) {
    const struct ArrowArray *child = array->children[k];
    const char *name = schema->children[k]->name;
    struct view view = {schema->children[k], child, child->offset + array->offset, array->length,
                        child->null_count != 0 && child->n_buffers > 0 ? child->buffers[0] : NULL,
                        name == NULL ? "" : name};
    SET_STRING_ELT(names, k, Rf_mkCharCE(view.name, CE_UTF8));
    SET_VECTOR_ELT(out, k, import_column(&view));
  }
  Rf_setAttrib(out, R_NamesSymbol, names);
  SEXP rows = PROTECT(Rf_ScalarReal((double)array->length));
  Rf_setAttrib(out, Rf_install("rows"), rows);
  array->release(array);
  schema->release(schema);
  UNPROTECT(3);
  return out;
}

/* Exported arrays, exported schemas and lent vectors that are not released yet. */
static SEXP c_alive(void) {
  drain();
  SEXP out = PROTECT(Rf_allocVector(REALSXP, 3));
  REAL(out)[0] = (double)arrays_alive;
  REAL(out)[1] = (double)schemas_alive;
  REAL(out)[2] = (double)vectors_lent;
  UNPROTECT(1);
  return out;
}

/* Raise R's interrupt if Ctrl-C was pressed. */
static SEXP c_interrupt(void) {
  R_CheckUserInterrupt();
  return R_NilValue;
}

static const R_CallMethodDef calls[] = {
    {"c_structs", (DL_FUNC)&c_structs, 0}, {"c_addresses", (DL_FUNC)&c_addresses, 1},
    {"c_export", (DL_FUNC)&c_export, 4},   {"c_import", (DL_FUNC)&c_import, 1},
    {"c_alive", (DL_FUNC)&c_alive, 0},     {"c_interrupt", (DL_FUNC)&c_interrupt, 0},
    {NULL, NULL, 0}};

void attribute_visible R_init_renyi(DllInfo *dll) {
  on_r_thread = 1;
  lent = Rf_cons(R_NilValue, R_NilValue);
  R_PreserveObject(lent);
  R_registerRoutines(dll, NULL, calls, NULL, NULL);
  R_useDynamicSymbols(dll, FALSE);
  R_forceSymbols(dll, TRUE);
}
