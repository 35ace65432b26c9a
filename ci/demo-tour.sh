#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# demo-tour.sh - the part of the demo that runs once the tool is built: reduces files that every
# machine has, checks two results with od and awk, shows that results do not depend on warp size and
# chunk size, and suggests next steps. HEDDLE is the tool; HEDDLE_CPU, if set, one with the CPU
# backend.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 1
tool=${HEDDLE:?demo-tour.sh: HEDDLE has to name the built tool}
cpu=${HEDDLE_CPU:-$tool}
table=docs/temperatures.csv

# The demo must not depend on settings in the caller's environment.
unset HEDDLE_CPU_WARP HEDDLE_CPU_MEMORY HEDDLE_CPU_STREAMS

fail()
{
    echo "demo-tour.sh: $*" >&2
    exit 1
}

# show COMMAND...: prints the command as typed, then its output.
show()
{
    echo
    echo "\$ $*"
    "$@" || fail "this failed"
}

# numbers TOOL FILE OPTIONS...: only the results, without device and times.
numbers()
{
    numbers_tool=$1
    shift
    "$numbers_tool" reduce "$@" --csv | cut -d, -f1-8
}

# same WHAT ONE OTHER: fails unless both texts are equal and not empty.
same()
{
    if [ -z "$2" ] || [ "$2" != "$3" ]; then
        printf '%s\n' "$2" "$3" >&2
        fail "$1: these differ"
    fi
    echo "  equal: $1"
}

show "$tool" info
show "$tool" reduce "$cpu" --type u8
show "$tool" reduce "$table" --column celsius

echo
echo "Checked with od and awk:"
same "sum of the tool's own bytes" \
    "$(od -An -v -tu1 -w1 "$cpu" | awk '{ sum += $1 } END { printf "%.0f", sum }')" \
    "$("$tool" reduce "$cpu" --type u8 --op sum --csv | sed -n '2s/,.*//p')"
same "sum of column celsius to 9 digits" \
    "$(awk -F, 'NR > 1 { sum += $2 } END { printf "%.9g", sum }' "$table")" \
    "$("$tool" reduce "$table" --column celsius --op sum --csv |
        awk -F, 'NR == 2 { printf "%.9g", $1 }')"

echo
echo "The tool's bytes, with bit 6 of each cleared so that no float is NaN or above 2, read as f32:"
bytes=$(($(wc -c <"$cpu") / 4 * 4))
floats=$(mktemp "${TMPDIR:-/tmp}/heddle-demo.XXXXXX") || fail "no temporary file"
trap 'rm -f "$floats"' EXIT
head -c "$bytes" "$cpu" | LC_ALL=C tr '\100-\177\300-\377' '\000-\077\200-\277' >"$floats"
at_32=$(HEDDLE_CPU_WARP=32 numbers "$cpu" "$floats" --type f32)
echo "$at_32" | sed 's/^/  /'
same "warp 32 and warp 64 on the CPU" "$at_32" \
    "$(HEDDLE_CPU_WARP=64 numbers "$cpu" "$floats" --type f32)"
same "the whole file and chunks of 64 KiB" "$at_32" \
    "$(numbers "$tool" "$floats" --type f32 --chunk 64K)"
[ "$tool" = "$cpu" ] || same "the CPU and the GPU" "$at_32" \
    "$(numbers "$tool" "$floats" --type f32)"

cat <<END

Try next:
  $tool reduce FILE.npy
      any NumPy array; --op, --json, --chunk: see --help
  $tool bench reduce
      how fast, against what memory can deliver; after sh ci/test.sh also --vendor
  sh ci/test.sh
      every test
  README.md
      a kernel of your own in five minutes
END
