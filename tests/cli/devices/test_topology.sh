#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# heddle topology where all, no and some devices reach each other: what JSON says of every pair, and
# what the picture has.
. "$(dirname "$0")/../check.sh"
cd "$scratch" || exit 1
[ "$backend" = cpu ] || exit 77 # which links there are is told
find_python || { echo "no python3"; exit 77; }

# Of each pair: lanes, access, atomics, path, verified, reason.
pairs()
{
    "$python" -c 'import json, sys
for p in json.load(sys.stdin)["rows"]:
    print("%d-%d" % (p["device"], p["peer"]), *(json.dumps(p[k]) for k in
          ("lanes", "access", "atomics", "path", "verified", "reason")))' <out 2>&1
}

# What a picture says below its legend, line by line: well-formed, each line below the last one and
# inside; numbers and bus ids of all devices are there.
cat >look.py <<'END'
import sys
import xml.etree.ElementTree as tree

svg = tree.parse(sys.argv[1]).getroot()
space = "{http://www.w3.org/2000/svg}"
texts = [(float(t.get("x")), float(t.get("y")), float(t.get("font-size")), t.text)
         for t in svg.iter(space + "text")]
legend = next(y for x, y, size, text in texts if text.startswith("thick: direct"))
last = legend
for x, y, size, text in texts:
    if y > legend:
        assert y - last >= size and y + 4 <= float(svg.get("height")), (y, last, text)
        assert x + 0.6 * size * len(text) <= float(svg.get("width")) + 1, (x, text)
        last = y
        print(text)
devices = [t.text for t in svg.iter(space + "title") if t.text.startswith("device ")]
assert len(devices) == int(sys.argv[2]), devices
lines = [float(l.get("stroke-width")) for l in svg.iter(space + "line") if float(l.get("y1")) < 500]
print("lines", lines.count(4.0), lines.count(1.2))
END

HEDDLE_CPU_DEVICES=3
export HEDDLE_CPU_DEVICES
# reason A B: the same from either side.
reason()
{
    [ "$1" -lt "$2" ] && echo "device $1 $no $2" || echo "device $2 $no $1"
}
no="has no access to memory of device"
for peers in all none 0-1,1-2; do
    HEDDLE_CPU_PEERS=$peers
    export HEDDLE_CPU_PEERS
    case $peers in
    all) staged= ;;
    none) staged="0-1 0-2 1-0 1-2 2-0 2-1" ;;
    *) staged="0-2 2-0" ;;
    esac
    expected=$(for pair in 0-1 0-2 1-0 1-2 2-0 2-1; do
        case " $staged " in
        *" $pair "*)
            echo "$pair 0 false false \"staged\" null \"$(reason ${pair%-*} ${pair#*-})\"" ;;
        *) echo "$pair 0 true true \"direct\" true \"\"" ;;
        esac
    done)
    run topology --json
    equal "peers $peers: pairs ($err)" "$(pairs)" "$expected"
    run topology --svg $peers.svg
    equal "peers $peers: text ($err)" "$(grep -c " - .: device . $no" out)" \
        "$(($(echo "$staged" | wc -w) / 2))"
    equal "peers $peers: no lanes to count" "$(grep -c '^lanes of the link' out)" 0
done
equal "the picture, peers all" "$("$python" look.py all.svg 3 2>&1)" "atomics over the link: all pairs
lines 3 0"
equal "the picture, peers none" "$("$python" look.py none.svg 3 2>&1)" "atomics over the link: no pair
staged 0-1 because: device 0 $no 1
staged 0-2 because: device 0 $no 2
staged 1-2 because: device 1 $no 2
lines 0 3"
equal "the picture, peers 0-1,1-2" "$("$python" look.py 0-1,1-2.svg 3 2>&1)" \
    "atomics over the link: 0-1 1-2
staged 0-2 because: device 0 $no 2
lines 2 1"

# Pairs of the same reason are listed together, in as many lines as they take.
HEDDLE_CPU_DEVICES=8 HEDDLE_CPU_PEERS=all HEDDLE_P2P=off run topology --svg off.svg
equal "the picture, 8 devices without paths" "$("$python" look.py off.svg 8 2>&1)" \
    "atomics over the link: all pairs
staged 0-1 0-2 0-3 0-4 0-5 0-6 0-7 1-2 1-3 1-4 1-5 1-6 1-7 2-3 2-4 2-5 2-6 2-7 3-4
3-5 3-6 3-7 4-5 4-6 4-7 5-6 5-7 6-7 because: HEDDLE_P2P=off
lines 0 28"
# A broken link has access, and a pattern that came back wrong.
HEDDLE_CPU_PEERS=all HEDDLE_CPU_PEERS_BROKEN=0-2 run topology --svg broken.svg --json
equal "a broken link" "$(pairs | sed -n 's/^0-2 \(.*\): .* words"$/\1/p')" \
    '0 true true "staged" false "the pattern came back wrong'
equal "the picture of a broken link" "$("$python" look.py broken.svg 3 2>&1 |
    grep -c '^staged 0-2 because: the pattern came back wrong')" 1
HEDDLE_CPU_DEVICES=1 HEDDLE_CPU_PEERS=all run topology --svg one.svg
equal "the picture of one device" "$("$python" look.py one.svg 1 2>&1)" "lines 0 0"
finish
