#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# heddle exercise: the course, projects, verdicts, classes, and what is refused. The course is one of
# this test, whose program needs no device: what the engines find is tested by exercise.*. On a GPU
# a program runs once, with its own warp size, so that the errors planted in warps of 64 stay unseen.
. "$(dirname "$0")/../check.sh"
here=$(cd "$(dirname "$0")" && pwd)
find_python
cd "$scratch" || exit 1
unset HEDDLE_CPU_WARP HEDDLE_CPU_STREAMS HEDDLE_CHECK_SEED HEDDLE_CPU_DEVICES
mkdir temporary # what is left behind is this test's, whatever runs beside it
export TMPDIR="$scratch/temporary" XDG_STATE_HOME="$scratch/state"

has()
{
    checks=$((checks + 1))
    case $out$err in
    *"$2"*) ;;
    *) fail "$1: no '$2' in
$out
$err" ;;
    esac
}

# exercise NAME DESCRIPTION: with a program that does what the student's answer.h says.
exercise()
{
    mkdir -p "course/$1/starter" "course/$1/solution"
    echo "$2" >"course/$1/exercise.json"
    printf '# Task %s\n' "$1" >"course/$1/README.md"
    [ "$1" != 12-second-one ] || echo '[a](../01-first/README.md) [b](../../guide.md)' >>"course/$1/README.md"
    printf '# Hints\n\n## Hint 1\n\nfirst\n\n## Hint 2\n\nsecond\n' >"course/$1/hints.md"
    cat >"course/$1/starter/CMakeLists.txt" <<'EOF'
cmake_minimum_required(VERSION 3.25)
project(exercise LANGUAGES C)
add_executable(exercise main.c)
EOF
    cat >"course/$1/starter/main.c" <<'EOF'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    const char *warp = getenv("HEDDLE_CPU_WARP");
    int n = argc > 1 ? atoi(argv[1]) : 1000;
#include "answer.h"
    return 0;
}
EOF
    cat >"course/$1/starter/answer.h" <<'EOF'
if (warp && !strcmp(warp, "64")) { fprintf(stderr, "wrong: got 1, expected %d\n", n); return 1; }
EOF
    cat >"course/$1/solution/answer.h" <<'EOF'
printf("%d\n", n);
EOF
}
mkdir -p course
echo >course/exercise.h
exercise 01-first '{"title": "The first", "edit": ["answer.h"], "page": "checker.md#races", "ladder": 128}'
exercise 12-second-one '{"title": "Another", "edit": ["answer.h"], "page": "checker.md", "minutes": 7}'
exercise p02-work '{"title": "Work", "kind": "practical", "edit": ["answer.h"], "page": "guide.md"}'

# submit PROJECT: the answer comes from standard input.
submit()
{
    [ -d "$1" ] || "$tool" exercise start 1 "$1" --course course >/dev/null
    cat >"$1/answer.h"
}

# ---- list, start, show, hint

run exercise list --course course --csv
case $err in *"without jansson"*) echo "skipped: built without jansson"; exit 77 ;; esac
equal "$ran: status" "$status" 0
equal "$ran: rows" "$(echo "$out" | cut -d, -f1,2)" "number,title
1,The first
12,Another
p2,Work"
run exercise start 1 mine --course course
equal "$ran: status" "$status" 0
equal "files of a project" "$(ls -A mine | tr '\n' ' ')" \
    ".heddle-exercise CMakeLists.txt README.md answer.h exercise.h main.c "
equal "$ran: mark" "$(cat mine/.heddle-exercise)" 01-first
echo kept >mine/answer.h
refused 1 "mine is not empty" exercise start 1 mine --course course
equal "a folder that is not empty" "$(cat mine/answer.h)" kept
refused 1 "mine/answer.h" exercise start 1 mine/answer.h --course course
refused 2 "did you mean 'second-one'" exercise start secnd-one new --course course
refused 2 "there is no exercise '3'" exercise start 3 new --course course
refused 2 "there is no exercise '2'" exercise start 2 new --course course # that is p2's
run exercise start second-one new --course course
equal "by name" "$(cat new/.heddle-exercise)" 12-second-one
equal "links of a copied task" "$(sed -n 2p new/README.md)" \
    "[a]($(pwd -P)/course/01-first/README.md) [b]($(pwd -P)/guide.md)"
run exercise start p02 practical --course course
equal "by number with zeros" "$(cat practical/.heddle-exercise)" p02-work
run exercise show 1 --course course
equal "$ran" "$out" "# Task 01-first"
run exercise show mine --solution --course course
equal "$ran" "$(sed -n 2p out)" 'printf("%d\n", n);'
run exercise hint mine --course course
equal "first hint" "$out" "## Hint 1

first"
run exercise hint 1 --course course
equal "second hint" "$out" "## Hint 2

second"
run exercise hint 1 --course course
has "no more hints" "has no hint 3"
run exercise hint 1 --number 1 --course course
has "an old hint" "first"
run exercise list --course course --csv
equal "hints are kept" "$(echo "$out" | sed -n 2p | cut -d, -f4)" 2

# ---- check: the tool's own runs; nothing here calls heddle, so nothing is checked (status 3)

run exercise start 1 one --course course
run exercise check one --course course
if [ "$backend" = cpu ]; then
    equal "starter: status" "$status" 1
    has "starter" "warp 32: right in 3 orders"
    has "starter" "warp 64: 3 of 3 orders wrong: got 1, expected 1000"
    has "starter" "nothing has been changed yet"
    has "starter" "not solved: the result is wrong"
    has "starter" "  page: $(pwd -P)/checker.md#races"
    reasons='"wrong-result"' ann="not solved"
else
    equal "starter: status" "$status" 3
    equal "starter: runs" "$(echo "$out" | grep '^  warp' | sed 's/^.*: //')" "right in 1 order"
    has "starter" "right in 1 run, but not checked"
    reasons='' ann="not checked"
fi
run exercise check one --course course --json
equal "JSON: reasons" "$(echo "$out" | grep -o '"reasons": \[[^]]*\]')" "\"reasons\": [$reasons]"
equal "JSON: solved" "$(echo "$out" | grep -o '"solved": [a-z]*')" '"solved": false'
cp out result.json
[ -z "$python" ] || equal "JSON: schema" "$("$python" "$here/../app/schema.py" result.json 2>&1)" ""
submit one <<'EOF'
printf("%d\n", n);
EOF
run exercise check one --course course
equal "right without a checking engine: status" "$status" 3
has "right without a checking engine" "nobody looked for races"
submit one <<'EOF'
printf("same\n%s\n", warp ? warp : "");
EOF
run exercise check one --course course
if [ "$backend" = cpu ]; then
    equal "bits: status" "$status" 1
    has "bits" "not solved: runs print different bits"
    has "bits" "warp 64, seed 0, streams eager:  64"
else
    equal "bits: status" "$status" 3 # one run has nothing to be compared with
fi
# The whole output is compared: behind a NUL, and behind the first 64 KiB.
submit one <<'EOF'
printf("same%c%s\n", 0, warp ? warp : "");
if (warp && !strcmp(warp, "64")) puts("");
EOF
run exercise check one --course course
[ "$backend" != cpu ] || has "bits behind a NUL" "not solved: runs print different bits"
[ "$backend" != cpu ] || has "bits behind a NUL" "9 bytes, which differ after the first 4"
submit one <<'EOF'
for (int i = 0; i < 70000; i++) putchar('x');
printf("%s\n", warp ? warp : "");
EOF
run exercise check one --course course
[ "$backend" != cpu ] || has "bits behind 64 KiB" "not solved: runs print different bits"
# Settings of the caller's own builds do not reach this one.
submit one <<'EOF'
printf("%d\n", n);
EOF
for setting in MAKEFLAGS=-n CMAKE_GENERATOR=Nonsense; do
    env $setting "$tool" exercise check one --course course >out 2>said
    equal "$setting: status" "$?" 3
    equal "$setting: ($(cat said))" "$(grep -c 'nobody looked for races' out)" 1
done
# A build that waits for a pipe is ended, with the compiler.
mkfifo pipe
sed -i 's/"ladder"/"build_timeout": 3, "ladder"/' course/01-first/exercise.json
submit one <<EOF
#include "$scratch/pipe"
EOF
timeout 60 "$tool" exercise check one --course course >out 2>said
equal "a build without an end: status" "$?" 1
equal "a build without an end" "$(grep -c 'does not build' out) $(grep -c 'stopped after 3 s' out)" "1 1"
sed -i 's/"build_timeout": 3, //' course/01-first/exercise.json
submit one <<'EOF'
no C
EOF
run exercise check one --course course
equal "does not build: status" "$status" 1
has "does not build" "not solved: it does not build"
has "does not build: the compiler's words" "
answer.h:1"
submit one <<'EOF'
fprintf(stderr, "error: a call\n"); return 2;
EOF
run exercise check one --course course
has "failed" "failed with status 2: a call"
has "failed" "not solved: a run failed"
submit one <<'EOF'
raise(SIGSEGV);
EOF
sed -i 's/#include <stdio.h>/#include <signal.h>\n#include <stdio.h>/' course/01-first/starter/main.c
run exercise check one --course course
has "crashed" "not solved: a run crashed"
sed -i 's/"ladder"/"timeout": 0.5, "ladder"/' course/01-first/exercise.json
submit one <<'EOF'
sleep(60);
EOF
run exercise check one --course course
has "timeout" "not solved: a run took too long"
equal "timeout: one run is enough" "$(echo "$out" | grep -c stopped)" 1
sed -i 's/"timeout": 0.5, //' course/01-first/exercise.json
echo 'int main(void) { return 0; }' >one/main.c # not a file to edit: the course's is used
submit one <<'EOF'
fprintf(stderr, "wrong: x\n"); return 1;
EOF
run exercise check one --course course
has "an edited test" "not solved: the result is wrong"
# An exercise with "mpi" is started by mpirun, with a rank per device.
mkdir -p bin
printf '#!/bin/sh\necho "$1 $2" >>"%s/ranks"\nshift 2\nexec "$@"\n' "$PWD" >bin/mpirun
chmod +x bin/mpirun
sed -i 's/"ladder"/"mpi": true, "devices": [3], "ladder"/' course/01-first/exercise.json
submit one <course/01-first/solution/answer.h
PATH=$PWD/bin:$PATH run exercise check one --course course
has "mpi" "right in"
equal "mpi: ranks" "$(sort -u ranks)" "-n 3"
printf 'exit 127\n' >bin/mpirun
PATH=$PWD/bin:$PATH run exercise check one --course course
has "mpi: mpirun fails" "not solved: a run failed"
sed -i 's/"mpi": true, "devices": \[3\], //' course/01-first/exercise.json
rm -r bin ranks
submit one <<'EOF'
sleep(60);
EOF
timeout -s INT --foreground 3 "$tool" exercise check one --course course >out 2>said
equal "interrupted" "$(cat said)" "heddle: exercise check: stopped by signal 2 (Interrupt)"
equal "interrupted: temporary folders" "$(ls temporary)" ""
submit two <<'EOF'
sleep(60);
EOF
timeout --preserve-status -s INT --foreground 5 "$tool" exercise ladder two --course course --csv >out 2>said
equal "an interrupted ladder: status" "$?" 3
equal "an interrupted ladder" "$(grep -c stopped said) $(grep -c right out)" "1 0"
rm -r two one/answer.h
refused 2 "there is no exercise '99'" exercise check one --exercise 99 --course course
refused 3 "one/answer.h: No such file" exercise check one --course course
refused 3 "there is no .heddle-exercise" exercise check course --course course
refused 3 "nowhere: No such file" exercise check nowhere --course course
echo 99-gone >one/.heddle-exercise
refused 3 "names '99-gone'" exercise check one --course course

# ---- ladder

submit two <<'EOF'
if (n > 128) { fprintf(stderr, "wrong: more than a block\n"); return 1; }
EOF
run exercise ladder two --course course --csv
equal "ladder: status" "$status" 1
equal "ladder: last rung" "$(echo "$out" | tail -n 1 | cut -d, -f1,3,5)" \
    "a block and one,129,wrong: more than a block"
submit two <<'EOF'
(void)n;
EOF
run exercise ladder two --course course
equal "ladder to its end: status" "$status" 0
has "ladder to its end" "all 10 rungs are right"
refused 3 "has no ladder" exercise ladder new --course course

# ---- a class

mkdir class
for student in ann bo cy; do
    mkdir class/$student
    "$tool" exercise start 1 class/$student/first --course course >/dev/null
done
cp course/01-first/solution/answer.h class/bo/first/answer.h
echo 'return no;' >class/cy/first/answer.h
run exercise mark class --course course --csv --jobs 2
equal "$ran: status" "$status" 0
equal "$ran" "$(echo "$out" | cut -d, -f1-4)" "project,exercise,result,reasons
ann/first,01-first,$ann,${reasons:+wrong-result}
bo/first,01-first,not checked,
cy/first,01-first,not solved,does-not-build"
run exercise mark class --course course --json
cp out result.json
run exercise mark class --course course --csv
cp out result.csv
[ -z "$python" ] || equal "a class: JSON and CSV" \
    "$("$python" "$here/../app/schema.py" result.json result.csv 2>&1)" ""
run exercise mark class --course course --exercise 12 --json
equal "$ran: all for one exercise" "$(echo "$out" | grep -c '"exercise": "12-second-one"')" 3
run exercise mark class/bo/first --course course --csv
equal "one project" "$(echo "$out" | sed -n 2p | cut -d, -f1-3)" ".,01-first,not checked"
mkdir -p class/dan/first
printf '99-gone\n' >class/dan/first/.heddle-exercise
printf '01-first\r\n' >class/bo/first/.heddle-exercise
run exercise mark class --course course --csv
equal "an unknown exercise: status" "$status" 3
equal "an unknown exercise" "$(echo "$out" | cut -d, -f1-3 | sed -n '2,3p')" "dan/first,,not marked
ann/first,01-first,$ann"
rm -r class/dan
cat >class/cy/first/answer.h <<'EOF'
if (fork() == 0) {
    sleep(1);
    for (int fd = 3; fd < 20; fd++)
        dprintf(fd, "1\t0\t0\t\tright\t\n");
    sleep(60);
    _exit(0);
}
fprintf(stderr, "wrong: x\n"); return 1;
EOF
run exercise mark class/cy --course course --csv --jobs 1
equal "a program that stays and writes" "$(echo "$out" | cut -d, -f2-3 | sed -n 2p)" "01-first,not solved"
rm class/ann/first/answer.h
mkfifo class/ann/first/answer.h
run exercise mark class/ann --course course --csv
has "a pipe" "answer.h is not a file of at most 1 MiB"
rm class/ann/first/answer.h
run exercise mark class --course course --csv
equal "a file is missing: status" "$status" 3
equal "a file is missing" "$(echo "$out" | sed -n 2p | cut -d, -f1-3)" "ann/first,01-first,not marked"
# What is not marked is named; one line for a folder and all below it.
mkdir -p class/eve/first/deep class/fay
cp course/01-first/solution/answer.h class/ann/first/
run exercise mark class --course course --csv
equal "folders without projects: status" "$status" 0
none="no .heddle-exercise in it (--exercise)"
equal "folders without projects" "$err" "heddle: exercise mark: note: class/eve: $none
heddle: exercise mark: note: class/fay: $none"
if [ "$(id -u)" -ne 0 ]; then
    chmod a-rx class/fay
    run exercise mark class --course course --csv
    equal "a folder that cannot be read: status" "$status" 3
    has "a folder that cannot be read" "class/fay: Permission denied"
    chmod u+rx class/fay
fi
rm -r class/eve class/fay
# Stopped by a signal: what was marked by then is printed.
cat >class/cy/first/answer.h <<EOF
fclose(fopen("$scratch/begun", "w")); sleep(60);
EOF
"$tool" exercise mark class --course course --csv --jobs 1 >out 2>said &
marking=$!
for turn in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    [ -e begun ] || sleep 1
done
kill -TERM $marking
wait $marking
equal "a terminated mark: status" "$?" 3
equal "a terminated mark: rows" "$(cut -d, -f1-3 out)" "project,exercise,result
ann/first,01-first,not checked
bo/first,01-first,not checked
cy/first,01-first,not marked"
equal "a terminated mark: what it says" "$(tail -n 1 said)" \
    "heddle: exercise mark: stopped by signal 15 (Terminated): 2 of 3 marked"
mkdir empty
refused 3 "no projects below empty" exercise mark empty --course course
refused 3 "nowhere: No such file" exercise mark nowhere --course course
equal "temporary folders" "$(ls temporary)" ""

# ---- bad courses and places

refused 1 "nowhere: No such file" exercise list --course nowhere
refused 1 "has no exercises" exercise list --course empty
for bad in '{' '{"title": "x"}' '{"title": "x", "page": "y", "edit": []}' \
    '{"title": "x", "page": "y", "edit": ["../main.c"]}' \
    '{"title": "x", "page": "y", "edit": ["a"], "devices": [0]}' \
    '{"title": "x", "page": "y", "edit": ["a"], "seeds": 0}' \
    '{"title": "x", "page": "y", "edit": ["a"], "seeds": "3"}' \
    '{"title": "x", "page": "y", "edit": ["a"], "minutes": 1.5}' \
    '{"title": "x", "page": "y", "edit": ["a"], "ladder": true}' \
    '{"title": "x", "page": "y", "edit": ["a"], "strict": "yes"}' \
    '{"title": "x", "page": "y", "edit": ["a"], "host_only": 1}' \
    '{"title": "x", "page": "y", "edit": ["a"], "mpi": "yes"}' \
    '{"title": "x", "page": "y", "edit": ["a"], "kind": "other"}' \
    '{"title": "x", "page": "y", "edit": ["a"], "kind": 1}' \
    '{"title": "x", "page": "y", "edit": ["a"], "arguments": [1000]}' \
    '{"title": "x", "page": "y", "edit": ["a"], "arguments": "1000"}' \
    '{"title": "x", "page": "y", "edit": ["a"], "devices": 2}' \
    '{"title": "x", "page": "y", "edit": ["a"], "build_timeout": "1"}' \
    '{"title": "x", "page": "y", "edit": ["a"], "timeout": -1}'; do
    mkdir -p broken/01-x
    echo "$bad" >broken/01-x/exercise.json
    refused 1 "broken/01-x/exercise.json" exercise list --course broken
done
# Processes that write progress at the same time lose none of each other's lines.
for k in 1 2 3 4 5 6 7 8 9; do
    mkdir -p many/0$k-x
    echo '{"title": "x", "page": "y", "edit": ["a"]}' >many/0$k-x/exercise.json
    printf '## Hint 1\n\nfirst\n' >many/0$k-x/hints.md
done
for turn in 1 2 3; do
    rm -rf many-state
    for k in 1 2 3 4 5 6 7 8 9; do
        XDG_STATE_HOME=$scratch/many-state "$tool" exercise hint $k --course many >/dev/null &
    done
    wait
    equal "progress of nine processes" "$(grep -c ' 1 ' many-state/heddle/exercises)" 9
done
chmod -R a-w state
if [ "$(id -u)" -ne 0 ]; then
    run exercise hint 12 --course course
    equal "progress that cannot be kept: status" "$status" 0
    has "progress that cannot be kept" "progress is not kept"
fi
chmod -R u+w state
: >blocked
XDG_STATE_HOME=$scratch/blocked
run exercise hint 12 --course course
equal "progress below a file: status" "$status" 0
has "progress below a file" "progress is not kept"
finish
