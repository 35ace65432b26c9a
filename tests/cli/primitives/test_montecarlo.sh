#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `heddle montecarlo`: prices, intervals, the same value from every source of normals.
. "$(dirname "$0")/../check.sh"
cd "$scratch" || exit 1

field()
{
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR == 2 { print $at[name] }' out
}

run montecarlo --payoff european --paths 20000 --steps 20 --runs 1 --csv
equal "status ($err)" "$status" 0
equal "verified" "$(field verified)" true
near "Black-Scholes" "$(field black_scholes)" 0.0680495771 1e-8
near "price" "$(field value)" 0.06805 0.03
near "interval" "$(echo "$(field low) $(field high)" | awk '{ print ($1 + $2) / 2 }')" \
    "$(field value)" 1e-4
run montecarlo --payoff european --paths 20000 --steps 20 --runs 1 --strike 0.9 --rate 0.01 \
    --volatility 0.3 --years 2 --spot 1.1 --csv
equal "another option is verified" "$(field verified)" true
near "its price" "$(field black_scholes)" 0.29768 0.003

for payoff in digital asian; do
    run montecarlo --payoff $payoff --paths 3000 --steps 7 --runs 1 --csv
    fused=$(field value)
    for normals in coalesced strided; do
        run montecarlo --payoff $payoff --paths 3000 --steps 7 --runs 1 --normals $normals --csv
        equal "$payoff, $normals" "$(field value)" "$fused"
    done
    [ -z "$every_case" ] || for warp in 32 64; do
        HEDDLE_CPU_WARP=$warp "$tool" montecarlo --payoff $payoff --paths 3000 --steps 7 --runs 1 \
            --csv >out
        equal "$payoff, warp $warp" "$(field value)" "$fused"
    done
done
run montecarlo --payoff european --paths 16384 --steps 16 --runs 1 --csv
plain=$(field error)
run montecarlo --payoff european --paths 16384 --steps 16 --runs 1 --antithetic --csv
equal "antithetic is verified" "$(field verified)" true
equal "antithetic paths err less" "$(echo "$(field error) $plain" | awk '{ print $1 < 0.7 * $2 }')" 1
run montecarlo --payoff european --paths 16384 --steps 16 --runs 1 --normals sobol --csv
equal "Sobol is verified" "$(field verified)" true
equal "Sobol points err less" "$(echo "$(field error) $plain" | awk '{ print $1 < 0.5 * $2 }')" 1
if command -v python3 >/dev/null; then
    run montecarlo --paths 1000 --steps 4 --runs 1 --json
    equal "keys" "$(python3 -c 'import json, sys; print(" ".join(json.load(sys.stdin)))' <out)" \
        "$heading payoff value error low high paths steps normals seed paths_per_s samples_per_s seconds \
verified"
fi
refused 2 "unknown" montecarlo --payoff barrier
refused 2 "--paths" montecarlo --paths 1
refused 2 "--paths" montecarlo --paths 20 --normals sobol
refused 2 "--steps" montecarlo --steps 0
refused 1 "dimensions" montecarlo --steps 129 --normals sobol
refused 2 "--correlation: 2" montecarlo --correlation 2
refused 2 "volatility" montecarlo --volatility 0
finish
