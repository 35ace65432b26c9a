#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# demo.sh - sets up, builds, and reduces real files (ci/demo-tour.sh): on the GPU where one and its
# toolkit are present, else on the CPU engine.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 1
sh ci/setup.sh build || exit 1
. ci/steps.sh

preset=${HEDDLE_PRESET:-$(choose_preset)}
presets=$preset
[ "$preset" = cpu ] || presets="$preset cpu"
echo "heddle: preset $preset, tool build/$preset/heddle"
for each in $presets; do
    step "configure $each" cmake --preset "$each" || exit 1
    step "build $each" cmake --build "build/$each" -j "$jobs" --target heddle_tool || exit 1
done
HEDDLE="build/$preset/heddle" HEDDLE_CPU=build/cpu/heddle sh ci/demo-tour.sh
