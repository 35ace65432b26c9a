#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# heddle check: runs, what is found over them, output, exit status. The program is a script that
# writes the lines of a checked program, so this runs with every backend.
. "$(dirname "$0")/../check.sh"
cd "$scratch" || exit 1
here=$(pwd -P)
mkdir temporary # what is left behind is this test's, whatever runs beside it
TMPDIR=$here/temporary
export TMPDIR
unset HEDDLE_CPU_WARP HEDDLE_CPU_STREAMS HEDDLE_CHECK_SEED HEDDLE_CHECK_SUPPRESS HEDDLE_CHECK_STRICT

# begin: the start of a fake program; the rest follows on standard input.
cat >start.sh <<'EOF'
#!/bin/sh
say() { echo "$1" >>"$HEDDLE_CHECK_REPORT"; }
begins()
{
    say '{"type":"run","program":"/p","arguments":[],"pid":1,"warp":'$HEDDLE_CPU_WARP',"seed":'$HEDDLE_CHECK_SEED',"streams":"'$HEDDLE_CPU_STREAMS'","version":"0"}'
}
# finding ID CODE SEVERITY FILE LINE OTHER_LINE
finding()
{
    say '{"type":"finding","id":'$1',"code":"'$2'","severity":"'$3'","title":"a \"title\"","kernel":"foo","message":"what happened","object":"shared array tile (64 bytes), byte 4","detail":"'"${7:-}"'","sides":[{"verb":"writes","kernel":"foo","block":[0,0,0],"thread":[3,0,0],"file":"'$4'","line":'$5',"function":"foo","operation":4},{"verb":"reads","kernel":"foo","block":[1,0,0],"thread":[4,0,0],"file":"'$4'","line":'$6',"function":"foo","operation":4}],"launch":{"number":4,"kernel":"foo","grid":[4,1,1],"block":[64,1,1],"shared_bytes":0,"file":"'$4'","line":88},"advice":"mend it","pid":1}'
}
count() { say '{"type":"count","id":'$1',"count":'$2',"pid":1}'; }
ends() { say '{"type":"end","errors":0,"portability":0,"performance":0,"suppressed":0,"pid":1}'; }
EOF
program()
{
    { cat start.sh; cat; } >"$1"
    chmod +x "$1"
}

# has WHAT TEXT: the last run printed the text.
has()
{
    checks=$((checks + 1))
    case $out in
    *"$2"*) ;;
    *) fail "$1: no '$2' in
$out" ;;
    esac
}

# lines WHAT PATTERN NUMBER: so many lines of the last output match.
lines()
{
    equal "$1" "$(grep -c -e "$2" out)" "$3"
}

program clean <<'EOF'
begins
echo "$HEDDLE_CPU_WARP $HEDDLE_CHECK_SEED $HEDDLE_CPU_STREAMS ${HEDDLE_CHECK_REPLAY:-0}" >>ways
cat >>input
ends
EOF
echo data >data
run check -- ./clean
case $err in *"without jansson (Debian: libjansson-dev)"*) equal "no runs" "$status" 3; finish ;; esac
equal "clean: exit status ($err)" "$status" 0
equal "clean: output" "$out" "6 runs: 0 errors, 0 portability, 0 performance"
equal "clean: standard error" "$err" ""
equal "clean: runs" "$(cat ways)" "32 0 eager 0
64 0 eager 0
32 1 lazy:1 0
64 1 lazy:1 0
32 2 eager 0
64 2 eager 0"
rm ways input
"$tool" check --seeds 2 --warp 64 --streams eager,lazy --replay ./clean <data >out
equal "chosen: runs" "$(cat ways)" "64 0 eager 4
64 0 lazy:0 4
64 1 eager 4
64 1 lazy:1 4"
equal "input: read in each run" "$(cat input)" "data
data
data
data"

# From where it stands, and without moving it: the caller may be reading a list from there.
printf 'one\ntwo\nthree\n' >list
: >input
while read -r item; do
    echo "$item" >>items
    [ "$(wc -l <items)" -lt 9 ] || break
    "$tool" check --seeds 1 --warp 32 ./clean >out
done <list
equal "input: a loop that reads its list from there" "$(tr '\n' ' ' <items)" "one two three "
equal "input: what is left of it" "$(tr '\n' ' ' <input)" "two three three "

# A line that is cut or is not JSON.
program damaged <<'EOF'
begins
say '{"type":"finding","id":1,"code":'
say 'NaN'
ends
EOF
run check --seeds 1 --warp 32 -- ./damaged
equal "damaged: exit status" "$status" 3
equal "damaged: standard error" "$err" "heddle: check: 2 lines of the program's reports are not \
complete and valid JSON; the first: line 2, column 32: unexpected token near end of file"

# One finding in all runs, one at warp 64, one that needs seed 1 alone. Sides may be swapped.
program found <<'EOF'
begins
finding 1 HD-RACE-SHARED error "$PWD/k.c" 12 14 "waits at $PWD/k.c:9"
count 1 4294967297
if [ "$HEDDLE_CPU_WARP" = 64 ]; then
    finding 2 HD-RACE-SHARED error "$PWD/k.c" 14 12
    finding 3 HD-MASK-32BIT portability "/else/m.c" 7 8
    count 3 5
fi
if [ "$HEDDLE_CHECK_SEED" = 1 ]; then
    finding 4 HD-RACE-WARP error "$PWD/k.c" 3 4
fi
ends
exit 1
EOF
run check -- ./found 'an argument' "it's"
equal "found: exit status ($err)" "$status" 1
lines "found: each once" '^error HD-RACE-SHARED: a "title"$' 1
lines "found: portability" '^portability HD-MASK-32BIT' 1
lines "found: needs a seed" '^error HD-RACE-WARP' 1
has "found: 64-bit counts" "seen in 6 of 6 runs, 25769803782 times"
has "found: places below the folder" "
  kernel foo, shared array tile (64 bytes), byte 4
  block (0,0,0) thread (3,0,0) writes at k.c:12
  block (1,0,0) thread (4,0,0) reads at k.c:14
  launched at k.c:88: grid 4x1x1, block 64x1x1 (operation 4)
  waits at k.c:9
  fix: mend it
"
has "found: shortest command" "
  reproduce: ./found 'an argument' 'it'\\''s'
"
has "found: warp" "
  reproduce: HEDDLE_CPU_WARP=64 ./found"
has "found: seed alone" "
  seen in 2 of 6 runs
  reproduce: HEDDLE_CHECK_SEED=1 ./found"
has "found: summary" "6 runs: 2 errors, 1 portability, 0 performance"
equal "found: standard error" "$err" ""

# What the environment must have to show it, and no more.
program devices <<'EOF'
begins
if [ "$HEDDLE_CPU_DEVICES" = 2 ]; then
    finding 1 HD-NO-PEER error "$PWD/k.c" 1 2
fi
ends
EOF
out=$(HEDDLE_CPU_DEVICES=2 HEDDLE_CPU_PEERS=none HEDDLE_CPU_MEMORY=64M "$HEDDLE_TOOL" check -- ./devices 2>err)
has "environment: what it needs" "
  reproduce: HEDDLE_CPU_DEVICES=2 ./devices
"
out=$(HEDDLE_CPU_DEVICES=2 HEDDLE_CPU_WARP=64 "$HEDDLE_TOOL" check --warp 32 --seeds 1 -- ./devices 2>err)
has "environment: not what is set" "
  reproduce: HEDDLE_CPU_WARP=32 HEDDLE_CPU_DEVICES=2 ./devices
"

program portable <<'EOF'
begins
finding 1 HD-BLOCK-64 portability "$PWD/k.c" 1 2
ends
[ -z "$HEDDLE_CHECK_STRICT" ]
EOF
run check -- ./portable
equal "portability alone: exit status" "$status" 0
run check --strict -- ./portable
equal "portability, strict: exit status" "$status" 1

# Programs that do not end as they should.
program crash <<'EOF'
begins
[ "$1" = none ] || finding 1 HD-RACE-SHARED error "$PWD/k.c" 12 14
printf '{"type":"finding","id":2,"co' >>"$HEDDLE_CHECK_REPORT"
echo last words
kill -SEGV $$
EOF
run check --seeds 1 -- ./crash
equal "crash: exit status" "$status" 1
lines "crash: findings so far" '^error HD-RACE-SHARED' 1
equal "crash: said" "$(echo "$err" | grep -c 'ended by signal 11 .*in other runs')" 1
run check --seeds 1 -- ./crash none
equal "crash without findings: exit status" "$status" 3
equal "crash: last words" "$(echo "$err" | grep -c '^last words$')" 1

program middle <<'EOF'
begins
finding 1 HD-RACE-SHARED error "$PWD/k.c" 12 14
EOF
run check --seeds 1 --warp 32 -- ./middle
equal "exit in the middle: exit status" "$status" 1
equal "exit in the middle: said" "$(echo "$err" | grep -c 'ended in the middle')" 1

program fails <<'EOF'
begins
ends
exit 5
EOF
run check -- ./fails
equal "fails: exit status" "$status" 3
equal "fails: said" "$(echo "$err" | grep -c 'ended with status 5, without findings')" 1

program hangs <<'EOF'
begins
finding 1 HD-DEADLOCK error "$PWD/k.c" 12 14
sleep 1000
EOF
run check --seeds 1 --warp 32 --timeout 0.5 -- ./hangs
equal "hangs: exit status" "$status" 1
equal "hangs: said" "$(echo "$err" | grep -c 'stopped after 0.5 seconds')" 1

run check -- true
equal "not instrumented: exit status" "$status" 3
equal "not instrumented: no verdict" "$out" ""
equal "not instrumented: said" "$(echo "$err" | grep -c 'not built with the checking engine')" 1
run check -- ./nothing-there
equal "no program: exit status" "$status" 3
equal "no program: said" "$(echo "$err" | grep -c 'cannot be run: No such file')" 1

program refuses <<'EOF'
say '{"type":"invalid","message":"HEDDLE_CHECK_SUPPRESS: s.txt:3: HD-X is not the code of a finding","pid":1}'
exit 1
EOF
run check -- ./refuses
equal "bad suppressions: exit status" "$status" 3
equal "bad suppressions: said" "$(echo "$err" | grep -c 'nothing was checked: .*s.txt:3')" 1

# Suppressions: unused where no run used them.
program quiet <<'EOF'
begins
uses=0; [ "$HEDDLE_CPU_WARP" = 32 ] || uses=3
say '{"type":"suppression","file":"'"$HEDDLE_CHECK_SUPPRESS"'","line":1,"code":"HD-LEAK","kernel":"*","reason":"r","used":'$uses'}'
say '{"type":"suppression","file":"'"$HEDDLE_CHECK_SUPPRESS"'","line":2,"code":"HD-FAULT","kernel":"k*","reason":"r","used":0}'
ends
EOF
touch s.txt
run check --suppress s.txt -- ./quiet
equal "suppressions: exit status ($err)" "$status" 0
equal "suppressions" "$out" "s.txt:2: nothing to suppress: HD-FAULT k*
6 runs: 0 errors, 0 portability, 0 performance; 1 of 2 suppressions used"

# Wrong usage.
refused 2 "check: PROGRAM is missing" check
refused 2 "check: PROGRAM is missing" check --strict --
refused 2 "--seeds: '0'" check --seeds 0 -- true
refused 2 "--warp: '16' is not 32 or 64" check --warp 16 -- true
refused 2 "--streams: 'lazzy' is not eager or lazy" check --streams lazzy -- true
refused 2 "--timeout: 'x'" check --timeout x -- true
refused 2 "--suppress: none.txt: No such file" check --suppress none.txt -- true
refused 2 "--json and --sarif are mutually exclusive" check --json --sarif -- true
refused 2 "unknown option '--sede', did you mean '--seeds'?" check --sede 3 -- true
refused 3 "/nowhere/x: No such file" check --output /nowhere/x -- ./clean
equal "nothing is left behind" "$(ls -A temporary)" ""

find_python || finish
# get FILE EXPRESSION: of the object o.
get()
{
    "$python" -c 'import json, sys; o = json.load(open(sys.argv[1])); print('"$2"')' "$1"
}

run check --json -- ./found x
equal "JSON: exit status" "$status" 1
equal "JSON: findings" "$(get out '[(f["code"], f["count"], f["seen_in"]) for f in o["findings"]]')" \
    "[('HD-RACE-WARP', 0, 2), ('HD-RACE-SHARED', 25769803782, 6), ('HD-MASK-32BIT', 15, 3)]"
equal "JSON: commands" "$(get out '[f["command"] for f in o["findings"]]')" \
    "['HEDDLE_CHECK_SEED=1 ./found x', './found x', 'HEDDLE_CPU_WARP=64 ./found x']"
equal "JSON: runs" "$(get out '[(r["warp"], r["status"], r["complete"]) for r in o["runs"]][:2]')" \
    "[(32, 1, True), (64, 1, True)]"
run check --sarif --output f.sarif -- ./found
equal "SARIF: exit status ($err)" "$status" 1
lines "SARIF: text beside it" '^error HD-RACE-SHARED' 1
cat >sarif.py <<'EOF'
import json, re, sys, urllib.parse
log = json.load(open("f.sarif"))
assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-2.1.0.json")
(run,) = log["runs"]
driver = run["tool"]["driver"]
assert driver["name"] == "heddle check"
rules = driver["rules"]
assert len({r["id"] for r in rules}) == len(rules)
for r in rules:
    assert r["shortDescription"]["text"] and r["help"]["text"]
    assert r["defaultConfiguration"]["level"] in ("error", "warning", "note")
base = run["originalUriBaseIds"]["%SRCROOT%"]["uri"]
assert base == "file://" + urllib.parse.quote(sys.argv[1]) + "/", base
def place(location):
    p = location["physicalLocation"]
    a = p["artifactLocation"]
    assert ("uriBaseId" in a) != a["uri"].startswith("file:///")
    assert p["region"]["startLine"] >= 1
    return a["uri"], p["region"]["startLine"]
for r in run["results"]:
    assert rules[r["ruleIndex"]]["id"] == r["ruleId"]
    assert r["level"] in ("error", "warning", "note") and r["message"]["text"]
    assert re.fullmatch("[0-9a-f]{16}", r["partialFingerprints"]["heddleCheck/v1"])
    assert r.get("occurrenceCount", 1) >= 1
    print(r["ruleId"], r["level"], *[place(l) for l in r["locations"]],
          *[(place(l)[1], l["message"]["text"]) for l in r["relatedLocations"]])
EOF
equal "SARIF: results" "$("$python" sarif.py "$here" 2>&1)" \
    "HD-RACE-WARP error ('k.c', 3) (4, 'reads') (88, 'launched')
HD-RACE-SHARED error ('k.c', 12) (14, 'reads') (88, 'launched')
HD-MASK-32BIT warning ('file:///else/m.c', 7) (8, 'reads') (88, 'launched')"
rm f.sarif
echo old >real.sarif
chmod 600 real.sarif
ln -s real.sarif f.sarif
run check --sarif --output f.sarif -- ./clean
[ -L f.sarif ] || fail "--output took the place of a link"
equal "--output keeps the mode" "$(ls -l real.sarif | cut -c 1-10)" "-rw-------"
equal "SARIF: of nothing" "$(get f.sarif 'o["runs"][0]["results"]')" "[]"
finish
