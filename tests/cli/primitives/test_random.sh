#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `heddle random`: elements, files and raw bytes agree with each other and with known ones.
. "$(dirname "$0")/../check.sh"
cd "$scratch" || exit 1

# field NAME: of the row that --csv printed last.
field()
{
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR == 2 { print $at[name] }' out
}

# The first words of seed 0, subsequence 0 are Random123's known answer for a counter of zeros.
run random --dist bits --seed 0 --n 2 --csv
equal "first word" "$(field first)" 1713891541
equal "second word" "$(field last)" 3781805453
for dist in bits uniform normal lognormal poisson; do
    run random --dist $dist --n 5000 --offset 3 --csv
    equal "$dist: status ($err)" "$status" 0
    equal "$dist is verified" "$(field verified)" true
done
for type in u64 f64; do
    [ $type = u64 ] && dist=bits || dist=normal
    run random --dist $dist --type $type --n 999 --subsequence 7 --csv
    equal "$dist $type is verified" "$(field verified)" true
done
run random --dist normal --mean 5 --deviation 2 --n 20000 --csv
near "mean" "$(field mean)" 5 0.02
near "deviation" "$(field deviation)" 2 0.03
run random --dist poisson --mean 50 --n 20000 --csv
near "mean of counts" "$(field mean)" 50 0.01
for generator in mrg32k3a xorwow mt19937; do
    run random --generator $generator --n 20000 --csv
    near "mean of $generator" "$(field mean)" 0.5 0.03
    equal "$generator has no reference here" "$(field verified)" skipped
done
run random --dist sobol --plain --n 1024 --type f64 --csv
equal "van der Corput's points are verified" "$(field verified)" true
near "their mean" "$(field mean)" 0.49951171875 1e-9

# The raw bytes of a stream are the same in pieces, and end with their reader.
"$tool" random --dist bits --raw --n 3000 >whole
{ "$tool" random --dist bits --raw --n 1000
    "$tool" random --dist bits --raw --n 2000 --offset 1000; } >pieces
equal "bytes" "$(wc -c <whole | tr -d ' ')" 12000
equal "pieces" "$(cksum <pieces)" "$(cksum <whole)"
equal "an endless stream" "$("$tool" random --dist bits --raw | head -c 12000 | cksum)" \
    "$(cksum <whole)"
run random --dist sobol --dimensions 3 --n 100 --out points.npy --csv
equal "a file of points" "$(head -c 128 points.npy | grep -ac '(3, 100)')" 1
if command -v python3 >/dev/null; then
    run random --n 100 --json
    equal "keys" "$(python3 -c 'import json, sys; print(" ".join(json.load(sys.stdin)))' <out)" \
        "$heading distribution type generator seed subsequence offset count mean deviation min max first \
last gsamples_per_s seconds gbps verified"
fi
refused 2 "unknown" random --dist gauss
refused 2 "unknown" random --generator lcg
refused 2 "poisson gives u32" random --dist poisson --type f64
refused 2 "are mutually exclusive" random --dist sobol --raw
refused 2 "excludes --json" random --raw --n 4 --json
refused 2 "--dist sobol cannot be combined with --generator" random --dist sobol --generator xorwow
refused 2 "--dimensions" random --dist sobol --dimensions 257
refused 1 "type is neither" random --dist normal --type u32
refused 2 "deviation" random --dist normal --deviation -1
refused 2 "not from 0 to 2^30" random --dist poisson --mean -3
refused 1 "a stream ends" random --offset 18446744073709551615 --n 5
finish
