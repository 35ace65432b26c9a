#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_calls.sh - a barrier that two sides of a branch call is found however many other call paths
# have been seen between the two calls.
. "$(dirname "$0")/../cli/check.sh"
source=$(cd "$(dirname "$0")" && pwd)/kern_calls.c
cd "$scratch" || exit 1
unset HEDDLE_CHECK_SUPPRESS HEDDLE_CHECK_LIMIT HEDDLE_CHECK_REPLAY HEDDLE_CHECK_STRICT
unset HEDDLE_CHECK_SEED

# line MARK: its number.
line()
{
    grep -n "/[*] $1 [*]/" "$source" | sed 's/:.*//'
}

HEDDLE_CHECK_REPORT=report "$HEDDLE_CALLS" >out 2>err </dev/null
equal "exit status" $? 1
equal "output" "$(cat out)" done
equal "findings" "$(grep -c '"type":"finding"' report)" 1
equal "code" "$(sed -n 's/.*"type":"finding".*"code":"\([^"]*\)".*/\1/p' report)" \
    HD-DIVERGED-BARRIER
for mark in EARLY LATE; do
    equal "$mark: lines" "$(grep '"type":"finding"' report | grep -c "\"line\":$(line $mark)[,}]")" 1
done
finish
