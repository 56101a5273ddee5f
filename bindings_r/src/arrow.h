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
 *
 * lending.c holds what is shared and released, text.c the encodings, from_r.c and to_r.c one column each way,
 * tables.c the tables and the calls of R.
 */
#ifndef RENYI_ARROW_H
#define RENYI_ARROW_H

#define R_NO_REMAP
#include <R.h>
#include <Rinternals.h>
#include <R_ext/Utils.h>
#include <R_ext/Visibility.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FLAG_ORDERED 1
#define FLAG_NULLABLE 2
#define CHUNK 65536 /* elements between two looks for Ctrl-C */

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

/* A column as it comes in: `offset` counts those of the parents too. */
struct view {
  const struct ArrowSchema *schema;
  const struct ArrowArray *array;
  int64_t offset, length;
  const uint8_t *bits; /* NULL: nothing is missing */
  const char *name;
};

static inline void look_for_interrupt(int64_t row) {
  if (row != 0 && row % (16 * CHUNK) == 0) R_CheckUserInterrupt();
}

/* lending.c */
attribute_hidden void NORET refuse(const char *column, const char *format, ...);
attribute_hidden void *fresh(size_t count, size_t size);
attribute_hidden char *text_copy(const char *text);
attribute_hidden SEXP lend(SEXP vector);
attribute_hidden void drain(void);
attribute_hidden struct holder *open_array(struct ArrowArray *array, int64_t length, int n_buffers);
attribute_hidden struct labels *open_schema(struct ArrowSchema *schema);
attribute_hidden void name_schema(struct ArrowSchema *schema, const char *format, const char *name);
attribute_hidden void open_lending(void);
attribute_hidden SEXP c_alive(void);

/* text.c */
attribute_hidden const char *utf8(SEXP string, const char *column, int64_t row, size_t *length);
attribute_hidden SEXP c_utf8(SEXP x);

/* from_r.c, to_r.c */
attribute_hidden void export_column(SEXP x, R_xlen_t from, R_xlen_t length, const char *name,
                                    struct ArrowSchema *schema, struct ArrowArray *array);
attribute_hidden SEXP import_column(const struct view *view);

#endif
