#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# heddle spmv: files and generated matrices, both types, vectors from files, bad input.
. "$(dirname "$0")/../check.sh"
cd "$scratch" || exit 1

cat >a.mtx <<'END'
%%MatrixMarket matrix coordinate real symmetric
% tridiagonal, lower half
3 3 5
1 1 2
2 1 -1
2 2 2
3 2 -1
3 3 2
END
printf 'x\n1\n2\n4\n' >x.csv
printf '%%%%MatrixMarket matrix array integer general\n3 1\n1\n2\n4\n' >x.mtx
for x in x.csv x.mtx; do
    run spmv a.mtx --x $x --out y.npy --runs 1 --json
    equal "spmv --x $x ($err)" "$status" 0
    equal "spmv --x $x" "$(echo "$out" | grep -c '"entries": 7.*"verified": true')" 1
    # 0, -1, 6
    equal "y of $x" "$(tail -c 24 y.npy | od -An -tx8 | tr -s ' \n' ' ')" \
        " 0000000000000000 bff0000000000000 4018000000000000 "
done
for precision in f32 f64; do
    for grid in 40,30 9,8,7 1,1; do
        run spmv --poisson $grid --precision $precision --runs 1 --csv
        equal "spmv $grid $precision ($err)" "$status" 0
        equal "spmv $grid $precision" "$(echo "$out" | grep -c ',true,')" 1
    done
done
# Rows that are infinite, or become it: inf, inf (1e308 + 1e308), -inf, NaN (inf - inf), 3.
cat >infinite.mtx <<'END'
%%MatrixMarket matrix coordinate real general
5 2 9
1 1 inf
1 2 1
2 1 1e308
2 2 1e308
3 1 -inf
4 1 inf
4 2 -inf
5 1 1
5 2 2
END
printf 'x\n1\n1\n' >one.csv
printf 'x\ninf\n1\n' >inf.csv
run spmv infinite.mtx --x one.csv --out y.npy --runs 1
equal "infinite rows ($err)" "$status" 0
equal "y of infinite rows" "$(tail -c 40 y.npy | od -An -tf8 | tr -s ' \n' ' ' | tr -d -)" " inf inf inf nan 3 "
run spmv infinite.mtx --x one.csv --precision f32 --runs 1
equal "infinite rows in f32 ($err)" "$status" 0
run spmv infinite.mtx --x inf.csv --runs 1
equal "infinite rows, an infinite vector ($err)" "$status" 0
printf '%%%%MatrixMarket matrix coordinate real general\n1 2 2\n1 1 3e38\n1 2 3e38\n' >wide.mtx
run spmv wide.mtx --x one.csv --precision f32 --out y.npy --runs 1
equal "a row beyond f32 ($err)" "$status" 0
equal "y beyond f32" "$(tail -c 4 y.npy | od -An -tx4 | tr -d ' ')" 7f800000
run spmv a.mtx --runs 1 --no-verify
equal "spmv --no-verify ($err)" "$status" 0
equal "of one run" "$(echo "$out" | grep -c ', median of 1 run, ')" 1
refused 2 "a FILE.mtx or --poisson" spmv
refused 2 "not both" spmv a.mtx --poisson 3,3
for extents in 3 3,3,3,3 3,0 0,3 3,-1 x,3 3, "" 3,2^31; do
    refused 2 "--poisson: '$extents' is not NX,NY or NX,NY,NZ, each from 1 to 2147483647" \
        spmv --poisson "$extents"
done
refused 2 "--poisson: '2^20,2^20' has more than 2147483647 points in all" spmv --poisson 2^20,2^20
refused 2 "--poisson: '2^11,2^11,2^11' has more than" cg --poisson 2^11,2^11,2^11
refused 1 "No such file" spmv b.mtx
refused 1 "does not begin with %%MatrixMarket" spmv x.csv
refused 1 "has 3 numbers, not 9" spmv --poisson 3,3 --x x.csv
refused 1 "has 3 rows and 1 columns, not 9 and 1" spmv --poisson 3,3 --x x.mtx
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n3 1 1\n' >bad.mtx
refused 1 "bad.mtx: line 4: row 3 is not between 1 and 2" spmv bad.mtx
finish
