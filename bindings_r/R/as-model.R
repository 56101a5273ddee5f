#' What models know of a selection
#'
#' The generics of models, for a selection: `formula()` is the target and all columns that were to choose from,
#' `update()` selects again with other arguments or another formula, `nobs()` counts the rows used, and
#' `variable.names()` names the selected columns.
#'
#' @param x,object A `renyi_path`.
#' @param formula. Changes to the formula, as in `. ~ . - x`, where the selection was made by one.
#' @param ... Arguments of [renyi_select()] to change, by name; not used by the others.
#' @param evaluate Whether the new call is made, or only returned.
#' @param full Whether all columns that were to choose from are named, not the selected ones alone.
#' @return `formula()` a formula, `update()` a new `renyi_path`, `nobs()` a whole number, `variable.names()` text.
#' @seealso [selected_formula()], the formula of the selected columns.
#' @examplesIf renyi::renyi_available()
#' fit <- renyi_select(Species ~ ., data = iris)
#' formula(fit)
#' selected(update(fit, . ~ . - Petal.Width))
#' update(fit, alpha = 1.01, evaluate = FALSE)
#' nobs(fit)
#' @export
formula.renyi_path <- function(x, ...) {
  env <- if (is.null(x$formula)) parent.frame() else environment(x$formula)
  formula_of(x, candidates(x), env)
}

# All columns of a formula; of a table those that are neither target nor left out.
candidates <- function(x) {
  columns <- x$data$columns
  if (is.null(x$formula)) columns$name[columns$role == "feature"] else setdiff(columns$name, targets_of(x))
}

#' @rdname formula.renyi_path
#' @export
update.renyi_path <- function(object, formula., ..., evaluate = TRUE) { # nolint
  call <- object$call
  if (is.null(call)) {
    renyi_abort("usage", "A selection within a recipe has no call to update.", "Change the step, and prepare the recipe again.")
  }
  if (!missing(formula.)) {
    if (is.null(object$formula)) {
      renyi_abort(
        "usage", "The selection was made of a table: there is no formula to update.",
        "Leave columns out by name: update(fit, exclude = \"x\")."
      )
    }
    call$x <- updated_formula(object, stats::as.formula(formula.))
  }
  extras <- match.call(expand.dots = FALSE)$...
  for (name in names(extras)) call[[name]] <- extras[[name]]
  if (evaluate) eval(call, parent.frame()) else call
}

# `.` is what stood on that side before. Not stats::update.formula(), which takes the square of the number of columns.
updated_formula <- function(object, change) {
  old <- stats::formula(object)
  put <- function(side, before) do.call(substitute, list(side, list(. = before)))
  left <- if (length(change) == 3) put(change[[2]], old[[2]]) else old[[2]]
  right <- formula_terms(put(change[[length(change)]], old[[3]]), character(), object$data$columns$name, TRUE)
  right <- right[setdiff(names(right), vapply(target_terms(left), label_of, ""))]
  terms <- lapply(right, function(term) if (is.call(term)) term else as.name(term))
  right <- if (length(terms)) Reduce(function(a, b) call("+", a, b), terms) else 1
  stats::as.formula(call("~", left, right), env = environment(old))
}

#' @rdname formula.renyi_path
#' @importFrom stats nobs
#' @export
nobs.renyi_path <- function(object, ...) {
  as.integer(object$data$rows_used)
}

#' @rdname formula.renyi_path
#' @importFrom stats variable.names
#' @export
variable.names.renyi_path <- function(object, full = FALSE, ...) { # nolint
  if (full) candidates(object) else columns_of(object)
}
