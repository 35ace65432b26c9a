#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Suppression files and the checker's environment variables, good and bad.
. "$(dirname "$0")/../../cli/check.sh"
cd "$scratch" || exit 1
unset HEDDLE_CHECK_SUPPRESS HEDDLE_CHECK_STRICT HEDDLE_CHECK_SEED HEDDLE_CHECK_LIMIT

# suppress LINES: runs the program with a file of them.
suppress()
{
    printf "$1" >list
    HEDDLE_CHECK_SUPPRESS=list "$HEDDLE_ENDS" well >out 2>err
    status=$?
}

# said WHAT TEXT: standard error contains it.
said()
{
    checks=$((checks + 1))
    grep -q -F -e "$2" err || fail "$1: no '$2' in
$(cat err)"
}

for line in 'HD-RACE-SHARED ends_race # known' '  HD-RACE-SHARED\tends_* #x' \
    '# all\r\n\r\nHD-RACE-SHARED * # known\r\n' 'HD-RACE-SHARED ?nds_race   # no line feed'; do
    suppress "$line"
    equal "$line: exit status" "$status" 0
    equal "$line: findings" "$(grep -c 'error HD' err)" 0
done
suppress 'HD-RACE-SHARED other # x\n\nHD-LEAK * # y\n'
equal "unused: exit status" "$status" 1
said unused "list:1: nothing to suppress: HD-RACE-SHARED other"
said unused "list:3: nothing to suppress: HD-LEAK *"
suppress 'HD-RACE-SHARED * # x\nHD-RACE-SHARED ends_race # y\n'
said "the first that fits is used" "list:2: nothing to suppress"

# bad TEXT LINES: every call fails, and the message says where and why.
bad()
{
    suppress "$2"
    equal "$2: exit status" "$status" 2
    said "$2" "heddle check: HEDDLE_CHECK_SUPPRESS: $scratch/list:$1"
    said "$2" "ends: "
    said "$2" "HD_ERR_ARGUMENT"
}

scratch=$(pwd -P)
bad "1: HD-RACE-SHRED is not the code of a finding" 'HD-RACE-SHRED * # x\n'
bad "3: HD-LEAK stands without a kernel; write * for any" '# a\n\nHD-LEAK\n'
bad "1: HD-LEAK stands without a reason" 'HD-LEAK *\n'
bad "1: HD-LEAK stands without a reason" 'HD-LEAK * #  \n'
bad "1: b is one word too many" 'HD-LEAK a b # x\n'
bad "2: line is not text: it contains a zero byte" '# a\n\0\n'
HEDDLE_CHECK_SUPPRESS=nowhere "$HEDDLE_ENDS" 2>err
said "no such file" "HEDDLE_CHECK_SUPPRESS: $scratch/nowhere: No such file"
HEDDLE_CHECK_SUPPRESS=. "$HEDDLE_ENDS" 2>err
said "a folder" "Is a directory"
for value in SEED=-1 SEED=1x STRICT=yes LIBRARY=2 LIMIT=4294967296 PROFILE=3 REPLAY=99999999; do
    env "HEDDLE_CHECK_$value" "$HEDDLE_ENDS" 2>err
    equal "$value: exit status" "$?" 2
    said "$value" "heddle check: HEDDLE_CHECK_$value is n"
done

# Under the tool: the reason why nothing was checked.
printf 'HD-LEAK *\n' >list
run check --suppress list -- "$HEDDLE_ENDS"
equal "heddle check: exit status" "$status" 3
equal "heddle check: said" "$(echo "$err" | grep -c 'nothing was checked: .*list:1: HD-LEAK')" 1
printf 'HD-RACE-SHARED * # x\nHD-LEAK * # y\n' >list
run check --seeds 1 --suppress list -- "$HEDDLE_ENDS"
equal "heddle check: exit status ($err)" "$status" 0
equal "heddle check: unused" "$out" "list:2: nothing to suppress: HD-LEAK *
2 runs: 0 errors, 0 portability, 0 performance; 1 of 2 suppressions used"
finish
