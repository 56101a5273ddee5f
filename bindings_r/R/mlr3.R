#' A filter for mlr3
#'
#' Where the package mlr3filters is loaded, before this package or after it, the filter `"renyi"` is in its
#' dictionary: `mlr3filters::flt("renyi")` makes one. Nothing has to be called, and without mlr3filters nothing is
#' there.
#'
#' A selection by [renyi_select()] gives the scores. Of `m` features the first selected one has score 1, the next
#' ones `1 / m` less each. Those not selected are below 0, in the order of what each alone tells about the target. So
#' `filter.cutoff = 0` in `po("filter")` keeps what was selected. A number of features asked for is passed
#' on as `max_features`.
#'
#' The parameters `criterion`, `alpha`, `significance`, `permutations` and `seed` are options of the same name, and
#' `options` is a list of any others, see [renyi_options].
#'
#' The scores and the class are tested against a stand-in for the base class of mlr3filters, for lack of mlr3 where
#' this package is tested; with mlr3 itself they are not.
#' @name mlr_filters_renyi
#' @examples
#' if (requireNamespace("mlr3filters", quietly = TRUE) && renyi_available()) {
#'   filter <- mlr3filters::flt("renyi", alpha = 2)
#'   filter$calculate(mlr3::tsk("iris"))
#'   filter
#' }
NULL

# Put the filter into the dictionary of mlr3filters, now or as soon as that is loaded.
register_filter <- function() {
  add <- function(...) {
    filters <- asNamespace("mlr3filters")
    filters$mlr_filters$add("renyi", filter_class(filters$Filter, asNamespace("paradox")))
  }
  setHook(packageEvent("mlr3filters", "onLoad"), add)
  if ("mlr3filters" %in% loadedNamespaces()) add()
}

filter_class <- function(Filter, paradox) { # nolint
  R6::R6Class(
    "FilterRenyi",
    inherit = Filter,
    public = list(
      initialize = function() {
        given <- list(
          id = "renyi", packages = "renyi", feature_types = c("logical", "integer", "numeric", "character", "factor", "ordered", "POSIXct", "Date"),
          param_set = paradox$ps(
            criterion = paradox$p_uty(), alpha = paradox$p_dbl(lower = 0), significance = paradox$p_dbl(lower = 0, upper = 1),
            permutations = paradox$p_uty(), seed = paradox$p_int(lower = 0), options = paradox$p_uty()
          ),
          task_types = c("classif", "regr"), label = "Matrix-based Renyi entropy", man = "renyi::mlr_filters_renyi"
        )
        known <- names(formals(Filter$public_methods$initialize))
        if ("task_type" %in% known) names(given)[names(given) == "task_types"] <- "task_type" # before 0.6.0
        do.call(super$initialize, given[names(given) %in% known])
      }
    ),
    private = list(
      .calculate = function(task, nfeat) {
        values <- self$param_set$values
        options <- c(values[c("criterion", "alpha", "significance", "permutations", "seed")], values$options)
        selection_scores(task$data(cols = task$feature_names), task$truth(), nfeat, options)
      }
    ),
    parent_env = environment()
  )
}

# One score a feature, the more the better.
selection_scores <- function(features, truth, nfeat, options) {
  options <- options[!vapply(options, is.null, NA)]
  names <- names(features)
  if (nfeat < length(names) && is.null(options$max_features)) options$max_features <- nfeat
  y <- make.unique(c(names, "target"))[length(names) + 1]
  fit <- do.call(renyi_select, c(list(cbind(as.data.frame(features), stats::setNames(list(truth), y)), target = y), options))
  scores <- stats::setNames(numeric(length(names)), names)
  scores[fit$selected] <- 1 - (seq_along(fit$selected) - 1) / length(names)
  left <- setdiff(names, fit$selected)
  alone <- fit$unselected$mi[match(left, fit$unselected$feature)]
  scores[left[order(-alone, na.last = TRUE)]] <- -seq_along(left) / length(names)
  scores
}

utils::globalVariables(c("self", "super"))
