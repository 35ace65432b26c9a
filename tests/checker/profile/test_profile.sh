#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_profile.sh - the profile of known kernels: requests, transactions per request, the ideal and
# the lanes that took part, counted by hand. $1: the program.
set -u
program=$1
warp=${HEDDLE_CPU_WARP:-32}
report=$(mktemp)
trap 'rm -f "$report" "$report.log"' EXIT
failed=0

HEDDLE_CHECK_PROFILE=1 HEDDLE_CHECK_REPORT="$report" "$program" 2>"$report.log" || {
    echo "FAIL: $program ended with $?"
    cat "$report.log"
    exit 1
}

# expect KERNEL ACCESS REQUESTS TRANSACTIONS IDEAL LANES
expect() {
    row=$(grep '"type":"profile"' "$report" | grep "\"kernel\":\"$1\"" |
        grep "\"access\":\"$2\"")
    for part in "\"requests\":$3," "\"transactions\":$4," "\"ideal\":$5," "\"lanes\":$6,"; do
        case $row in
        *"$part"*) ;;
        *)
            echo "FAIL: $1, $2, warp $warp: wanted $part in"
            echo "      ${row:-no row}"
            failed=1
            ;;
        esac
    done
}

if [ "$warp" = 32 ]; then
    expect profile_row "global read" 8 4.00 4.00 32.00
    expect profile_row "global write" 8 4.00 4.00 32.00
    expect profile_stride "global read" 8 32.00 4.00 32.00
    expect profile_stride "global write" 8 4.00 4.00 32.00
    # 8 turns of 8 warps; every other word of 4 sectors
    expect profile_turns "global write" 64 4.00 2.00 16.00
    # turn k of 7, two rows: lanes with t % 8 > k, so 28, 24, ... 4 lanes, in every sector of 4
    expect profile_rows "global read" 112 4.00 2.29 16.00
    expect profile_rows "global write" 16 4.00 4.00 32.00
    expect profile_vector "global read" 8 16.00 16.00 32.00
    expect profile_vector "global write" 8 16.00 16.00 32.00
    expect profile_column "shared write" 32 32.00 1.00 32.00
    expect profile_column "shared read" 8 1.00 1.00 32.00
    expect profile_barrier "global write" 1 1.00 1.00 1.00
else
    expect profile_row "global read" 4 8.00 8.00 64.00
    expect profile_stride "global read" 4 64.00 8.00 64.00
    expect profile_turns "global write" 32 8.00 4.00 32.00
    expect profile_rows "global read" 56 8.00 4.00 32.00
    expect profile_rows "global write" 8 8.00 8.00 64.00
    expect profile_vector "global read" 4 32.00 32.00 64.00
    expect profile_column "shared write" 16 64.00 2.00 64.00
    expect profile_column "shared read" 4 2.00 2.00 64.00
fi

grep -q "^Profile: " "$report.log" || {
    echo "FAIL: no table"
    failed=1
}
[ $failed = 0 ] || cat "$report.log"
exit $failed
