#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# heddle collectives: every collective checked, its columns, what is refused.
# labels: several
. "$(dirname "$0")/../check.sh"
cd "$scratch" || exit 1
[ "$HEDDLE_BACKEND" = cpu ] || exit 77 # four devices
export HEDDLE_CPU_DEVICES=4

run collectives --op all-reduce,reduce,reduce-scatter,all-gather,broadcast,all-to-all,send-receive \
    --sizes 1000,40K --type i32 --redop max --csv
equal "csv: status ($err)" "$status" 0
equal "rows" "$(printf '%s\n' "$out" | sed 1d | grep -c ',0,true$')" 24
equal "wrong rows" "$(printf '%s\n' "$out" | sed 1d | grep -vc ',0,true$')" 0
for algorithm in one-shot two-shot direct ring; do
    run collectives --sizes 64..1K --algorithm $algorithm --p2p off --devices 2,0,1 --json
    equal "$algorithm: status ($err)" "$status" 0
    equal "$algorithm: verified" "$(printf '%s\n' "$out" | grep -c '"wrong": 0, "verified": true}')" 10
    equal "$algorithm: all of them" "$(printf '%s\n' "$out" | tail -n 1)" '], "verified": true}'
    case $out in *"\"algorithm\": \"$algorithm\""*) ;; *) fail "$algorithm: $out" ;; esac
done
run collectives --op all-reduce,all-gather,broadcast --sizes 1000,40K --graph 3 --runs 7 --csv
equal "graphs: status ($err)" "$status" 0
equal "graphs: rows" "$(printf '%s\n' "$out" | sed 1d | grep -c ',0,true$')" 10
equal "csv: bandwidths have digits" "$(printf '%s\n' "$out" | sed 1d | cut -d, -f10,11 | grep -c '^0,\|,0$')" 0
if command -v python3 >/dev/null; then
    run collectives --op all-reduce,broadcast --sizes 64,1K --json
    equal "json: one object ($err)" "$(python3 -c 'import json; o = json.load(open("out"))
print(" ".join(o), o["devices"], [(r["collective"], r["bytes"], r["place"], r["verified"])
                                 for r in o["rows"]][-2:], len(o["rows"]))' 2>&1)" \
        "$heading devices rows verified [0, 1, 2, 3] [('broadcast', 64, 'in', True), \
('broadcast', 1024, 'in', True)] 6"
    run collectives --sizes 64 --no-check --json
    equal "json: not checked ($err)" "$(python3 -c 'import json
o = json.load(open("out"))
print([(r["wrong"], r["verified"]) for r in o["rows"]], o["verified"])' 2>&1)" \
        "[(None, 'skipped'), (None, 'skipped')] skipped"
fi
# A row of the library says so in every form; on the CPU a stand-in takes its place.
own_tool=$tool
tool=$HEDDLE_BUILD_DIR/tests/heddle_tool_library
run collectives --op all-reduce,all-to-all --sizes 1000 --type i32 --vendor --csv
equal "vendor: status ($err)" "$status" 0
equal "vendor: algorithms" "$(printf '%s\n' "$out" | sed 1d | cut -d, -f1,6,8 | tr '\n' ' ')" \
    "all-reduce,one-shot,out all-reduce,one-shot,in all-reduce,library,library \
all-to-all,-,out all-to-all,-,in all-to-all,library,library "
equal "vendor: verified" "$(printf '%s\n' "$out" | sed 1d | grep -c ',0,true$')" 6
run collectives --op all-reduce --sizes 1000 --type i32 --vendor --json
equal "vendor: json" "$(printf '%s\n' "$out" | grep -c '"algorithm": "library".*"place": "library"')" 1
run collectives --vendor --op all-reduce,all-gather --sizes 1K,2K --type u16 --redop max
equal "vendor: a type that it does not reduce ($err)" "$status/$(printf '%s\n' "$err" | wc -l | tr -d ' ')" 0/1
equal "vendor: ... which it moves" "$(printf '%s\n' "$out" | awk '$3 == "u16" { print NF, $NF }' | tr '\n' ' ')" \
    "17 - 17 - 17 0 17 0 "
case $err in *"the library of collectives does not reduce u16"*) ;; *) fail "vendor: $err" ;; esac
tool=$own_tool
run collectives --sizes 8 --no-verify
case $out in *busbw*N/A*"# verified: skipped") ;; *) fail "--no-verify ($err): $out" ;; esac
refused 2 "--verify and --no-verify are mutually exclusive" collectives --verify --no-check
run collectives --sizes 8 --type bf16 --no-check
equal "text: status ($err)" "$status" 0
case $out in *busbw*N/A*) ;; *) fail "text: $out" ;; esac

run collectives --sizes 64,1T
equal "no memory: status ($err)" "$status" 1
case $err in *"no memory for "*" bytes on the host"* | *HD_ERR_NO_MEMORY* | *AddressSanitizer*) ;; *) fail "no memory: $err" ;; esac
run collectives --op all-reduce,all-gather --sizes 3 --csv
equal "a note of each size that is no element" "$err" "\
heddle: collectives: note: --sizes: all-reduce of 4 bytes instead of 3, one element
heddle: collectives: note: --sizes: all-gather of 16 bytes instead of 3, one element for each rank"
refused 2 "--runs: '0' is not from 1" collectives --runs 0
refused 2 "--graph: '0' is not from 1" collectives --graph 0
refused 2 "--sizes: '0' is nothing to send" collectives --sizes 0
refused 2 "--sizes: '8..1' is a descending range" collectives --sizes 8..1
refused 2 "--sizes: '1..1000T' is too large: sizes end at 1T" collectives --sizes 64,1..1000T
refused 2 "--sizes: '8..x' is not a size in bytes or a range such as 8..1G" collectives --sizes 8..x

# What nothing would heed is refused; where one collective of several does, it is not.
refused 2 "--redop cannot be combined with --op all-gather,broadcast, which reduces nothing" \
    collectives --op all-gather,broadcast --redop max
refused 2 "--algorithm ring is not available for --op all-gather" \
    collectives --op all-gather --algorithm ring
refused 2 "--algorithm one-shot is not available for --op reduce-scatter" \
    collectives --op reduce-scatter --algorithm one-shot
refused 2 "--algorithm ring is not for f16" collectives --algorithm ring --type f16
run collectives --op all-reduce,all-gather --algorithm ring --redop max --sizes 64 --no-check
equal "one of two heeds it ($err)" "$status/$err" 0/
run collectives --op all-gather --algorithm copies --sizes 64K --csv
equal "all-gather by copies ($err)" "$status" 0
run collectives --sizes 64,64K,128K --algorithm one-shot --no-check --csv
equal "what does not fit is told once" "$status/$err" "0/\
heddle: collectives: note: --algorithm one-shot is not available for 65536 bytes; direct is used"
run collectives --op all-reduced
equal "unknown word" "$status" 2
HEDDLE_CPU_DEVICES=1
run collectives
equal "one device" "$status" 1
finish
