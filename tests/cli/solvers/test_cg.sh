#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: peers
# heddle cg: files and generated systems over devices, the same bits for any number of them, systems
# that cannot be solved, bad input.
. "$(dirname "$0")/../check.sh"
cd "$scratch" || exit 1

devices=$("$HEDDLE_TOOL" info --json | grep -o '"bus_id"' | wc -l)
several=0
[ "$devices" -ge 2 ] && several=0,1

for precision in f32 f64; do
    run cg --poisson 50,40 --precision $precision --json --out $precision.npy
    equal "cg $precision ($err)" "$status" 0
    equal "cg $precision" "$(echo "$out" | grep -c '"converged": true.*"verified": true')" 1
    run cg --poisson 50,40 --precision $precision --devices 0 --issue streams --out one.npy --csv
    equal "cg $precision on one device ($err)" "$status" 0
    cmp -s one.npy $precision.npy || fail "cg $precision: bits of x"
    run cg --poisson 50,40 --precision $precision --devices $several --look 3 --out two.npy --csv
    equal "cg $precision on devices $several ($err)" "$status" 0
    cmp -s two.npy $precision.npy || fail "cg $precision: bits of x on devices $several"
done
if [ "$devices" -ge 2 ]; then
    run cg --poisson 50,40 --devices 0,1 --json
    near "cg: efficiency is a fraction" "$(echo "$out" | sed -n 's/.*"efficiency": \([^,]*\),.*/\1/p')" \
        "$(echo "$out" | sed -n 's/.*"speedup": \([^,]*\),.*/\1/p' | awk '{ print $1 / 2 }')" 2e-3
    run cg --poisson 50,40 --devices 0,1
    equal "cg: a time with its unit" \
        "$(echo "$out" | grep -c '^time_alone  *[0-9.]* [mu]*s, on the first device$')" 1
    equal "cg: and percent in text" "$(echo "$out" | grep -c '^efficiency  *[0-9.e-]* %$')" 1
fi
run cg --poisson 50,40 --sums group --out group.npy --csv
equal "cg by a group ($err)" "$status" 0
cmp -s group.npy f64.npy || fail "cg by a group: bits of x"
run cg --poisson 9,8,7 --preconditioner none --tolerance 1e-12 --no-verify
equal "cg in three dimensions ($err)" "$status" 0

# 4x + y = 9, x + 3y = 5: x = 2, y = 1
cat >a.mtx <<'END'
%%MatrixMarket matrix coordinate integer symmetric
2 2 3
1 1 4
2 1 1
2 2 3
END
printf '%%%%MatrixMarket matrix array real general\n2 1\n9\n5\n' >b.mtx
run cg a.mtx --rhs b.mtx --precision f32 --out x.npy --json
equal "cg a.mtx ($err)" "$status" 0
equal "cg a.mtx: iterations" "$(echo "$out" | grep -o '"iterations": [0-9]*')" '"iterations": 2'
equal "cg a.mtx: x" "$(tail -c 8 x.npy | od -An -tf4 | awk '{ printf "%.5f %.5f", $1, $2 }')" \
    "2.00000 1.00000"

unwritten --out cg --poisson 9,8

run cg --poisson 50,40 --iterations 3 --csv
equal "cg that does not converge" "$status/$(echo "$out" | grep -c ',false,')" 1/1
case $err in *"after 3 iterations, not 1e-08"*) ;; *) fail "cg that does not converge: $err" ;; esac
run cg --poisson 50,40 --precision f32 --tolerance 1e-7 --csv
equal "cg beyond what f32 carries" "$status/$(echo "$out" | grep -c ',false,')" 1/1
case $err in
*"above 1e-07: rounding in f32 lets it fall no further; take --precision f64"*) ;;
*) fail "cg beyond what f32 carries: $err" ;;
esac
sed 's/^1 1 4/1 1 -4/' a.mtx >indefinite.mtx
refused 1 "element (1,1) is -4" cg indefinite.mtx
sed 's/^2 1 1/2 1 9/' a.mtx >indefinite.mtx
refused 1 "the matrix is not positive definite" cg indefinite.mtx --preconditioner none
general()
{
    echo '%%MatrixMarket matrix coordinate real general' >general.mtx
    echo "$1" | tr ' ,' '\n ' >>general.mtx
}
general "3,3,5 1,1,4 1,2,1 2,1,1 2,2,3 3,3,2"
run cg general.mtx
equal "cg of a general file that is symmetric ($err)" "$status" 0
general "3,3,6 1,1,4 1,2,1 2,1,1 2,2,3 3,1,0 3,3,2"
run cg general.mtx
equal "cg of a general file, but for a zero ($err)" "$status" 0
general "3,3,4 1,1,4 1,3,1 2,2,3 3,3,2"
refused 1 "not symmetric: element (1,3) is 1, (3,1) 0" cg general.mtx
general "3,3,6 1,1,4 2,2,3 1,3,1 3,1,1 3,2,5 3,3,2"
refused 1 "not symmetric: element (3,2) is 5, (2,3) 0" cg general.mtx
general "2,2,4 1,1,4 1,2,1 2,1,1.5 2,2,3"
refused 1 "not symmetric: element (1,2) is 1, (2,1) 1.5" cg general.mtx
printf '%%%%MatrixMarket matrix coordinate real symmetric\n2000000000 2000000000 1\n1 1 1\n' >large.mtx
refused 1 "" cg large.mtx
printf '1e200\n1\n' >large.csv
refused 1 "the sum of squares of b is not finite" cg a.mtx --rhs large.csv
printf '%%%%MatrixMarket matrix coordinate real general\n1 2 1\n1 1 1\n' >wide.mtx
refused 1 "1 rows and 2 columns, where a square" cg wide.mtx
for precision in f32 f64; do
    run cg --poisson 5,5 --precision $precision --tolerance 0
    equal "cg to 0 in $precision ($err)" "$status" 1
    case $err in
    *"|b - A x| / |b| stays at "*"above 0: rounding in $precision lets it fall no further"*) ;;
    *) fail "cg to 0 in $precision: $err" ;;
    esac
done
# The same columns, whatever was run: of one device or several, with and without comparison, and
# where there is nothing to do.
printf 'x\n0\n0\n' >zero.csv
for how in "" "--devices 0" "--no-verify" "--iterations 0" "--rhs zero.csv"; do
    # shellcheck disable=SC2086
    run cg a.mtx $how --csv
    equal "cg $how: columns" "$(echo "$out" | head -n 1)" "matrix,precision,rows,columns,entries,\
longest_row,devices,share,halo,boundary_rows,staged_links,preconditioner,issue,sums,iterations,\
restarts,converged,residual,true_residual,norm,us_per_iteration,seconds_alone,speedup,efficiency,\
same_bits,seconds,gbps,verified,backend,device,warp,version,command"
    equal "cg $how: fields" "$(echo "$out" | sed 's/"[^"]*"//' | awk -F, '{ print NF }' | tr '\n' ' ')" "33 33 "
done
run cg a.mtx --devices 0 --csv
equal "cg on one device: what it lacks" "$(echo "$out" | sed 1d | cut -d, -f8-11,22-25)" "2,0,0,0,,,,"
run cg a.mtx --devices 0 --json
equal "cg on one device: null" "$(echo "$out" | grep -c '"seconds_alone": null, "speedup": null, "efficiency": null, "same_bits": null,')" 1
run cg a.mtx --devices 0
equal "cg on one device: text" "$(echo "$out" | grep -c 'alone\|speedup\|null')" 0
equal "cg: a grid with two axes" "$("$tool" cg --poisson 9,8 --csv | sed '1d; s/,.*//')" "poisson 9 x 8"
refused 2 "0 or more" cg a.mtx --tolerance -1
refused 2 "did you mean 'jacobi'" cg a.mtx --preconditioner jacoby
refused 2 "" cg a.mtx --devices 0,0
refused 2 "a FILE.mtx or --poisson" cg
run bench cg --from 16 --to 16 --rounds 1 --iterations 4 --csv
equal "bench cg ($err)" "$status" 0
equal "bench cg: efficiency is a fraction" \
    "$(echo "$out" | awk -F, '$4 == "graph" && $5 == 1 { print $10 }' | sort -u)" 1
equal "bench cg: lines" "$(echo "$out" | grep -c ',true$')" $((4 * devices))
finish
