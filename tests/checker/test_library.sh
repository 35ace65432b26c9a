#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_library.sh - lints about heddle's own kernels are not held against the program that calls
# them, unless somebody asks; what is wrong in them is.
. "$(dirname "$0")/../cli/check.sh"
cd "$scratch" || exit 1
unset HEDDLE_CHECK_SUPPRESS HEDDLE_CHECK_LIMIT HEDDLE_CHECK_REPLAY HEDDLE_CHECK_LIBRARY
slow="HD-BANK-CONFLICT HD-DIVERGENT-BRANCH HD-UNCOALESCED"

# checked WHAT STATUS CODES COMMAND...: the codes of all findings, sorted.
checked()
{
    what=$1 wanted=$2 codes=$3
    shift 3
    rm -f report
    env HEDDLE_CHECK_STRICT=1 HEDDLE_CHECK_REPORT=report "$@" >out 2>err </dev/null
    equal "$what: exit status" $? "$wanted"
    equal "$what: output" "$(cat out)" done
    equal "$what: findings" "$(grep '"type":"finding"' report |
        sed 's/.*"code":"\([^"]*\)".*/\1/' | sort -u | tr '\n' ' ')" "${codes:+$codes }"
}

checked "the program's kernel" 1 "$slow" "$HEDDLE_LIBRARY" program
checked "heddle's kernel" 0 "" "$HEDDLE_LIBRARY" heddle
odd="HD-BANK-CONFLICT HD-BLOCK-64 HD-DIVERGENT-BRANCH HD-UNCOALESCED"
checked "the program's kernel, blocks of 216" 1 "$odd" \
    "$HEDDLE_LIBRARY" program odd
checked "heddle's kernel, blocks of 216" 0 "" "$HEDDLE_LIBRARY" heddle odd
checked "heddle's kernel, wrong" 1 HD-RACE-BLOCKS "$HEDDLE_LIBRARY" heddle wrong
checked "heddle's kernel, asked for" 1 "$slow" HEDDLE_CHECK_LIBRARY=1 "$HEDDLE_LIBRARY" heddle
checked "heddle's kernel, profile" 0 "" HEDDLE_CHECK_PROFILE=1 "$HEDDLE_LIBRARY" heddle
equal "profile: lines" "$(grep '"type":"profile"' report | grep -c '"kernel":"hd__library_slow"')" \
    "$(grep -c '^hd__library_slow ' err)"
checks=$((checks + 1))
grep -q '^hd__library_slow .*global read' err || fail "no line of the kernel in the profile"
finish
