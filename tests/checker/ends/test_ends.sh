#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# However a checked program ends: findings are printed and in the report, the exit status says so,
# and the program does not notice anything.
. "$(dirname "$0")/../../cli/check.sh"
sources=$(cd "$(dirname "$0")" && pwd -P)
cd "$scratch" || exit 1
unset HEDDLE_CHECK_SUPPRESS HEDDLE_CHECK_STRICT HEDDLE_CHECK_SEED HEDDLE_CHECK_LIMIT

# at FILE MARK: "FILE:LINE" of the marked line.
at()
{
    echo "$sources/$1:$(grep -n "/[*] $2 [*]/" "$sources/$1" | sed 's/:.*//')"
}

# ends MODE: $status, out, err and report are what came of it.
ends()
{
    rm -f report
    HEDDLE_CHECK_REPORT=report "$HEDDLE_ENDS" "$1" >out 2>err </dev/null
    status=$?
}

# said WHAT PATTERN NUMBER: so many lines on standard error.
said()
{
    equal "$1: '$2'" "$(grep -c -e "$2" err)" "$3"
}

# wrote WHAT PATTERN NUMBER: so many lines in the report.
wrote()
{
    equal "$1: report: '$2'" "$(grep -c -e "$2" report)" "$3"
}

ends well
equal "well: exit status" "$status" 1
equal "well: text" "$(head -6 err)" \
    "heddle check: error HD-RACE-SHARED: race between threads of a block in shared memory
  kernel ends_race, block (0,0,0), shared array tile (1024 bytes), byte 512
  thread (128,0,0) writes at $(at kern_ends.c WRITES)
  thread (0,0,0) reads at $(at kern_ends.c READS)
  launched at $(at ends.c LAUNCH): grid 1x1x1, block 256x1x1 (operation 1)
  fix: Put hd_sync_block() between the two accesses, reached by every thread of the block."
said well '^heddle check: 1 error, 0 portability, 0 performance, 0 suppressed$' 1
said well '^  256 x HD-RACE-SHARED in kernel ends_race at .* and ' 1
wrote well '"type":"run"' 1
wrote well '"type":"finding","id":1,"code":"HD-RACE-SHARED","severity":"error"' 1
wrote well '"type":"count","id":1,"count":256' 1
wrote well '"type":"end","errors":1,"portability":0,"performance":0,"suppressed":0' 1

ends badly
equal "badly: the program's own exit status" "$status" 7

for mode in abort fault; do
    ends $mode
    equal "$mode: ended by a signal" "$((status > 128))" 1
    said $mode 'the program gets SIG.*; findings so far: 1 error' 1
    wrote $mode '"type":"finding"' 1
    wrote $mode '"type":"count","id":1,"count":256' 1
    wrote $mode '"type":"end"' 0
done
ends own
equal "handler of the program: exit status" "$status" 9
equal "handler of the program: output" "$(cat out)" "my handler"
said "handler of the program" 'findings so far: 1 error' 1

ends _exit
equal "_exit: the program's own exit status" "$status" 0
said _exit '^heddle check: error HD-RACE-SHARED' 1
wrote _exit '"type":"finding"' 1
wrote _exit '"type":"end"' 0

ends fork
equal "fork: exit status" "$status" 1
said fork '^heddle check: 1 error' 1
wrote fork '"type":"end"' 1

ends wait
equal "wait: exit status" "$status" 1
equal "wait: no child but the program's own" "$(cat out)" ""

ends close
equal "close: exit status" "$status" 1
equal "close: nothing in the program's own file" "$(wc -c <own | tr -d ' ')" 0
wrote close '"type":"finding"' 2
said close "reads at $(at kern_ends.c UNROLLED)" 1

ends threads
equal "threads: exit status" "$status" 1
said threads '^heddle check: error' 1
wrote threads '"type":"count","id":1,"count":25856' 1

ends move
equal "move: exit status" "$status" 1
wrote move '"type":"finding"' 2

ends plugin
equal "plugin: exit status" "$status" 1
said plugin "  launched at $(at plugin.c PLUGIN): grid 1x1x1" 1

# Findings about host code name the call that the program made.
ends early
equal "early: exit status" "$status" 1
for call in hd_symbol_read hd_copy hd_copy_2d; do
    said early "^  $call uses it at " 1
    wrote early "\"call\":\"$call\"" 1
done

ends atexit
said "memory freed at exit is no leak" 'HD-LEAK' 0
equal "atexit: exit status" "$status" 1

# Many addresses, one line: one finding.
ends plugin
said "one line" 'reads at .*kern_ends.c' 2

# Limits and places that are not known.
HEDDLE_CHECK_LIMIT=1 "$HEDDLE_ENDS" close 2>err
said limit '^heddle check: error' 1
said limit 'more than 1 findings' 1
said limit '^heddle check: 2 errors' 1
HEDDLE_ADDR2LINE=none "$HEDDLE_ENDS" 2>err
said "no addr2line" "writes at .*/ends+0x[0-9a-f]*" 1
HEDDLE_ADDR2LINE=/nowhere "$HEDDLE_ENDS" 2>err
said "addr2line that is not there" '/nowhere.*: No such file.*HEDDLE_ADDR2LINE' 1
said "addr2line that is not there" '^heddle check: error' 1
HEDDLE_ADDR2LINE=true "$HEDDLE_ENDS" 2>err
said "addr2line that says nothing" 'true: gives no answer' 1

# Under the tool.
run check --seeds 2 -- "$HEDDLE_ENDS" well
equal "heddle check: exit status" "$status" 1
equal "heddle check: findings" "$(grep -c '^error HD-RACE-SHARED' out)" 1
equal "heddle check: reproduce" "$(grep -c '^  reproduce: [^=]*$' out)" 1
for mode in abort _exit; do
    run check --seeds 1 -- "$HEDDLE_ENDS" $mode
    equal "heddle check, $mode: exit status" "$status" 1
    equal "heddle check, $mode: findings" "$(grep -c '^error HD-RACE-SHARED' out)" 1
    equal "heddle check, $mode: said" "$(echo "$err" | grep -c 'ended')" 1
done
finish
