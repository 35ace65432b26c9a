#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Strong and weak scaling: rows for every number of devices, each with the bits of one.
# labels: several
. "$(dirname "$0")/../check.sh"

if [ "$backend" = cpu ]; then
    HEDDLE_CPU_DEVICES=3
    export HEDDLE_CPU_DEVICES
    small_field="--nx 200 --ny 180 --sweeps 5 --norm-every 2 --runs 1"
    for peers in all none; do
        HEDDLE_CPU_PEERS=$peers
        export HEDDLE_CPU_PEERS
        run scaling $small_field --csv
        equal "rows, peers $peers ($err)" \
            "$(printf '%s\n' "$out" | cut -d, -f1-4,11 | tr '\n' ' ')" \
            "mode,devices,nx,ny,verified strong,1,200,180,true strong,2,200,180,true strong,3,200,180,true weak,1,200,180,true weak,2,200,360,true weak,3,200,540,true "
    done
    unset HEDDLE_CPU_PEERS
    run scaling $small_field --modes strong --csv --devices 2,0,1
    equal "CSV: which devices" "$(printf '%s\n' "$out" | cut -d, -f12- | tr '\n' ,)" \
        "device_list,2,2 0,2 0 1,"
    run scaling $small_field --modes weak --type f64 --variant copy --devices 2,0 --json
    equal "exit status ($err)" "$status" 0
    equal "JSON" "$(printf '%s\n' "$out" | grep -c '"mode": "weak"\|"verified": true')" 3
    equal "JSON: which devices" "$(printf '%s\n' "$out" | grep -c '^{.*"devices": \[2, 0\], ')" 1
    if [ -n "$one_sweep" ]; then
        run scaling --nx 64 --ny 64 --sweeps 8 --runs 1 --modes strong --depth 8
        equal "text: the depth that was made, and asked for ($err)" \
            "$(printf '%s\n' "$out" | grep -c 'variant auto, depth 1; 8 requested; this backend cannot do more')" 1
        equal "text: each row's variant and depth" \
            "$(printf '%s\n' "$out" | awk '$2 == 64 { print $1, $5, $6 }' | tr '\n' ' ')" \
            "1 copy 1 2 persistent 1 3 persistent 1 "
        run scaling --nx 64 --ny 64 --sweeps 8 --runs 1 --modes strong --depth 8 --csv
        equal "CSV: depth" "$(printf '%s\n' "$out" | cut -d, -f6 | tr '\n' ' ')" "depth 1 1 1 "
        run scaling --nx 64 --ny 64 --sweeps 8 --runs 1 --modes strong --depth 8 --json
        equal "JSON: depth" "$(printf '%s\n' "$out" | grep -c '"depth": 1,')" 3
    fi
    run scaling $small_field --modes strong --no-verify --svg "$scratch/s.svg"
    equal "text ($err)" "$(printf '%s\n' "$out" | grep -c '^strong scaling: \|^verified: skipped')" 2
    equal "the picture" "$(grep -c '</svg>' "$scratch/s.svg")" 1
    run scaling --nx 64 --ny 64 --niter 7 --nccheck=3 --runs 1 --modes strong --json
    equal "names of heddle jacobi ($err)" \
        "$(printf '%s\n' "$out" | grep -c '"sweeps": 7, "norm_every": 3')" 1
    refused 2 "option '--sweeps' is given twice" scaling --niter 7 --sweeps 7
    run scaling --help
    equal "help on them" "$(printf '%s\n' "$out" | grep -c '^  --n[a-z]* N  *the same as --[a-z-]*$')" 2
    unwritten --svg scaling $small_field
    refused 2 "--modes: unknown 'stron', did you mean 'strong'?" scaling --modes stron
    refused 2 "--variant: unknown 'all'; choose one of auto" scaling --variant all
    refused 2 "fields are f32 or f64" scaling --type i32
    refused 2 "--ny 32: 3 devices need 33 rows at least" scaling --nx 64 --ny 32
    refused 2 "--ny 8: 2 devices need 9 rows each at least" scaling --nx 64 --ny 8 --modes weak
    run scaling --nx 64 --ny 11 --sweeps 2 --runs 1 --modes weak --csv
    equal "as few rows as there can be ($err)" "$status" 0
else
    run scaling --nx 2048 --ny 2048 --sweeps 20 --runs 1 --json
    equal "exit status ($err)" "$status" 0
    equal "JSON" "$(printf '%s\n' "$out" | grep -c '^], "verified": true}$')" 1
fi
finish
