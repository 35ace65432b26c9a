#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# The benchmarks run and print what they promise; their numbers are not judged here.
. "$(dirname "$0")/../check.sh"
cd "$scratch" || exit 1
vendor=
[ "$backend" = cpu ] && vendor=--vendor

# Rotated copies exceed the cache four times: 4 bytes * 1000 are more than 4 * 512 and less than
# 4 * 64K bytes.
brief="--cache 64K --rounds 3"
for cache in 512:memory 64K:warm,rotated; do
    run bench reduce --cache ${cache%:*} --sizes 1000 --types f32 --ops sum --rounds 3 --csv
    equal "bench reduce --cache ${cache%:*}: status ($err)" "$status" 0
    equal "bench reduce --cache ${cache%:*}: data" "$(echo "$out" | awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == "data") at = i }
        NR > 1 { print $at }' | paste -s -d , -)" "${cache#*:}"
done
refused 2 "--cache: '0' is not from 1 to" bench reduce --cache 0 --sizes 1000

run bench reduce $vendor --sizes 1000,2^12 --types f32,i32 --ops sum,argmin $brief --csv
equal "bench reduce: exit status ($err)" "$status" 0
equal "bench reduce: rows" "$(echo "$out" | wc -l)" 17
equal "bench reduce: every cell" "$(echo "$out" | awk -F, 'NF != 19' | wc -l)" 0
equal "bench reduce: times" "$(echo "$out" | awk -F, 'NR > 1 && !($6 > 0 && $14 > 0)' | wc -l)" 0
if [ -n "$vendor" ]; then
    equal "bench reduce: the vendor" "$(echo "$out" | awk -F, 'NR > 1 && !($17 > 0)' | wc -l)" 0
fi
run bench reduce --sizes 1000 --only argm $brief --csv
equal "bench reduce --only" "$(echo "$out" | cut -d, -f1 | sort | uniq -c | tr -s ' ')" " 6 argmin
 1 case"
refused 2 "--only: no case contains 'xyz'; cases are: sum; " bench reduce --sizes 1000 --only xyz
refused 2 "--only: no case contains 'xyz'; cases are: " bench spmv --sizes 1000 --only xyz --json
refused 2 "no case has these sizes" bench random --sizes 10
refused 2 "--from 128 is above --to 64" bench cg --from 128 --to 64
refused 2 "is not a size or a range" bench reduce --sizes 2^10..2^9
many=2^0..2^57,2^0..2^57
refused 2 "--sizes: more than 64 sizes" bench reduce --sizes $many,2^0..2^10 # 60, and 6 more
refused 2 "--sizes: more than 64 sizes" bench reduce --sizes $many,1,2,3,4,5
refused 2 "did you mean 'argmin'" bench reduce --ops argmni
if find_python; then
    run bench reduce --sizes 2^10..2^12 --types f64 --ops min $brief --json
    equal "bench reduce --json" "$("$python" -c '
import json, sys
o = json.load(sys.stdin)
print([r["n"] for r in o["rows"]], o["backend"])' <out 2>&1)" "[1024, 1024, 4096, 4096] $backend"
    [ -z "$small" ] || vendor= # plain C uses device memory in place, which the checker reports
    for name in match batch; do
        run bench $name $vendor --sizes 2^14 $brief --json
        equal "bench $name: exit status ($err)" "$status" 0
        equal "bench $name: rows" "$("$python" -c '
import json, sys
rows = json.load(sys.stdin)["rows"]
print(len(rows) > 4 and all(r["seconds"] > 0 and r["rate"] > 0 for r in rows))' <out 2>&1)" True
    done
    run bench launch --json
    equal "bench launch --json" "$("$python" -c '
import json, sys
print([r["what"] for r in json.load(sys.stdin)["rows"]])' <out 2>&1)" "['call', 'back to back']"
    for name in engine checker; do
        [ "$backend" = cpu ] && [ -z "$small" ] || continue
        [ $name = engine ] && rounds="--rounds 3" || rounds=
        run bench $name $rounds --json
        equal "bench $name --json ($err)" "$("$python" -c '
import json, sys
o = json.load(sys.stdin)
print(o["backend"], len(o["rows"]) > 3 and all(len(r) > 1 for r in o["rows"]))' <out 2>&1)" "cpu True"
    done
    # one call uses ordinary memory in place, which the checker reports
    [ -n "$small" ] || run bench pipeline --n 2^16 --rounds 3 --json
    [ -n "$small" ] || equal "bench pipeline --json ($err)" "$("$python" -c '
import json, sys
print([(r["memory"], r["weight"], r["over_once"] > 0) for r in json.load(sys.stdin)["rows"]])' \
        <out 2>&1)" "[('pageable', 1, True), ('pinned', 1, True), ('pageable', 32, True), \
('pinned', 32, True)]"
    # a run that fails is not compared: an error, and no verdict; sanitizers need more address space
    if [ "$backend" = cpu ] && [ -z "$small" ] &&
        (ulimit -v 8000000 && exec "$tool" info) >/dev/null 2>&1; then
        (ulimit -v 8000000 && exec "$tool" bench pipeline --n 2^31 --json) >out 2>err
        status=$?
        err=$(cat err)
        equal "bench pipeline without memory: status" "$status" 1
        equal "bench pipeline without memory ($err)" "$("$python" -c '
import json, sys
print(json.load(sys.stdin)["verified"])' <out 2>&1)" skipped
        equal "bench pipeline without memory: one line" "$(grep -c "^heddle: bench pipeline: " err)" 1
    fi
fi
# --peers and HEDDLE_PEERS are old names: they work, and help does not list the option.
if [ -n "$vendor" ]; then
    run bench reduce --peers --sizes 1000 --types f32 --ops sum $brief --csv
    equal "--peers: exit status ($err)" "$status" 0
    equal "--peers: columns and vendor" "$(echo "$out" | cut -d, -f16-19 | sed 's/[0-9.e-]\{2,\}/T/g' | sort -u |
        tr '\n' ' ')" "plain C,T,T,T vendor,vendor_seconds,vendor_rate,vendor_ratio "
fi
HEDDLE_PEERS=$scratch/none.so refused 1 "no vendor library" bench reduce --peers --sizes 10
run bench reduce --help
equal "--help" "$(echo "$out" | grep -c -e --peers) $(echo "$out" | grep -c '^  --vendor ')" "0 1"
refused 2 "option '--vendor' is given twice" bench reduce --vendor --peers
refused 2 "unknown option '--peeers'" bench reduce --peeers
HEDDLE_VENDOR=$scratch/none.so refused 1 "no vendor library" bench reduce --vendor --sizes 10

# The whole name of the other tool is used, however long it is.
if [ "$backend" = cpu ]; then
    long=$scratch/$(printf '%0120d/%0120d' 0 0)
    mkdir -p "$long"
    printf '#!/bin/sh\ntouch "%s/asked"\nexit 3\n' "$scratch" >"$long/tool"
    chmod +x "$long/tool"
    refused 1 "'$long/tool bench checker --csv' does not measure" bench checker --against "$long/tool"
    checks=$((checks + 1))
    [ -e "$scratch/asked" ] || fail "bench checker --against did not start a tool with a long name"
fi
finish
