#' Entropies and information between columns
#'
#' @param data A data frame, tibble, data.table or matrix; the path of a file; an `arrow` table or a
#'   `nanoarrow` array or stream.
#' @param x,y,given Names of columns: I(x; y) and, with `given`, I(x; y | given). `x` and `given` may name groups of
#'   `group_columns`.
#' @param ... Not used.
#' @param group_columns,kind,table,decimal,thousands,missing,rows,weights,weight_kind,preset,alpha,bandwidth,bandwidths,standardise,kernel,nominal,label_kernel,class_weights,solver,tolerance,seed,backend,jobs,max_memory Options of
#'   data, kernels and work, see [renyi_options].
#' @return A data frame of class `renyi_measure` with one row a quantity: `name` (such as `I(x;y)`),
#'   `value` and `error_bound` in bits, `text` (the same with the columns' names).
#' @examplesIf renyi::renyi_available()
#' renyi_measure(iris, x = "Petal.Width", y = "Species", given = "Petal.Length")
#' @export
#' @include options.R
renyi_measure <- with_options("measure", function(data, x, y, given = NULL, ...) {
  options <- given_options("measure", environment(), list(...))
  if (base::missing(x) || base::missing(y)) renyi_abort("option", "`x` and `y` must be given: names of columns.", "As in x = \"age\", y = \"sex\".")
  sides <- list(x = x, y = y, given = given)
  for (name in c("x", "y", if (!is.null(given)) "given")) {
    side <- sides[[name]]
    check_option(is.character(side) && length(side) > 0 && !anyNA(side), name, "names of columns", side, "Values are no names: add them to the data as a column.")
  }
  table <- table_place(data)
  value <- call_bridge("measure", table$place, as_dict(c(sides, options)))
  found <- value$result$quantities
  structure(
    data.frame(
      name = field_texts(found, "name"),
      value = field_numbers(found, "value"),
      error_bound = field_numbers(found, "error_bound"),
      text = field_texts(found, "text"),
      stringsAsFactors = FALSE
    ),
    class = c("renyi_measure", "data.frame")
  )
})

#' @export
print.renyi_measure <- function(x, digits = 6L, ...) {
  if (!all(c("text", "value") %in% names(x))) {
    return(NextMethod()) # a part of it is any data frame
  }
  values <- formatC(x$value, format = "f", digits = digits)
  lines <- paste0(formatC(x$text, width = -max(nchar(x$text, "width"))), "  ", formatC(values, width = max(nchar(values))))
  writeLines(paste(lines, "bits"))
  invisible(x)
}

#' What a table is taken for
#'
#' Says of each column its kind, its kernel and why, and what it alone tells of the target; nothing is
#' selected.
#'
#' @param data A data frame, tibble, data.table or matrix; the path of a file; an `arrow` table or a
#'   `nanoarrow` array or stream.
#' @param target Name of the target; found by rule if left out.
#' @param ... Not used.
#' @param features,exclude,keep,group_columns,groups,shuffle,blocks,kind,table,decimal,thousands,missing,rows,weights,weight_kind,preset,alpha,bandwidth,bandwidths,standardise,kernel,nominal,label_kernel,class_weights,solver,tolerance,seed,backend,jobs,max_memory
#'   Options of data, kernels and work, see [renyi_options]. Missing values are counted, and the entropies are those
#'   of the complete rows.
#' @return A data frame of class `renyi_description` with one row a column: `name`, `role`, `kind`,
#'   `kernel`, `bandwidth`, `distinct`, `missing`, `reason`, `entropy`, `mi_with_target` and
#'   `saturation` in bits, and `alias_of`, the column that stands for it in a selection.
#' @examplesIf renyi::renyi_available()
#' renyi_describe(iris, target = "Species")
#' @export
renyi_describe <- with_options("describe", function(data, target = NULL, ...) {
  options <- given_options("describe", environment(), list(...))
  table <- table_place(data)
  value <- call_bridge("describe", table$place, as_dict(options))
  result <- value$result
  columns <- data_report(result$data)$columns
  held <- result$columns
  place <- match(columns$name, field_texts(held, "name"))
  for (name in c("entropy", "mi_with_target", "saturation")) {
    columns[[name]] <- field_numbers(held, name)[place]
  }
  columns$alias_of <- field_texts(held, "alias_of")[place]
  structure(columns, target_entropy = number_or_na(result$target_entropy), class = c("renyi_description", "data.frame"))
})

#' @export
print.renyi_description <- function(x, digits = 4L, ...) {
  if (!all(c("name", "role", "kind", "distinct", "missing", "entropy", "mi_with_target", "reason") %in% names(x))) {
    return(NextMethod())
  }
  bits <- function(value) ifelse(is.na(value), "-", formatC(value, format = "f", digits = digits))
  shown <- data.frame(
    column = x$name, role = x$role, kind = ifelse(is.na(x$kind), "-", x$kind),
    distinct = x$distinct, missing = x$missing,
    "H(x)" = bits(x$entropy), "I(x;y)" = bits(x$mi_with_target), why = x$reason, check.names = FALSE
  )
  print(shown, row.names = FALSE, right = FALSE)
  invisible(x)
}

# Where a table of any kind is, for calls that do nothing but read it. `structs` keeps it alive.
table_place <- function(data) {
  if (is.character(data)) {
    return(list(place = file_place(data)))
  }
  if (inherits(data, c("ArrowTabular", "nanoarrow_array_stream", "nanoarrow_array"))) {
    return(list(place = stream_place(data)))
  }
  if (!is.data.frame(data) && !is.matrix(data)) abort_table(data)
  table <- table_members(data)
  structs <- arrow_export(table$members, table$rows)
  list(place = addresses(structs, source = source_name(data)), structs = structs)
}
