# Formulas: `.`, columns, `-` and transformations; no interactions. Not stats::terms(), whose matrix of
# factors takes the square of the number of columns.

# The columns that a formula names: list(columns, rows, target, terms, data), several targets in cbind(), where `terms` holds the
# labels of the columns that are expressions.
formula_table <- function(formula, data) {
  if (length(formula) != 3) {
    renyi_abort("formula", "The formula must name the target on its left, as in y ~ a + b.")
  }
  if (!is.null(data) && !is.data.frame(data)) {
    renyi_abort(
      "usage", sprintf("`data` must be a data frame, got an object of class %s.", class(data)[1]),
      "Use as.data.frame()."
    )
  }
  check_names(names(data))
  env <- environment(formula)
  if (is.null(env)) env <- parent.frame(2)
  sides <- target_terms(formula[[2]])
  target <- vapply(sides, label_of, "")
  twice <- target[duplicated(target)]
  if (length(twice)) renyi_abort("formula", sprintf("The formula must name each target once, got `%s` twice.", twice[1]))
  known <- setdiff(names(data), c(target, all.vars(formula[[2]])))
  labels <- formula_labels(formula[[3]], known, names(data), !is.null(data))
  labels <- labels[setdiff(names(labels), target)]
  if (!length(labels)) renyi_abort("formula", "The formula must name at least one column on its right.")
  # Columns in the table's order, expressions after them as they were written.
  order <- c(intersect(names(data), names(labels)), setdiff(names(labels), names(data)))
  columns <- lapply(labels[order], function(term) if (is.symbol(term)) NULL else formula_column(term, data, env))
  plain <- vapply(labels[order], is.symbol, NA)
  there <- plain & order %in% names(data)
  columns[there] <- unclass(data)[order[there]]
  columns[plain & !there] <- lapply(labels[order][plain & !there], formula_column, data, env)
  columns[target] <- lapply(sides, formula_column, data, env)
  wide <- vapply(columns[target], function(column) is.matrix(column) || is.data.frame(column), NA)
  if (any(wide)) {
    renyi_abort("formula", sprintf("The target must be one column, not so `%s`.", target[wide][1]))
  }
  rows <- if (is.null(data)) NROW(columns[[target[1]]]) else .row_names_info(data, 2L)
  sizes <- vapply(columns, NROW, 0L)
  wrong <- which(sizes != rows)
  if (length(wrong)) {
    said <- "`%s` must have one value a row: it has %d for %d rows."
    renyi_abort("formula", sprintf(said, names(columns)[wrong[1]], sizes[wrong[1]], rows))
  }
  calls <- names(columns)[vapply(c(labels[order], sides), is.call, NA)]
  list(columns = columns, rows = rows, target = target, terms = calls, data = data)
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
  if (is.symbol(term)) as.character(term) else paste(deparse(term, 500L), collapse = " ")
}

# The terms of a right hand side, by label, in the order they are named.
formula_labels <- function(side, known, columns, has_data) {
  found <- list()
  walk <- function(term, add) {
    if (is.call(term)) {
      what <- if (is.symbol(term[[1]])) as.character(term[[1]]) else ""
      if (what == "(") {
        return(walk(term[[2]], add))
      }
      if (what %in% c("+", "-")) {
        left <- length(term) == 3
        if (left) walk(term[[2]], add)
        return(walk(term[[if (left) 3 else 2]], if (what == "-") !add else add))
      }
      refuse_term(term, what)
    }
    if (is.numeric(term)) {
      if (term %in% c(0, 1)) {
        return(invisible()) # there is no intercept to add or to take away
      }
      renyi_abort("formula", sprintf("`%s` is no column.", deparse(term)))
    }
    named <- list(term)
    names(named) <- label_of(term)
    if (identical(term, quote(.))) {
      if (!has_data) renyi_abort("formula", "`.` in a formula needs `data`.")
      named <- lapply(known, as.name)
      names(named) <- known
    }
    if (add) {
      found <<- c(found, named[setdiff(names(named), names(found))])
    } else {
      # taken away without being there: a slip, and the column meant would stay in
      absent <- setdiff(names(named), c(names(found), columns))
      if (length(absent)) abort_unknown(absent[1], c(columns, names(found)))
      found <<- found[setdiff(names(found), names(named))]
    }
  }
  walk(side, TRUE)
  found
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
    renyi_abort("formula", sprintf("The formula must name columns, got `%s`.", label))
  }
  if ("." %in% all.names(term, functions = FALSE)) {
    renyi_abort("formula", sprintf("`.` must stand alone in a formula, got `%s`.", label))
  }
}

# A column of the data, a variable of the formula's home, or an expression in both.
formula_column <- function(term, data, env) {
  if (is.symbol(term)) {
    name <- as.character(term)
    if (name %in% names(data)) {
      return(data[[name]])
    }
    found <- get0(name, env, inherits = TRUE)
    if (is.null(found) || is.function(found)) abort_unknown(name, names(data))
    return(plain_column(found, name))
  }
  value <- tryCatch(
    eval(term, data, env),
    error = function(error) {
      renyi_abort("formula", sprintf("`%s` cannot be computed: %s.", label_of(term), first_line(error)))
    }
  )
  plain_column(value, label_of(term))
}

# A matrix of one column, as scale() returns it, is that column.
plain_column <- function(value, name) {
  if (NCOL(value) != 1 || is.data.frame(value)) {
    renyi_abort("formula", sprintf("`%s` must be one column, got %d.", name, NCOL(value)))
  }
  if (is.matrix(value)) as.vector(value) else value
}

abort_unknown <- function(name, known) {
  distance <- utils::adist(name, known, ignore.case = TRUE)
  close <- known[order(distance)][sort(distance) <= max(1, nchar(name) %/% 3)]
  hint <- if (length(close)) sprintf("Did you mean %s?", paste0("`", utils::head(close, 3), "`", collapse = " or ")) else ""
  renyi_abort("column", sprintf("There is no column `%s`.", name), hint, column = name)
}

take_rows <- function(column, rows, count) {
  if (is.logical(rows)) rows <- rows & !is.na(rows)
  if (is.logical(rows) && length(rows) != count) {
    renyi_abort("option", sprintf("`subset` must have one value a row: it has %d for %d rows.", length(rows), count))
  }
  if (is.matrix(column)) column[rows, , drop = FALSE] else column[rows]
}
