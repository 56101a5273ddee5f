# A device of a known size on which nothing is seen.
on_page <- function(width, height, code) {
  grDevices::pdf(NULL, width = width, height = height)
  on.exit(grDevices::dev.off())
  force(code)
}

long_names <- function() {
  names <- paste0(c("a_very_long_name_of_a_sensor_", "another_very_long_name_of_one_"), strrep("x", 60), 1:2)
  stats::setNames(iris, c(names[1], "short", names[2], "P", paste0("the_species_", strrep("as_found_by_experts_", 4))))
}

test_that("names below a plot fit on the page", {
  skip_if_no_renyi()
  frame <- long_names()
  fit <- renyi_select(frame, target = names(frame)[5], criterion = "none")
  on_page(6, 4.5, {
    before <- graphics::par("mar")
    labels <- renyi:::step_labels(fit$steps$feature, 2)
    inches <- renyi:::label_inches(labels$text)
    expect_true(all(inches <= 4.5 / 3))
    expect_true(all(grepl("...", labels$text[nchar(fit$steps$feature) > 50], fixed = TRUE)))
    expect_identical(substring(labels$text, nchar(labels$text)), substring(fit$steps$feature, nchar(fit$steps$feature)))
    # the margin has room for the longest
    expect_gt((before[1] + labels$more) * graphics::par("csi"), max(inches))
    title <- strsplit(renyi:::fitting_title(paste("What the columns tell about", fit$data$target)), "\n")[[1]]
    expect_length(title, 2)
    expect_true(all(graphics::strwidth(title, units = "inches", cex = graphics::par("cex.main"), font = 2) < 6))
    plot(fit)
    expect_identical(graphics::par("mar"), before)
  })
  on_page(2.5, 2.5, expect_identical(plot(fit), fit)) # a small page is no error
})

test_that("of too many names some are left out, none lies on another", {
  on_page(6, 4.5, {
    graphics::plot(1:200, 1:200)
    shown <- renyi:::labels_in_turn(1:200, paste0("column_", 1:200), 2)
    apart <- diff(which(shown)) * graphics::par("pin")[1] / diff(graphics::par("usr")[1:2])
    expect_true(shown[1])
    expect_true(all(apart >= graphics::par("csi") * renyi:::label_size))
    graphics::plot(1:5, 1:5)
    expect_true(all(renyi:::labels_in_turn(1:5, letters[1:5], 2)))
  })
})

test_that("criteria that stop side by side stand on lines of their own", {
  on_page(6, 4.5, {
    graphics::plot.new()
    line <- renyi:::label_lines(c(2, 3, 4, 12), c("cmi-local\nmi-chi2", "cmi-max", "cmi-perm", "cmi-heuristic"), 0.25)
    expect_identical(line, c(1L, 2L, 3L, 1L))
    expect_identical(renyi:::label_lines(c(2, 12), c("cmi-max", "cmi-perm"), 0.5), c(1L, 1L))
  })
})
