/* Text of R as UTF-8. */
#include "arrow.h"
#ifndef _WIN32
#include <langinfo.h>
#endif

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

/* Whether the locale has no encoding for more than ASCII, as the C locale: R then reads any other byte as
 * unknown and writes `<c3><a9>` for it. */
static int is_ascii_locale(void) {
#ifdef _WIN32
  return 0;
#else
  const char *name = nl_langinfo(CODESET);
  return !strcmp(name, "ANSI_X3.4-1968") || !strcmp(name, "US-ASCII") || !strcmp(name, "ASCII") || !strcmp(name, "646");
#endif
}

/* A string in UTF-8, from whatever encoding R marked it with; allocates only to re-encode. Text that R did not
 * mark is in the encoding of the locale; where that has none, it is UTF-8 or nothing that can be read. */
attribute_hidden const char *utf8(SEXP string, const char *column, int64_t row, size_t *length) {
  *length = (size_t)LENGTH(string);
  if (is_ascii(CHAR(string), *length)) return CHAR(string); /* as most text is */
  if (Rf_getCharCE(string) == CE_BYTES)
    refuse(column, "holds bytes without an encoding (row %" PRId64 ").", row + 1);
  int as_it_is = Rf_getCharCE(string) == CE_NATIVE && is_ascii_locale();
  const char *text = as_it_is ? CHAR(string) : Rf_translateCharUTF8(string);
  *length = text == CHAR(string) ? (size_t)LENGTH(string) : strlen(text);
  if (!is_utf8(text, *length))
    refuse(column, "holds text that is not valid UTF-8 (row %" PRId64 ").", row + 1);
  return text;
}

/* The same for names that are looked up: marked as UTF-8, and left as they are where they cannot be read. */
attribute_hidden SEXP c_utf8(SEXP x) {
  R_xlen_t n = XLENGTH(x);
  SEXP out = PROTECT(Rf_allocVector(STRSXP, n));
  int ascii_only = is_ascii_locale();
  const void *top = vmaxget();
  for (R_xlen_t i = 0; i < n; i++) {
    SEXP string = STRING_ELT(x, i);
    size_t length = (size_t)LENGTH(string);
    cetype_t mark = Rf_getCharCE(string);
    if (string == NA_STRING || mark == CE_BYTES || is_ascii(CHAR(string), length)) {
      SET_STRING_ELT(out, i, string);
      continue;
    }
    const char *text = mark == CE_NATIVE && ascii_only ? CHAR(string) : Rf_translateCharUTF8(string);
    SET_STRING_ELT(out, i, is_utf8(text, strlen(text)) ? Rf_mkCharCE(text, CE_UTF8) : string);
    vmaxset(top);
  }
  Rf_copyMostAttrib(x, out);
  SEXP names = Rf_getAttrib(x, R_NamesSymbol);
  if (names != R_NilValue) Rf_setAttrib(out, R_NamesSymbol, names);
  UNPROTECT(1);
  return out;
}
