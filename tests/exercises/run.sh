#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh NAME - lets `heddle exercise mark` judge an exercise's starter, its wrong repairs and its
# solution as if they were a class, and compares with NAME/expect: a line "WHAT REASONS" each. The
# starter of an exercise (not of a practical) has to be right at warp 32 in eager order: its fault
# is one that works there. Findings that its README.md shows are those of the starter. Without the checking engine only the solution runs.
# Environment: HEDDLE_SOURCE_DIR, HEDDLE_BUILD_DIR, HEDDLE_BACKEND, HEDDLE_TEST_CHECK, HEDDLE_MPIEXEC,
# CC.
set -u
name=$1
exercise=$HEDDLE_SOURCE_DIR/docs/exercises/$name
tests=$HEDDLE_SOURCE_DIR/tests/exercises/$name
work=$(mktemp -d "${TMPDIR:-/tmp}/heddle-class.XXXXXX")
trap 'rm -rf "$work"' EXIT
unset HEDDLE_CHECK_SEED HEDDLE_CPU_WARP HEDDLE_CPU_STREAMS
export XDG_STATE_HOME="$work"
if grep -q '"mpi": true' "$exercise/exercise.json"; then
    . "$HEDDLE_SOURCE_DIR/tests/mpi/launch.sh" # mpirun's settings for this machine
fi
failures=0

fail()
{
    echo "FAIL $name, $1"
    failures=$((failures + 1))
}

# submit WHAT FOLDER: as a student would; files that a wrong repair leaves alone are the starter's.
submit()
{
    mkdir -p "$work/class/$1"
    for file in "$exercise"/solution/*; do
        file=$(basename "$file")
        if [ -e "$2/$file" ]; then
            cp "$2/$file" "$work/class/$1/$file"
        else
            cp "$exercise/starter/$file" "$work/class/$1/$file"
        fi
    done
}

# member WHAT KEY: the text of a member of that row.
member()
{
    sed -n "s/.*\"project\": \"$1\".*\"$2\": \"\([^\"]*\)\".*/\1/p" "$work/rows"
}

# The lines of findings in README.md, and those of heddle exercise check; which block it is may depend
# on the order.
shown()
{
    awk '/^```/ { inside = !inside; shown = 0; next }
        inside && /^error HD-/ { shown = 1 }
        inside && shown' "$exercise/README.md" | sed 's/block ([0-9]*,/block (N,/'
}

printed()
{
    "$HEDDLE_BUILD_DIR/heddle" exercise check "$work/class/starter" --exercise "$name" \
        --course "$HEDDLE_SOURCE_DIR/docs/exercises" | sed 's/block ([0-9]*,/block (N,/'
}

submit solution "$exercise/solution"
if [ "$HEDDLE_TEST_CHECK" = ON ]; then
    submit starter "$exercise/starter"
    repairs=0
    for repair in "$tests"/*/; do
        for file in "$repair"*; do
            [ -e "$exercise/solution/${file##*/}" ] ||
                fail "$(basename "$repair") has ${file##*/}, which is no file of the solution"
        done
        submit "$(basename "$repair")" "$repair"
        repairs=$((repairs + 1))
    done
    [ "$repairs" -ge 2 ] || fail "has $repairs wrong repairs, fewer than 2"
fi
"$HEDDLE_BUILD_DIR/heddle" exercise mark "$work/class" --exercise "$name" \
    --course "$HEDDLE_SOURCE_DIR/docs/exercises" --jobs 1 --json \
    >"$work/rows" 2>"$work/err"
code=$?
if grep -q "without jansson" "$work/err"; then
    echo "skipped: $(cat "$work/err")"
    exit 77
fi
[ "$code" -eq 0 ] || fail "exit status $code: $(cat "$work/err")"

if [ "$HEDDLE_TEST_CHECK" = ON ]; then
    [ "$(grep -c '"project"' "$work/rows")" -eq $((repairs + 2)) ] || fail "rows are missing"
    [ "$(wc -l <"$tests/expect")" -eq $((repairs + 2)) ] || fail "expect has not a line for each"
    cut -d' ' -f1 "$tests/expect" | sort >"$work/names"
    ls "$work/class" | sort | diff "$work/names" - >"$work/other" ||
        fail "expect names other folders than there are: $(cat "$work/other")"
    while read -r what expected; do
        got=$(member "$what" reasons)
        [ "$(member "$what" result)" = solved ] && got=solved
        [ "$got" = "$expected" ] || fail "$what: '$got' instead of '$expected'"
    done <"$tests/expect"
    shown >"$work/shown"
    [ ! -s "$work/shown" ] || printed >"$work/printed"
    while IFS= read -r line; do
        grep -qxF -e "$line" "$work/printed" || fail "README.md shows what check does not print: $line"
    done <"$work/shown"
    if ! grep -q '"practical"' "$exercise/exercise.json"; then
        first=$(member starter first)
        [ "$first" = right ] || fail "the starter at warp 32: $first"
    fi
else
    result=$(member solution result)
    grep -q '"host_only": true' "$exercise/exercise.json" && expected=solved ||
        expected="not checked"
    [ "$result" = "$expected" ] || fail "solution: $result, $(member solution detail)"
    [ -z "$(member solution reasons)" ] || fail "solution: $(member solution reasons)"
fi
[ "$failures" -eq 0 ] || cat "$work/rows"
[ "$failures" -eq 0 ]
