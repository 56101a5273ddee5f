# Tables of the packages arrow and nanoarrow, passed on as they are: R never sees their values.
stream_place <- function(x) {
  if (!requireNamespace("nanoarrow", quietly = TRUE)) {
    renyi_abort(
      "extra", sprintf("An object of class %s needs the package nanoarrow.", class(x)[1]),
      "Install it: install.packages(\"nanoarrow\")"
    )
  }
  stream <- nanoarrow::as_nanoarrow_array_stream(x)
  place <- as_dict(list(stream = nanoarrow::nanoarrow_pointer_addr_chr(stream), source = class(x)[1]))
  attr(place, "stream") <- stream # alive for as long as the place is
  place
}
