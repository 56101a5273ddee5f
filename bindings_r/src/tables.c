/* Tables both ways, and what R calls. */
#include "arrow.h"
#include <R_ext/Rdynload.h>

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
      /* a list is refused by its class, which says more than its length */
      if (Rf_isVector(member) && TYPEOF(member) != VECSXP && XLENGTH(member) != rows * wide)
        refuse(name, "has %" PRId64 " values for %" PRId64 " rows.", (int64_t)XLENGTH(member), (int64_t)rows);
      export_column(member, j * rows, rows, name, &labels->block[k], &held->block[k]);
      vmaxset(top);
    }
  }
  return R_NilValue;
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

/* Raise R's interrupt if Ctrl-C was pressed. */
static SEXP c_interrupt(void) {
  R_CheckUserInterrupt();
  return R_NilValue;
}

static const R_CallMethodDef calls[] = {
    {"c_structs", (DL_FUNC)&c_structs, 0}, {"c_addresses", (DL_FUNC)&c_addresses, 1},
    {"c_export", (DL_FUNC)&c_export, 4},   {"c_import", (DL_FUNC)&c_import, 1},
    {"c_alive", (DL_FUNC)&c_alive, 0},     {"c_interrupt", (DL_FUNC)&c_interrupt, 0},
    {"c_utf8", (DL_FUNC)&c_utf8, 1},       {NULL, NULL, 0}};

void attribute_visible R_init_renyi(DllInfo *dll) {
  open_lending();
  R_registerRoutines(dll, NULL, calls, NULL, NULL);
  R_useDynamicSymbols(dll, FALSE);
  R_forceSymbols(dll, TRUE);
}
