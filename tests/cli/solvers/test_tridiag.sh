#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# heddle tridiag and heddle adi: verified results, layouts, bad input.
. "$(dirname "$0")/../check.sh"
cd "$scratch" || exit 1

for type in f32 f64; do
    for layout in contiguous interleaved; do
        run tridiag --n 6000 --rows 600 --type $type --layout $layout --runs 1 --csv
        equal "tridiag $type $layout ($err)" "$status" 0
        equal "tridiag $type $layout" "$(echo "$out" | grep -c true)" 1
    done
done
run tridiag --n 600 --rows 30 --algorithm pcr-shuffle --runs 1
equal "tridiag by shuffles ($err)" "$status" 0
printf 'v\n2\n1\n2\n' >rhs.csv
run tridiag rhs.csv --lower 1 --diagonal 2 --upper 1 --out x.npy --runs 1
equal "tridiag of a column ($err)" "$status" 0
equal "tridiag --out" "$([ -s x.npy ] && echo yes)" yes
run adi --size 15 --steps 4 --runs 1 --csv
equal "adi ($err)" "$status" 0
equal "adi" "$(echo "$out" | grep -c true)" 1
run adi --size 9 --steps 3 --type f64 --rate 0.5 --runs 1 --out u.npy
equal "adi f64 ($err)" "$status" 0
equal "adi --out" "$(head -c 100 u.npy | grep -ac '(9, 9, 9)')/$(wc -c <u.npy | tr -d ' ')" \
    1/$((128 + 729 * 8))
# A field of a file: on from there is as far as from the start, but for the last bits of a step.
run adi --size 9 --steps 5 --type f64 --rate 0.5 --runs 1 --out later.npy
run adi --field u.npy --steps 2 --rate 0.5 --runs 1 --out more.npy --csv
equal "adi --field ($err)" "$status/$(echo "$out" | grep -c ",true,")" 0/1
cmp -s later.npy more.npy || fail "adi --field: 3 and 2 steps are not 5"
{ npy '<f4' False '(3, 4, 5)'; awk 'BEGIN { for (i = 0; i < 60; i++) print i * i % 37 + 16256 * 65536 }' |
    integers 4; } >box.npy
for steps in 1 7; do
    run adi --field box.npy --steps $steps --rate 3 --runs 1
    equal "adi --field box.npy: field" "$(echo "$out" | sed -n 's/^field *//p')" "5 x 4 x 3 f32  box.npy"
    equal "adi --field box.npy: verified ($err)" "$(echo "$out" | grep -c "^verified *true")" 1
done
{ npy '<f4' False '(60,)'; tail -c 240 box.npy; } >line.npy
{ npy '|u1' False '(3, 4, 5)'; head -c 60 box.npy; } >bytes.npy
run adi --field bytes.npy --runs 1
equal "adi --field of bytes ($err)" "$(echo "$out" | grep -c "^verified *true")" 1
refused 1 "not a field of 3" adi --field line.npy
{ npy '<f4' False '(3, 4, 5)'; tail -c 230 box.npy; } >short.npy
refused 1 "60 elements of f32 need 240 bytes, the file has 230" adi --field short.npy
{ npy '<f4' False '(3, 0, 5)'; } >none.npy
refused 1 "an axis has length 0" adi --field none.npy
{ npy '<c8' False '(3, 2, 5)'; tail -c 240 box.npy; } >pairs.npy
refused 1 "complex numbers" adi --field pairs.npy
{ npy '<f4' False '(3, 4, 5)'; tail -c 240 box.npy | head -c 64; echo 2143289344 | integers 4
    tail -c 172 box.npy; } >nan.npy
refused 1 "element [0, 3, 1] is not finite as f32" adi --field nan.npy
: >empty.npy
refused 1 "no .npy file" adi --field empty.npy
rm none.npy
refused 2 "--field determines the size" adi --field box.npy --size 4
refused 1 "none.npy" adi --field none.npy
refused 2 "is not from 1" adi --size 0
refused 2 "not a finite number" adi --size 4 --rate nan
run tridiag --n 0 --runs 1
equal "no systems ($err)" "$status" 0
refused 1 "not a multiple of --rows" tridiag --n 100 --rows 64
refused 1 "system 0 has a pivot of 0" tridiag --n 64 --rows 8 --diagonal 0 --lower 0 --upper 0
refused 1 "at most 32 rows" tridiag --n 128 --rows 64 --algorithm pcr-shuffle
refused 2 "did you mean 'thomas'" tridiag --n 64 --rows 8 --algorithm tomas
refused 2 "f32 or f64" adi --size 4 --type i32
refused 2 "not above 0" adi --size 4 --rate -1
finish
