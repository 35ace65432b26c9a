#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: lazy
# Overlap: every order, kind of memory and mode gives the right elements in every row; JSON, CSV and
# the picture are there.
. "$(dirname "$0")/../check.sh"
n=20000
[ -z "$small" ] || n=3000

# verified ARGUMENTS...
verified()
{
    run overlap --runs 1 --streams 8 --n $n --json "$@"
    equal "$ran: exit status ($err)" "$status" 0
    checks=$((checks + 1))
    case $out in
    *'"verified": true'*) ;;
    *) fail "$ran: $out" ;;
    esac
    equal "$ran: rows" "$(printf '%s\n' "$out" | grep -c '"speedup"')" 5
}

for order in depth breadth engine; do
    verified --order $order --weight 3
done
for mem in pageable mapped managed; do
    verified --mem $mem --weight 2
    verified --mem $mem --in-place --weight auto
done
for mode in default-legacy default-per-thread; do
    verified --mode $mode --weight 5
done

run overlap --runs 1 --streams 4 --n 1001 --weight 1 --csv --plot "$scratch/overlap.svg"
equal "CSV" "$(printf '%s\n' "$out" | head -n 1)" \
    "streams,used,order,chunk,seconds,min,first,speedup,of_bound,overlap,verified"
equal "CSV: verified" "$(printf '%s\n' "$out" | grep -c ',true$')" 4
equal "CSV: rows" "$(printf '%s\n' "$out" | cut -d, -f1,2 | tail -n +2 | tr '\n' ' ')" \
    "1,1 2,2 4,4 auto,2 "
equal "picture" "$(head -c 5 "$scratch/overlap.svg")" "<?xml"
run overlap --runs 1 --streams 2 --n 1000 --weight 1 --no-verify
equal "text: not verified" "$(printf '%s\n' "$out" | grep '^verified')" "verified: skipped"

verified --parts 7 --weight 2
refused 2 "--order: unknown 'deep'" overlap --order deep
refused 2 "--mem: unknown 'swap'" overlap --mem swap
refused 2 "--weight: '0' is not from 1" overlap --weight 0
refused 2 "--streams: '5000' is not from 1 to 1024" overlap --streams 5000
unwritten --plot overlap --runs 1 --streams 1 --n 100 --weight 1
finish
