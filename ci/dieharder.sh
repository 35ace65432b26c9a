#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# dieharder.sh [GENERATOR...] - runs a selection of dieharder's tests (Robert G. Brown; Debian
# package) on the output of `heddle random`. HEDDLE_TOOL is the tool, by default that of build/cpu,
# which is built. A test that reports FAILED fails; about one in hundreds is WEAK by chance. Exit
# status 77 without dieharder.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 1
. ci/steps.sh
command -v dieharder >/dev/null || { echo "      dieharder is not installed" >&2; exit 77; }
tool=${HEDDLE_TOOL:-build/cpu/heddle}
if [ ! -x "$tool" ]; then
    step "dieharder: configure" cmake --preset cpu || exit 1
    step "dieharder: build" cmake --build build/cpu -j "$jobs" --target heddle_tool || exit 1
fi
# birthdays, 32x32 ranks, count the 1s, runs, monobits, STS runs, serial, bit distribution
tests=${HEDDLE_DIEHARDER_TESTS:-"0 2 8 15 100 101 102 200"}
failures=0
for generator in "${@:-philox}"; do
    for test in $tests; do
        option=
        [ "$test" = 200 ] && option="-n 8"
        lines=$("$tool" random --dist bits --raw --seed 42 --generator "$generator" |
            dieharder -g 200 -d "$test" $option | grep -E 'PASSED|WEAK|FAILED')
        case $lines in
        "" | *FAILED*)
            failures=$((failures + 1))
            echo "FAIL  dieharder: $generator, test $test"
            ;;
        *) echo "ok    dieharder: $generator, test $test" ;;
        esac
        echo "$lines" | sed 's/^/      /'
    done
done
[ "$failures" -eq 0 ]
