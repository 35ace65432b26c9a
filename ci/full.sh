#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# full.sh - runs every cell that this machine supports.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 1
. ci/steps.sh
. ci/tier.sh

sh ci/setup.sh test clang hip lint aarch64 dieharder site || echo "      some cells will not run"
cell lint
cell site
for compiler in gcc clang; do
    for warp in 32 64; do
        cell cpu compiler=$compiler warp=$warp
    done
done
cell cpu switch=ucontext
cell check once=lazy
cell check compiler=clang 'label=bugs|checker|conformance|unit' skip=lazy seeds=1
cell check arch=aarch64 'label=bugs|conformance' seeds=1
cell cpu check=1
cell cpu sanitizer=address,undefined
cell cpu compiler=clang sanitizer=address,undefined
cell cpu sanitizer=thread label=threads
for warp in 32 64; do
    cell cpu arch=aarch64 warp=$warp
done
cell hip
cell hip 'arch=gfx906;gfx1030'
cell codegen
cell hidden
cell mutate
cell headers
cell hip-headers
cell cuda
cell cuda arch=oldest
cell hip-nvidia
cell dieharder
cell fuzz seconds="${HEDDLE_FUZZ_SECONDS:-600}"
report
