#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# The --json output of every command is as output.schema.json says, and --csv has the same names.
. "$(dirname "$0")/../check.sh"
here=$(cd "$(dirname "$0")" && pwd)
cd "$scratch" || exit 1
find_python || { echo "no python3"; exit 77; }
[ "$backend" = cpu ] || exit 77 # of the same code on every backend
export HEDDLE_CPU_DEVICES=2

# schema FORMATS COMMAND...: runs it with --json, and with --csv if FORMATS is both.
schema()
{
    formats=$1
    shift
    run "$@" --json
    cp out result.json
    equal "$ran: exit status ($err)" "$status" 0
    run "$@" --csv
    [ "$formats" = json ] || equal "$ran: exit status ($err)" "$status" 0
    cp out result.csv
    [ "$formats" = both ] || rm result.csv
    equal "$*: names and types" "$("$python" "$here/schema.py" result.json $(ls result.csv 2>ls.err) 2>&1)" ""
    equal "$*: the command" \
        "$("$python" -c 'import json; print(json.load(open("result.json"))["command"])')" "$name"
    tested="$tested
  $name "
}

"$tool" scan --n 100 --trace t.json >trace.out
cat >report <<EOF
ptxas info    : Compiling entry function 'axpy' for 'sm_90'
    8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads
ptxas info    : Used 22 registers, used 1 barriers, 128 bytes smem
EOF
tested=
timeline="both timeline t.json"
exercises="both exercise list"
run timeline t.json
case $err in *"without jansson"*)
    timeline=
    exercises=
    tested="
  timeline 
  exercise list "
    ;;
esac
while read -r formats line; do
    [ -n "$formats" ] || continue
    set -- $line
    name=$1
    case $1 in bench | streams | host | exercise | lab) name="$1 $2" ;; esac
    schema $formats $line
done <<EOF
both reduce $HEDDLE_SOURCE_DIR/docs/temperatures.csv --column celsius
both reduce $HEDDLE_SOURCE_DIR/docs/temperatures.csv --column celsius --op sum --devices 0,1
both scan --n 100 --runs 1
both recurrence --n 100 --runs 1
both match heddle $HEDDLE_SOURCE_DIR/README.md --runs 1
both batch --n 1024 --runs 1
both histogram --n 100 --bins 4 --runs 1
both select --n 100 --runs 1
both partition --n 100 --runs 1
both unique --n 100 --runs 1
both transpose --n 100 --rows 10 --runs 1
both sort --n 100 --runs 1
both random --n 100 --runs 1
both montecarlo --paths 100 --steps 4 --runs 1
both tridiag --n 600 --rows 60 --runs 1
both adi --size 7 --steps 2 --runs 1
both laplace --nx 30 --sweeps 3 --runs 1
both laplace3d --n 9 --sweeps 3 --runs 1
both jacobi --nx 64 --ny 64 --niter 5 --variant all
both spmv --poisson 9,8 --runs 1
both cg --poisson 9,8
both overlap --runs 1 --streams 2 --n 1000
both bandwidth --least 1K --most 4K --runs 1
both topology
both p2p --least 4K --most 16K --runs 1
both remote --bytes 64K --runs 1
both scaling --nx 64 --ny 64 --sweeps 4 --runs 1
both collectives --sizes 64
both graph --nodes 5 --runs 1 --passes 1
both graph --shape independent --nodes 5 --runs 1 --passes 1
$timeline
both streams priority --blocks 100 --turns 1 --runs 1
both quiz $HEDDLE_SOURCE_DIR/docs/quiz/race-same.quiz
both quiz $HEDDLE_SOURCE_DIR/docs/quiz/depth-first.quiz --run
both streams default --mode legacy --ms 0.1 --streams 2
both host overlap --ms 0.1 --n 500 --runs 1
both host chunks --n 100 --chunks 4 --runs 1
both model --most 4
both lab coalescing --bytes 8
both lab ilp
both lab intensity
both lab registers
both lab roofline
both lab occupancy report
both lab references
both lab all
both lab banks --bytes 8
both lab divergence --parts 2
both lab branches --parts 2
both lab layout --layouts arrays
both lab latency --size 64K --runs 1
both lab constants --kinds constant
both lab contention --ops add --types u32
both lab precision --n 10
both lab residency
both lab aspect
both lab workingset
both lab restrict
both lab recompute
both lab indices
both lab managed
both lab hostmemory
both lab energy
both tune reduce --types f32 --kinds value --sizes 5000 --no-save
both tune --list
$exercises
json info
json info --links
both bench reduce --sizes 1000 --types i32 --ops sum --cache 64K --rounds 3
both bench cg --from 4 --to 4 --rounds 1 --iterations 2
both bench launch
both bench pipeline --n 2^10 --rounds 1
EOF

# Nothing is left out but what has a test of its own: mpi (of ranks), check and exercise (of programs), port (of
# sources),
# the engines' slow benchmarks, and the benchmarks whose rows are those of bench reduce.
"$tool" --help | awk '/^[^ ]/ { listed = /^[a-z]+( \(.*\))?:$/ && !/^(options|environment|examples):/ }
    listed && /^  / { print "  " ($1 ~ /^(bench|streams|host|exercise|lab)$/ ? $1 " " $2 : $1) " " }' >commands
equal "commands without a test" "$(grep -vxF "$tested" commands | tr -s ' \n' ' ')" " mpi \
exercise start exercise check exercise ladder exercise hint exercise show exercise mark check port bench histogram bench select bench partition bench unique bench spmv bench tridiag bench adi bench scan \
bench recurrence bench match bench batch bench transpose bench sort bench random bench montecarlo bench \
engine bench checker bench laplace bench laplace3d "

# What the validator finds.
"$tool" sort --n 10 --json >right.json
for fault in 's/"warp": [0-9]*/"warp": "32"/' 's/"device"/"devise"/' 's/"seconds": /&-/' \
    's/"verified": true/"verified": "yes"/' 's/"gbps"/"seconds"/'; do
    sed "$fault" right.json >wrong.json
    checks=$((checks + 1))
    [ -n "$("$python" "$here/schema.py" wrong.json 2>&1)" ] || fail "not found: $fault"
done
found()
{
    checks=$((checks + 1))
    case $("$python" "$here/schema.py" "$@" 2>&1) in *"$expected"*) ;; *) fail "not found: $expected" ;; esac
}
expected="NaN is not JSON"
sed 's/"seconds": [^,]*/"seconds": NaN/' right.json >wrong.json
found wrong.json
"$tool" sort --n 10 --csv >right.csv
expected="the header"
sed '2s/,[^,]*$//' right.csv >wrong.csv
found right.json wrong.csv
expected="gbps"
sed '1s/gbps/rate/' right.csv >wrong.csv
found right.json wrong.csv
"$tool" quiz "$HEDDLE_SOURCE_DIR"/docs/quiz/*.quiz --json >right.json
expected="a row is not verified"
sed '0,/"verified": true/s//"verified": false/' right.json >wrong.json
found wrong.json
finish
