#' A recipe step that keeps the columns that matter
#'
#' Selects among the columns named, for an outcome, by [renyi_select()]; `bake()` removes those that
#' were not selected. All others, and the types of those kept, stay as they are.
#'
#' @param recipe A recipe.
#' @param ... Selectors of the columns to choose from, see [recipes::selections()].
#' @param outcome Name of the outcome, as text, or names of several.
#' @param role Not used: no column is made.
#' @param trained Whether the step is prepared.
#' @param criterion,alpha,max_features,significance,permutations,seed See [renyi_options]; `NULL` for the
#'   default. They are arguments of their own so that they can be tuned.
#' @param options A named list of further options, see [renyi_options].
#' @param fit The `renyi_path`, once prepared.
#' @param removals Names of the columns removed, once prepared.
#' @param skip Whether to leave the step out when new data are baked.
#' @param id Name of the step.
#' @section Case weights:
#' A column of case weights is never a candidate. The selection is made with the weights, as importance or as
#' frequencies by their class (`hardhat::importance_weights()`, `hardhat::frequency_weights()`).
#' @section Tuning:
#' All arguments that are options can be `tune()`d. For `max_features` and `significance` the package dials has
#' ranges; values of the others (`alpha`, `criterion`, `permutations`, `seed`) must be given as a grid.
#' @return The recipe with the step added. `tidy()` has one row for each column considered: `terms`,
#'   `selected`, `step` (the step it entered at), `mi` and `cmi` there, `id`.
#' @examplesIf renyi::renyi_available() && requireNamespace("recipes", quietly = TRUE)
#' library(recipes)
#' rec <- recipe(Species ~ ., data = iris) |>
#'   step_select_renyi(all_predictors(), outcome = "Species")
#' rec |> prep() |> bake(new_data = NULL)
#' @export
step_select_renyi <- function(recipe, ..., outcome, role = NA, trained = FALSE, criterion = NULL, alpha = NULL,
                              max_features = NULL, significance = NULL, permutations = NULL, seed = 0L,
                              options = list(), fit = NULL, removals = NULL, skip = FALSE,
                              id = recipes::rand_id("select_renyi")) {
  if (missing(outcome)) {
    renyi_abort("option", "`outcome` must be given, got nothing.", "Name the outcome's column.")
  }
  written <- substitute(outcome)
  outcome <- tryCatch(outcome, error = function(error) {
    hint <- if (is.symbol(written)) sprintf("Write outcome = \"%s\".", label_of(written)) else ""
    check_option(FALSE, "outcome", "the name of one column, as text", written, hint)
  })
  named <- is.character(outcome) && length(outcome) && !anyNA(outcome)
  check_option(named, "outcome", "the name of one column, as text", outcome)
  named <- names(rlang::enquos(...))
  if (any(nzchar(named))) {
    renyi_abort(
      "option", sprintf("`%s` is not an argument of step_select_renyi().", named[nzchar(named)][1]),
      sprintf("Known: %s; any other option goes into options = list(...).", paste(tuned, collapse = ", "))
    )
  }
  recipes::add_step(recipe, recipes::step(
    subclass = "select_renyi", terms = rlang::enquos(...), outcome = outcome, role = role, trained = trained,
    criterion = criterion, alpha = alpha, max_features = max_features, significance = significance,
    permutations = permutations, seed = seed, options = options, fit = fit, removals = removals,
    skip = skip, id = id
  ))
}

tuned <- c("criterion", "alpha", "max_features", "significance", "permutations", "seed")

#' @rdname step_select_renyi
#' @param x The step.
#' @param training The data to learn from.
#' @param info What recipes knows of the variables.
#' @exportS3Method recipes::prep
prep.step_select_renyi <- function(x, training, info = NULL, ...) {
  known <- as_utf8(names(training))
  outcome <- as_utf8(x$outcome)
  absent <- setdiff(outcome, known)
  if (length(absent)) abort_unknown(absent[1], known)
  names <- as_utf8(unname(recipes::recipes_eval_select(x$terms, training, info)))
  weights <- as_utf8(unique(info$variable[info$role %in% "case_weights"]))
  names <- setdiff(known[match(names, known)], c(outcome, weights))
  if (length(names)) {
    options <- c(unclass(x)[tuned], x$options)
    options <- options[!vapply(options, is.null, NA)]
    columns <- training[match(c(names, outcome), known)]
    if (length(weights) && is.null(options$weights)) {
      column <- training[[match(weights, known)]]
      columns[[weights]] <- as.double(unclass(column))
      kind <- if (inherits(column, "hardhat_frequency_weights")) "frequency" else "importance"
      options <- utils::modifyList(list(weights = weights, weight_kind = kind), options)
    }
    x$fit <- do.call(renyi_select, c(list(columns, target = outcome), options))
    x$fit$call <- NULL
  }
  x$removals <- setdiff(names, columns_of(x$fit))
  x$trained <- TRUE
  x
}

#' @rdname step_select_renyi
#' @param object The prepared step.
#' @param new_data The data to take columns of.
#' @exportS3Method recipes::bake
bake.step_select_renyi <- function(object, new_data, ...) {
  new_data[!as_utf8(names(new_data)) %in% as_utf8(object$removals)]
}

#' @rdname step_select_renyi
#' @param width Not used.
#' @export
print.step_select_renyi <- function(x, width = max(20, getOption("width") - 35), ...) {
  title <- "Columns that matter by Renyi information for "
  recipes::print_step(x$removals, x$terms, x$trained, title = paste0(title, paste(x$outcome, collapse = ", "), ", removing "), width = width)
  invisible(x)
}

#' @rdname step_select_renyi
#' @exportS3Method generics::tidy
tidy.step_select_renyi <- function(x, ...) {
  if (x$trained) {
    fit <- x$fit
    chosen <- lapply(fit$selected, columns_of, fit = fit)
    terms <- c(texts(chosen), x$removals)
    features <- c(rep(fit$selected, lengths(chosen)), x$removals)
    place <- place_of(fit, features)
    frame <- data.frame(
      terms = terms, selected = features %in% fit$selected, step = fit$steps$step[place], mi = fit$steps$mi[place],
      cmi = fit$steps$cmi[place], stringsAsFactors = FALSE
    )
  } else {
    terms <- recipes::sel2char(x$terms)
    frame <- data.frame(terms = terms, selected = NA, step = NA_integer_, mi = NA_real_, cmi = NA_real_)
  }
  frame$id <- rep(x$id, nrow(frame))
  tibble::as_tibble(frame)
}

#' @rdname step_select_renyi
#' @exportS3Method generics::tunable
tunable.step_select_renyi <- function(x, ...) {
  ranges <- list(
    max_features = list(pkg = "dials", fun = "num_terms", range = c(1L, 10L)),
    significance = list(pkg = "dials", fun = "threshold", range = c(0.01, 0.2))
  )
  # dials has no parameter for the others: they are tuned over values that are given
  tibble::tibble(
    name = tuned,
    call_info = unname(lapply(tuned, function(name) ranges[[name]])),
    source = "recipe",
    component = "step_select_renyi",
    component_id = x$id
  )
}

#' @rdname step_select_renyi
#' @exportS3Method generics::required_pkgs
required_pkgs.step_select_renyi <- function(x, ...) {
  "renyi"
}
