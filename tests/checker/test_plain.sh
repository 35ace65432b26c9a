#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_plain.sh - ordinary kernels: no finding of any severity, in a few orders of warps and blocks.
. "$(dirname "$0")/../cli/check.sh"
cd "$scratch" || exit 1
unset HEDDLE_CHECK_SUPPRESS HEDDLE_CHECK_LIMIT HEDDLE_CHECK_REPLAY

for seed in 0 1 2; do
    for profile in 0 1; do
        rm -f report
        HEDDLE_CHECK_STRICT=1 HEDDLE_CHECK_SEED=$seed HEDDLE_CHECK_PROFILE=$profile \
            HEDDLE_CHECK_REPORT=report "$HEDDLE_PLAIN" >out 2>err </dev/null
        equal "seed $seed, profile $profile: exit status" $? 0
        equal "seed $seed, profile $profile: output" "$(cat out)" done
        equal "seed $seed, profile $profile: findings" \
            "$(grep '"type":"finding"' report | sed 's/"title".*"message"/"message"/')" ""
    done
done
finish
