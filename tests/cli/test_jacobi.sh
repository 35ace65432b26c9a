#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: peers
# heddle jacobi: every variant has the bits of one device; options with one dash and two; what is
# printed; what is refused.
. "$(dirname "$0")/check.sh"
cd "$scratch" || exit 1
nx=300
[ -z "$small" ] || nx=60
direct=yes
case "$("$tool" jacobi -nx 60 -ny 80 -niter 1)" in *staged*) direct= ;; esac

run jacobi -nx $nx -ny 200 -niter 21 -nccheck 10 --variant all
equal "all variants: exit status ($err)" "$status" 0
equal "verified" "$(echo "$out" | tail -n 1)" \
    "verified: every cell and norm has the bits of one device"
lines=5
[ -z "$direct" ] || lines=8
line="^${nx}x200: 1 GPU: .* s, 4 GPUs: .* s, speedup: .*, efficiency: "
equal "lines to compare" "$(echo "$out" | grep -c "$line")" $lines
equal "devices" "$(echo "$out" | grep '^Num')" "Num GPUs: 4. Using GPU ID: 0, 1, 2, 3"
equal "norms" "$(echo "$out" | grep -c '^ *[0-9]*, [0-9.]*$')" 3
norm=$(echo "$out" | grep '^ *20, ')

# The norm does not depend on how the sweeps are made; the first one is known: sqrt((ny - 1) / 16).
for how in "--devices 0,3" "--devices 2" "--tiles 2x2" "--p2p off" "--host-threads per-device" \
    "--depth 0" "--variant ccl,graph --p2p off" "--variant ccl --tiles 2x2" \
    "--variant ccl --ccl own --devices 1,3 --host-threads per-device"; do
    # shellcheck disable=SC2086
    run jacobi --nx $nx --ny 200 --niter 21 --nccheck 10 $how
    equal "$how: exit status ($err)" "$status" 0
    equal "$how: norm" "$(echo "$out" | grep '^ *20, ')" "$norm"
done
near "norm of sweep 0" "$(echo "$out" | sed -n 's/^ *0, //p')" 3.526684 1e-6
run jacobi --nx $nx --ny 200 --p2p off --niter 2
equal "staged pairs" "$(echo "$out" | grep -c '^GPU . and .: staged through the host$')" 4

run jacobi --nx 64 --ny 64 --niter 5 --nccheck 2 --type f64 --json
equal "JSON: norms, rows" "$(echo "$out" | grep -o '\[[024], ' | wc -l) \
$(echo "$out" | grep -c 'efficiency.*"verified": true')" "3 1"
run jacobi --nx 64 --ny 64 --niter 5 --csv --no-verify
equal "CSV" "$(echo "$out" | tail -n 1 | cut -d, -f1,3-8,14)" "auto,64,64,5,100,1,4,skipped"

refused 2 "did you mean 'peer-store'" jacobi --variant peerstore
refused 2 "mpirun -n 4 heddle mpi jacobi" jacobi --variant mpi
refused 2 "is not X times Y tiles" jacobi --tiles 3x2
refused 2 "is not X times Y tiles" jacobi --tiles 4
refused 1 "no more than 3 parts" jacobi --nx 64 --ny 40
refused 2 "there is no device 9" jacobi --devices 0,9
refused 1 "stripes, not tiles" jacobi --nx 64 --ny 64 --tiles 2x2 --variant peer-store
refused 2 "f32 or f64" jacobi --type i32
refused 2 "library" jacobi --ccl nccl
case "$HEDDLE_BACKEND" in
    cpu) refused 1 "library" jacobi --nx 64 --ny 64 --variant ccl --ccl library ;;
esac
[ -n "$direct" ] || refused 1 "needs direct access" jacobi --nx 64 --ny 64 --variant peer-store
refused 1 "nowhere/f.png" jacobi --nx 64 --ny 64 --niter 1 --png nowhere/f.png
finish
