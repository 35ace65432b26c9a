#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# Old names of commands: the same JSON but for measured times, errors and exit status as the new ones.
. "$(dirname "$0")/../check.sh"
cd "$scratch" || exit 1
find_python || { echo "no python3"; exit 77; }
cat >unmeasured.py <<'PY'
# A JSON object without its measured numbers.
import json, sys

MEASURED = set("""calls alone seconds p10 p90 speedup add instantiate update capture min max done
    kernels_at_once seconds_per_chunk kernel_seconds host_seconds waiting_seconds beside_seconds
    overlap_percent""".split())

def unmeasured(value):
    if isinstance(value, list):
        return [unmeasured(v) for v in value]
    if isinstance(value, dict):
        return {k: "measured" if k in MEASURED and isinstance(v, (int, float)) else unmeasured(v)
                for k, v in value.items()}
    return value

print(json.dumps(unmeasured(json.load(sys.stdin))))
PY

# same OLD NEW ARGUMENTS...: OLD and NEW, each of one or more words, print the same.
same()
{
    old=$1
    new=$2
    shift 2
    # shellcheck disable=SC2086
    run $new "$@" --json
    equal "$ran: exit status ($err)" "$status" 0
    "$python" unmeasured.py <out >by_new || fail "$ran: $out"
    equal "$ran: its name" "$(grep -c "\"command\": \"${new%% --*}\"" out)" 1
    run $old "$@" --json
    equal "$ran: exit status ($err)" "$status" 0
    "$python" unmeasured.py <out >by_old || fail "$ran: $out"
    equal "$ran and $new" "$(cat by_old)" "$(cat by_new)"
    # shellcheck disable=SC2086
    run $new --nosuch
    new_end="$status $err"
    run $old --nosuch
    equal "$ran: the error" "$status $err" "$new_end"
    run help $old
    equal "$ran: status ($err)" "$status" 0
    equal "$ran: the command's help" "$(printf '%s\n' "$out" | sed -n '1s/ - .*//p')" \
        "heddle ${new%% --*}"
}

same smallkernels "graph --shape independent" --streams 4 --turns 20 --runs 1 --passes 1
same hostoverlap "host overlap" --ms 0.1 --n 500 --runs 1
same hostwork "host chunks" --n 100 --chunks 4 --runs 1
same defaultstream "streams default" --mode legacy --ms 0.1 --streams 2
same priority "streams priority" --blocks 100 --turns 1 --runs 1

run --help
equal "help: old names, and what each stands for" "$(printf '%s\n' "$out" | grep -A 4 '^old names: ')" \
    "old names: smallkernels (graph --shape independent)
           hostoverlap (host overlap)
           hostwork (host chunks)
           defaultstream (streams default)
           priority (streams priority)"
equal "help: and nowhere else" "$(printf '%s\n' "$out" | grep -c 'smallkernels\|hostwork')" 2
refused 2 "unknown command 'smalkernels', did you mean 'smallkernels'?" smalkernels
refused 2 "unknown command 'defaultsteam', did you mean 'defaultstream'?" help defaultsteam
refused 2 "option '--shape' is given twice" smallkernels --shape chain
refused 2 "streams: choose one of default, priority" streams
for family in streams host; do
    run $family --help
    equal "$ran: commands" "$status $(printf '%s\n' "$out" | grep -c "^  $family ")" "0 2"
done
run graph --shape independent --nodes 9 --streams 8 --runs 1 --passes 1 --turns 5 --csv
equal "strategies of independent kernels" "$(tail -n +2 out | cut -d, -f1 | tr '\n' ';')" \
    "launches;2 streams;4 streams;8 streams;graph;"
finish
