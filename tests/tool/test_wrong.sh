#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Commands with a library that gives wrong results (garbled.c): each reports it in text, JSON and
# CSV, counts the errors, and exits with 1. With the unmodified library the same command lines exit
# with 0.
. "$(dirname "$0")/../cli/check.sh"
cd "$scratch" || exit 1
export HEDDLE_CPU_DEVICES=3

# found WHY: the last run printed results, exited with 1, and gave the reason in one line.
found()
{
    equal "$ran: exit status" "$status" 1
    checks=$((checks + 1))
    [ -n "$out" ] || fail "$ran: no results"
    equal "$ran: standard error" "$err" "heddle: $1"
}

# seen PATTERN COUNT: number of lines of the last run's output that match.
seen()
{
    equal "$ran: lines with '$1'" "$(grep -c -e "$1" out)" "$2"
}

# column N: the distinct values in a column of the last run's CSV.
column()
{
    sed 1d out | cut -d, -f"$1" | sort -u | tr '\n' ' '
}

# ---- p2p: 16 bytes missing
# ------------------------------------------------------------------------
p2p="p2p --least 4K --most 4K --runs 1 --devices 0,1"
for way in transfer/copy ceiling_copy/read,write ceiling_copy/write; do
    garble=${way%/*} methods=${way#*/}
    line="p2p: not verified: ${methods%,*} of 4096 bytes from device 0 to device 1: 4 of 1024 words"
    run "$garble" $p2p --methods "$methods"
    found "$line"
    seen '^verified: false$' 1
    run "$garble" $p2p --methods "$methods" --json
    found "$line"
    seen '^\], "verified": false}$' 1
    run "$garble" $p2p --methods "$methods" --csv --verify
    found "$line"
    equal "$ran: verified" "$(column 8)" "false "
done
HEDDLE_P2P=off run transfer $p2p --csv
equal "$ran, staged: status, verified" "$status $(column 8)" "1 false "
run nothing $p2p --csv
equal "$ran: status, verified ($err)" "$status $(column 8)" "0 true "

# ---- remote: one element, iteration or step less
# --------------------------------------------------
remote="remote --bytes 4K --runs 1"
for what in "ceiling_copy/loads of memory device, own" "ceiling_write/stores of memory device, own" \
    "remote_atomics/atomics of memory device, own" \
    "remote_chase/a chain of loads of memory device, own" "overlap_work/element 32767 of a heavy kernel"; do
    run "${what%%/*}" $remote
    found "remote: not verified: ${what#*/}"
    seen '^verified: false$' 1
done
run ceiling_write $remote --json
found "remote: not verified: stores of memory device, own"
seen '^\], .*"verified": false}$' 1
run ceiling_write $remote --csv
found "remote: not verified: stores of memory device, own"
seen ',false$' 7
run nothing $remote --csv
equal "$ran: status ($err)" "$status" 0
seen ',true$' 7

# ---- collectives: one bit of each rank's result
# ---------------------------------------------------
all=all-reduce,reduce-scatter,all-gather,all-to-all
collectives="collectives --sizes 240 --type i32 --runs 1"
run results $collectives --op $all,reduce,broadcast,send-receive --csv
found "collectives: 32 elements are wrong"
equal "$ran: wrong in each row" "$(sed 1d out | cut -d, -f1,8,13,14 | tr '\n' ' ')" \
    "all-reduce,out,3,false all-reduce,in,3,false reduce,out,1,false reduce,in,1,false \
reduce-scatter,out,3,false reduce-scatter,in,3,false all-gather,out,3,false all-gather,in,3,false \
broadcast,in,3,false all-to-all,out,3,false all-to-all,in,3,false send-receive,out,3,false "
run results $collectives
found "collectives: 6 elements are wrong"
equal "$ran: #wrong" "$(awk '$1 == 240 { print $9, $13 }' out)" "3 3"
seen '^# verified: false$' 1
run results $collectives --json --graph 2
found "collectives: 6 elements are wrong"
seen '"wrong": 3, "verified": false}' 2
equal "$ran: all of it" "$(tail -n 1 out)" '], "verified": false}'
run nothing $collectives --csv --verify
equal "$ran: status, wrong ($err)" "$status $(column 13)" "0 0 "

# ---- jacobi, scaling: a cell, a norm --------------------------------------------------------------
jacobi="jacobi --nx 64 --ny 64 --niter 5 --nccheck 2 --variant copy"
for garble in cell norm; do
    run $garble $jacobi
    found "jacobi: the result is not that of one device"
    seen "^verified: no, with copy .*$([ $garble = cell ] && echo cells || echo norm)" 1
    [ $garble = cell ] && seen '^verified: no, with copy 1 cells differ from one device$' 1
    [ $garble = norm ] && seen '^verified: no, with copy the norm of sweep 4 differs from one device$' 1
    seen '^verified: ' 1
    run $garble $jacobi --json
    found "jacobi: the result is not that of one device"
    seen '"efficiency": .*"verified": false, ' 1
    equal "$ran: all of it" "$(tail -n 1 out)" '], "verified": false}'
    run $garble $jacobi --csv
    found "jacobi: the result is not that of one device"
    equal "$ran: verified" "$(column 14)" "false "
    run $garble scaling --nx 64 --ny 64 --sweeps 5 --norm-every 2 --runs 1 --modes strong --csv
    found "scaling: not verified: a field differs from one device's"
    equal "$ran: verified" "$(sed 1d out | cut -d, -f2,11 | tr '\n' ' ')" "1,true 2,false 3,false "
    run $garble $jacobi --no-verify --csv
    equal "$ran: status, verified ($err)" "$status $(column 14)" "0 skipped "
done
run nothing $jacobi --csv --verify
equal "$ran: status, verified ($err)" "$status $(column 14)" "0 true "
finish
