#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# Seconds and rates that commands print: the rate times the seconds is the number of bytes that the
# algorithm has to move, and neither events nor traces claim more time than passed, or far less.
. "$(dirname "$0")/../check.sh"
cd "$scratch" || exit 1
find_python || { echo "no python3"; exit 77; }

# field NAME: of the JSON object that was printed last.
field()
{
    "$python" -c 'import json, sys; print(repr(json.load(sys.stdin)[sys.argv[1]]))' "$1" <"$scratch/out"
}

# timed ARGUMENTS...: runs the tool; $elapsed is the seconds that it took, start and end included.
timed()
{
    begun=$(date +%s%N)
    run "$@"
    elapsed=$(echo "$begun $(date +%s%N)" | awk '{ printf "%.9f", ($2 - $1) * 1e-9 }')
    equal "$ran ($err)" "$status" 0
}

# moves BYTES ARGUMENTS...: the command says that it moves as many bytes.
moves()
{
    bytes=$1
    shift
    timed "$@" --json
    near "bytes of $ran" "$(echo "$(field gbps) $(field seconds)" | awk '{ print $1 * $2 * 1e9 }')" \
        "$bytes" 2e-5
    checks=$((checks + 1))
    echo "$(field seconds) $elapsed" | awk '{ exit !($1 > 0 && $1 < $2) }' ||
        fail "$ran: $(field seconds) s of $elapsed s"
}

moves 32768 scan --runs 1 --n 4096             # f32, read and written
moves 49152 recurrence --runs 1 --n 4096       # two inputs, one result
moves 32768 sort --runs 1 --n 4096             # u32, read and written
moves 32768 select --runs 1 --n 4096           # every element is kept
moves 16384 random --runs 1 --n 4096           # f32, written
moves 16384 histogram --runs 1 --n 4096 --bins 8 # f32, read
moves 2560 tridiag --runs 1 --n 64             # f64: three diagonals, right side, solution
head -c 100000 "$tool" >data.bin
moves 100000 reduce data.bin --type u8 --op sum
moves 200000 transpose data.bin --type u8 --rows 1000 --runs 1
moves 100000 match abc data.bin
moves 100000 histogram data.bin --type u8 --bins 8 --chunk 16384

# rated NAME COUNT ARGUMENTS...: the command says that it did so much, 1e9 times NAME a second.
rated()
{
    name=$1
    count=$2
    shift 2
    timed "$@" --json
    near "$name of $ran" \
        "$(echo "$(field "$name") $(field seconds)" | awk '{ print $1 * $2 * 1e9 }')" "$count" 1e-3
}

rated gsamples_per_s 4096 random --runs 1 --n 4096
rated glups 12288 batch --runs 1 --n 4096 --nx 64 --steps 3 # points times steps
rated glups 40960 laplace --nx 64 --ny 64 --sweeps 10       # cells times sweeps

# rows CODE ARGUMENTS...: Python's CODE holds for the object o, of a command that took `elapsed`.
rows()
{
    code=$1
    shift
    timed "$@" --json
    equal "rates of $ran" "$("$python" -c "import json, math, sys
o, elapsed, near = json.load(sys.stdin), float(sys.argv[1]), lambda a, b: math.isclose(a, b, rel_tol=1e-3)
print($code)" "$elapsed" <out 2>&1)" True
}

rows 'all(near(r["glups"] * r["seconds"] * 1e9, 64 * 64 * 20) and
          near(r["us_per_sweep"] * 20 * 1e-6, r["seconds"]) and r["seconds"] < elapsed
          for r in o["rows"])' jacobi --nx 64 --ny 64 --niter 20
# An iteration reads the matrix (7840 values with columns, 1601 offsets), and reads or writes 15 vectors.
rows 'near(o["us_per_iteration"] * o["iterations"] * 1e-6, o["seconds"]) and
      near(o["gbps"] * o["seconds"] * 1e9,
           o["iterations"] * (7840 * 12 + 1601 * 4 + 15 * 1600 * 8)) and
      0 < o["seconds"] < elapsed' cg --poisson 40,40 --devices 0
if [ "$backend" = cpu ]; then # four devices
    export HEDDLE_CPU_DEVICES=4
    rows 'all(near(r["gbps"] * r["seconds"] * 1e9, r["bytes"]) and 0 < r["seconds"] < elapsed and
              near(r["bus_gbps"] / r["gbps"], 1.5 if r["collective"] == "all-reduce" else 1)
              for r in o["rows"])' collectives --sizes 64K --op all-reduce,broadcast
    rows 'all(near(r["glups"] * r["seconds"] * 1e9, r["nx"] * r["ny"] * 10) and
              0 < r["seconds"] < elapsed for r in o["rows"])' scaling --nx 64 --ny 64 --niter 10
    unset HEDDLE_CPU_DEVICES
fi

rows 'len(o["rows"]) > 0 and all(near(r["gbps"] * r["seconds"] * 1e9, 2 * 512 * 512 * 4)
                                 for r in o["rows"])' \
    bench transpose --sizes 512 --only '4 bytes padded' --cache 64K --rounds 3

# Times as text have units. What a rate of two decimals leaves open is allowed.
agree()
{
    checks=$((checks + 1))
    echo "$2 $3 $4 $5" | awk '{ unit["ns"] = 1e-9; unit["us"] = 1e-6; unit["ms"] = 1e-3; unit["s"] = 1
        t = $1 * unit[$2]; d = $3 * t * 1e9 - $4; if (d < 0) d = -d
        exit !(t > 0 && d <= 0.0051e9 * t + 0.01 * $4) }' || fail "$1: $2 $3 at $4 GB/s for $5 bytes"
}
for n in 4096 4194304; do
    timed scan --n $n --runs 1
    agree "text of $ran" $(printf '%s\n' "$out" | awk '$1 == "time" { sub(",", "", $3); t = $2 " " $3 }
        $1 == "gbps" { g = $2 } END { print t, g }') $((n * 8))
done
timed overlap --n 2^20
near "both ways of $ran, bytes of one way" \
    "$(printf '%s\n' "$out" | awk '$1 == "both" { print $3 * $5 * 1e6 / 2 }')" 4194304 0.1
timed reduce data.bin --type u8 --op sum
agree "reduced, of $ran" $(printf '%s\n' "$out" | awk '$1 == "reduced" { print $2, $3, $4 }') 100000
agree "total, of $ran" $(printf '%s\n' "$out" | awk '$1 == "total" { print $2, $3, $4 }') 100000

# Copies: in and out move the bytes once, both ways at a time move them twice.
run bandwidth --mem pinned,pageable --least 4096 --most 4096 --runs 1 --csv
equal "bandwidth ($err)" "$status" 0
equal "bytes of bandwidth, times" \
    "$(printf '%s\n' "$out" | awk -F, 'NR > 1 { printf "%s %.3f;", $2, $4 * $5 * 1e9 / $3 }')" \
    "in 1.000;out 1.000;both 2.000;in 1.000;out 1.000;both 2.000;"

# A trace says in microseconds what events say in seconds: the spans of the kernels of the warm-up and
# of the run that was timed are most of its time or more, and no more than has passed.
timed scan --n 2^18 --runs 1 --json --trace t.json
spans=$("$python" -c 'import json
print(sum(x["dur"] for x in json.load(open("t.json"))["traceEvents"] if x.get("cat") == "kernel" and "dur" in x))')
checks=$((checks + 1))
echo "$spans $(field seconds) $elapsed" | awk '{ exit !($1 * 1e-6 > 0.2 * $2 && $1 * 1e-6 < $3) }' ||
    fail "kernels of $spans us in a trace; $(field seconds) s by events, $elapsed s passed"
finish
