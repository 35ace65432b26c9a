#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The checker finds no errors in the programs: the arguments are the tool and the programs.
set -u
tool=$1
shift
said=$(mktemp "${TMPDIR:-/tmp}/heddle-check.XXXXXX") || exit 1
trap 'rm -f "$said"' EXIT
failed=0
for program in "$@"; do
    "$tool" check --seeds 1 "$program" >"$said" 2>&1
    if grep -q '^error ' "$said" || ! grep -q "^[0-9]* runs*:" "$said"; then
        echo "FAIL: heddle check finds errors in $program"
        cat "$said"
        failed=1
    fi
done
exit $failed
