#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# quick.sh - the quick tier, after ci/test.sh: what every change has to pass, within half an hour on
# two cores. Everything else (sanitizers, ucontext, clang, aarch64, HIP on NVIDIA) is in full.sh.
# The last line gives the counts of this run and the preceding ci/test.sh.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 1
. ci/steps.sh
. ci/tier.sh

if [ -z "${HEDDLE_CI_REQUIRE+set}" ]; then
    HEDDLE_CI_REQUIRE="cpu hip"
    find_nvcc >/dev/null && HEDDLE_CI_REQUIRE="$HEDDLE_CI_REQUIRE cuda"
fi
add_counts build/ci/counts

sh ci/setup.sh lint >/dev/null 2>&1
cell lint
# Left to full.sh: devices without peer access, other orders and seeds, drivers at warp 64, the same
# kernels compiled as C++, examples and exercises, and the tests that take longest. ci/test.sh has run
# them all unchecked, the drivers at both warp sizes.
long='^drivers[.](tune|scan|reduce_chunks|cg|sort|jacobi[.])|^conformance[.]half|^unit[.]polling'
cell check 'label=bugs|checker|conformance|unit|drivers' 'skip=lazy|peers|few|many' \
    "except=$long|^drivers[.].*[.]w64|[.]cxx|^(examples|exercise)[.]" seeds=1 target=heddle_check_tests
# One architecture of each wavefront size, each compiled only once: built, or checked in assembly.
# Installations and projects on these backends, and the tool's kernels for AMD, are full.sh's.
cell hip arch=gfx1100 target=heddle_kernels
HEDDLE_CODEGEN_ARCHITECTURES=gfx90a
export HEDDLE_CODEGEN_ARCHITECTURES
cell cuda arch=90 target=heddle_kernels_and_tool
cell codegen # reads what the cell before it has compiled
report
