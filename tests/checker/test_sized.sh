#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Heddle's drivers ask the device how much shared memory a block may have: what they launch is
# portable, and nothing is said about its size.
. "$(dirname "$0")/../cli/check.sh"
cd "$scratch" || exit 1

for test in scan:own_types histogram:numbers_of_bins tridiag batch; do
    name=${test#"${test%%:*}"}
    rm -f report
    HEDDLE_CPU_SHARED=128K HEDDLE_CHECK_REPORT=report HEDDLE_CHECK_PROFILE=2 \
        "$HEDDLE_BUILD_DIR/tests/test_drivers_${test%%:*}" ${name:+"${name#:}"} >out 2>err </dev/null
    equal "$test: exit status" "$?" 0
    equal "$test: sizes of shared memory" "$(grep -c '"code":"HD-SHARED' report)" 0
    equal "$test: ran under the checker" "$(grep -c '"type":"end"' report)" 1
done
finish
