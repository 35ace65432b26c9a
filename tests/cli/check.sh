# SPDX-License-Identifier: Apache-2.0
# check.sh - sourced by the tests of the tool: runs it, compares what it says, makes small files.
# Every check that fails prints one block; the test ends with `finish`.
set -u
tool=${HEDDLE_TOOL:?check.sh: HEDDLE_TOOL has to name the tool}
backend=${HEDDLE_BACKEND:-cpu}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/heddle-cli.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
# Starting the tool takes a good part of a second where there is a GPU, and reading files is the
# host's work: there the tests keep what reaches the device.
[ "$backend" = cpu ] && every_case=yes || every_case=
# HEDDLE_TEST_SMALL=1: less data, where the checking engine looks at every access.
[ "${HEDDLE_TEST_SMALL:-}" = 1 ] && small=yes || small=
# The kernels of one thread per block, which the checking engine does without, make one sweep a pass.
[ "$backend" = cpu ] && [ -z "$small" ] && one_sweep=yes || one_sweep=
# Keys with which every JSON object begins.
heading="version command backend device warp"
checks=0
failures=0
LC_ALL=C
export LC_ALL

fail()
{
    failures=$((failures + 1))
    echo "FAIL: $*"
}

# equal WHAT FOUND EXPECTED
equal()
{
    checks=$((checks + 1))
    [ "$2" = "$3" ] || fail "$1
  found:    $2
  expected: $3"
}

# near WHAT FOUND EXPECTED RELATIVE_ERROR
near()
{
    checks=$((checks + 1))
    echo "$2 $3 $4" | awk '{ d = $1 - $2; if (d < 0) d = -d; m = $2 < 0 ? -$2 : $2
        exit !(NF == 3 && d <= m * $3) }' || fail "$1
  found:    $2
  expected: $3 within $4"
}

# run ARGUMENTS...: runs the tool; $status, $out and $err are what came of it, without the line in
# which the checking engine, too, names a variable that cannot be used.
run()
{
    "$tool" "$@" >"$scratch/out" 2>"$scratch/said" </dev/null
    status=$?
    grep -v '^heddle check: HEDDLE_[A-Z_0-9]*=' "$scratch/said" >"$scratch/err"
    out=$(cat "$scratch/out")
    err=$(cat "$scratch/err")
    ran="heddle $*"
}

# refused STATUS TEXT ARGUMENTS...: the tool ends with the status, nothing on standard output and
# one line on standard error that begins with "heddle: " and contains the text.
refused()
{
    refused_status=$1
    refused_text=$2
    shift 2
    run "$@"
    equal "$ran: exit status ($err)" "$status" "$refused_status"
    equal "$ran: standard output" "$out" ""
    equal "$ran: lines on standard error" "$(wc -l <"$scratch/err" | tr -d ' ')" 1
    checks=$((checks + 1))
    case $err in
    "heddle: "*"$refused_text"*) ;;
    *) fail "$ran: the message
  found:    $err
  expected: heddle: ... $refused_text ..." ;;
    esac
}

# Sets python: the interpreter itself, which starts in a tenth of the time of a wrapper around it.
find_python()
{
    python=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null)
}

# unwritten OPTION ARGUMENTS...: a file that cannot be made is told before any result; one whose
# writing fails, behind results that are printed. The exit status is 1 both times.
unwritten()
{
    unwritten_option=$1
    shift
    refused 1 "nowhere/file: No such file or directory" "$@" "$unwritten_option" nowhere/file
    [ -w /dev/full ] || return 0
    run "$@" "$unwritten_option" /dev/full
    equal "$ran: exit status ($err)" "$status" 1
    checks=$((checks + 1))
    [ -n "$out" ] || fail "$ran: no results on standard output"
    equal "$ran: lines on standard error" "$(grep -c "/dev/full: " "$scratch/err")" 1
}

# results ARGUMENTS...: header and row of numbers, without device and times.
results()
{
    "$tool" reduce --csv "$@" | numbers
}

# numbers: of the CSV on standard input the columns before the times.
numbers()
{
    awk -F, 'NR == 1 { for (n = 1; n <= NF && $n != "seconds"; n++); }
        { for (i = 1; i < n; i++) printf "%s%s", $i, i + 1 < n ? "," : "\n" }'
}

# value NAME ARGUMENTS...: one number.
value()
{
    value_name=$1
    shift
    "$tool" reduce --csv --op "$value_name" "$@" | sed -n '2s/,.*//p'
}

# npy DESCR FORTRAN_ORDER SHAPE: an array's header; its data follows. npy '<f4' False '(3, 4)'
npy()
{
    npy_text="{'descr': '$1', 'fortran_order': $2, 'shape': $3, }"
    npy_length=$(((${#npy_text} + 11 + 63) / 64 * 64 - 10))
    printf '\223NUMPY\001\000'
    printf "\\$(printf %03o $((npy_length % 256)))\\$(printf %03o $((npy_length / 256)))"
    printf "%-$((npy_length - 1))s\n" "$npy_text"
}

# integers BYTES: decimal integers of standard input as little-endian bytes.
integers()
{
    printf "$(awk -v bytes="$1" '{ for (f = 1; f <= NF; f++) {
        v = $f; if (v < 0) v += 256 ^ bytes
        for (b = 0; b < bytes; b++) { printf "\\%03o", v % 256; v = int(v / 256) } } }')"
}

finish()
{
    echo "$checks checks, $failures failed"
    [ "$failures" -eq 0 ]
    exit
}
