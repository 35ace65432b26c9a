#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once slow
# The examples in the help of the other commands, and every call of the tool in the README and in
# docs/getting-started.md, with the results that it shows.
. "$(dirname "$0")/../check.sh"
. "$(dirname "$0")/examples.sh"
examples_of plain
start=$root/docs/getting-started.md
cat "$root/README.md" "$start" | grep -E '^(\$ )?build/cpu/heddle ' |
    sed 's/^\$ //; s/  *#.*//' >"$scratch/calls"
equal "README.md and getting-started.md: calls of the tool" "$(grep -c . "$scratch/calls")" 6
while IFS= read -r line <&3; do
    example "README.md or getting-started.md" "$line"
done 3<"$scratch/calls"
shown=$(sed -n '/^\$ build\/cpu\/heddle reduce/,/^$/p' "$start" | sed '1d; $d')
equal "getting-started.md: the results of reduce" \
    "$(build/cpu/heddle reduce docs/temperatures.csv --column celsius | sed '/^$/,$d')" "$shown"
echo "$skipped examples were skipped"
finish
