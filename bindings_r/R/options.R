#' Options of a selection
#'
#' Given by name to [renyi_select()], and, as far as they fit, to [renyi_measure()],
#' [renyi_describe()] and [step_select_renyi()]. They are those of the Python package and of the
#' command, with the same defaults.
#'
#' @section Data:
#' \describe{
#'   \item{`target`}{Name of the target column, or names of several that are one joint target; found by rule
#'     if left out. In a formula it is the left side, `cbind(a, b) ~ .` for several.}
#'   \item{`features`, `exclude`}{Names or globs of the columns to consider and to leave out.}
#'   \item{`keep`}{Columns forced in, in order; never tested, counted by `max_features`.}
#'   \item{`start`}{A fit, or the path of a result that was written as JSON, to go on from: its selected
#'     columns are taken as found, in order, after those of `keep`, and the search begins with them.}
#'   \item{`group_columns`}{Columns taken or left together, as one feature: a named vector, group to glob,
#'     `group_columns = c(spectrum = "band_*")`, or a named list of names. `selected(fit, columns = TRUE)` has the
#'     columns in place of the group.}
#'   \item{`groups`}{The column that names the group (subject, site) of each row, where rows of a group
#'     are no draws of their own. It is no candidate; permutations, halves and draws of rows go by groups.}
#'   \item{`shuffle`}{What permutations move of groups: `"whole"` ones, among those of as many rows,
#'     rows `"within"` groups, or `"auto"` (the default), whole ones where the target is constant within groups.}
#'   \item{`blocks`}{Rows in their order are a series in time, of each group where there are groups:
#'     permutations move blocks of so many rows as a whole or, with `"auto"`, turn the series in a circle.}
#'   \item{`kind`}{A named vector, column or glob to `"continuous"`, `"ordinal"` or `"nominal"`:
#'     `kind = c(region = "nominal")`.}
#'   \item{`table`}{Which sheet of a workbook, or table of a database; of a database a query too.}
#'   \item{`decimal`}{Decimal mark of a text file, `"."` or `","`; by default a dot, and in files with semicolons a comma
#'     too.}
#'   \item{`thousands`}{Mark between groups of three digits in a text file: `","`, `"."`, `"space"`, `"'"` or `"_"`.}
#'   \item{`missing`}{`"error"` (the default), `"drop"` (complete rows), `"level"` (a value of its own, in columns
#'     of all kinds) or `"category"` (the same in nominal columns only). Rows without a target are left out.}
#'   \item{`weights`}{The column that says how much each row counts; it is no candidate.}
#'   \item{`weight_kind`}{`"importance"` (the default): a row is one draw that counts so much; `"frequency"`: it stands for
#'     so many rows.}
#'   \item{`rows`}{Use a stratified sample of that many rows.}
#' }
#' @section Method:
#' \describe{
#'   \item{`preset`}{`"default"` (the default), `"paper"`, `"lrmi"` or `"shannon"`: a full set of choices to start
#'     from. `"paper"` (`"cmi-perm"`, alpha 1.01, bandwidth 1, `"bins:5"`, 100 shuffles) is as the paper of
#'     2019 most likely did it; `"shannon"` counts levels, in five bins of equal width, and is where
#'     low-order scores start from.}
#'   \item{`purpose`}{What the columns are for: `"model"` (the default), those that help a model together with
#'     the ones before (`"cmi-max"`), or `"news"`, those that say something beyond them (`"cmi-local"`).}
#'   \item{`criterion`}{One or several of `"cmi-max"` (the best of all candidates shuffled together,
#'     the default), `"cmi-local"` (among rows alike in the selected columns), `"cmi-perm"`, `"mi-perm"`,
#'     `"cmi-heuristic"`, `"mi-chi2"`; for other scores than `"mi"` `"score-max"` (the best score of all
#'     candidates shuffled together) or `"score-perm"` (that of a shuffled copy); `"mi-peak"` and
#'     `"markov-blanket"`, to compare with; or `"none"`.}
#'   \item{`stop_when`}{Stop when `"any"` (the default), or only when `"all"`, of several criteria say so.}
#'   \item{`search`}{How sets of columns are searched: `"forward"` (the default) adds one at a time; `"backward"` begins
#'     with all and takes one away at a time, until the criterion finds that needed which tells the least; `"floating"`
#'     goes forward and takes columns away again as long as that leaves a better set of its size; `"beam:K"` keeps the K
#'     best sets of each size, each at the K-th part of the level.}
#'   \item{`score`}{How candidates are ranked: `"mi"` (joint MI, the default), `"chi2-gain"`; of counted levels
#'     `"mim"`, `"mifs"` (or `"mifs:BETA"`), `"mifs-u"`, `"nmifs"`, `"mrmr"`, `"mrmr-quotient"`, `"cife"`,
#'     `"condred"`, `"jmi"`, `"jmi3"`, `"relax"`, `"jmim"`, `"njmim"`, `"disr"`, `"cmim"`, `"icap"` or `"cmi"`
#'     (Brown et al. 2012, and later); or `"knn"` (or `"knn:NEIGHBOURS"`), joint MI by nearest neighbours.}
#'   \item{`rank`}{`"chance"` (the default at alpha 2): candidates are compared by how many standard
#'     deviations they gain above what chance gives them, at other orders by 16 draws a step; `"raw"` (the
#'     default there): by MI as it is.}
#'   \item{`alpha`}{Order of the entropy, above 0: 2 (the default) is the fastest, 1.01 Shannon-like.}
#'   \item{`bandwidth`}{Sigma of the Gaussian kernel on standardised values, or a rule: `"steady"` (the
#'     default) is 2, and wider once many columns would leave fewer than 30 rows alike,
#'     `"steady:SIGMA"` begins with another width; `"silverman"`, `"scott"`, `"median"`, `"nearest"`,
#'     `"range:SHARE"`; `"growing"`, `"growing:SIGMA"`, `"silverman:joint"`, `"scott:joint"`, which widen
#'     with the number of columns; `"auto"`, chosen by the data.}
#'   \item{`bandwidths`}{A named vector, column to its own bandwidth.}
#'   \item{`standardise`}{`"zscore"` (the default), `"minmax"`, `"rank"`, `"none"`, `"bins:B"` or `"quantiles:B"`
#'     (B bins of equal width or frequency).}
#'   \item{`kernel`}{How numbers are compared: `"gaussian"` (the default), `"laplacian"`,
#'     exp(-|a - b| / sigma), with a sharper peak and heavier tails, or `"delta"`, equality.}
#'   \item{`nominal`}{Kernel of nominal columns: `"soft"` (the default), a Gaussian on levels that are
#'     equally far apart with the spread of a number, or `"delta"`, equality. Beyond 256 levels it is
#'     `"delta"`.}
#'   \item{`label_kernel`}{`"delta"` (the default) or `"onehot"`, for a nominal target.}
#'   \item{`class_weights`}{`"balanced"` (the default at alpha 2): rows count so that the classes of a
#'     nominal target weigh nearly alike, and a continuous target counts by its ranks; or `"none"`.}
#'   \item{`epsilon`}{Threshold of `cmi-heuristic`, bits (1e-4).}
#'   \item{`error_rate`}{What the level bounds in `cmi-max` and `cmi-local`: `"fwer"` (the default), the
#'     chance that any false column is selected, or `"fdr"`, the share of false columns among those
#'     selected, which keeps more.}
#'   \item{`permutations`, `significance`, `p_rule`}{Shuffles, level (0.05) and p-value rule
#'     (`"valid"`, the default, or `"paper"`) of the permutation criteria. In place of a number of shuffles `"auto"` or
#'     `"auto:CAP"` draws none where the answer is plain, `"besag-clifford"` or `"besag-clifford:CAP"`
#'     until 10 copies did as well, of 999 at most. The default is `"auto"`: 59 draws at level 0.05,
#'     more at a smaller one, and up to 999 where these leave it close and more cost little.}
#'   \item{`min_gain`}{Least gain of a selected column, in bits or as a share of H(y) such as `"1%"`;
#'     joined to any criterion.}
#'   \item{`bins`, `binning`}{Bins of `mi-chi2` (5), of equal `"width"` (the default) or `"frequency"`.}
#'   \item{`lookahead`}{2: where no single column passes its test, the best pair of the remaining ones is
#'     tested, and both enter as one step; each of the two looks has half the level (`"cmi-max"`,
#'     `"cmi-local"` or `"none"`, alpha 2). 1, the default: no pairs.}
#'   \item{`max_features`}{Most columns to select.}
#'   \item{`pairs`}{A share of all pairs of rows such as `"5%"`, from which sums over pairs are estimated, for many rows;
#'     every number then has a standard error. All pairs if left out.}
#'   \item{`solver`}{`"auto"` (the default), `"dense"`, `"eigen"`, `"low-rank"`, `"tiles"` or `"power"`.}
#'   \item{`tolerance`}{Largest error of a reported value, bits (1e-6).}
#'   \item{`seed`}{Seed of every random draw, 0 if left out. R's own generator is neither used nor
#'     changed.}
#' }
#' @section Work:
#' These never change an answer beyond its stated errors.
#' \describe{
#'   \item{`backend`}{`"auto"` (the default), `"numpy"` or `"cupy"`.}
#'   \item{`jobs`}{Worker threads, one a core if left out.}
#'   \item{`max_memory`}{Bytes that the work may take, or text such as `"8GiB"` or `"50%"`.}
#'   \item{`executor`}{The address of a Dask scheduler, such as `"tcp://host:8786"`, or `"local:4"` for four processes that
#'     are started here; threads if left out.}
#'   \item{`sensitivity`}{Whether to repeat the selection at alpha 1.01 and 2 with bandwidths 1, 2, 3 and
#'     `"growing"`: which columns stay.}
#'   \item{`stability`}{On how many halves of the rows to repeat it, an even number: how often each column and
#'     each size comes out.}
#'   \item{`checkpoint`}{A file that the search goes on from if it is cut off.}
#'   \item{`progress`}{Whether a progress bar is drawn; by default in interactive sessions, see
#'     [renyi-package].}
#' }
#' @name renyi_options
NULL

# The names of the options, for completion: they are arguments of the verbs. What they mean, their rules and their
# defaults are said by the Python package alone.
table_options <- c("kind", "table", "decimal", "thousands", "missing", "rows", "weights", "weight_kind")
data_options <- c("target", "features", "exclude", "keep", "group_columns", "groups", "shuffle", "blocks", table_options)
kernel_options <- c(
  "preset", "alpha", "bandwidth", "bandwidths", "standardise", "kernel", "nominal", "label_kernel", "class_weights"
)
search_options <- c(
  "criterion", "score", "rank", "permutations", "significance", "p_rule", "epsilon", "bins", "binning", "min_gain",
  "max_features"
)
work_options <- c("solver", "tolerance", "seed", "backend", "jobs", "max_memory")
verb_options <- list(
  select = c(
    data_options, "start", "purpose", search_options, "search", "stop_when", "lookahead", "error_rate", "pairs", kernel_options, work_options,
    "executor", "sensitivity", "stability", "checkpoint", "progress"
  ),
  compare = c(data_options, search_options, "model", "runs", "sizes", "test", kernel_options, work_options, "progress"),
  describe = c(data_options, kernel_options, work_options),
  measure = c("group_columns", table_options, kernel_options, work_options)
)

# A function with the options of a verb among its arguments, NULL where they are left out.
with_options <- function(verb, f) {
  added <- setdiff(verb_options[[verb]], names(formals(f)))
  formals(f) <- c(formals(f), stats::setNames(vector("list", length(added)), added))
  f
}

# The options that a call of such a function was given, with those in `...` that it does not know.
given_options <- function(verb, frame, dots) {
  known <- mget(verb_options[[verb]], envir = frame)
  named_options(c(dots, known[!vapply(known, is.null, NA)]))
}
