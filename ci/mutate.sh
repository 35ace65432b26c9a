#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# mutate.sh [SCRATCH] - does the checker detect missing synchronization? Removes every barrier, warp
# barrier, fence, acquire and release, lock, wait, and every event, stream wait and synchronization
# in kernels/, src/drivers, staged transfers and the look-back and scans for users' kernels, one at
# a time, in a copy of the tree (SCRATCH, by default build/ci/mutate), and runs the tests of that
# driver under the checker at warp 32 and 64; tests with several devices also without peer access,
# and some in lazy stream orders.
#
#   mutant                                            outcome
#   kernels/reduce/kernel.inc:41:hd_sync_block               caught by HD-RACE-SHARED
#   kernels/reduce/kernel.inc:80:hd_sync_warp                SURVIVED: keeps the compiler from ...
#
# A mutant is caught by the first error of the checker, or by a test that fails. Survivors are listed
# in ci/mutate-survivors.txt as FILE:FUNCTION:WHAT  # REASON; WHAT#2 is the second of that name in the
# function. Exit status: 0; 1 if an unlisted mutant survives or a listed one is caught; 77 if nothing
# can be built.
#   HEDDLE_MUTATE_ONLY=REGEX   only mutants whose file, function or call matches
#   HEDDLE_MUTATE_SINCE=COMMIT only in files that have changed since
#   HEDDLE_CI_JOBS=N           number of mutants tested in parallel
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 1
jobs=${HEDDLE_CI_JOBS:-$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)}
[ $# -le 1 ] || { sed -n "3,20p" "$0" | sed 's/^# \{0,1\}//'; exit 2; }
scratch=${1:-build/ci/mutate}
mkdir -p "$scratch" || exit 1
scratch=$(cd "$scratch" && pwd)
survivors=$root/ci/mutate-survivors.txt

# ---- tests -----------------------------------------------------------------------------------

# Tests of reductions: fast ones that still launch every shape; each in its own process, until one
# fails.
reduce_tests="test_drivers_reduce:variants_give_the_same_bits test_drivers_reduce:small_sizes
test_drivers_reduce_memory:two_streams_at_once test_drivers_reduce:ties_go_to_the_lowest_index
test_drivers_reduce_memory:a_workspace_serves_again_and_again test_drivers_reduce:special_values
test_drivers_reduce:unaligned_input test_drivers_reduce:every_launch_shape_gives_the_same_bits"

# drivers_tests STEM: the programs of tests/drivers whose names begin so.
drivers_tests()
{
    find tests/drivers -name "test_$1*.c" | sort
}

# tests_of FILE: PROGRAM or PROGRAM:TEST, one per line: those named like the file up to its first
# underscore, digit or dot, or like its folder; otherwise all.
tests_of()
{
    stem=$(basename "$1" | sed 's/[0-9_.].*//')
    family=$(basename "$(dirname "$1")")
    case $family in
    reduce | group) stem=$family ;;
    peer | several | variants | sparse | stencil) ;;
    *) [ -n "$(drivers_tests "$stem")" ] || stem=$family ;;
    esac
    case $stem in
    reduce)
        echo "$reduce_tests" | tr ' ' '\n'
        return
        ;;
    group)
        echo test_group_group test_group_moves test_group_repeat test_group_late \
            test_group_copies test_group_faults | tr ' ' '\n'
        return
        ;;
    transfer | relay) stem=peer ;;
    esac
    [ -n "$(drivers_tests "$stem")" ] || stem=""
    for program in $(drivers_tests "$stem"); do
        case $program in
        */test_reduce_*.c) ;;
        */test_reduce.c) echo "$reduce_tests" | tr ' ' '\n' ;;
        *) basename "$program" .c | sed 's/^test_/test_drivers_/' ;;
        esac
    done
}

# ---- mutants ---------------------------------------------------------------------------------

# find_mutants FILE...: FILE:LINE:FUNCTION:COLUMN:LENGTH:REPLACEMENT:WHAT for each place. Skips
# comments, preprocessor lines and code that only the fast engine compiles; arguments of a removed
# macro are still evaluated.
find_mutants()
{
    awk '
    function emit(at, length_, by, what) {
        if (seen[inside, what]++) what = what "#" seen[inside, what]
        printf "%s:%d:%s:%d:%d:%s:%s\n", FILENAME, FNR, inside, at, length_, by, what
    }
    function ordered(at, name, suffix,   base, scope) {
        scope = name ~ /_block$/ ? "_block" : name ~ /_system$/ ? "_system" : ""
        base = substr(name, 1, length(name) - length(scope) - length(suffix))
        if (base == "hd_lock")
            emit(at, length(name), "(void)", name)
        else if (base == "hd_load" || base == "hd_store")
            emit(at, length(name), base "_relaxed" scope, name)
        else
            emit(at, length(name), base scope, name)
        if (suffix == "_acq_rel") {
            emit(at, length(name), base "_acquire" scope, name " to acquire")
            emit(at, length(name), base "_release" scope, name " to release")
        }
    }
    function site(at, name) {
        if (name ~ /^hd__/) return # names of drivers, as hd__jacobi_group_release
        if (name ~ /^hd_sync_(block|warp)$/ || name ~ /^hd_fence_/)
            emit(at, length(name) + 2, "((void)0)", name)
        else if (name ~ /^hd_sync_(block|warp|grid)/)
            emit(at, length(name), "", name)
        else if (name ~ /^hd_wait_/)
            emit(at, length(name), "HD_MUTATED_WAIT", name)
        else if (name ~ /^hd_try_wait_/)
            emit(at, length(name), "HD_MUTATED_TRY", name)
        else if (name ~ /_acq_rel(_block|_system)?$/) ordered(at, name, "_acq_rel")
        else if (name ~ /_acquire(_block|_system)?$/) ordered(at, name, "_acquire")
        else if (name ~ /_release(_block|_system)?$/) ordered(at, name, "_release")
        else if (name ~ /^hd_(event_(record|synchronize)|stream_(wait|synchronize))$/)
            emit(at, length(name), "HD_MUTATED_CALL", name)
    }
    FNR == 1 { inside = "-"; comment = serial = 0 }
    /^ *#if/ && (serial || /HD_SERIAL_THREADS/) { serial++ }
    /^ *#(else|elif)/ && serial == 1 { serial = 0 }
    /^ *#endif/ && serial { serial-- }
    /^ *#/ || serial { next }
    {
        line = $0
        # A function begins in the first column; its name precedes the last parenthesis left open
        # once the parentheses of launch bounds and R() are removed.
        if (line ~ /^[A-Za-z].*\(/ && line !~ /;$/) {
            head = line
            gsub(/(HD_MAX_THREADS|HD_LAUNCH_BOUNDS)\([^()]*\)/, "", head)
            gsub(/[A-Z][A-Z_]*\(/, "", head)
            if (match(head, /[A-Za-z_0-9]+\)?\(/)) {
                inside = substr(head, RSTART, RLENGTH)
                gsub(/[()]/, "", inside)
            }
        }
        for (i = 1; i <= length(line); i++) {
            two = substr(line, i, 2)
            if (comment) { if (two == "*/") { comment = 0; i++ } continue }
            if (two == "/*") { comment = 1; i++; continue }
            rest = substr(line, i)
            if (i > 1 && substr(line, i - 1, 1) ~ /[A-Za-z0-9_]/) continue
            if (match(rest, /^hd_[a-z_0-9]+\(/)) {
                site(i, substr(rest, 1, RLENGTH - 1))
            }
        }
    }' "$@"
}

# mutate FILE LINE COLUMN LENGTH REPLACEMENT: in place.
mutate()
{
    awk -v at="$2" -v column="$3" -v length_="$4" -v by="$5" '
        NR == at { $0 = substr($0, 1, column - 1) by substr($0, column + length_) }
        { print }' "$1" >"$1.mutated" && mv "$1.mutated" "$1"
}

# ---- building --------------------------------------------------------------------------------

copy_tree()
{
    rm -rf "$scratch/src" "$scratch/jobs" "$scratch/plain"
    mkdir -p "$scratch/src" "$scratch/jobs" "$scratch/plain"
    git ls-files -co --exclude-standard | while IFS= read -r file; do
        [ -f "$file" ] && echo "$file"
    done | tar -cf - -T - | tar -xf - -C "$scratch/src"
}

# The files to mutate.
files()
{
    if [ -n "${HEDDLE_MUTATE_SINCE:-}" ]; then
        git diff --name-only "$HEDDLE_MUTATE_SINCE" && git ls-files -o --exclude-standard
    else
        git ls-files -co --exclude-standard
    fi | grep -E '^(kernels/.*|src/drivers/.*|src/runtime/peer/relay|include/heddle/(device|detail)/(look_back|scan)[a-z_]*)[.](c|h|inc)$' |
        sort -u |
        while IFS= read -r file; do [ -f "$file" ] && echo "$file"; done
}

# build TARGETS
build()
{
    {
        echo '#define HD_MUTATED_CALL(...) HD_OK'
        echo '#define HD_MUTATED_WAIT(p, v) hd_load_relaxed(p)'
        echo '#define HD_MUTATED_TRY(p, v) (v)'
    } >"$scratch/mutant.h"
    cmake -S "$scratch/src" -B "$scratch/build" -DCMAKE_BUILD_TYPE=Release -DHEDDLE_BACKEND=cpu \
        -DHEDDLE_CHECK=ON -DHEDDLE_WERROR=OFF -DHEDDLE_BUILD_VENDOR=OFF -DHEDDLE_INSTALL=OFF \
        >"$scratch/configure.log" 2>&1 &&
        cmake --build "$scratch/build" -j "$jobs" --target $1 >"$scratch/build.log" 2>&1
}

# object_of FILE: "FOLDER OBJECT" of an object that depends on it, according to its dependency file:
# of the library's objects, one of a sum or of moves if there is one, otherwise the first; otherwise
# one of the tests' kernels, which come first for a public header. Nothing if only the fast engine
# includes it.
object_of()
{
    case $1 in
    include/*) folders="tests ." ;;
    *) folders=". tests" ;;
    esac
    for folder in $folders; do
        (cd "$scratch/build/$folder" && find CMakeFiles -name '*.d' -path '*heddle*_objects.dir*' \
            -o -name 'kern_*.d' | xargs grep -lE "[/ ]$1( |\$|:)" 2>/dev/null) | sort |
            awk -v folder="$folder" 'NR == 1 { first = $0 } /sum|_move/ { first = $0; exit }
                END { sub(/[.]d$/, "", first); if (NR) print folder, first }'
    done | head -n 1
}

# build_mutant JOB FOLDER OBJECT TARGETS: compiles the job's copy of one file and links each test
# with it. Its symbols come first on the command line, so the library's object is not used.
build_mutant()
{
    command=$(awk -v output=" -o $3 " '
        /"command":/ && index($0, output) {
            sub(/^ *"command": "/, ""); sub(/",? *$/, "")
            gsub(/\\"/, "\""); gsub(/\\\\/, "\\")
            print
            exit
        }' \
        "$scratch/build/compile_commands.json" |
        sed "s#-o $3#-include $scratch/mutant.h -o $1/mutant.o#; s#$scratch/src/#$1/src/#g")
    [ -n "$command" ] && (cd "$scratch/build/$2" && eval "$command") || return 1
    for target in $4; do
        link=$(sed "s#-o $target#-o $1/$target $1/mutant.o#" \
            "$scratch/build/tests/CMakeFiles/$target.dir/link.txt")
        (cd "$scratch/build/tests" && eval "$link") || return 1
    done
}

# ---- running ---------------------------------------------------------------------------------

# watched FOLDER COMMAND...: runs it until it ends or the checker has found an error; returns its
# status.
watched()
{
    folder=$1
    shift
    "$@" >"$folder/output" 2>&1 &
    pid=$!
    while kill -0 $pid 2>/dev/null; do
        if grep -q '"severity":"error"' "$folder/report" 2>/dev/null; then
            kill $pid 2>/dev/null
        fi
        sleep 0.2
    done
    wait $pid
}

# seconds_of TEST: its time limit: four times its time without mutation, since a mutant may hang.
seconds_of()
{
    took=$(cat "$scratch/plain/$1/took" 2>/dev/null) && echo $((took * 4 + 20)) || echo 600
}

# worlds_of TEST: WARP-PEERS-STREAMS, one per line; without peer access for tests with several
# devices, and in lazy orders for tests labelled so, which detect what eager orders hide: work for
# which the host did not wait.
worlds_of()
{
    echo 32-all-eager
    echo 64-all-eager
    case $1 in *_halo* | *_jacobi_group* | *_cg* | *_peer*) echo 32-none-eager ;; esac
    case $1 in *_jacobi_group* | *_cg* | *_peer* | *_spmv*) echo 32-all-lazy:1 ;; esac
    case $1 in *_cg* | *_peer*) echo 32-none-lazy:1 ;; esac
}

# suppressed PROGRAM: its suppression file for the checker, if it has one.
suppressed()
{
    part=${1#test_}
    file=$root/tests/${part%%_*}/test_${part#*_}.suppress
    [ ! -f "$file" ] || echo "$file"
}

# verdict FOLDER TESTS: the outcome of its tests and of the checker.
verdict()
{
    for test in $2; do
        name=${test#"${test%%:*}"}
        suppress=$(suppressed "${test%%:*}")
        for world in $(worlds_of "$test"); do
            warp=${world%%-*} streams=${world##*-} peers=${world#*-}
            peers=${peers%-*}
            seen="(warp $warp, peers $peers, $streams, $test)"
            rm -f "$1/report"
            HEDDLE_CPU_WARP=$warp HEDDLE_CPU_SHARED=128K HEDDLE_CPU_DEVICES=4 HEDDLE_CHECK_SEED=1 \
                HEDDLE_CPU_PEERS=$peers HEDDLE_CPU_STREAMS=$streams HEDDLE_CPU_WATCHDOG=5 \
                HEDDLE_CHECK_REPORT="$1/report" \
                watched "$1" timeout "$(seconds_of "$test")" \
                env ${suppress:+HEDDLE_CHECK_SUPPRESS="$suppress"} \
                "$1/${test%%:*}" ${name:+"${name#:}"}
            status=$?
            code=$(sed -n 's/^{"type":"finding".*"code":"\([A-Z0-9-]*\)","severity":"error".*/\1/p' \
                "$1/report" 2>/dev/null | head -n 1)
            if [ -n "$code" ]; then
                echo "caught by $code $seen"
                return
            elif [ "$status" -eq 124 ]; then
                echo "caught by test, which does not end $seen"
                return
            elif [ "$status" -ne 0 ] && [ "$status" -ne 77 ]; then
                echo "caught by test $seen"
                return
            fi
        done
    done
    echo "SURVIVED"
}

# plain TEST: runs it without mutation; outcome and seconds go to plain/TEST.
plain()
{
    folder=$scratch/plain/$1
    program=${1%%:*}
    mkdir -p "$folder"
    ln -sf "$scratch/build/tests/$program" "$folder/$program"
    started=$(date +%s)
    verdict "$folder" "$1" >"$folder/outcome"
    echo $(($(date +%s) - started)) >"$folder/took"
}

# room STARTED NAME: waits until fewer than `jobs` of STARTED are running, those without a file
# NAME.
room()
{
    while [ $(($1 - $(find "$scratch" -path "$scratch/build" -prune -o \
        -path "$scratch/src" -prune -o -name "$2" -print | wc -l))) -ge "$jobs" ]; do
        sleep 0.2
    done
}

# try NUMBER MUTANT: writes one line to jobs/NUMBER.out.
try()
{
    job=$scratch/jobs/$1
    mutant=$2
    file=${mutant%%:*} rest=${mutant#*:}
    line=${rest%%:*} rest=${rest#*:}
    function=${rest%%:*} rest=${rest#*:}
    column=${rest%%:*} rest=${rest#*:}
    length=${rest%%:*} rest=${rest#*:}
    by=${rest%%:*} what=${rest#*:}
    mkdir -p "$job/src"
    for folder in include backends kernels src tests; do
        ln -s "$scratch/src/$folder" "$job/src/$folder"
    done
    top=${file%%/*}
    rm "$job/src/$top"
    cp -R "$scratch/src/$top" "$job/src/$top"
    mutate "$job/src/$file" "$line" "$column" "$length" "$by"
    job_tests=$(tests_of "$file")
    object=$(object_of "$file")
    # shellcheck disable=SC2086
    if [ -z "$object" ]; then
        outcome=SURVIVED
    elif build_mutant "$job" $object \
        "$(echo "$job_tests" | sed 's/:.*//' | sort -u)" >"$job/build.log" 2>&1; then
        outcome=$(verdict "$job" "$job_tests")
    else
        outcome="does not build: $job/build.log"
    fi
    printf '%s:%s:%s\t%s\t%s\n' "$file" "$function" "$what" "$line" "$outcome" >"$job.out"
    case $outcome in does*) ;; *) rm -rf "$job" ;; esac
}

# reason KEY: why it survives, if it is listed.
reason()
{
    [ -f "$survivors" ] &&
        awk -v key="$1" 'index($0, "  # ") && substr($0, 1, index($0, "  # ") - 1) == key {
            print substr($0, index($0, "  # ") + 4); exit }' "$survivors"
}

# table: the outcomes in the order of the mutants; returns 1 if one is not as expected.
table()
{
    bad=0
    for number in $(seq 1 "$count"); do
        IFS="$(printf '\t')" read -r key line outcome <"$scratch/jobs/$number.out"
        why=$(reason "$key")
        case $outcome in
        SURVIVED)
            if [ -n "$why" ]; then
                outcome="survived: $why"
            else
                outcome="SURVIVED, and is not in ci/mutate-survivors.txt"
                bad=1
            fi
            ;;
        caught*)
            [ -z "$why" ] || { outcome="$outcome, but is in ci/mutate-survivors.txt"; bad=1; }
            ;;
        *) bad=1 ;;
        esac
        printf '%-72s %s\n' "$key (line $line)" "$outcome"
    done
    return $bad
}

copy_tree || exit 77
files | while IFS= read -r file; do
    (cd "$scratch/src" && find_mutants "$file")
done | grep -E "${HEDDLE_MUTATE_ONLY:-.}" >"$scratch/mutants.txt"
count=$(wc -l <"$scratch/mutants.txt")
[ "$count" -gt 0 ] || { echo "0 mutants"; exit 0; }
tests=$(cut -d: -f1 "$scratch/mutants.txt" | sort -u | while read -r file; do tests_of "$file"; done |
    sort -u)
targets=$(echo "$tests" | sed 's/:.*//' | sort -u)
if ! build "$targets"; then
    tail -n 20 "$scratch/configure.log" "$scratch/build.log" 2>/dev/null
    exit 77
fi
number=0
for test in $tests; do
    room "$number" took
    number=$((number + 1))
    plain "$test" </dev/null &
done
wait
for test in $tests; do
    outcome=$(cat "$scratch/plain/$test/outcome")
    if [ "$outcome" != SURVIVED ]; then
        echo "mutate.sh: without any mutant: $outcome"
        tail -n 40 "$scratch/plain/$test/output"
        exit 1
    fi
done
number=0
while IFS= read -r mutant; do
    room "$number" '*.out'
    number=$((number + 1))
    try "$number" "$mutant" </dev/null &
done <"$scratch/mutants.txt"
wait
table
status=$?
cut -f 3 "$scratch"/jobs/*.out | awk '/^caught by HD/ { c++ } /^caught by test/ { t++ }
    /^SURV/ { s++ } END { printf "%d mutants: %d caught by the checker, %d by a test alone, %d survived\n",
    NR, c, t, s }'
exit $status
