#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_arguments.sh - what warp operations do not take as an argument is reported at its line, and
# nothing else: the comments in kern_arguments.c are the list.
. "$(dirname "$0")/../cli/check.sh"
source=$(cd "$(dirname "$0")" && pwd)/kern_arguments.c
cd "$scratch" || exit 1
unset HEDDLE_CHECK_SUPPRESS HEDDLE_CHECK_LIMIT HEDDLE_CHECK_REPLAY HEDDLE_CHECK_STRICT

# LINE CODE DETAIL of every mark that holds for the warp size, the detail as it begins.
awk -v warp="$HEDDLE_CPU_WARP" '/\/\* ([0-9]+ )?HD-/ {
    mark = substr($0, index($0, "/* ") + 3)
    sub(/ \*\/.*/, "", mark)
    if (mark ~ /^[0-9]/) {
        if (mark + 0 != warp) next
        sub(/^[0-9]+ /, "", mark)
    }
    print NR, mark
}' "$source" >expected

HEDDLE_CHECK_REPORT=report "$HEDDLE_ARGUMENTS" >out 2>err </dev/null
equal "exit status" $? 1
equal "output" "$(cat out)" done
grep '"type":"finding"' report |
    sed 's/.*"code":"\([^"]*\)".*"detail":"\([^"]*\)".*"sides":\[{[^}]*"line":\([0-9]*\).*/\3 \1 \2/' |
    sort -n >found
equal "findings" "$(wc -l <found)" "$(wc -l <expected)"
while read -r mark; do
    checks=$((checks + 1))
    grep -qE "^$mark( in a warp of $HEDDLE_CPU_WARP lanes| reads lane [0-9]+)$" found ||
        fail "wanted $mark, found
$(grep "^${mark%% *} " found)"
done <expected
finish
