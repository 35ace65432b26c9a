#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# demo.sh - sets up, builds, and reduces real files (ci/demo-tour.sh): on the GPU if there is one
# with its toolkit, otherwise on the CPU engine. In a new build tree, only the CPU kernels that the
# demo uses are optimized.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 1
sh ci/setup.sh build || exit 1
. ci/steps.sh

preset=${HEDDLE_PRESET:-$(choose_preset)}
presets=$preset
[ "$preset" = cpu ] || presets="$preset cpu"
echo "heddle: preset $preset, tool build/$preset/heddle"
plain=""
for each in $presets; do
    optimized=reduce
    [ -f "build/$each/CMakeCache.txt" ] && optimized=$(cached "build/$each" HEDDLE_OPTIMIZED)
    [ -n "$optimized" ] && plain="$plain $each"
    step "configure $each" cmake --preset "$each" -DHEDDLE_OPTIMIZED="$optimized" || exit 1
    step "build $each" cmake --build "build/$each" -j "$jobs" --target heddle_tool || exit 1
done
HEDDLE="build/$preset/heddle" HEDDLE_CPU=build/cpu/heddle sh ci/demo-tour.sh || exit 1
case "$plain " in
*" cpu "*)
    cat <<'END'
  cmake --preset cpu && cmake --build build/cpu
      optimizes all kernels; the build above, to be quick, only those of reduce
END
    ;;
esac
