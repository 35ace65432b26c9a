#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: lazy
# Bandwidth: every kind of memory arrives whole; JSON and CSV have a row per size and direction.
. "$(dirname "$0")/../check.sh"

run bandwidth --least 1K --most 64K --runs 1 --json
equal "exit status ($err)" "$status" 0
checks=$((checks + 1))
case $out in
*'"verified": true'*) ;;
*) fail "not verified: $out" ;;
esac
equal "rows: 5 kinds, 3 directions, 4 sizes" "$(printf '%s\n' "$out" | grep -c '"bytes"')" 60
equal "fits" "$(printf '%s\n' "$out" | grep -c '"latency"')" 15
equal "latencies below 0" "$(printf '%s\n' "$out" | grep -c '"latency": -')" 0
# Host and device of the CPU engine use the same pages: no time is that of a movement.
if [ "$backend" = cpu ]; then
    for member in latency gbps; do
        equal "managed: no $member" "$(printf '%s\n' "$out" | grep '"managed"' |
            grep -c '"'$member'": null')" $([ $member = gbps ] && echo 15 || echo 3)
    done
    run bandwidth --mem managed --runs 1
    equal "managed: in text ($err)" "$(printf '%s\n' "$out" | grep -c ' GB/s\| fit ')/$(
        printf '%s\n' "$out" | grep -c '^managed: host and device use the same pages; nothing moves')" 0/1
    run bandwidth --mem managed --runs 1 --csv
    equal "managed: rates in CSV" "$(printf '%s\n' "$out" | cut -d, -f1,5 | sort -u | tr '\n' ' ')" \
        "managed, mem,gbps "
fi
# No rate is faster than the caches of any host.
run bandwidth --runs 3 --json
equal "rates above 10 TB/s" "$(printf '%s\n' "$out" | grep -o '"gbps": [0-9.e+]*' |
    awk '$2 > 10000' | wc -l | tr -d ' ')" 0
run bandwidth --mem pinned --least 4K --most 4K --runs 1 --json
equal "no fit through one size" "$(printf '%s\n' "$out" | grep -c '"latency": null, "gbps": null')" 3
run bandwidth --mem pinned --least 4K --most 4K --runs 1
equal "text: none" "$(printf '%s\n' "$out" | tr -s ' ' | grep -c '^ latency us - - -$')" 1
run bandwidth --mem staged,pinned --least 1004 --most 1004 --runs 1 --csv
equal "CSV" "$(printf '%s\n' "$out" | cut -d, -f1-3 | tr '\n' ' ')" \
    "mem,direction,bytes pinned,in,1004 pinned,out,1004 pinned,both,1004 staged,in,1004 staged,out,1004 staged,both,1004 "
equal "CSV: verified" "$(printf '%s\n' "$out" | cut -d, -f6 | sort | uniq -c | tr -s ' ' | tr '\n' ';')" \
    " 6 true; 1 verified;"
run bandwidth --mem mapped --most 4K --runs 1 --no-verify
equal "text" "$(printf '%s\n' "$out" | grep -c '^mapped: \|^verified: skipped\|^link: ')" 3
refused 2 "--mem: unknown 'floppy'" bandwidth --mem floppy
refused 2 "--least is more than --most" bandwidth --least 1M --most 1K
finish
