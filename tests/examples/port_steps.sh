#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# port_steps.sh - the steps of docs/porting-example.md: applies the diffs to the CUDA program of
# docs/examples/port, and they lead to the program of that folder; the page shows no line that is in
# none of them; a reference computes what the program prints. In a tree of the checking engine the
# first step does not compile and the checker says after the others what the page shows of it.
# Environment: HEDDLE_SOURCE_DIR, HEDDLE_BUILD_DIR, HEDDLE_TEST_CMAKE, HEDDLE_TEST_CHECK.
set -u
example=$HEDDLE_SOURCE_DIR/docs/examples/port
page=$HEDDLE_SOURCE_DIR/docs/porting-example.md
cmake=${HEDDLE_TEST_CMAKE:-cmake}
command -v patch >/dev/null || { echo "skipped: no patch (Debian: patch)"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/heddle-port.XXXXXX")
trap 'rm -rf "$work"' EXIT
unset HEDDLE_CHECK_SEED
failures=0

fail()
{
    echo "FAIL $1"
    failures=$((failures + 1))
}

# shown STEP KIND: the lines of the blocks ```KIND in the section of the page about a step.
shown()
{
    awk -v step="## $1. " -v begin="\`\`\`$2" '
        /^```/ { fence = !fence; inside = fence && here && $0 == begin; next }
        !fence && /^## / { here = index($0, step) == 1 }
        inside && $0 != ""' "$page"
}

# all_in STEP KIND FILE: every line that the page shows is in the file, but for addresses.
all_in()
{
    shown "$1" "$2" | sed '/^  address /d; /^\$ /d' >"$work/shown"
    [ -s "$work/shown" ] || fail "step $1: the page shows nothing ($2)"
    while IFS= read -r line; do
        grep -qxF -e "$line" "$3" || { fail "step $1: not so: $line"; tail -n 60 "$3"; return; }
    done <"$work/shown"
}

build()
{
    [ -d "$work/checked" ] ||
        "$cmake" -S "$work/stars" -B "$work/checked" -Dheddle_DIR="$HEDDLE_BUILD_DIR"
    "$cmake" --build "$work/checked"
}

# check OPTION...: what the checker says of the program in the folder of its sources.
check()
{
    mkdir -p "$work/stars/checked" && cp "$work/checked/stars" "$work/stars/checked/stars"
    (cd "$work/stars" && "$HEDDLE_BUILD_DIR/heddle" check "$@" -- checked/stars) 2>&1 |
        sed "s#$work/stars/##" >"$work/said"
    rm -rf "$work/stars/checked"
}

run_step()
{
    build >"$work/log" 2>&1
    built=$?
    if [ "$1" -eq 1 ]; then
        [ "$built" -ne 0 ] || fail "step 1 compiles"
        return
    fi
    [ "$built" -eq 0 ] || { fail "step $1 does not compile"; cat "$work/log"; return; }
    check
    if [ "$1" -eq 3 ]; then
        grep -q HD-RACE-WARP "$work/said" || fail "step 3: no race in a warp"
        ! grep HD-MASK "$work/said" || fail "step 3: masks are still wrong"
        return
    fi
    [ "$1" -eq 5 ] && { cp "$work/said" "$work/plain"; check --replay; cat "$work/plain" >>"$work/said"; }
    all_in "$1" "" "$work/said"
}

mkdir "$work/stars" && cp "$example"/cuda/* "$work/stars" || exit 1
for step in 1 2 3 4 5; do
    (cd "$work/stars" && patch -p1 -s) <"$(echo "$example/steps/$step"-*.diff)" ||
        { fail "step $step cannot be applied"; exit 1; }
    all_in $step diff "$example/steps/$step"-*.diff
    [ "${HEDDLE_TEST_CHECK:-OFF}" != ON ] || run_step $step
done
for file in "$work"/stars/*; do
    diff "$file" "$example/$(basename "$file")" || fail "after the steps, $(basename "$file") differs"
done
[ "$(find "$work/stars" -type f | wc -l)" -eq 4 ] || fail "after the steps there are other files"
if [ "${HEDDLE_TEST_CHECK:-OFF}" = ON ]; then
    check --seeds 1 --strict --replay --suppress "$example/stars.suppress"
    grep -q '^2 runs: 0 errors, 0 portability' "$work/said" || { fail "the end"; cat "$work/said"; }
fi
if command -v python3 >/dev/null; then
    python3 "$HEDDLE_SOURCE_DIR/tests/examples/stars.py" >"$work/reference"
    awk '/^```/ { fence = !fence; inside = fence && $0 == "```"; next } inside' "$example/README.md" |
        diff - "$work/reference" || fail "the README shows other numbers than the reference"
fi
[ "$failures" -eq 0 ]
