#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Priorities: all three rows, the large kernel whole; JSON, CSV and text.
# labels: alone
. "$(dirname "$0")/../check.sh"

run priority --blocks 300 --turns 50 --runs 2 --json
equal "exit status ($err)" "$status" 0
checks=$((checks + 1))
case $out in
*'"verified": true'*) ;;
*) fail "not verified: $out" ;;
esac
equal "rows" "$(printf '%s\n' "$out" | grep -c '"what"')" 3
run priority --blocks 100 --turns 1 --runs 1 --csv
equal "CSV" "$(printf '%s\n' "$out" | cut -d, -f1 | tr '\n' ';')" \
    "what;alone;behind at the least;behind at the greatest;"
equal "CSV: verified" "$(printf '%s\n' "$out" | cut -d, -f6 | tr '\n' ' ')" "verified true true true "
run priority --blocks 100 --turns 1 --runs 1 --no-verify
equal "text" "$(printf '%s\n' "$out" | grep -c '^alone \|^behind at \|^verified: skipped')" 4
refused 2 "--blocks: '0' is not from 1" priority --blocks 0
finish
