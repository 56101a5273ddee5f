library(testthat)
library(renyi)

test_check("renyi")
