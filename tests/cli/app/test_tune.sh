#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# heddle tune: candidates with equal bits at both warp sizes, what is stored and shown, and bad input.
. "$(dirname "$0")/../check.sh"
HEDDLE_TUNE_FILE=$scratch/cache/tune.json
export HEDDLE_TUNE_FILE
unset HEDDLE_TUNE
[ -n "$small" ] && sizes=100,5000 || sizes=100,5000,20000

# column NAME: that column of the CSV in $scratch/out.
column()
{
    awk -F, -v name="$1" 'NR == 1 { for (c = 1; c <= NF && $c != name; c++); next } { print $c }' \
        "$scratch/out"
}

# tuned ROWS FAMILY OPTIONS...: every candidate is equal, and each measurement has one choice.
tuned()
{
    tuned_rows=$1
    shift
    run tune "$@" --rounds 1 --no-save --csv
    equal "$ran: exit status ($err)" "$status" 0
    equal "$ran: results" "$(column verdict | sort -u)" equal
    equal "$ran: choices" "$(column chosen | grep -c true)" "$(column from | uniq | wc -l | tr -d ' ')"
    checks=$((checks + 1))
    [ "$(column verdict | wc -l)" -ge "$tuned_rows" ] || fail "$ran: fewer than $tuned_rows candidates"
}

# same_bits WHAT: a scan that reads the file gives the bits of one that does not.
same_bits()
{
    rm -f "$scratch/tuned.npy"
    HEDDLE_TUNE=read run scan --n 5000 --out "$scratch/tuned.npy"
    equal "$ran with $1: exit status ($err)" "$status" 0
    checks=$((checks + 1))
    cmp -s "$scratch/plain.npy" "$scratch/tuned.npy" || fail "$ran with $1: other bits"
}

[ "$backend" = cpu ] && warps="32 64" || warps=32
for warp in $warps; do
    [ "$backend" = cpu ] && export HEDDLE_CPU_WARP="$warp"
    tuned 20 reduce --types f32 --kinds value --sizes $sizes
    tuned 10 scan --types f64 --kinds plain --sizes $sizes
    tuned 2 sort --types 4 --kinds pairs8 --sizes $sizes
    tuned 10 transpose --types 4 --kinds unaligned --sizes $sizes
    tuned 5 tridiag --types f32 --kinds contiguous,interleaved --sizes 17,300 --elements 3000
done
unset HEDDLE_CPU_WARP
[ ! -e "$HEDDLE_TUNE_FILE" ] || fail "--no-save stores"

# Text, brief, and weights; sizes of one power of 4 are one measurement.
run tune reduce --types f32 --kinds value --sizes 4096:3,5000,100 --brief --rounds 1 --no-save
equal "$ran: exit status ($err)" "$status" 0
equal "$ran: measurements" "$(grep -c 'candidates in 2 measurements: 0 rejected' "$scratch/out")" 1
equal "$ran: standard error" "$err" ""
run tune reduce --types f32 --kinds value --sizes 4096:3,5000,100 --brief --rounds 1 --no-save --json
equal "$ran: verified" "$(grep -c '"verified": true' "$scratch/out")" 1
equal "$ran: sizes of a measurement" "$(grep -c '"sizes": \[4096, 5000\]' "$scratch/out")" \
    "$(grep -c '"from": 4096' "$scratch/out")"

run tune --list --csv
equal "$ran: families" "$(column family | sort -u | tr '\n' ' ')" "reduce scan sort transpose tridiagonal "
run tune sort --list --csv
equal "$ran: families" "$(column family | sort -u)" sort

# Bad input; nothing is stored.
refused 2 "name what to tune" tune
refused 2 "unknown 'redce', did you mean 'reduce'?" tune redce
refused 2 "unknown 'xyz'" tune scan,xyz
refused 2 "--types: unknown 'f31'" tune reduce --types f31
refused 2 "--kinds: unknown 'keys'" tune reduce --kinds keys
refused 2 "no calls of these types and kinds" tune scan --types u8
refused 2 "no calls of these types and kinds" tune transpose --types 16 --kinds unaligned
refused 2 "--sizes: '0' is not a size" tune reduce --sizes 0
refused 2 "--sizes: '1Q' is not a size" tune reduce --sizes 100,1Q
refused 2 "--sizes: '' is not a size" tune reduce --sizes 100,
refused 2 "'10:0': a weight is a number above 0" tune reduce --sizes 10:0
refused 2 "'10:x': a weight is a number above 0" tune reduce --sizes 10:x
refused 2 "--rounds: '0' is not from 1 to 1000" tune reduce --rounds 0
refused 2 "--budget is -1" tune reduce --budget -1
refused 2 "--gain is -1" tune reduce --gain -1
refused 2 "--list and --reset exclude each other" tune --list --reset
refused 2 "" tune reduce scan
refused 1 "" tune reduce --types f64 --kinds value --sizes 2^40 --no-save
[ ! -e "$HEDDLE_TUNE_FILE" ] || fail "a refused command stores"

# What is stored is shown, replaced and removed.
tune_one="tune scan --types f32 --kinds plain --sizes 5000 --rounds 1"
# shellcheck disable=SC2086
run $tune_one --csv
equal "$ran: exit status ($err)" "$status" 0
run tune --show --csv
case $err in
*libjansson*)
    echo "without libjansson nothing more can be checked"
    finish
    ;;
esac
equal "$ran: exit status ($err)" "$status" 0
equal "$ran: type" "$(column type)" "f32/plain"
equal "$ran: size" "$(column from)" 4096
equal "$ran: applies" "$(column applies)" true
# shellcheck disable=SC2086
run $tune_one
run tune --show --csv
equal "$ran: replaced" "$(column type)" "f32/plain"
run tune reduce --reset --json
equal "$ran: removed" "$(grep -c '"removed": 0' "$scratch/out")" 1
HEDDLE_TUNE=off run scan --n 5000 --out "$scratch/plain.npy"
sed -i 's/"threads": 0/"threads": 1/' "$HEDDLE_TUNE_FILE" # another choice than the default
same_bits "a tuned choice"
equal "$ran: standard error" "$err" ""
run tune scan --reset --json
equal "$ran: removed" "$(grep -c '"removed": 1' "$scratch/out")" 1

# A damaged file, another version: one line, defaults, and the file stays.
for text in '{"format"' '{"format": "heddle-tune", "version": 9}' '[]' ''; do
    printf '%s' "$text" >"$HEDDLE_TUNE_FILE"
    refused 1 "tune.json" tune --show
    refused 1 "tune.json" tune reduce --sizes 1000
    same_bits "'$text'"
    equal "$ran with '$text': one line" "$(grep -c "heddle: HEDDLE_TUNE=read: .*tune.json.*; defaults are used" \
        "$scratch/err")$(wc -l <"$scratch/err" | tr -d ' ')" 11
    equal "$ran: the file" "$(cat "$HEDDLE_TUNE_FILE")" "$text"
done
run tune --reset
equal "$ran: exit status ($err)" "$status" 0

# In use by another process, unwritable, a folder.
if command -v flock >/dev/null; then
    # shellcheck disable=SC2086
    flock "$HEDDLE_TUNE_FILE.lock" "$tool" $tune_one >"$scratch/out" 2>"$scratch/err"
    equal "locked: exit status" "$?" 1
    equal "locked: one line" "$(grep -c 'tune.json is in use by another process' "$scratch/err")" 1
fi
HEDDLE_TUNE_FILE=/dev/null/tune.json
refused 1 "/dev/null/tune.json" tune reduce --sizes 1000
HEDDLE_TUNE_FILE=$scratch
refused 1 "$scratch" tune reduce --sizes 1000
HEDDLE_TUNE_FILE=
HEDDLE_TUNE=maybe run scan --n 5000 --json
equal "$ran: one line" "$err" "heddle: HEDDLE_TUNE=maybe: unknown; use off, read or now; defaults are used"
equal "$ran: exit status" "$status" 0
XDG_CACHE_HOME='' HOME='' refused 1 "none of HEDDLE_TUNE_FILE, XDG_CACHE_HOME and HOME" tune --show
finish
