#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_replay.sh - launches that run a second time at the other warp size: what differs is told once,
# and nothing else of the second run is to be seen.
. "$(dirname "$0")/../cli/check.sh"
sources=$(cd "$(dirname "$0")" && pwd -P)
cd "$scratch" || exit 1
unset HEDDLE_CHECK_SUPPRESS HEDDLE_CHECK_STRICT HEDDLE_CHECK_SEED HEDDLE_CHECK_LIMIT
warp=${HEDDLE_CPU_WARP:-32}

# replay MODE: out, err and report are what came of it.
replay()
{
    rm -f report
    HEDDLE_CHECK_REPLAY=1 HEDDLE_CHECK_REPORT=report "$HEDDLE_REPLAY" "$1" >out 2>err </dev/null
    status=$?
    equal "$1: runs in the report" "$(grep -c '"type":"run"' report)" 1
    equal "$1: ends in the report" "$(grep -c '"type":"end"' report)" 1
    equal "$1: portability findings" "$(grep -c '"code":"HD-WARP-DEPENDENT"' report)" "$2"
}

replay say 0
equal "say: output" "$(sort out | tr '\n' ' ')" "done once said said "
replay same 0
equal "same: output" "$(tr '\n' ' ' <out)" "once done "

replay width 1
equal "width: the write" "$(sed -n 3p err)" \
    "  thread (40,0,0) writes at $sources/kern_replay.c:$(grep -n 'WRITE' "$sources/kern_replay.c" | sed 's/:.*//')"
if [ "$warp" = 32 ]; then
    equal "width: values" "$(grep -c '16 with warps of 32 lanes, 32 with 64; memory differs in 1' err)" 1
else
    equal "width: values" "$(grep -c '32 with warps of 64 lanes, 16 with 32; memory differs in 1' err)" 1
fi

# At 64 lanes the two ways belong to one warp.
if [ "$warp" = 32 ]; then
    replay fails 1
    equal "fails: why" "$(grep -c 'at warp size 64 the launch fails: ' err)" 1
fi

replay waits 0
equal "waits: output" "$(tr '\n' ' ' <out)" "once done "
finish
