#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# zoo-gpu.sh OUT [BUILD] - which of the planted bugs in tests/bugs does compute-sanitizer find, on the
# NVIDIA GPU of this machine? Builds the program `bugs` of preset cuda in BUILD (build/zoo-gpu),
# runs each bug under memcheck, racecheck, initcheck and synccheck, then its corrected twin, alone
# and under the same tools, and writes
#   OUT/zoo-gpu.csv    bug,tool,found,summary; tool `twin`: found 1 if the twin failed; tool
#                      `twin-memcheck` and so on: found 1 if the tool reports an error in the twin
#   OUT/zoo-gpu.txt    number found by each tool, per finding code of heddle's checker
#   OUT/logs           output of the tools
# Skipped: bugs that need two devices, or that only abort the program on a GPU (CPU in bugs.h).
#   HEDDLE_ZOO_SECONDS=20   time limit of a run
#   HEDDLE_ZOO_LIMIT=420    after so many seconds the remaining runs are skipped
#   HEDDLE_ZOO_JOBS=N       parallel runs; default: number of processors minus 2
#   HEDDLE_ZOO_ONLY=REGEX   only bugs whose name matches
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
[ $# -ge 1 ] && [ $# -le 2 ] || { sed -n '3,15p' "$0" | sed 's/^# \{0,1\}//'; exit 2; }
mkdir -p "$1/logs" || exit 1
out=$(cd "$1" && pwd)
build=${2:-$root/build/zoo-gpu}
HEDDLE_CI_LOGS=$out/logs
cd "$root" || exit 1
. ci/steps.sh
tools="memcheck racecheck initcheck synccheck"

nvcc=$(find_nvcc) || { echo "zoo-gpu.sh: no nvcc" >&2; exit 1; }
has_nvidia_device || { echo "zoo-gpu.sh: no NVIDIA device" >&2; exit 1; }
PATH=$(dirname "$nvcc"):$PATH
command -v compute-sanitizer >/dev/null || { echo "zoo-gpu.sh: no compute-sanitizer" >&2; exit 1; }
architectures=${HEDDLE_CUDA_ARCHITECTURES:-$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader |
    tr -d '. ' | sort -u | head -n 1)}

step "configure" cmake --preset cuda -B "$build" -DHEDDLE_CUDA_ARCHITECTURES="$architectures" &&
    step "build" cmake --build "$build" -j "$jobs" --target bugs || exit 1
bugs=$build/tests/bugs/bugs

cat >"$out/one.sh" <<'ONE'
#!/bin/sh
# one.sh OUT PROGRAM BUG TOOL: runs one and writes its row.
log=$1/logs/$3.$4.log
seconds=${HEDDLE_ZOO_SECONDS:-20}
tool=${4#twin-}
if [ "$(date +%s)" -ge "$HEDDLE_ZOO_END" ]; then
    echo "$3,$4,0,not run" >"$1/logs/$3.$4.row"
    exit 0
fi
fixed="" more=""
case $4 in twin*) fixed=fixed ;; esac
case $tool.$3 in
memcheck.leak*) more="--leak-check full" ;;
initcheck.*) more=$HEDDLE_ZOO_INITCHECK ;;
esac
case $tool in
twin) timeout -k 2 "$seconds" "$2" "$3" $fixed ;;
*) timeout -k 2 "$seconds" compute-sanitizer --tool "$tool" $more "$2" "$3" $fixed ;;
esac >"$log" 2>&1 </dev/null
status=$?
found=0
if [ "$4" = twin ]; then
    [ "$status" -eq 0 ] || found=1
    summary="exit status $status"
else
    total=$(sed -n 's/^=========.* SUMMARY: \([0-9][0-9]*\) .*/\1/p' "$log" | sort -n | tail -n 1)
    [ "${total:-0}" -eq 0 ] || found=1
    summary=$(sed -n '/^========= COMPUTE-SANITIZER/d; /SUMMARY/d; /^========= *$/d
        s/^========= *//p' "$log" | head -n 1 | tr ',"' ';_' | cut -c 1-100)
fi
case $status in
124 | 137) summary="stopped after $seconds s; $summary" ;;
esac
echo "$3,$4,$found,$summary" >"$1/logs/$3.$4.row"
ONE

"$bugs" list | awk '$5 == "ANY" { print $1 }' | grep -E "${HEDDLE_ZOO_ONLY:-.}" >"$out/bugs.txt"
for tool in $tools twin $(echo "$tools" | sed 's/[a-z]*check/twin-&/g'); do
    sed "s/\$/ $tool/" "$out/bugs.txt"
done >"$out/runs.txt"
# Newer versions also check shared memory.
HEDDLE_ZOO_INITCHECK=""
compute-sanitizer --help 2>/dev/null | grep -q -e --initcheck-address-space &&
    HEDDLE_ZOO_INITCHECK="--initcheck-address-space all"
export HEDDLE_ZOO_INITCHECK
HEDDLE_ZOO_END=$(($(date +%s) + ${HEDDLE_ZOO_LIMIT:-420}))
export HEDDLE_ZOO_END
xargs -P "${HEDDLE_ZOO_JOBS:-$((jobs > 3 ? jobs - 2 : 1))}" -L 1 sh "$out/one.sh" "$out" "$bugs" <"$out/runs.txt"

# The tool also reports memory that heddle itself keeps until the process ends: a leak counts if the
# bug has more of it than its twin.
leaks()
{
    grep -c '^========= Leaked' "$out/logs/$1.log"
}
grep '^leak' "$out/bugs.txt" | while read -r bug; do
    [ "$(leaks "$bug.memcheck")" -gt "$(leaks "$bug.twin-memcheck")" ] ||
        sed -i 's/,1,/,0,/' "$out/logs/$bug.memcheck.row"
    sed -i 's/,1,/,0,/' "$out/logs/$bug.twin-memcheck.row"
done

echo "bug,tool,found,summary" >"$out/zoo-gpu.csv"
while read -r bug tool; do
    cat "$out/logs/$bug.$tool.row"
done <"$out/runs.txt" >>"$out/zoo-gpu.csv"

{
    date -u '+%Y-%m-%d %H:%M UTC'
    nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -n 1
    compute-sanitizer --version | tail -n 1
    "$bugs" list | awk -F '[ ,]' -v tools="$tools" '
        FNR == NR { code[$1] = $3; next }
        FNR > 1 { found[code[$1], $2] += $3; any[$1] += ($2 !~ /^twin/) * $3; all[$1] = 1 }
        END {
            n = split(tools, tool, " ")
            printf "%-24s %5s", "code", "bugs"
            for (i = 1; i <= n; i++) printf " %10s", tool[i]
            printf " %10s\n", "any"
            for (bug in all) { bugs[code[bug]]++; some[code[bug]] += any[bug] > 0 }
            for (c in bugs) {
                row = sprintf("%-24s %5d", c, bugs[c])
                for (i = 1; i <= n; i++) row = row sprintf(" %10d", found[c, tool[i]])
                print row sprintf(" %10d", some[c]) | "sort"
            }
            close("sort")
        }' - "$out/zoo-gpu.csv"
    awk -F , '$2 == "twin" && $3 { bad = bad " " $1 } $2 ~ /^twin-/ && $3 { told = told " " $1 "(" $2 ")" }
        /,not run$/ { left++ }
        END { print "twins that failed:" bad; print "twins that a tool complains about:" told
              print "runs left out for lack of time: " left + 0 }' "$out/zoo-gpu.csv"
} >"$out/zoo-gpu.txt"
cat "$out/zoo-gpu.txt"
