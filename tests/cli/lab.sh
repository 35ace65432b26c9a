# SPDX-License-Identifier: Apache-2.0
# lab.sh - sourced by the tests of the laboratory, after `reference` names the script with the closed
# forms: runs experiments at both warp sizes, and looks at what they print and draw.
. "$(dirname "$0")/check.sh"
here=$(cd "$(dirname "$0")" && pwd)
find_python || { echo "no python3"; exit 77; }
[ "$backend" = cpu ] || exit 77
# Only the checking engine counts requests.
[ -n "$small" ] && counted=counted || counted=

# experiment ROWS NAME OPTIONS...: against closed forms. ROWS may be A/B for warps of 32 and 64.
experiment()
{
    rows=$1
    shift
    for warp in 32 64; do
        HEDDLE_CPU_WARP=$warp
        export HEDDLE_CPU_WARP
        run lab "$@" --json
        equal "$ran, warp $warp: exit status ($err)" "$status" 0
        [ $warp = 32 ] && expected=${rows%/*} || expected=${rows#*/}
        equal "$ran, warp $warp: rows" "$(printf '%s\n' "$out" | grep -c '"case"')" "$expected"
        # shellcheck disable=SC2086
        equal "$ran, warp $warp: against closed forms" \
            "$("$python" "$here/$reference" "$scratch/out" $counted 2>&1 | head -n 5)" ""
    done
    unset HEDDLE_CPU_WARP
}

# output NAME [own]: text says what is constant and what was judged, CSV has rows of one width,
# --no-verify judges nothing. own: rows are judged by their results, without the checking engine.
output()
{
    run lab "$1"
    equal "$ran: exit status ($err)" "$status" 0
    if [ -n "$counted${2:-}" ]; then sentence="rows as the model predicts"; else sentence="Nothing is counted"; fi
    equal "$ran: what is constant" "$(grep -c '^constant: ' "$scratch/out")" 1
    equal "$ran: clocks" "$(grep -c 'core clock -, memory clock -, power limit -' "$scratch/out")" 1
    equal "$ran: the sentence" "$(grep -c "$sentence" "$scratch/out")" 1
    run lab "$1" --csv
    equal "$ran: exit status ($err)" "$status" 0
    equal "$ran: columns" \
        "$(sed 's/"[^"]*"/text/g' "$scratch/out" | awk -F, '{ print NF }' | sort -u | wc -l | tr -d ' ')" 1
    rows=$(($(wc -l <"$scratch/out") - 1))
    run lab "$1" --no-verify --json
    equal "$ran: verified" "$(grep -c '"verified": "skipped"' "$scratch/out")" 1
    if [ -z "$counted${2:-}" ]; then
        run lab "$1" --verify --csv
        equal "$ran: exit status ($err)" "$status" 1
    fi
}

# plot BARS DOTS NAME OPTIONS...: draws $scratch/lab.svg with so many of each.
plot()
{
    bars=$1 dots=$2
    shift 2
    run lab "$@" --plot "$scratch/lab.svg"
    equal "$ran: exit status ($err)" "$status" 0
    equal "$ran: bars" "$(grep -c '</rect>' "$scratch/lab.svg")" "$bars"
    equal "$ran: dots" "$(grep -c '<circle' "$scratch/lab.svg")" "$dots"
}

# picture NAME OPTIONS...: the picture in docs/pictures is the one that the command draws.
picture()
{
    run lab "$@" --plot "$scratch/lab.svg"
    equal "docs/pictures/lab/$1.svg: redraw it" \
        "$(cmp "$scratch/lab.svg" "$here/../../docs/pictures/lab/$1.svg" 2>&1)" ""
}
