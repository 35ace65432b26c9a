#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# The engine model: the shipped quizzes have the answers of their files, random ones those of another
# way to find them; files that make no sense; a run on the device.
. "$(dirname "$0")/../check.sh"
here=$(cd "$(dirname "$0")" && pwd)
quizzes=${HEDDLE_SOURCE_DIR:?}/docs/quiz
cd "$scratch" || exit 1

# total FILE ENGINES: the prediction. The answers here are the issue's own, not the files'.
total()
{
    "$tool" quiz "$quizzes/$1.quiz" --engines "$2" --csv | awk -F, 'NR == 2 { print $3 }'
}
equal "default stream" "$(total default 2)" 3
equal "one stream" "$(total async 2)" 3
equal "depth-first" "$(total depth-first 2)" 4
equal "depth-first, kernels on the default stream" "$(total depth-first-default 2)" 5
equal "breadth-first" "$(total breadth-first 2)" 4
equal "same array" "$(total race-same 2)" 1
equal "another array" "$(total race-other 2)" 1
for order in depth breadth; do
    one=$(total segments-$order 1)
    two=$(total segments-$order 2)
    checks=$((checks + 1))
    [ "$one" -gt "$two" ] || fail "segments, $order: $one with one engine, $two with two"
done
run quiz "$quizzes"/*.quiz --csv
equal "all files agree with themselves ($err)" "$status" 0
run quiz "$quizzes/race-same.quiz"
case $out in
*"race: nothing orders 'in a' and 'kernel k' (array a)"*) ;;
*) fail "the race is not reported: $out" ;;
esac
run quiz "$quizzes/race-other.quiz"
case $out in
*race:*) fail "a race where there is none: $out" ;;
esac
run quiz "$quizzes/segments-depth.quiz" --times --plot p.svg --engines 0
equal "engines 0: everything in a row" "$(sed -n 's/.*engines: //p' out)" 16
equal "a picture" "$(grep -c '<svg' p.svg)" 1

printf 'in a 1\nanswer 2\n' >wrong.quiz
run quiz wrong.quiz
equal "a wrong answer" "$status" 1
printf 'in a 1\nrace a\n' >wrong.quiz
run quiz wrong.quiz
equal "a race that is none" "$status" 1
printf 'in a 1\nkernel k 2 writes a\n' >wrong.quiz
run quiz wrong.quiz
equal "a race that the file does not say" "$status" 1

# bad TEXT MESSAGE: a file that is refused, with its line.
bad()
{
    printf "$1" >bad.quiz
    refused 1 "$2" quiz bad.quiz
}
bad 'in a 1\nfly b 2\n' "bad.quiz:2: unknown statement 'fly'"
bad 'in a\n' "bad.quiz:1: a stream is missing"
bad 'in\n' "a name is missing"
bad 'in a 1 cost x\n' "'x' is not a time"
bad 'in a 1 cost -1\n' "'-1' is not a time"
bad 'in a 1 cost\n' "'' is not a time"
bad 'in a 1 costs 2\n' "'costs' is not reads, writes or cost"
bad 'wait e 1\n' "event e was not recorded before"
bad 'nonblocking default\n' "the default stream is always blocking"
bad 'in a/b 1\n' "'a/b' is not a name"
bad 'in abcdefghijklmnopqrstuvwxyz 1\n' "a name of 26 characters"
bad 'kernel k 1 reads a,,b\n' "a name of 0 characters"
bad 'answer 3 engines 4\n' "engines 1"
bad '# nothing\n' "there is no copy, kernel or host work in it"
refused 1 "nothing.quiz: No such file" quiz nothing.quiz
refused 2 "FILE... is missing" quiz
refused 2 "--run and --plot take one FILE" quiz a b --run
awk 'BEGIN { for (i = 0; i < 600; i++) print "in a 1" }' >long.quiz
refused 1 "long.quiz:513: more than 512 operations" quiz long.quiz

run quiz "$quizzes/depth-first.quiz" --run
equal "a run ($err)" "$status" 0
case $out in
*"kernel kb"*"measured "*"of the prediction"*) ;;
*) fail "what a run says: $out" ;;
esac
run quiz "$quizzes/host-beside.quiz" --run --json --trace t.json
equal "a run with a trace ($err)" "$status" 0

if find_python; then
    count=40
    [ -z "$every_case" ] && count=5
    found=$("$python" "$here/quiz_reference.py" "$tool" $count 2>&1)
    equal "random quizzes" "$found" ""
fi
finish
