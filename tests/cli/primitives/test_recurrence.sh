#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# heddle recurrence against awk: factors of each kind, averages, errors, what is refused.
. "$(dirname "$0")/../check.sh"
cd "$scratch" || exit 1

# cell NAME: of the row that --csv printed.
cell()
{
    echo "$out" | awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i }
        NR == 2 { print $c }'
}

count=4000
[ "$small" ] && count=600
awk -v n=$count 'BEGIN { print "price,volume"; x = 7; for (i = 0; i < n; i++) {
    x = (x * 1103 + 12345) % 65536; print 90 + x % 2000 / 100 "," x % 13 + 1 } }' >trades.csv
tail -n +2 trades.csv >plain

run recurrence trades.csv --column price --average --factor-column volume --runs 1 --csv
equal "average: status ($err)" "$status" 0
near "average of prices by volume" "$(cell last)" \
    "$(awk -F, '{ s += $1 * $2; w += $2 } END { printf "%.17g", s / w }' plain)" 1e-13
equal "average: verified" "$(cell verified)" true
run recurrence trades.csv --column price --average --factor 2 --type f32 --runs 1 --csv
near "average with equal weights" "$(cell last)" \
    "$(awk -F, '{ s += $1 } END { printf "%.17g", s / NR }' plain)" 1e-5

run recurrence trades.csv --column price --factor 0.75 --initial 1000 --runs 1 --csv
near "recurrence" "$(cell last)" \
    "$(awk -F, 'BEGIN { v = 1000 } { v = 0.75 * v + $1 } END { printf "%.17g", v }' plain)" 1e-13
equal "recurrence: verified" "$(cell verified)" true
awk -v n=$count 'BEGIN { for (i = 0; i < n; i++) print i % 3 - 1 }' >signs
{ npy '<i2' False "($count,)"; integers 2 <signs; } >signs.npy
run recurrence trades.csv --column price --factors signs.npy --runs 1 --csv
near "factors of a file ($err)" "$(cell last)" "$(paste -d, signs plain |
    awk -F, '{ v = $1 * v + $2 } END { printf "%.17g", v }')" 1e-13

# Growth, decay beyond the range, NaN: errors are measured where there are results.
run recurrence --n 3000 --factor 1.01 --runs 1 --csv
equal "growth: verified ($err)" "$(cell verified)" true
run recurrence --n 3000 --factor 1.5 --runs 1 --csv
equal "overflow: status ($err)" "$status" 0
equal "overflow: not verified" "$(cell verified)" skipped
awk 'BEGIN { print "x"; for (i = 0; i < 1700; i++) print i == 1690 }' >late.csv
for how in "--type f32" "--type f64"; do
    run recurrence late.csv --factor 2 $how --runs 1 --csv
    equal "products out of range, $how ($err)" "$(cell last)/$(cell verified)" "512/true"
done
printf 'x\n1\nnan\n2\n' >nan.csv
run recurrence nan.csv --factor 1 --runs 1 --csv
equal "NaN stays ($err)" "$(cell last)/$(cell verified)" nan/true
for how in "--type f64" "--pattern alternating" "--average --type f64" "--n 0"; do
    [ "$how" = "--n 0" ] || how="--n 3001 $how"
    run recurrence --runs 1 --csv $how
    equal "$how: verified ($err)" "$(cell verified)" true
done
if command -v python3 >/dev/null; then
    run recurrence --n 100 --json
    equal "keys" "$(python3 -c 'import json, sys; print(" ".join(json.load(sys.stdin)))' <"$scratch/out")" \
        "$heading input factors type kind count last error_ulp error_share outside seconds gbps verified"
fi

refused 2 "elements of type i64" recurrence --n 4 --type i64
refused 2 "one of --factor" recurrence trades.csv --column price --factor 1 --factor-column volume
refused 2 "with FILE" recurrence --n 4 --factors signs.npy
refused 2 "--average cannot be combined with --initial" recurrence --n 4 --average --initial 1
refused 2 "not a finite number" recurrence --n 4 --factor inf
printf '1\n2\n3\n' >three.csv
refused 1 "factors for 3 elements" recurrence three.csv --factors signs.npy
finish
