#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# Output that cannot be written, readers that go away, and nothing but text where no terminal is.
. "$(dirname "$0")/../check.sh"
cd "$scratch" || exit 1
head -c 100000 "$tool" >data.bin

# ended STATUS WHAT: how the last command ended.
ended()
{
    equal "$2: exit status" "$status" "$1"
}

if [ -w /dev/full ]; then
    for command in "reduce data.bin --type u8" "reduce data.bin --type u8 --json" \
        "info" "--help" "--version" \
        "bench reduce --sizes 1000 --types i32 --ops sum --cache 64K --rounds 3"; do
        "$tool" $command >/dev/full 2>err
        status=$?
        ended 1 "$command > /dev/full"
        equal "$command > /dev/full: lines" "$(wc -l <err | tr -d ' ')" 1
        equal "$command > /dev/full" "$(grep -c 'standard output: No space left' err)" 1
    done
fi

"$tool" info >&- 2>err
status=$?
ended 1 "closed standard output"
equal "closed standard output: lines" "$(wc -l <err | tr -d ' ')" 1
"$tool" reduce data.bin --type u8 >out 2>&-
status=$?
ended 0 "closed standard error"
"$tool" reduce - --type u8 <&- >out 2>err
status=$?
ended 1 "closed standard input"

# Files that may not grow beyond 512 or 1024 bytes: the reason is told, whoever writes.
head -c 300000 /dev/zero | tr '\0' x >x.txt
for command in "match x x.txt --positions" "match x x.txt --positions --chunk 1000" "--help" \
    "random --raw --n 100000" "random --raw" \
    "histogram --n 1000 --bins 65536 --json" "bench reduce --help" "reduce --help"; do
    (ulimit -f 1 && exec "$tool" $command >limited 2>err)
    status=$?
    ended 1 "$command to a file that may not grow"
    equal "$command to a file that may not grow: lines" "$(wc -l <err | tr -d ' ')" 1
    equal "$command to a file that may not grow" "$(grep -c 'standard output: File too large' err)" 1
done
(ulimit -f 1 && exec "$tool" scan --n 1000 --out limited.npy >out 2>err)
status=$?
ended 1 "--out to a file that may not grow"
equal "--out to a file that may not grow" "$(grep -c 'limited.npy: .*File too large' err)" 1

# Looking whether a file could be written leaves what is there, and nothing else.
mkdir kept
for file in o.npy t.json t.svg; do echo old >kept/$file; done
run scan --n 10 --pattern nonsense --out kept/o.npy
ended 2 "a command that writes nothing"
run scan --n 10 --out kept/none.npy --trace kept/t.json --timeline nowhere/t.svg
ended 1 "one of three files that cannot be written"
run scan --n 10 --out kept/none.npy --timeline kept/t.svg --trace nowhere/t.json
ended 1 "another of three files that cannot be written"
equal "what was there" "$(cat kept/* | tr '\n' ' ')$(ls kept | tr '\n' ' ')" \
    "old old old o.npy t.json t.svg "
refused 1 "kept: Is a directory" scan --n 10 --out kept

# What is there keeps its permissions, a link its place; a file that nobody may write is left alone.
written()
{
    file=$1
    shift
    rm -f "$file" "real-$file"
    echo old >"real-$file"
    chmod 600 "real-$file"
    ln -s "real-$file" "$file"
    "$@" >out 2>err
    status=$?
    equal "$* over a link: exit status ($(cat err))" "$status" 0
    [ -L "$file" ] || fail "$* took the place of the link"
    equal "$*: the mode of what the link leads to" "$(ls -l "real-$file" | cut -c 1-10)" "-rw-------"
    [ "$(cat "real-$file")" != old ] || fail "$*: the link was not followed"
    echo old >"real-$file"
    chmod 444 "real-$file"
    "$@" >out 2>err
    equal "$* over a read-only file: why" "$(grep -c "$file: Permission denied" err)" 1
    equal "$* over a read-only file" "$(cat "real-$file")" old
    chmod 600 "real-$file"
}
written a.npy "$tool" random --n 4 --out a.npy
written t.json "$tool" scan --n 10 --trace t.json
written t.svg "$tool" scan --n 10 --timeline t.svg
written e.json env HEDDLE_TRACE=e.json "$tool" scan --n 10

# A table where the name asks for one; a name that stands for another format is refused at once.
{ npy '<i4' False '(2, 3)'; echo 3 -1 2 7 0 -2147483648 | integers 4; } >m.npy
run transpose m.npy --out m.csv
equal "a table: status ($err)" "$status" 0
equal "a table" "$(cat m.csv)" "3,7
-1,0
2,-2147483648"
run sort m.npy --out s.TSV
equal "a table of one column ($err)" "$(tr '\n' ' ' <s.TSV)" "-2147483648 -1 0 2 3 7 "
run unique m.npy --counts --lengths l.csv --out u.tsv
equal "tables of two options ($err)" "$(tr '\n' ' ' <l.csv)$(wc -l <u.tsv | tr -d ' ')" "1 1 1 1 1 1 6"
run random --n 3 --type f64 --out r.csv
equal "numbers come back: status ($err)" "$status" 0
run random --n 3 --type f64 --out r.npy
equal "numbers come back" "$(value sum r.csv)" "$(value sum r.npy)"
refused 2 "a table has one or two axes, not 3" laplace3d --n 4 --sweeps 1 --out cube.csv
equal "and is not made" "$(ls cube.csv* 2>/dev/null)" ""
formats=".npy .csv .tsv .png"
refused 2 "--out: o.txt: cannot write a .txt file; use $formats" sort m.npy --out o.txt
refused 2 "--out: o.bin: cannot write a .bin file; use $formats" random --n 3 --out o.bin
refused 2 "--out: o.npy.gz: cannot write a .gz file; use $formats" random --n 3 --out o.npy.gz
refused 2 "--lengths: o.png: cannot write a .png file" unique m.npy --counts --lengths o.png
refused 2 "--timeline: o.png: cannot write a .png file; use .svg" scan --n 3 --timeline o.png
refused 2 "--trace: o.csv: cannot write a .csv file; use .json" scan --n 3 --trace o.csv
refused 2 "--svg: o.json: cannot write a .json file; use .svg" topology --svg o.json
refused 2 "--png: o.svg: cannot write a .svg file; use .png" jacobi --nx 64 --ny 64 --png o.svg
equal "and none is made" "$(ls o.* 2>/dev/null)" ""

# A name that is taken is not followed, whoever takes it and when.
echo precious >victim
sh -c 'for file in a.npy t.json t.svg; do ln -s victim $file.$$.part; done
    exec "$0" random --n 100 --out a.npy --trace t.json --timeline t.svg' "$tool" >out 2>err
status=$?
equal "names that are taken: exit status ($(cat err))" "$status" 0
sh -c 'ln -s victim e.json.$$.part; HEDDLE_TRACE=e.json exec "$0" scan --n 10' "$tool" >out 2>err
equal "names that are taken: the victim" "$(cat victim)" precious
rm -f ./*.part

# Signals leave what was there and nothing else.
echo old >big.npy
numbers=20000000
[ -z "$small" ] || numbers=2000000
for signal in TERM INT HUP; do
    # A shell ignores SIGINT in what it starts in the background.
    env --default-signal=INT "$tool" random --n $numbers --runs 1 --no-verify --out big.npy >out 2>err &
    process=$!
    until [ -n "$(find . -name 'big.npy.*.part' -size +0)" ] || ! kill -0 $process 2>kill; do :; done
    kill -$signal $process 2>kill
    wait $process 2>kill
    status=$?
    equal "SIG$signal: files" "$(echo big.npy*)" big.npy
    if [ $status -gt 128 ]; then
        equal "SIG$signal: what was there" "$(head -c 4 big.npy)" "old"
    else # it was done before
        echo old >big.npy
    fi
done

# A reader that leaves at once: no crash, no hang, no message.
{ "$tool" --help 2>err; echo $? >code; } | true
{ "$tool" reduce data.bin --type u8 --json 2>err; echo $? >code; } | :
equal "a reader that left: exit status is 0 or 1" "$(($(cat code) > 1))" 0
equal "a reader that left: standard error" "$(cat err)" ""
{ "$tool" match x x.txt --positions 2>err; echo $? >code; } | head -c 5 >five
equal "a reader of positions that left: exit status" "$(cat code)" 1
equal "a reader of positions that left: standard error" "$(cat err)" ""

# Where nothing was reduced there is no time of it.
equal "times of --op sum" "$("$tool" reduce data.bin --type u8 --op sum |
    grep -c -E '^(reduced|total) ')" 2
equal "times of --op count" "$("$tool" reduce data.bin --type u8 --op count |
    grep -c -E '^(reduced|total) ')" 0

# No colour and no progress bar outside a terminal.
run reduce data.bin --type u8 --chunk 1
equal "escape sequences" "$(printf '%s%s' "$out" "$err" | tr -d '\033' | wc -c)" \
    "$(printf '%s%s' "$out" "$err" | wc -c)"
equal "standard error" "$err" ""
finish
