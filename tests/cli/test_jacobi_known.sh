#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: slow once several
# heddle jacobi at its usual size: the first norm is the known one, which the tool looks at itself.
. "$(dirname "$0")/check.sh"
[ -z "$small" ] || exit 77 # some 5 GiB of memory
case "$("$tool" jacobi -nx 60 -ny 80 -niter 1)" in *"Num GPUs: 1."*) exit 77 ;; esac
run jacobi -nx 16384 -ny 16384 -niter 1 -nccheck 1 --devices 0,1
equal "exit status ($err)" "$status" 0
equal "norm" "$(echo "$out" | grep '^ *0, ')" "     0, 31.999023  (known: 31.999022)"
finish
