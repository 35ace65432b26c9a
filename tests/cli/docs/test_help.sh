#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# The help of every command: its own options, then blocks for input, run and output, each option once.
. "$(dirname "$0")/../check.sh"
cd "$scratch" || exit 1

run --help
printf '%s\n' "$out" | awk '/^[^ ]/ { listed = /^[a-z]+( \(.*\))?:$/ && !/^(options|environment|examples):/ }
    listed && /^  / { print substr($0, 3, 18) }' | sed 's/ *$//' >commands
checks=$((checks + 1))
[ "$(wc -l <commands)" -gt 50 ] || fail "$(wc -l <commands) commands"
checks=$((checks + 1))
[ "$(grep -c '^lab ' commands)" -gt 15 ] || fail "$(grep -c '^lab ' commands) commands of the lab"
equal "lines of --help: at most 100 columns" "$(awk 'length > 100' out)" ""

while IFS= read -r name <&3; do
    # shellcheck disable=SC2086
    run $name --help
    equal "$name --help: status ($err)" "$status" 0
    equal "$name --help: at most 100 columns" "$(awk 'length > 100' out)" ""
    # No block twice or out of place.
    equal "$name --help: blocks" "$(awk '/^[a-z]+:$/ && !/^commands:/ { at = index("options: input: run: output: examples:", $0)
        if (at <= last) print; last = at }' out)" ""
    equal "$name --help: options listed twice" "$(sed -n 's/^  \(--[a-z0-9-]*\).*/\1/p' out | sort | uniq -d)" ""
    equal "$name --help: options in the wrong block" "$(awk '
        BEGIN {
            block["--format"] = block["--column"] = block["--header"] = block["--pattern"] = "input:"
            block["--poisson"] = "input:"
            block["--device"] = block["--devices"] = block["--runs"] = block["--rounds"] = "run:"
            block["--no-verify"] = block["--verify"] = "run:"
            block["--out"] = block["--json"] = block["--csv"] = block["--trace"] = "output:"
            block["--timeline"] = "output:"
        }
        /^[a-z]+:$/ { title = $0 }
        /^  --/ && $1 in block && title != block[$1] { print $1, title }
        /^  --help / && title != "output:" && title != "options:" { print $1, title }
        /^  --/ && title == "input:" && pattern == "" && $1 == "--n" { own = 1 }
        /^  --pattern / { pattern = 1 }
        END { if (own && !pattern) print "--n" }' out)" ""
done 3<commands

# Commands that use no device have nothing to trace; all others have.
for name in port check timeline model "lab references" "exercise list" "exercise check"; do
    # shellcheck disable=SC2086
    run $name --help
    equal "$name: no --trace, no --timeline" "$(grep -c '^  --\(trace\|timeline\) ' out)" 0
    # shellcheck disable=SC2086
    refused 2 "unknown option '--trace'" $name --trace t.json
done
for name in scan jacobi quiz info; do
    run $name --help
    equal "$name: --trace and --timeline" "$(grep -c '^  --\(trace\|timeline\) FILE' out)" 2
done
run port --help
equal "port: a short form" "$(grep -c '^  --output-dir, -o DIR  *folder' out)" 1
for what in "lab --help" "--help"; do
    # shellcheck disable=SC2086
    run $what
    equal "$what: what counts and what times" "$(grep -c ' (predict: .*; count: .*preset check; time: on a GPU):$' out)" 1
done

run scan --help
equal "scan: its own options first" "$(sed -n '/^options:/,/^$/s/^  \(--[a-z-]*\).*/\1/p' out | tr '\n' ' ')" \
    "--op --exclusive --heads --heads-column --initial --algo "
equal "scan: input" "$(sed -n '/^input:/,/^$/s/^  \(--[a-z-]*\).*/\1/p' out | tr '\n' ' ')" \
    "--n --pattern --seed --type --format --colours --column --delimiter --header --no-header "
run random --help
equal "random: n, type and seed are its own" \
    "$(sed -n '/^options:/,/^$/s/^  --\(n\|type\|seed\) .*/\1/p' out | tr '\n' ' ')" "type n seed "
finish
