#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# heddle transpose: files in and out, shapes, what is refused.
. "$(dirname "$0")/check.sh"
cd "$scratch" || exit 1

{ npy '<i2' False '(2, 3)'; echo 1 -2 3 4 5 -6 | integers 2; } >a.npy
{ npy '<i2' False '(3, 2)'; echo 1 4 -2 5 3 -6 | integers 2; } >expected.npy
run transpose a.npy --out b.npy --json
equal "transpose: status ($err)" "$status" 0
equal "transpose of 2 x 3" "$(od -An -tx1 b.npy | tail -n 1)" "$(od -An -tx1 expected.npy | tail -n 1)"
case $out in *'"rows": 3, "columns": 2'*'"verified": true'*) ;; *) fail "JSON: $out" ;; esac
run transpose b.npy --out c.npy
cmp -s a.npy c.npy || fail "twice is the matrix itself"

# Every variant, in place, an odd shape, and numbers that --rows makes a matrix.
for how in "--algo auto" "--algo naive" "--algo coalesced" "--algo padded"; do
    run transpose --n 1517 --rows 37 --type u16 --json $how
    equal "$how: status ($err)" "$status" 0
    case $out in *'"verified": true'*) ;; *) fail "$how: $out" ;; esac
done
run transpose --n 1681 --rows 41 --in-place --type f64
equal "in place: status ($err)" "$status" 0
run transpose --n 0 --rows 0 --type f32
equal "nothing: status ($err)" "$status" 0

refused 2 "is no matrix" transpose --n 100
refused 2 "not 7 rows" transpose --n 100 --rows 7
refused 2 "--algo" transpose --n 100 --rows 10 --algo fast
refused 1 "not square" transpose --n 100 --rows 20 --in-place
refused 1 "missing.npy" transpose missing.npy
finish
