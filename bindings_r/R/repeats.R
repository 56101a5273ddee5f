# What repeated selections said, and how a bandwidth was chosen, as plain R data; NULL where not asked for.

bandwidth_choice <- function(choice) {
  if (is.null(choice)) {
    return(NULL)
  }
  trials <- choice$trials
  list(
    sigma = as.double(choice$sigma),
    p_value = as.double(choice$p_value),
    copies = as.integer(choice$copies),
    rows = as.integer(choice$rows),
    trials = data.frame(
      sigma = field_numbers(trials, "sigma"),
      feature = field_texts(trials, "feature"),
      gain = field_numbers(trials, "gain"),
      null_mean = field_numbers(trials, "null_mean"),
      null_sd = field_numbers(trials, "null_sd"),
      standardised = field_numbers(trials, "standardised"),
      stringsAsFactors = FALSE
    )
  )
}

sensitivity <- function(found) {
  if (is.null(found)) {
    return(NULL)
  }
  settings <- data.frame(
    alpha = field_numbers(found$settings, "alpha"),
    bandwidth = field_texts(found$settings, "bandwidth"),
    size = field_wholes(found$settings, "size"),
    stopped = field_texts(found$settings, "stopped"),
    reason = field_texts(found$settings, "reason"),
    stringsAsFactors = FALSE
  )
  settings$selected <- lapply(found$settings, function(setting) texts(setting$selected))
  list(asked = as.integer(found$asked), settings = settings, features = shares_frame(found$features))
}

stability <- function(found) {
  if (is.null(found)) {
    return(NULL)
  }
  halves <- data.frame(
    pair = field_wholes(found$halves, "pair"),
    half = field_wholes(found$halves, "half"),
    stopped = field_texts(found$halves, "stopped"),
    stringsAsFactors = FALSE
  )
  halves$selected <- lapply(found$halves, function(half) texts(half$selected))
  thresholds <- data.frame(
    threshold = field_numbers(found$thresholds, "threshold"),
    bound = field_numbers(found$thresholds, "bound"),
    unimodal_bound = field_numbers(found$thresholds, "unimodal_bound")
  )
  thresholds$features <- lapply(found$thresholds, function(threshold) texts(threshold$features))
  list(
    asked = as.integer(found$asked),
    rows = as.integer(found$rows),
    stratified = as.logical(found$stratified),
    candidates = as.integer(found$candidates),
    kept = texts(found$kept),
    mean_size = number_or_na(found$mean_size),
    sizes = data.frame(size = field_wholes(found$sizes, "size"), count = field_wholes(found$sizes, "count")),
    features = shares_frame(found$features),
    thresholds = thresholds,
    halves = halves
  )
}

shares_frame <- function(shares) {
  data.frame(
    feature = field_texts(shares, "feature"),
    count = field_wholes(shares, "count"),
    share = field_numbers(shares, "share"),
    stringsAsFactors = FALSE
  )
}

# For summary(): one line a column, how often it stayed.
repeat_lines <- function(path) {
  lines <- function(title, shares, of) {
    if (!nrow(shares)) {
      return(c("", title, " no column was selected in any"))
    }
    c("", title, sprintf(" %s: %d of %d", shares$feature, shares$count, of))
  }
  said <- c(
    if (!is.null(path$sensitivity)) {
      run <- sum(!is.na(path$sensitivity$settings$stopped))
      lines("Under other settings, selected in", path$sensitivity$features, run)
    },
    if (!is.null(path$stability)) {
      title <- sprintf("On halves of %d rows, selected in", path$stability$rows)
      lines(title, path$stability$features, nrow(path$stability$halves))
    }
  )
  as.character(said)
}
