#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: lazy alone
# Default streams: what has to be in a row is, in recorded times; threads of both kinds.
. "$(dirname "$0")/../check.sh"
cd "$scratch" || exit 1

run defaultstream --ms 0.5 --csv
equal "everything holds ($err)" "$status" 0
equal "experiments of streams" "$(grep -c streams, out)" 3
equal "none fails" "$(grep -c false out)" 0
field()
{
    awk -F, -v name="$1" -v column="$2" '$0 ~ "^\"" name { print $(column + 1) }' out
}
equal "legacy: one stream at a time" "$(field 'streams, legacy' 4)" 1
equal "POSIX threads on the legacy stream" "$(field 'POSIX threads, legacy' 4)" 1
checks=$((checks + 1))
[ "$(field 'POSIX threads, per-thread' 4)" -gt 1 ] || [ -n "$every_case" ] ||
    fail "threads with streams of their own run one at a time"
run defaultstream --mode per-thread --threads posix --streams 2 --ms 0.2 --json --timeline t.svg
equal "one mode ($err)" "$status" 0
equal "two experiments" "$(grep -o '"experiment"' out | wc -l | tr -d ' ')" 2
equal "one object" "$(tr -d '\n' <out | grep -c '^{"version": .*"rows": \[.*\], "verified": true}$')" 1
equal "a timeline" "$(grep -c '<svg' t.svg)" 1
refused 2 "--mode: unknown 'leagcy', did you mean 'legacy'?" defaultstream --mode leagcy
refused 2 "--streams: " defaultstream --streams 1
refused 2 "--ms: from 0 to 1000" defaultstream --ms 0
finish
