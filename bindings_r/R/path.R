#' What a selection returns
#'
#' A list of plain R data: `saveRDS()` and `readRDS()` keep it as it is, without Python.
#'
#' @format A list of class `renyi_path`:
#' \describe{
#'   \item{`selected`}{Names of the selected columns, in the order they entered.}
#'   \item{`steps`}{A data frame with one row a step, see below. Its last row may hold a column that was
#'     tested and not selected, or one that was to be taken away and stays.}
#'   \item{`criteria`}{A data frame with one row for each criterion at each step: what was compared, the
#'     p-value, draws, exceedances and quantiles under shuffling.}
#'   \item{`verdict`}{Why it stopped: `stopped` (`criterion`, `max_features`, `exhausted`,
#'     `interrupted`), `reason` in words, `step`, `criteria`.}
#'   \item{`purpose`}{What the selected columns are for: `"model"`, `"news"`, or `NULL` where the criterion has no
#'     name for it.}
#'   \item{`aliases`}{A named list: for a selected column, those that are the same but for names, unit
#'     or sign, and for which it stands.}
#'   \item{`unselected`}{A data frame that says of each other column why it is not selected: `feature`,
#'     `code` (`alias`, `redundant`, `uninformative`, `weak`, `not_reached`), `reason` in words, `mi`
#'     (alone) and `gain` (given the selected ones) in bits, `p_value`, and `given`, the columns that
#'     explain it.}
#'   \item{`bandwidth_choice`}{Of `bandwidth = "auto"`, else `NULL`: the `sigma` taken, the `p_value` with
#'     the choice counted, `copies`, `rows`, and `trials`, a data frame with a row for each bandwidth.}
#'   \item{`sensitivity`}{Of `sensitivity = TRUE`, else `NULL`: `settings`, a data frame with a row for each
#'     alpha and bandwidth, `features`, in what share of them each column was selected, and `asked`.}
#'   \item{`stability`}{Of `stability = N`, else `NULL`: `features`, in what share of the halves each column was
#'     selected, `sizes`, `thresholds` with bounds on the expected number of columns that are above a
#'     share by chance, `halves`, and `asked`, `rows`, `stratified`, `candidates`, `kept`, `mean_size`.}
#'   \item{`data`}{`source`, `fingerprint`, `rows`, `rows_used`, `target`, `targets` (its columns),
#'     `target_reason`, `group_columns`, a
#'     named list of the columns of each group, and `columns`, a data frame that says of each column its
#'     role, kind, kernel and why.}
#'   \item{`options`, `data_options`, `seed`}{Every choice, after defaults.}
#'   \item{`warnings`}{A data frame with `code`, `message` and `columns`.}
#'   \item{`run`}{How the work was done; no part of the answer.}
#'   \item{`formula`, `expressions`}{The formula, with its environment as in other models; how its columns
#'     are computed that are expressions.}
#'   \item{`call`}{The call.}
#'   \item{`json`}{The whole result as text, as the command `renyi` writes it: `writeLines(fit$json,
#'     "result.json")` makes a file for `renyi plot` and `renyi apply`.}
#' }
#'
#' @section Columns of `steps`:
#' \describe{
#'   \item{`action`, `selected`}{`"keep"` for a column forced in, `"start"` for those that the search begins with,
#'     `"add"` for one found, `"remove"` for one taken away; and whether it is selected after the step.}
#'   \item{`feature`}{The column; several joined by `+` where they entered together.}
#'   \item{`mi`}{What the columns so far together tell about the target, bits.}
#'   \item{`mi_chance`}{What chance gives `mi`: what they would tell about the target if it were shuffled.
#'     `NA` at other orders than 2; there `chance`, `above_chance` and `z` are, too, with rank `"raw"`.}
#'   \item{`cmi`}{What all the others would still add, bits; `NA` with `cmi_code` where it was not
#'     computed.}
#'   \item{`gain`}{How much this column adds to `mi` given the others.}
#'   \item{`chance`, `above_chance`}{What chance gives the gain: its mean over all orders of the column's
#'     rows, and how much the gain is above that, bits.}
#'   \item{`z`}{The same in standard deviations over these orders.}
#'   \item{`score`}{By which candidates were ranked, where that is not joint MI.}
#'   \item{`saturation`}{Near 0 every row is alone, and `mi` and `cmi` say nothing.}
#'   \item{`runner_up`, `runner_up_mi`, `gap`}{The second best column, and by how much it lost.}
#'   \item{`error_bound`}{The largest error of `mi` and `cmi`, bits.}
#'   \item{`mi_error`, `cmi_error`, `gain_error`, `z_error`}{Standard errors where sums are estimated from a share of all
#'     `pairs`; `NA` without.}
#'   \item{`choice_open`, `stop_open`}{Whether all pairs might rank another column first, or turn the test; `NA` without.}
#' }
#' @seealso [print.renyi_path()], [plot.renyi_path()], [selected()], [predict.renyi_path()],
#'   [tidy.renyi_path()]
#' @name renyi_path
NULL

# From a reply's value to a path. Numbers are taken over as they are.
new_path <- function(value, call) {
  record <- value$result
  structure(
    list(
      selected = texts(record$selected),
      steps = steps_frame(record$steps),
      criteria = criteria_frame(record$steps),
      verdict = list(
        stopped = record$verdict$stopped,
        reason = text_or_na(record$verdict$reason),
        step = as.integer(record$verdict$step),
        criteria = texts(record$verdict$criteria)
      ),
      purpose = value$purpose,
      aliases = lapply(record$aliases, texts),
      unselected = unselected_frame(record$unselected),
      bandwidth_choice = bandwidth_choice(record$bandwidth_choice),
      sensitivity = sensitivity(record$sensitivity),
      stability = stability(record$stability),
      data = data_report(record$data),
      data_options = simplified(record$data_options),
      options = simplified(record$options),
      seed = record$seed,
      warnings = notes_frame(record$warnings),
      run = simplified(record$run),
      schema_version = record$schema_version,
      expressions = list(),
      call = call,
      json = text_or_na(value$json)
    ),
    class = "renyi_path"
  )
}

steps_frame <- function(steps) {
  entropies <- lapply(steps, `[[`, "entropies")
  rivals <- lapply(steps, `[[`, "runner_up")
  errors <- lapply(steps, `[[`, "errors")
  rival <- vapply(rivals, function(r) if (is.null(r)) NA_character_ else joined(r$features), "")
  data.frame(
    step = field_wholes(steps, "index"),
    action = field_texts(steps, "action"),
    feature = vapply(steps, function(s) joined(s$features), ""),
    selected = field_flags(steps, "selected"),
    mi = field_numbers(steps, "mi"),
    mi_chance = field_numbers(steps, "mi_chance"),
    cmi = field_numbers(steps, "cmi"),
    cmi_code = field_texts(steps, "cmi_code"),
    gain = field_numbers(steps, "gain"),
    chance = field_numbers(steps, "chance"),
    above_chance = field_numbers(steps, "above_chance"),
    z = field_numbers(steps, "z"),
    score = field_numbers(steps, "score"),
    saturation = field_numbers(steps, "saturation"),
    runner_up = rival,
    runner_up_mi = field_numbers(rivals, "mi"),
    gap = field_numbers(rivals, "gap"),
    entropy_selected = field_numbers(entropies, "selected"),
    entropy_joint = field_numbers(entropies, "joint"),
    entropy_target = field_numbers(entropies, "target"),
    conditional_all = field_numbers(entropies, "conditional_all"),
    error_bound = field_numbers(steps, "error_bound"),
    mi_error = field_numbers(errors, "mi"),
    cmi_error = field_numbers(errors, "cmi"),
    gain_error = field_numbers(errors, "gain"),
    z_error = field_numbers(errors, "z"),
    choice_open = field_flags(errors, "choice_open"),
    stop_open = field_flags(errors, "stop_open"),
    stringsAsFactors = FALSE
  )
}

# Which row of `steps` each column entered at; a step may have two.
place_of <- function(fit, columns) {
  known <- c(fit$data$columns$name, names(fit$data$group_columns))
  members <- lapply(fit$steps$feature, function(feature) {
    if (feature %in% known) feature else strsplit(feature, " + ", fixed = TRUE)[[1]]
  })
  rep(seq_along(members), lengths(members))[match(columns, unlist(members))]
}

criteria_frame <- function(steps) {
  index <- field_wholes(steps, "index")
  counts <- vapply(steps, function(s) length(s$criteria), 0L)
  reports <- do.call(c, c(list(list()), lapply(steps, `[[`, "criteria")))
  quantiles <- lapply(reports, function(r) {
    if (is.null(r$null_quantiles)) rep(NA_real_, 3) else as.double(unlist(r$null_quantiles))
  })
  quantile <- function(k) vapply(quantiles, `[`, 0, k)
  data.frame(
    step = rep(index, counts),
    criterion = field_texts(reports, "criterion"),
    stop = field_flags(reports, "stop"),
    keeps_feature = field_flags(reports, "keeps_feature"),
    reason = field_texts(reports, "reason"),
    statistic_name = field_texts(reports, "statistic_name"),
    statistic = field_numbers(reports, "statistic"),
    threshold = field_numbers(reports, "threshold"),
    p_value = field_numbers(reports, "p_value"),
    p_upper = field_numbers(reports, "p_upper"),
    drawn = field_wholes(reports, "drawn"),
    exceedances = field_wholes(reports, "exceedances"),
    null_low = quantile(1),
    null_median = quantile(2),
    null_high = quantile(3),
    null_error = field_numbers(reports, "null_error"),
    stringsAsFactors = FALSE
  )
}

data_report <- function(data) {
  columns <- data$columns
  list(
    source = text_or_na(data$source),
    fingerprint = data$fingerprint,
    rows = number_or_na(data$rows),
    rows_used = number_or_na(data$rows_used),
    target = text_or_na(data$target),
    targets = if (is.null(data$targets)) text_or_na(data$target) else texts(data$targets),
    target_reason = text_or_na(data$target_reason),
    group_columns = stats::setNames(
      lapply(data$group_columns, function(group) texts(group$columns)), field_texts(data$group_columns, "name")
    ),
    columns = data.frame(
      name = field_texts(columns, "name"),
      role = field_texts(columns, "role"),
      dtype = field_texts(columns, "dtype"),
      kind = field_texts(columns, "kind"),
      kernel = field_texts(columns, "kernel"),
      bandwidth = field_numbers(columns, "bandwidth"),
      distinct = field_numbers(columns, "distinct"),
      missing = field_numbers(columns, "missing"),
      reason = field_texts(columns, "reason"),
      code = field_texts(columns, "code"),
      stringsAsFactors = FALSE
    )
  )
}

# The columns of the table that features are: those of a group in place of its name.
columns_of <- function(fit, features = fit$selected) {
  groups <- fit$data$group_columns
  texts(lapply(features, function(name) if (name %in% names(groups)) groups[[name]] else name))
}

# The columns that are the target; a path of an earlier version has one.
targets_of <- function(fit) if (is.null(fit$data$targets)) fit$data$target else fit$data$targets

# How many candidates there were, a group counted as one.
feature_count <- function(data) {
  sum(data$columns$role == "feature") - sum(lengths(data$group_columns) - 1L)
}

unselected_frame <- function(reasons) {
  frame <- data.frame(
    feature = field_texts(reasons, "feature"),
    code = field_texts(reasons, "code"),
    reason = field_texts(reasons, "reason"),
    mi = field_numbers(reasons, "mi"),
    gain = field_numbers(reasons, "gain"),
    p_value = field_numbers(reasons, "p_value"),
    stringsAsFactors = FALSE
  )
  frame$given <- lapply(reasons, function(why) texts(why$given))
  frame
}

notes_frame <- function(notes) {
  frame <- data.frame(
    code = field_texts(notes, "code"),
    message = field_texts(notes, "message"),
    stringsAsFactors = FALSE
  )
  frame$columns <- lapply(notes, function(note) texts(note$columns))
  frame
}

#' The selected columns
#'
#' @param object A `renyi_path`.
#' @param ... Not used.
#' @return `selected()`: the names, in the order they were selected; none is an answer, too.
#'   `selected_formula()`: the formula `target ~ columns`, for a model, with all columns of a group;
#'   `target ~ 1` without any. Several targets stand in cbind().
#' @seealso [formula.renyi_path()] for all columns that were to choose from.
#' @examplesIf renyi::renyi_available()
#' fit <- renyi_select(Species ~ ., data = iris)
#' selected(fit)
#' selected_formula(fit)
#' @export
selected <- function(object, ...) {
  UseMethod("selected")
}

#' @rdname selected
#' @param columns Whether to give the columns of a group (see `group_columns` in [renyi_options]) in
#'   place of its name.
#' @export
selected.renyi_path <- function(object, columns = FALSE, ...) {
  check_option(is_flag(columns), "columns", "TRUE or FALSE", columns)
  if (columns) columns_of(object) else object$selected
}

#' @rdname selected
#' @param env The environment of the formula.
#' @export
selected_formula <- function(object, ..., env = parent.frame()) {
  UseMethod("selected_formula")
}

#' @rdname selected
#' @export
selected_formula.renyi_path <- function(object, ..., env = parent.frame()) {
  force(env)
  formula_of(object, columns_of(object), env)
}

formula_of <- function(object, names, env) {
  term <- function(name) {
    known <- object$expressions[[name]]
    if (!is.null(known)) {
      return(known$written)
    }
    symbol <- tryCatch(as.name(name), warning = function(warning) NULL)
    if (is.null(symbol) || !identical(label_of(symbol), name)) {
      renyi_abort(
        "formula", sprintf("The column `%s` cannot stand in a formula: this locale has no letters for it.", name),
        "Start R in a UTF-8 locale, such as LC_ALL=C.UTF-8."
      )
    }
    symbol
  }
  terms <- lapply(names, term)
  right <- if (length(terms)) Reduce(function(a, b) call("+", a, b), terms) else 1
  targets <- lapply(targets_of(object), term)
  left <- if (length(targets) > 1) as.call(c(quote(cbind), targets)) else targets[[1]]
  stats::as.formula(call("~", left, right), env = env)
}
