#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once slow
# The examples in the help of the other commands, and every call of the tool in the README, with the
# results that it shows.
. "$(dirname "$0")/check.sh"
. "$(dirname "$0")/examples.sh"
examples_of plain
grep -E '^(\$ )?build/cpu/heddle ' "$root/README.md" | sed 's/^\$ //; s/  *#.*//' >"$scratch/readme"
equal "README.md: calls of the tool" "$(grep -c . "$scratch/readme")" 5
while IFS= read -r line <&3; do
    example "README.md" "$line"
done 3<"$scratch/readme"
shown=$(sed -n '/^\$ build\/cpu\/heddle reduce/,/^$/p' "$root/README.md" | sed '1d; $d')
equal "README.md: the results of reduce" \
    "$(build/cpu/heddle reduce docs/temperatures.csv --column celsius | sed '/^$/,$d')" "$shown"
echo "$skipped examples were skipped"
finish
