#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# quick.sh - the quick tier after ci/test.sh: what every change has to pass, within half an hour on
# two cores. The last line counts this run and the ci/test.sh before it.
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
cell cpu switch=ucontext 'label=conformance|unit' skip=lazy
cell cpu sanitizer=address,undefined label=quick skip=lazy
cell check 'label=bugs|checker|conformance|unit|drivers' skip=lazy 'once=bugs|drivers'
cell hip arch=gfx90a
HEDDLE_CODEGEN_ARCHITECTURES="gfx90a gfx942 gfx1100"
export HEDDLE_CODEGEN_ARCHITECTURES
cell codegen
cell cuda arch=90
cell hip-nvidia arch=90
report
