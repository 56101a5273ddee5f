/* What both ways share: refusals, memory, vectors that are lent, and the release of what we export. */
#include "arrow.h"

static _Thread_local int on_r_thread = 0; /* set once, when the package is loaded */
static SEXP lent = NULL;                  /* head of a doubly linked list of lent vectors */
static atomic_llong arrays_alive, schemas_alive, vectors_lent;
static _Atomic(struct holder *) queue = NULL;

/* Raise a classed R condition that names the column. */
attribute_hidden void NORET refuse(const char *column, const char *format, ...) {
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

attribute_hidden void *fresh(size_t count, size_t size) {
  void *block = calloc(count ? count : 1, size);
  if (block == NULL) Rf_error("There is not enough memory for a copy of %.0f bytes.", (double)count * (double)size);
  return block;
}

attribute_hidden char *text_copy(const char *text) {
  char *copy = fresh(strlen(text) + 1, 1);
  strcpy(copy, text);
  return copy;
}

/* A cell holds its vector as tag, its neighbours as car and cdr: both ways in constant time. */
attribute_hidden SEXP lend(SEXP vector) {
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

attribute_hidden void drain(void) {
  struct holder *item = atomic_exchange(&queue, NULL);
  while (item != NULL) {
    struct holder *next = item->next;
    take_back(item->cell);
    free(item);
    item = next;
  }
}

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
attribute_hidden struct holder *open_array(struct ArrowArray *array, int64_t length, int n_buffers) {
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

attribute_hidden struct labels *open_schema(struct ArrowSchema *schema) {
  struct labels *held = fresh(1, sizeof *held);
  memset(schema, 0, sizeof *schema);
  schema->private_data = held;
  schema->release = release_schema;
  schema->flags = FLAG_NULLABLE;
  schema->format = schema->name = "";
  schemas_alive++;
  return held;
}

attribute_hidden void name_schema(struct ArrowSchema *schema, const char *format, const char *name) {
  struct labels *held = open_schema(schema);
  schema->format = held->format = text_copy(format);
  schema->name = held->name = text_copy(name);
}

/* On R's own thread, once. */
attribute_hidden void open_lending(void) {
  on_r_thread = 1;
  lent = Rf_cons(R_NilValue, R_NilValue);
  R_PreserveObject(lent);
}

/* Exported arrays, exported schemas and lent vectors that are not released yet. */
attribute_hidden SEXP c_alive(void) {
  drain();
  SEXP out = PROTECT(Rf_allocVector(REALSXP, 3));
  REAL(out)[0] = (double)arrays_alive;
  REAL(out)[1] = (double)schemas_alive;
  REAL(out)[2] = (double)vectors_lent;
  UNPROTECT(1);
  return out;
}
