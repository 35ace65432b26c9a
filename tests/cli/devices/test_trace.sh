#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# --trace and --timeline of subcommands, and HEDDLE_TRACE of any program: valid files, also when the
# program fails.
. "$(dirname "$0")/../check.sh"
cd "$scratch" || exit 1
find_python || { echo "no python3"; exit 77; }
head -c 100000 "$tool" >data.bin

# get FILE EXPRESSION: of the trace o and its events e.
get()
{
    "$python" -c 'import json, sys
o = json.load(open(sys.argv[1])); e = o["traceEvents"]; print('"$2"')' "$1"
}

# drawn FILE TEXT: it is XML and says so.
drawn()
{
    checks=$((checks + 1))
    "$python" -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$1" 2>why ||
        fail "$1 is no XML: $(tail -n 1 why)"
    checks=$((checks + 1))
    grep -q "$2" "$1" || fail "$1 does not say $2"
}

run scan --n 2^12 --runs 2 --trace t.json --timeline t.svg
equal "status ($err)" "$status" 0
equal "kernels have spans of devices" \
    "$(get t.json 'sum(x.get("cat") == "kernel" and x["pid"] == 1 for x in e) >= 3')" True
equal "copies in have bytes" \
    "$(get t.json 'any(x.get("cat") == "copy in" and x["args"]["bytes"] > 0 for x in e)')" True
equal "the host waited" \
    "$(get t.json 'any(x["name"] == "hd_stream_synchronize" for x in e)')" True
equal "nothing was dropped" "$(get t.json 'o["otherData"]["dropped"]')" 0
equal "spans have times" \
    "$(get t.json 'all(x["ts"] >= 0 and x.get("dur", 0) >= 0 for x in e)')" True
equal "arrows begin and end" \
    "$(get t.json 'sum(x["ph"] == "s" for x in e) - sum(x["ph"] == "f" for x in e)')" 0
drawn t.svg "device 0: copy in"
drawn t.svg "% busy"

run reduce data.bin --type u8 --timeline only.svg
equal "a timeline alone" "$status" 0
drawn only.svg "device 0: compute"

# Failures: the file is there, and the failure is told.
run reduce nothing.bin --type u8 --trace failed.json
equal "the command's failure is the status" "$status" 1
equal "its trace is valid" "$(get failed.json 'len(e)')" 0
unwritten --timeline scan --n 100
refused 1 "nowhere/t.json: No such file or directory" scan --n 100 --trace nowhere/t.json
[ ! -w /dev/full ] || {
    run scan --n 100 --trace /dev/full
    equal "a trace that is not written behind the result" "$status/${out:+printed}" 1/printed
}
refused 2 "option '--trace' needs a value" scan --n 100 --trace
refused 2 "option '--trace' is given twice" scan --trace a --trace b
refused 2 "unknown option '--trase', did you mean '--trace'?" scan --trase a

# The trace of any program, read again.
run timeline t.json
case $err in *"without jansson (Debian: libjansson-dev)"*) finish ;; esac
run timeline t.json --plot again.svg --csv
equal "timeline ($err)" "$status" 0
equal "as many kernels as the trace has" "$(awk -F, '$2 == "kernel" { n += $4 } END { print n }' out)" \
    "$(get t.json 'sum(x.get("cat") == "kernel" for x in e)')"
checks=$((checks + 1))
awk -F, '$2 == "copy in" && $8 > 0 { found = 1 } END { exit !found }' out || fail "no bytes: $out"
drawn again.svg "device 0: copy in"

# A picture shows the busiest stretch, or the part that is asked for; kernels have a colour a name.
"$python" -c '
import json
def kernel(name, ts, dur, stream=1):
    return {"ph": "X", "cat": "kernel", "pid": 1, "tid": stream, "name": name, "ts": ts, "dur": dur, "args": {}}
print(json.dumps({"traceEvents": [kernel("warm_up", 0, 1000)] +
    [kernel("first" if i % 2 else "second", 50000 + 100 * i, 90) for i in range(40)] +
    [kernel("late", 100000, 500)]}))' >gaps.json

# in_picture OPTIONS...: the names of kernels in the legend, the values of the time axis.
in_picture()
{
    run timeline gaps.json --plot gaps.svg "$@"
    equal "timeline $* ($err)" "$status" 0
    "$python" -c '
import sys, xml.etree.ElementTree as tree
svg, space = tree.parse("gaps.svg").getroot(), "{http://www.w3.org/2000/svg}"
texts = [t.text for t in svg.iter(space + "text")]
colours = {}
for r in svg.iter(space + "rect"):
    for name in ("warm_up", "first", "second", "late"):
        if r.find(space + "title") is not None and r.find(space + "title").text.startswith(name + ","):
            colours.setdefault(name, set()).add(r.get("fill"))
assert all(len(c) == 1 for c in colours.values()), colours
assert len(set(map(min, colours.values()))) == len(colours), colours
numbers = [float(t) for t in texts if t.replace(".", "").isdigit()]
print(*sorted(colours), min(numbers), max(numbers), *[t for t in texts if t.endswith("shown")])' 2>&1
}
equal "the busiest stretch" "$(in_picture)" "first second 50.0 54.0 4.15 ms of 100.50 ms shown"
equal "the whole trace" "$(in_picture --whole)" "first late second warm_up 0.0 100.0"
equal "a part" "$(in_picture --from 99 --to 101)" "late 99.0 100.4 1.50 ms of 100.50 ms shown"
equal "a part to its end" "$(in_picture --from 60)" "late 60.0 100.0 40.50 ms of 100.50 ms shown"
equal "nothing in a part" "$(in_picture --from 60 --to 70 2>&1 | cut -d' ' -f1-2)" "60.0 70.0"
refused 2 "--from 3 must be less than --to 2" timeline gaps.json --plot gaps.svg --from 3 --to 2

run timeline t.json
case $out in
*"device 0 compute"*"busy"*"hd__scan"*) ;;
*) fail "timeline: $out" ;;
esac
run timeline t.json --top 2 --json
equal "one object" "$("$python" -c 'import json; o = json.load(open("out"))
print(" ".join(o), len(o["rows"]), o["rows"][0]["seconds"] >= o["rows"][1]["seconds"] > 0,
      o["seconds"] > 0, [e["engine"] for e in o["engines"]][:3])' 2>&1)" \
    "$heading seconds dropped engines rows verified 2 True True ['copy in', 'compute', 'copy out']"
refused 1 "data.bin: line 1, column 1: " timeline data.bin
refused 1 "nothing.json: No such file" timeline nothing.json
echo '{"traceEvents": {}}' >object.json
refused 1 "object.json: not a trace: it has no array \"traceEvents\"" timeline object.json

# Files that are damaged give one line, and where they are.
bad() # bad NAME MESSAGE
{
    refused 1 "timeline: $1.json: $2" timeline "$1.json"
}
head -n 3 t.json >truncated.json
bad truncated "line 4, column 0: ']' expected near end of file"
head -c 1000000 /dev/zero | tr '\0' '[' >deep.json
bad deep "line 1, column 2049: maximum parsing depth reached"
printf '{"traceEvents": [],\n"traceEvents": []}' >twice.json
bad twice "line 2, column 13: duplicate object key"
printf '{"traceEvents": [\nNaN]}' >nan.json
bad nan "line 2, column 3: invalid token near 'NaN'"
printf '{"traceEvents": [\n"\377"]}' >bytes.json
bad bytes "line 2, column 1: unable to decode byte 0xff"
{ printf '["'; head -c 10000000 /dev/zero | tr '\0' x; } >large.json
bad large "line 1, column 10000002: premature end of input"
rm large.json

# event MEMBERS WHAT: a kernel with these members is refused.
event()
{
    echo '{"traceEvents": [3, {"ph": "X", "cat": "kernel", '"$1"'}]}' >event.json
    refused 1 "event.json: event 2 of \"traceEvents\": $2" timeline event.json
}
event '"pid": "1"' '"pid" must be a whole number from 0 to 256'
event '"pid": 2000000000' '"pid" must be'
event '"pid": -1' '"pid" must be'
event '"pid": 1.5' '"pid" must be'
event '"tid": 4294967296' '"tid" must be a whole number from 0 to 4294967295'
event '"ts": null' '"ts" and "dur" must be microseconds'
event '"dur": -1' '"ts" and "dur" must be microseconds'
event '"args": {"bytes": []}' '"bytes" must be a whole number'
echo '{"traceEvents": [{"ph": "X", "cat": "copy in", "pid": 1, "tid": 1, "dur": 1,
    "args": {"bytes": 9007199254740992}}]}' >much.json
run timeline much.json --json
equal "2^53 bytes ($err)" "$("$python" -c 'import json; print(json.load(open("out"))["rows"][0]["bytes"])')" \
    9007199254740990.0

printf '{"traceEvents": [{"ph": "X"}, 3, "x", {"ph": "X", "cat": "kernel", "pid": 1, "tid": 1}]}' >odd.json
run timeline odd.json --plot odd.svg
equal "odd events ($err)" "$status" 0
printf '{"traceEvents": []}' >empty.json
run timeline empty.json --json
equal "a trace of nothing" "$("$python" -m json.tool <out | tr -d ' \n' | sed 's/.*"warp"/{"warp"/')" \
    '{"warp":null,"seconds":0,"dropped":0,"engines":[],"rows":[],"verified":"skipped"}'
refused 2 "TRACE is missing" timeline

HEDDLE_TRACE=$scratch/env.json "$tool" scan --n 2^10 >out 2>said
equal "HEDDLE_TRACE leaves the output alone" "$(cat said)" ""
equal "and writes the file" "$(get env.json 'any(x.get("cat") == "kernel" for x in e)')" True
HEDDLE_TRACE=$scratch/env-%p-x.json "$tool" scan --n 2^10 >out 2>said
equal "%p is the process" "$(ls env-*-x.json | wc -l | tr -d ' ')" 1
run scan --n 2^10 --trace own-%p.json --timeline own-%p.svg
equal "%p of the options too" \
    "$(ls own-* | sed 's/[0-9][0-9]*/N/' | tr '\n' ' ')" "own-N.json own-N.svg "
HEDDLE_TRACE=$scratch/late.json "$tool" reduce nothing.bin --type u8 >out 2>said
equal "a program that fails" "$?" 1
equal "leaves a valid trace" "$(get late.json 'len(e)')" 0
HEDDLE_TRACE=/no/such/folder/t "$tool" scan --n 2^10 >out 2>said
equal "a folder that is not there does not stop the program" "$?" 0
checks=$((checks + 1))
grep -q "heddle: HEDDLE_TRACE=/no/such/folder/t: " said || fail "and is told: $(cat said)"
HEDDLE_TRACE=x refused 2 "HEDDLE_TRACE excludes --trace" scan --n 100 --trace y
finish
