#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: lazy
# Graphs and small kernels: every shape and every strategy gives the right cells; JSON and CSV.
. "$(dirname "$0")/../check.sh"
nodes=61
[ -z "$small" ] || nodes=10

# verified ROWS COMMAND ARGUMENTS...
verified()
{
    rows=$1
    shift
    run "$@" --nodes $nodes --runs 1 --passes 2 --json
    equal "$ran: exit status ($err)" "$status" 0
    checks=$((checks + 1))
    case $out in
    *'"verified": true'*) ;;
    *) fail "$ran: $out" ;;
    esac
    equal "$ran: rows" "$(printf '%s\n' "$out" | grep -c '"seconds"')" "$rows"
}

for shape in chain fan diamond; do
    verified 4 graph --shape $shape
    verified 4 graph --shape $shape --streams 3 --blocks 2 --threads 50 --turns 7
done
verified 4 graph --streams 1
verified 4 smallkernels --streams 4 --turns 20
verified 2 smallkernels --streams 1 --blocks 3

run graph --nodes 1 --runs 1 --passes 1 --csv
equal "CSV" "$(printf '%s\n' "$out" | cut -d, -f1 | tr '\n' ';')" \
    "strategy;launches;4 streams and events;graph;graph from 4 streams;"
equal "CSV: times" "$(printf '%s\n' "$out" | awk -F, 'NR > 1 && !($2 > 0 && $3 > 0)' | wc -l)" 0
equal "CSV: verified" "$(printf '%s\n' "$out" | cut -d, -f7 | tr '\n' ' ')" \
    "verified true true true true "
run graph --nodes 5 --runs 1 --empty --csv
equal "CSV: empty" "$(printf '%s\n' "$out" | cut -d, -f7 | tail -n 1)" skipped
run graph --nodes 5 --runs 1 --empty
equal "empty" "$(printf '%s\n' "$out" | grep '^verified')" "verified: skipped"
run smallkernels --nodes 5 --runs 3 --streams 2
equal "text" "$(printf '%s\n' "$out" | grep -c '^2 streams \|^graph \|^verified: every')" 3

refused 2 "--shape: unknown 'ring'" graph --shape ring
refused 2 "--nodes: '0' is not from 1" graph --nodes 0
refused 2 "--threads: '4096' is not from 1 to 1024" smallkernels --threads 4096
finish
