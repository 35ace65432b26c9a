#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# demo.sh - sets up, builds, and reduces real files: the tool's own bytes and a table of docs/. On
# the GPU where one and its toolkit are present, else on the CPU engine. Checks one sum with od and
# awk, and that warp sizes 32 and 64 (and the GPU) give the same bits.
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
    step "configure $each" cmake --preset "$each" -DHEDDLE_BUILD_TESTS=OFF || exit 1
    step "build $each" cmake --build "build/$each" -j "$jobs" --target heddle_tool || exit 1
done
tool=build/$preset/heddle
table=docs/temperatures.csv

# show COMMAND...: what a person would type, then what it says.
show()
{
    echo
    echo "\$ $*"
    "$@" || { echo "demo.sh: this failed" >&2; exit 1; }
}

# results TOOL ARGUMENTS...: the numbers alone, as text that names their bits.
results()
{
    results_tool=$1
    shift
    "$results_tool" reduce "$@" --json | tr '{},' '\n\n\n' |
        grep -E '"(count|sum|min|max|argmin|argmax|mean|norm2)"' | tr -d ' '
}

show "$tool" info
show "$tool" reduce "build/cpu/heddle" --type u8
show "$tool" reduce "$table" --column celsius

echo
expected=$(od -An -v -tu1 "build/cpu/heddle" |
    awk '{ for (i = 1; i <= NF; i++) sum += $i } END { printf "%.0f", sum }')
found=$(results "$tool" "build/cpu/heddle" --type u8 | sed -n 's/^"sum"://p')
echo "sum of the tool's bytes: heddle $found, od and awk $expected"
[ "$found" = "$expected" ] || { echo "demo.sh: they differ" >&2; exit 1; }

at_32=$(HEDDLE_CPU_WARP=32 results build/cpu/heddle "$table" --column celsius)
at_64=$(HEDDLE_CPU_WARP=64 results build/cpu/heddle "$table" --column celsius)
here=$(results "$tool" "$table" --column celsius)
if [ -z "$at_32" ] || [ "$at_32" != "$at_64" ] || [ "$at_32" != "$here" ]; then
    printf '%s\n' "demo.sh: results differ" "warp 32:" "$at_32" "warp 64:" "$at_64" \
        "$preset:" "$here" >&2
    exit 1
fi
echo "the same bits at warp 32 and warp 64 on the CPU$([ "$preset" = cpu ] || echo ", and on $preset"):" \
    "sum $(echo "$at_32" | sed -n 's/^"sum"://p')"
cat <<END

Try next:
  $tool reduce FILE.npy                 any NumPy array
  $tool reduce --help                   operations, algorithms, JSON
  sh ci/test.sh                               every test
  README.md                                   a kernel of your own in five minutes
END
