#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: slow once several
# heddle jacobi at its usual size: norms are the known ones, which the tool looks at itself. On the
# CPU engine, which takes long for a sweep, that is the first one alone.
. "$(dirname "$0")/../check.sh"
[ -z "$small" ] || exit 77 # some 5 GiB of memory
case "$("$tool" jacobi -nx 60 -ny 80 -niter 1)" in *"Num GPUs: 1."* | *"Num devices: 1."*) exit 77 ;; esac
sweeps=901
[ "$backend" != cpu ] || sweeps=1
run jacobi -nx 16384 -ny 16384 -niter $sweeps -nccheck 100 --devices 0,1
equal "exit status ($err)" "$status" 0
equal "norm" "$(echo "$out" | grep '^ *0, ')" "     0, 31.999023  (known: 31.999022)"
# norm SWEEP KNOWN: the known ones were printed with six digits behind the point, from sums in f32.
norm()
{
    equal "sweep $1: what is known" "$(echo "$out" | sed -n "s/^ *$1, .*  (known: \(.*\))\$/\1/p")" "$2"
    near "sweep $1" "$(echo "$out" | sed -n "s/^ *$1, \([0-9.]*\) .*/\1/p")" "$2" "$3"
}
norm 0 31.999022 1e-6
[ "$backend" = cpu ] || {
    norm 100 0.897983 3.3e-6
    norm 900 0.173818 1.3e-5
    equal "norms" "$(echo "$out" | grep -c '^ *[0-9]*, [0-9]')" 10
}
finish
