#!/usr/bin/env bash
# Run the tests of the C code without Python under the address and undefined-behaviour sanitizers and,
# where it is installed, under valgrind.
#
#     bindings_r/tools/sanitize.sh
#
# Takes a minute, with valgrind seven (NO_VALGRIND=1 leaves it out). Needs gcc with libasan and libubsan, R, testthat and withr. Exits with an error if anything is found.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/library"
cp -r . "$work/source"
rm -f "$work"/source/src/*.o "$work"/source/src/*.so

install_with() {  # flags of the compiler
    printf 'CFLAGS = -g -O1 -fno-omit-frame-pointer -Wall -Wextra -Wno-cast-function-type -Werror %s\nLDFLAGS = %s\n' "$1" "$1" > "$work/Makevars"
    R_MAKEVARS_USER="$work/Makevars" R CMD INSTALL --preclean --no-docs --no-test-load \
        --library="$work/library" "$work/source" > "$work/install.log" 2>&1 || { cat "$work/install.log"; exit 1; }
}

cat > "$work/run.R" <<'END'
.libPaths(c(Sys.getenv("RENYI_LIBRARY"), .libPaths()))
results <- as.data.frame(testthat::test_file(
  "tests/testthat/test-arrow.R", package = "renyi", load_package = "installed", reporter = "check"
))
stopifnot(sum(results$failed) == 0, !any(results$error), nrow(results) > 10)
END
export RENYI_LIBRARY="$work/library" RENYI_MEMORY_CHECKER=1  # its memory grows, the test of that is left out

echo "address and undefined-behaviour sanitizers"
install_with "-fsanitize=address,undefined -fno-sanitize-recover=undefined"
# R itself leaks by design: what is asked for is wrong access, not R's own allocations at exit.
LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so)" \
    ASAN_OPTIONS=detect_leaks=0:abort_on_error=0 UBSAN_OPTIONS=print_stacktrace=1 \
    Rscript --vanilla "$work/run.R"

if [[ -z ${NO_VALGRIND:-} ]] && command -v valgrind > /dev/null; then
    echo "valgrind"
    install_with "-Wno-unused"
    R --vanilla --no-echo -d "valgrind --quiet --error-exitcode=9 --leak-check=no" -f "$work/run.R" > "$work/valgrind.log" 2>&1 ||
        { tail -n 50 "$work/valgrind.log"; exit 1; }
else
    echo "valgrind: left out"
fi
echo "nothing found"
