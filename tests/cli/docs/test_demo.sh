#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once several
# The tour of the demo, on the tool of this build.
. "$(dirname "$0")/../check.sh"
root=${HEDDLE_SOURCE_DIR:-$(cd "$(dirname "$0")/../../.." && pwd)}
HEDDLE=$tool sh "$root/ci/demo-tour.sh" >"$scratch/out" 2>"$scratch/err"
status=$?
equal "exit status" "$status" 0
equal "standard error" "$(cat "$scratch/err")" ""
equal "checks of the tour" "$(grep -c '^  equal: ' "$scratch/out")" 4
[ "$failures" -eq 0 ] || cat "$scratch/out"
finish
