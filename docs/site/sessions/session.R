# Runs blocks from standard input, as `running` sends them, and prints values as a session does.
end <- "\x1eend"
sink(stdout(), type = "message")
options(width = 88, warn = 1, cli.num_colors = 1L)
input <- file("stdin", "r")
block <- character()
while (length(line <- readLines(input, n = 1)) == 1) {
  if (line == end) {
    status <- tryCatch({
      source(textConnection(block), local = globalenv(), echo = FALSE, print.eval = TRUE)
      0L
    }, error = function(error) {
      cat("Error: ", conditionMessage(error), "\n", sep = "")
      1L
    })
    cat(end, status, "\n", sep = "")
    flush(stdout())
    block <- character()
  } else {
    block <- c(block, line)
  }
}
