# Formulas: `.`, columns, `-` and transformations; no interactions. Not stats::terms(), whose matrix of
# factors takes the square of the number of columns.

# The columns that a formula names: list(columns, rows, target, expressions, data), where `expressions` says
# how the columns are computed that are none of the data's; several targets stand in cbind().
formula_table <- function(formula, data) {
  if (length(formula) != 3) {
    renyi_abort("formula", "The formula must name the target on its left, got none.", "As in y ~ a + b.")
  }
  if (!is.null(data) && !is.data.frame(data)) {
    renyi_abort(
      "usage", sprintf("`data` must be a data frame, got an object of class %s.", class(data)[1]),
      "Use as.data.frame()."
    )
  }
  if (!is.null(data)) names(data) <- as_utf8(names(data))
  check_names(names(data))
  env <- environment(formula)
  if (is.null(env)) env <- parent.frame(2)
  sides <- target_terms(formula[[2]])
  target <- vapply(sides, label_of, "")
  twice <- target[duplicated(target)]
  if (length(twice)) {
    renyi_abort("formula", sprintf("The formula must name each target once, got `%s` twice.", twice[1]), "Leave one out.")
  }
  known <- setdiff(names(data), c(target, as_utf8(all.vars(formula[[2]]))))
  terms <- formula_terms(formula[[3]], known, names(data), !is.null(data))
  terms <- terms[setdiff(names(terms), target)]
  if (!length(terms)) {
    renyi_abort("formula", "The formula must name at least one column on its right, got none.", "As in y ~ . for all others.")
  }
  # Columns in the table's order, expressions after them as they were written.
  terms <- terms[c(intersect(names(data), names(terms)), setdiff(names(terms), names(data)))]
  terms[target] <- Map(function(side, name) if (is.call(side)) side else name, sides, target)
  called <- vapply(terms, is.call, NA)
  there <- !called & names(terms) %in% names(data)
  columns <- stats::setNames(vector("list", length(terms)), names(terms))
  columns[there] <- unclass(data)[names(terms)[there]]
  columns[!there & !called] <- lapply(terms[!there & !called], outer_variable, env, names(data))
  values <- lapply(terms[called], term_value, data, env)
  columns[called] <- Map(plain_column, values, names(terms)[called])
  wide <- vapply(columns[target], function(column) is.matrix(column) || is.data.frame(column), NA)
  if (any(wide)) {
    renyi_abort(
      "formula", sprintf("The target must be one column, not so `%s`.", target[wide][1]),
      "Several targets are given as cbind(a, b) ~ ."
    )
  }
  rows <- if (is.null(data)) NROW(columns[[target[1]]]) else .row_names_info(data, 2L)
  sizes <- vapply(columns, NROW, 0L)
  wrong <- which(sizes != rows)
  if (length(wrong)) {
    said <- "`%s` must have one value a row: it has %d for %d rows."
    renyi_abort(
      "formula", sprintf(said, names(columns)[wrong[1]], sizes[wrong[1]], rows),
      "Take it of the same rows as the data, or leave it out."
    )
  }
  expressions <- Map(expression_record, terms[called], values, MoreArgs = list(data = data, env = env, rows = rows))
  list(columns = columns, rows = rows, target = target, expressions = expressions, data = data)
}

# A formula says columns by name: each needs one, and its own.
check_names <- function(names) {
  if (any(!nzchar(names))) {
    renyi_abort("data", sprintf("Column %d of `data` has no name.", which(!nzchar(names))[1]), "Give it one.")
  }
  if (anyDuplicated(names)) {
    said <- sprintf("Two columns of `data` are called `%s`.", names[anyDuplicated(names)])
    renyi_abort("data", said, "Rename one: names(data) <- make.unique(names(data)).")
  }
}

# The targets on the left of a formula: of cbind(a, b) each.
target_terms <- function(side) {
  if (is.call(side) && identical(side[[1]], quote(cbind)) && length(side) > 1) as.list(side)[-1] else list(side)
}

label_of <- function(term) {
  as_utf8(if (is.symbol(term)) as.character(term) else paste(deparse(term, 500L), collapse = " "))
}

# The terms of a right hand side, by label, in the order they are named: a column's name as text, an
# expression as a call.
formula_terms <- function(side, known, columns, has_data) {
  found <- list() # in the order of writing, added or taken away
  note <- function(terms, add) found[[length(found) + 1L]] <<- list(terms, rep(add, length(terms)))
  single <- function(term, add) {
    if (is.call(term)) {
      what <- if (is.symbol(term[[1]])) as.character(term[[1]]) else ""
      if (what == "(") {
        return(walk(term[[2]], add))
      }
      if (what %in% c("+", "-")) {
        return(walk(term[[2]], if (what == "-") !add else add))
      }
      refuse_term(term, what)
    }
    if (is.numeric(term)) {
      if (term %in% c(0, 1)) {
        return(invisible()) # there is no intercept to add or to take away
      }
      renyi_abort("formula", sprintf("`%s` is no column.", deparse(term)), "Name columns; there is no intercept to set.")
    }
    if (identical(term, quote(.))) {
      if (!has_data) renyi_abort("formula", "`.` in a formula needs `data`.", "Give the table as `data`, or name the columns.")
      return(note(stats::setNames(as.list(known), known), add))
    }
    label <- label_of(term)
    note(stats::setNames(list(if (is.call(term)) term else label), label), add)
  }
  # A sum of thousands of columns is nested as deep: down its left side without recursion.
  walk <- function(term, add) {
    later <- list()
    while (is.call(term) && length(term) == 3 && (identical(term[[1]], quote(`+`)) || identical(term[[1]], quote(`-`)))) {
      later[[length(later) + 1L]] <- list(term[[3]], if (identical(term[[1]], quote(`-`))) !add else add)
      term <- term[[2]]
    }
    single(term, add)
    for (part in rev(later)) walk(part[[1]], part[[2]])
  }
  walk(side, TRUE)
  terms <- do.call(c, c(list(list()), lapply(found, `[[`, 1)))
  resolved_terms(terms, as.logical(unlist(lapply(found, `[[`, 2))), columns)
}

# What is left when columns were added and taken away again.
resolved_terms <- function(terms, added, columns) {
  labels <- names(terms)
  first <- match(labels, labels[added])
  # taken away without being there: a slip, and the column meant would stay in
  absent <- !added & !labels %in% columns & (is.na(first) | which(added)[first] > seq_along(labels))
  if (any(absent)) abort_unknown(labels[absent][1], c(columns, labels[added]))
  taken <- which(!added)
  last <- taken[length(taken) + 1L - match(labels, rev(labels[taken]))]
  stays <- added & (is.na(last) | last < seq_along(labels))
  terms <- terms[stays]
  terms[!duplicated(names(terms))]
}

refuse_term <- function(term, what) {
  label <- label_of(term)
  if (what %in% c(":", "*", "^", "/", "%in%")) {
    renyi_abort(
      "formula", sprintf("The formula must have no interactions, got `%s`.", label),
      "Columns are judged together anyway; write I(...) for arithmetic."
    )
  }
  if (what %in% c("offset", "|", "~", "strata")) {
    renyi_abort("formula", sprintf("The formula must name columns, got `%s`.", label), "Leave it out; rows count by `weights` or `groups`.")
  }
  if ("." %in% all.names(term, functions = FALSE)) {
    renyi_abort("formula", sprintf("`.` must stand alone in a formula, got `%s`.", label), "Name the columns there.")
  }
}

# A variable of the formula's home that is no column of the data.
outer_variable <- function(name, env, known) {
  found <- get0(name, env, inherits = TRUE)
  if (is.null(found) || is.function(found)) abort_unknown(name, known)
  plain_column(found, name)
}

term_value <- function(term, data, env) {
  tryCatch(
    eval(term, data, env),
    error = function(error) {
      renyi_abort(
        "formula", sprintf("`%s` cannot be computed: %s.", label_of(term), first_line(error)),
        "Check it on the table alone, or leave it out."
      )
    }
  )
}

# A matrix of one column, as scale() returns it, is that column.
plain_column <- function(value, name) {
  if (is.data.frame(value) || is.function(value) || NCOL(value) != 1) {
    said <- if (is.data.frame(value) || is.function(value)) "" else sprintf(" with %d columns", NCOL(value))
    renyi_abort(
      "formula", sprintf("`%s` must be one column, got an object of class %s%s.", name, class_name(value), said),
      "Name one of its columns, or join them to the data as columns of their own."
    )
  }
  if (is.matrix(value)) as.vector(value) else value
}

abort_unknown <- function(name, known) {
  distance <- utils::adist(name, known, ignore.case = TRUE)
  close <- known[order(distance)][sort(distance) <= max(1, nchar(name) %/% 3)]
  hint <- if (length(close)) {
    sprintf("Did you mean %s?", paste0("`", utils::head(close, 3), "`", collapse = " or "))
  } else {
    "names() of the table shows what there is."
  }
  renyi_abort("column", sprintf("There is no column `%s`.", name), hint, column = name)
}

# Which rows `subset` means, as numbers, for a table of `count` rows with these names: logical values,
# numbers or names. NULL for all.
subset_rows <- function(rows, count, names) {
  if (is.null(rows)) {
    return(NULL)
  }
  if (is.logical(rows)) {
    if (length(rows) != count) {
      renyi_abort(
        "option", sprintf("`subset` must have one value a row: it has %d for %d rows.", length(rows), count),
        "Compute it of the columns of the data."
      )
    }
    return(which(rows))
  }
  if (is.character(rows)) {
    places <- match(as_utf8(rows), as_utf8(names))
    if (anyNA(places)) {
      absent <- rows[is.na(places)][1]
      renyi_abort("option", sprintf("`subset` must name rows: there is no row `%s`.", absent), "rownames(data) shows what there is.")
    }
    return(places)
  }
  if (!is.numeric(rows) || is.object(rows)) {
    renyi_abort(
      "option", sprintf("`subset` must be logical, numbers or names of rows, got an object of class %s.", class(rows)[1]),
      "As in subset = age > 18."
    )
  }
  rows <- rows[!is.na(rows)]
  if (any(abs(rows) > count)) {
    renyi_abort(
      "option", sprintf("`subset` must number rows up to %d, got %s.", count, format(rows[abs(rows) > count][1])),
      "Leave that one out."
    )
  }
  seq_len(count)[rows]
}

take_rows <- function(column, rows) {
  if (is.matrix(column) || is.data.frame(column)) column[rows, , drop = FALSE] else column[rows]
}
