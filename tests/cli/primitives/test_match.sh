#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `heddle match` finds what grep -o finds, whatever the chunks, and says so.
. "$(dirname "$0")/../check.sh"
cd "$scratch" || exit 1

# count ARGUMENTS...: the count that --csv prints; it has to be verified.
count()
{
    "$tool" match "$@" --csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR == 2 { print $at["count"], $at["verified"] }'
}

# grep_count FILE PATTERN...: lines that grep -o prints.
grep_count()
{
    grep_file=$1
    shift
    for word; do
        printf '%s\n' "$word"
    done >words
    grep -o -a -F -f words "$grep_file" | wc -l | tr -d ' '
}

cat "${HEDDLE_SOURCE_DIR:?}"/src/cli/*/*.c >text
for words in "the" "aa" "a" "int status" "tt t ttt" "cli cli_failed failed" "= == === ;" "zzzz"; do
    case $words in
    "int status") set -- "$words" ;;
    *) set -- $words ;;
    esac
    equal "count of '$words'" "$(count "$@" text)" "$(grep_count text "$@") true"
    [ -z "$every_case" ] && continue
    equal "count of '$words' in chunks" "$(count "$@" text --chunk 10007)" \
        "$(grep_count text "$@") true"
    "$tool" match "$@" text --positions --chunk 33333 >found
    grep -o -b -a -F -f words text >expected
    equal "positions of '$words'" "$(cksum <found)" "$(cksum <expected)"
done

# Positions go through a pipeline: random texts, chunks down to a byte, matches that reach over
# chunks and patterns longer than one, in any legal order of the streams.
list()
{
    HEDDLE_CPU_STREAMS=lazy:$seed "$tool" match "$@" --positions >found
    equal "positions: status of '$*', seed $seed" "$?" 0
}
seed=0
[ -n "$small" ] && sizes="7 61" || sizes="1 3 17 64 400"
for letters in ab 'abc\n' 'the \n'; do
    long=$(awk -v letters="$letters" -v seed="$seed" 'BEGIN { srand(seed)
        for (i = 0; i < 400; i++) printf "%s", substr(letters, int(rand() * length(letters)) + 1, 1)
    }' | tee random | tr '\n ' aa | cut -c 200-239)
    printf 'ab\n%s%s' "$long" "$long" >>random
    for chunk in $sizes; do
        for words in a "ab ba" "aba ab b the he $long" "$long"; do
            seed=$((seed + 1))
            printf '%s\n' $words >words
            list $words random --chunk "$chunk"
            grep -o -b -a -F -f words random >expected
            equal "'$letters' in chunks of $chunk: '$words'" "$(cksum <found)" "$(cksum <expected)"
            [ $((seed % 4)) -eq 0 ] || continue
            list $words random --overlapping --chunk "$chunk"
            tr '\n' '.' <random | awk -v words="$words" '{ n = split(words, word, " ")
                for (i = 1; i <= length($0); i++) for (w = 1; w <= n; w++)
                    if (substr($0, i, length(word[w])) == word[w]) print i - 1 ":" word[w] }' >expected
            equal "'$letters', overlapping: '$words'" "$(cksum <found)" "$(cksum <expected)"
        done
    done
done
equal "positions from a slow pipe" "$( (cat random; sleep 0.1; cat random) |
    "$tool" match ab the - --positions --chunk 50 | cksum)" \
    "$(cat random random | grep -o -b -a -F -e ab -e the | cksum)"
# The pipe goes on only when the first position was seen.
(cat random; for turn in $(seq 100); do [ -e seen ] && echo yes >early && break; sleep 0.1; done) |
    "$tool" match e - --positions --chunk 100 | (read -r first; : >seen; cat >/dev/null)
equal "positions before the pipe's end" "$(cat early)" yes

# The last chunk has more starts than the others, by up to the longest pattern less one.
printf 'aabaabbaabbaab' >starts
for chunk in 1 2 3; do
    for words in "aabba baaba b" "a bbbbbbbb" "aabaabbaabba a ab"; do
        printf '%s\n' $words >words
        run match $words starts --positions --chunk $chunk
        equal "last chunk, '$words': status ($err)" "$status" 0
        equal "last chunk, '$words'" "$(echo "$out" | cksum)" \
            "$(grep -o -b -a -F -f words starts | cksum)"
        equal "last chunk of a pipe, '$words'" \
            "$("$tool" match $words - --positions --chunk $chunk <starts | cksum)" \
            "$(grep -o -b -a -F -f words starts | cksum)"
    done
    run match a aa aaaaaaaa b starts --positions --overlapping --chunk $chunk
    equal "last chunk, overlapping: status ($err)" "$status" 0
    equal "last chunk, overlapping" "$(echo "$out" | tr '\n' ' ')" "0:a 0:aa 1:a 2:b 3:a 3:aa 4:a \
5:b 6:b 7:a 7:aa 8:a 9:b 10:b 11:a 11:aa 12:a 13:b "
done
if [ -n "$every_case" ]; then # the chunk by default, 4 MiB of starts
    head -c 4194309 /dev/zero | tr '\0' a >starts
    equal "last chunk by default" "$("$tool" match a bbbbbbbb starts --positions | tail -n 1)" \
        "4194308:a"
fi

printf 'aaaaaaa' >a
equal "non-overlapping" "$(count aa a)" "3 true"
equal "overlapping" "$(count aa a --overlapping)" "6 true"
equal "overlapping, two patterns" "$(count aa aaa a --overlapping)" "11 true"
equal "chunks of one byte" "$(count aa a --chunk 1)" "3 true"
run match aa aaa a --overlapping --positions
equal "pairs in order" "$(echo "$out" | head -n 4 | tr '\n' ' ')" "0:aa 0:aaa 1:aa 1:aaa "
printf 'x\0\377\nab' >bytes
equal "bytes" "$(count 00ff0a bytes --hex)" "1 true"
equal "a pattern with a line end" "$(count 'FF0A61' bytes --hex)" "1 true"
: >empty
equal "an empty file" "$(count a empty)" "0 true"
equal "standard input" "$(cat text | "$tool" match the - --csv | sed -n '2s/,.*//p')" \
    "$(grep_count text the)"
equal "a slow pipe in chunks" "$( (cat text; sleep 0.1; cat text) |
    "$tool" match the - --csv --chunk 20000 | sed -n '2s/,.*//p')" \
    "$(cat text text | grep -o -a -F the | wc -l | tr -d ' ')"
equal "not verified" "$(count a a --no-verify)" "7 skipped"

if command -v python3 >/dev/null; then
    run match the text --json
    equal "keys" "$(python3 -c 'import json, sys; print(" ".join(json.load(sys.stdin)))' <out)" \
        "$heading count patterns file bytes chunks latency_min latency_median latency_p99 latency_max \
seconds gbps verified"
fi
refused 2 "PATTERN... is missing" match
refused 2 "FILE is missing" match text
refused 2 "is empty" match "" text
refused 2 "not an even number of hexadecimal digits" match 0 text --hex
refused 2 "not an even number of hexadecimal digits" match 0g text --hex
refused 2 "--chunk" match a text --chunk 0
refused 2 "prints text" match a text --positions --json
refused 1 "No such file" match a none
refused 2 "are mutually exclusive" match a text --verify --no-verify
finish
