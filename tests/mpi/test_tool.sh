#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# heddle mpi: what its commands print, and how they refuse.
. "$(dirname "$0")/../cli/check.sh"
. "$(dirname "$0")/launch.sh"
unset HEDDLE_MPI_PROGRAM

# lines WHAT COUNT PATTERN: of the output of the last run.
lines()
{
    equal "$ran: $1" "$(grep -c "$3" "$scratch/out")" "$2"
}

ranks 60 -n 4 "$tool" mpi info
good
says "4 ranks on 1 node"
equal "lines of info" "$(wc -l <"$scratch/out" | tr -d ' ')" 8
ranks 60 -n 3 "$tool" mpi pingpong --bytes 64K --runs 3 --from 2 --to 1
good
says "verified: every byte"
says "alpha"
says "library  not measured: --vendor asks for NCCL or RCCL"
ranks 60 -n 4 "$tool" mpi alltoall --bytes 10000 --runs 3
good
says "MPI_Alltoall, staged"
says "verified: every byte"
if [ "$HEDDLE_BACKEND" = cpu ]; then # which has no such library
    ranks 60 -n 2 "$tool" mpi pingpong --bytes 64 --runs 1 --vendor
    good
    says "library  not measured: rank 0 on "
    says "no library of collectives"
    ranks 60 -n 2 "$tool" mpi alltoall --bytes 64 --runs 1 --vendor
    good
    says "pairs, library                  -            -  rank 0 on "
    ranks 60 -n 2 "$tool" mpi jacobi --nx 64 --ny 64 --niter 3 --path library
    equal "status where there is no library" "$status" 1
    says "no library of collectives"
fi
ranks 100 -n 3 "$tool" mpi jacobi --nx 500 --ny 300 --niter 21 --nccheck 10
good
says "verified: field and norms have the bits of one device"
says "       0, 4.322904"
says "efficiency:"
ranks 60 -n 2 "$tool" mpi jacobi --nx 20 --ny 64 --niter 2 --csv
good
lines "columns behind" 1 'efficiency,type,norm_every,verified,backend,device,warp,'
lines "the row" 1 ",f32,100,true,$HEDDLE_BACKEND,"
ranks 60 -n 2 env HEDDLE_MPI_DEVICE=maybe "$tool" mpi info
equal "$ran: exit status" "$status" 1
says "HEDDLE_MPI_DEVICE=maybe is not auto, on or off"
[ -n "$small" ] || says " in hd_mpi_agree (src/mpi/rank.c:" # the checker's build has whole paths
if [ "$HEDDLE_BACKEND" = cpu ]; then
    if [ -n "$one_sweep" ]; then
        ranks 60 -n 2 "$tool" mpi jacobi --nx 20 --ny 64 --niter 2 --depth 8
        good
        says "depth 1; 8 requested; this backend cannot do more per pass"
    fi
    ranks 100 -n 3 "$tool" mpi jacobi --nx 300 --ny 200 --niter 150 --path shmem
    good
    says "rows travel by puts into symmetric memory: asked for"
    says "verified: field and norms have the bits of one device"
fi
if command -v python3 >/dev/null 2>&1; then
    for words in "info" "pingpong --bytes 64 --runs 1 --vendor" \
        "alltoall --bytes 64 --runs 1" \
        "jacobi --nx 20 --ny 64 --niter 3 --no-compare --no-verify"; do
        ranks 60 -n 2 "$tool" mpi $words --json
        good
        cp "$scratch/out" "$scratch/result.json"
        ranks 60 -n 2 "$tool" mpi $words --csv
        good
        equal "$words: names and types" "$(python3 "$(dirname "$0")/../cli/app/schema.py" \
            "$scratch/result.json" "$scratch/out" 2>&1)" ""
    done
fi

# every_method COMMAND METHODS LACKING LIBRARY ROW: all requested methods are in every format, and
# those without times in the lines LACKING of text are so in JSON and in the rows ROW of CSV.
every_method()
{
    reason="rank 0 on .*no library of collectives"
    ranks 60 -n 2 "$tool" mpi $1 --bytes 64 --runs 1 --vendor
    good
    lacking=$(grep -c "$3" "$scratch/out")
    ranks 60 -n 2 "$tool" mpi $1 --bytes 64 --runs 1 --vendor --json
    good
    equal "$ran: methods" "$(grep -o '"method": "[^"]*"' "$scratch/out" | sort -u | wc -l | tr -d ' ')" "$2"
    lines "methods without times" "$lacking" '"seconds": null.*"reason": ".'
    [ "$HEDDLE_BACKEND" != cpu ] ||
        lines "no library" 1 "\"method\": \"$4\", .*\"seconds\": null.*\"reason\": \"$reason"
    ranks 60 -n 2 "$tool" mpi $1 --bytes 64 --runs 1 --vendor --csv
    good
    equal "$ran: methods" "$(sed '1d; s/,[,0-9].*//' "$scratch/out" | sort -u | wc -l | tr -d ' ')" "$2"
    says "gbps,reason,verified"
    equal "$ran: methods that are verified" "$(sed -n 's/,[0-9].*,,true$//p' "$scratch/out" |
        sort -u | wc -l | tr -d ' ')" "$(($2 - lacking))"
    lines "methods without times" "$lacking" "$5."
    [ "$HEDDLE_BACKEND" != cpu ] || lines "no library" 1 "$4$5.*$reason"
}
every_method pingpong 5 '  not measured: .' library ',,,,'
every_method alltoall 6 ' -  .' 'pairs, library' '",2,64,,,'

# HEDDLE_P2P=off on one rank is enough; nobody who did not ask for the path misses it.
ranks 60 -n 1 "$tool" mpi jacobi --nx 64 --ny 64 --niter 3 --path peer : \
    -n 1 env HEDDLE_P2P=off "$tool" mpi jacobi --nx 64 --ny 64 --niter 3 --path peer
equal "$ran: exit status" "$status" 1
says "HD_ERR_UNSUPPORTED"
says "rank 1 on "
says "no path between devices: HEDDLE_P2P=off"
ranks 60 -n 2 env HEDDLE_P2P=off "$tool" mpi pingpong --bytes 64 --runs 1
good
says "peer     not measured: rank 0 on "
says "HEDDLE_P2P=off"
lines "a column of peers" 0 'peer us'

# Each rank has a file of its own.
mkdir "$scratch/d.d"
ranks 60 -n 3 "$tool" mpi jacobi --nx 64 --ny 64 --niter 3 --trace "$scratch/d.d/t.json" \
    --timeline "$scratch/d.d/picture"
good
equal "files of traces" "$(ls "$scratch/d.d" | tr '\n' ' ')" \
    "picture-0 picture-1 picture-2 t-0.json t-1.json t-2.json "
ranks 60 -n 2 "$tool" mpi info --trace "$scratch/d.d/%p.json"
equal "a process and its rank" "$(ls "$scratch/d.d" | grep -c '^[0-9]*-[01].json$')" 2
ranks 60 -n 2 "$tool" mpi info --trace /dev/null
good
refused 2 "options follow the command: heddle mpi COMMAND --trace FILE" mpi --trace "$scratch/t.json" info

# Messages of one size show no rate, and the model says so.
ranks 60 -n 2 "$tool" mpi pingpong --bytes 8 --runs 1
good
says "1/beta        -"
ranks 60 -n 2 "$tool" mpi pingpong --bytes 8 --runs 1 --json
good
says '"rate": null'
lines "a library that nobody asked for" 0 library
cp "$scratch/out" "$scratch/short.json"
json=yes
"$tool" model --measured "$scratch/short.json" 2>&1 | grep -q "without jansson" && json=
[ -z "$json" ] || refused 1 "larger --bytes" model --measured "$scratch/short.json"
ranks 60 -n 1 "$tool" mpi alltoall --bytes 100 --runs 1
says "1 rank, 100 B from each"
for words in "pingpong --csv" "alltoall --csv" "alltoall --json"; do
    ranks 60 -n 2 "$tool" mpi $words --bytes 8 --runs 1
    good
    says staged
    lines "a library that nobody asked for" 0 library
done

# Virtual devices count, so that a job can be tried.
if [ "$HEDDLE_BACKEND" = cpu ]; then
    ranks 60 -n 2 env HEDDLE_CPU_DEVICES=2 "$tool" mpi info --exclusive
    good
    ranks 60 -n 3 env HEDDLE_CPU_DEVICES=2 "$tool" mpi info --exclusive
    equal "$ran: exit status" "$status" 1
    says "2 ranks share device cpu:0: rank 0 device 0 (cpu:0)"
fi
# What there is to do without being told suits the engine.
if [ "$HEDDLE_BACKEND" = cpu ] && [ -z "$small" ]; then
    ranks 60 -n 2 "$tool" mpi jacobi --no-compare --no-verify
    good
    says "1024x1024 f32, 200 sweeps"
fi

# Misuse is said once, and is exit status 2.
ranks 60 -n 4 "$tool" mpi info --path fast
equal "$ran: exit status" "$status" 2
equal "$ran: how often it is said" "$(grep -c "^heddle: mpi info: --path" "$scratch/err")" 1
ranks 60 -n 2 "$tool" mpi jacobi --nx 64 --ny 64 --depth 3
equal "$ran: exit status" "$status" 2
says "--depth"
ranks 60 -n 3 "$tool" mpi jacobi --nx 20 --ny 32
equal "$ran: exit status" "$status" 2
says "--ny 32: 3 ranks need 33 rows at least"
ranks 60 -n 3 "$tool" mpi jacobi --nx 20 --ny 33 --niter 1
good
ranks 60 -n 4 "$tool" mpi pingpong --to 9
says "no rank 9 among 4: mpirun -n 10 or more"
for words in "info --timeout 0" "jacobi --niter 0"; do
    ranks 60 -n 2 "$tool" mpi $words
    equal "$ran: exit status" "$status" 2
    says "'0' is "
done
ranks 60 -n 2 "$tool" mpi info --device 99
equal "$ran: exit status" "$status" 2
says "--device: rank 0 has no device '99'"
equal "$ran: how often it is said" "$(grep -c "^heddle: mpi info: --device" "$scratch/err")" 1
ranks 60 -n 1 "$tool" mpi info : -n 1 "$tool" mpi info --device 99
equal "$ran: exit status" "$status" 2
says "--device: rank 1 has no device '99'"
ranks 60 -n 2 "$tool" mpi jacobi --nx 2
equal "$ran: exit status" "$status" 2
says "--nx: '2' is not from 3 to 1073741824"
# Errors have paths in the source tree, and name the rank once.
ranks 60 -n 2 "$tool" mpi jacobi --nx 1073741823 --ny 1073741823
equal "$ran: exit status" "$status" 1
says "HD_ERR_OVERFLOW in hd_mpi_agree: rank 0 on "
equal "$ran: how often the rank is named" "$(grep -o 'rank 0 on' "$scratch/err" | wc -l | tr -d ' ')" 1
# Options that differ between ranks.
ranks 60 -n 1 "$tool" mpi jacobi --nx 300 --ny 300 : -n 2 "$tool" mpi jacobi --nx 400 --ny 300
equal "$ran: exit status" "$status" 2
says "mpi jacobi: --nx is 300 on rank 0 and 400 on rank 1"
ranks 60 -n 1 "$tool" mpi jacobi --no-verify --json : -n 1 "$tool" mpi jacobi --timeout 9
equal "$ran: exit status" "$status" 2
says "mpi jacobi: --no-verify is given on rank 0 and not given on rank 1"
ranks 60 -n 1 "$tool" mpi pingpong : -n 1 "$tool" mpi pingpong --bytes 1
equal "$ran: exit status" "$status" 2
says "mpi pingpong: --bytes is not given on rank 0 and 1 on rank 1"
ranks 60 -n 1 "$tool" mpi info : -n 1 "$tool" mpi alltoall
equal "$ran: exit status" "$status" 2
says "rank 0 runs mpi info and rank 1 mpi alltoall"
refused 2 "choose one of" mpi
run mpi --help
equal "help" "$status" 0
equal "usage" "$(grep '^usage:' "$scratch/out")" "usage: heddle mpi COMMAND [OPTIONS]"
run mpi pingpong --help
equal "help of a command" "$status" 0
HEDDLE_MPI_PROGRAM=$scratch/none
export HEDDLE_MPI_PROGRAM
refused 1 "HEDDLE_MPI_PROGRAM=$scratch/none is not a program" mpi info
# The tool itself needs no MPI.
unset HEDDLE_MPI_PROGRAM
checks=$((checks + 1))
! ldd "$tool" 2>/dev/null | grep -q libmpi || fail "$tool is linked with MPI"
finish
