#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: lazy
# The host beside the device: strategies to take chunks from streams, work beside a kernel, and a
# result that is read too early: shown with lazy streams, reported by the checker.
. "$(dirname "$0")/../check.sh"
cd "$scratch" || exit 1

run hostwork --runs 2 --csv
equal "hostwork ($err)" "$status" 0
equal "all strategies" "$(tail -n +2 out | cut -d, -f1,4 | tr '\n' ' ')" \
    "threads,true functions,true queue,true tasks,true "
for shape in "--chunks 1 --streams 4" "--chunks 7 --streams 3 --n 1" "--chunks 40 --streams 1"; do
    run hostwork --runs 1 --n 1000 $shape --json
    [ "${shape%--n 1}" = "$shape" ] || run hostwork --runs 1 $shape --json
    equal "hostwork $shape ($err)" "$status" 0
    equal "hostwork $shape: verified" "$(grep -c '"strategy": .*"verified": true' out)" 4
done
run hostwork --strategies queue,tasks --runs 1 --timeline t.svg
equal "a timeline ($err)" "$status" 0
equal "with functions" "$(grep -c 'function' t.svg | awk '{ print ($1 > 0) }')" 1
refused 2 "--strategies: unknown 'treads', did you mean 'threads'?" hostwork --strategies treads
refused 2 "--n times --chunks must be at most 2^30" hostwork --n 2^24 --chunks 2^16

run hostoverlap --ms 1 --runs 3 --csv
equal "hostoverlap ($err)" "$status" 0
equal "is verified" "$(awk -F, 'NR == 2 { print $7, $9 }' out)" "0 true"
refused 2 "--ms: from 0" hostoverlap --ms -1
if [ "$backend" = cpu ] && [ -z "$small" ]; then
    HEDDLE_CPU_STREAMS=lazy:1 "$tool" hostoverlap --hazard --n 1000 --runs 1 --csv >out
    equal "what is read too early is not there" \
        "$(awk -F, 'NR == 2 { print ($7 > 0), $8 }' out)" "1 0"
fi
if [ -n "$small" ]; then
    set -- --seeds 1 --warp 32 --streams eager --json -- "$tool" hostoverlap --ms 0.1 --n 500 --runs 1
    "$tool" check "$@" >out 2>said
    equal "the checker has nothing to say without the hazard: $(tail -n 2 said)" "$?" 0
    "$tool" check "$@" --hazard >out 2>said
    equal "and reports it: $(tail -n 2 said)" "$?" 1
    checks=$((checks + 1))
    grep -q '"code": *"HD-' out || fail "no finding: $(head -c 600 out)"
fi
finish
