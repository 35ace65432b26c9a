#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# heddle model against values worked out by hand.
. "$(dirname "$0")/../check.sh"
cd "$scratch" || exit 1

# column SCALING DEVICES NAME: of the last run with --csv.
column()
{
    awk -F, -v scaling="$1" -v devices="$2" -v name="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        $1 == scaling && $2 == devices { print $at[name] }' "$scratch/out"
}

# 1024 x 1024 f32, 1 GLUP/s, nothing for a launch: alone 1048576 / 1e9 = 1.048576 ms. Bands of 16
# rows. 4 devices: 256 rows each, 262144 cells, 0.262144 ms; a row is 4096 bytes: 2 rows at 1 GB/s
# 8.192 us, and 10 us latency, together 18.192 us, less than the 224 rows between (229.376 us).
simple="--nx 1024 --ny 1024 --rate 1 --launch 0 --alpha 10 --bandwidth 1 --nccheck 0 --csv"
run model $simple --most 4
equal "$ran: exit status" "$status" 0
near "compute of 4" "$(column strong 4 compute)" 0.262144e-3 1e-6
near "exchange of 4" "$(column strong 4 exchange)" 18.192e-6 1e-6
near "hidden: sweep of 4" "$(column strong 4 sweep)" 0.262144e-3 1e-6
near "efficiency of 4" "$(column strong 4 efficiency)" 1 1e-6
near "weak sweep of 4" "$(column weak 4 sweep)" 1.048576e-3 1e-6
# Not hidden: 1.048576 / (0.262144 + 0.018192) = 3.740426, of 4: 0.9351064.
run model $simple --most 4 --no-overlap
near "sweep, not hidden" "$(column strong 4 sweep)" 280.336e-6 1e-6
near "speedup, not hidden" "$(column strong 4 speedup)" 3.7404258 1e-6
near "efficiency, not hidden" "$(column strong 4 efficiency)" 0.93510645 1e-6
# 4 sweeps a pass and 4 us a pass: 4 times the rows, a quarter of the latency and of the launch:
# exchange (10 + 4 * 8.192) / 4 = 10.692 us, sweep 262.144 + 1 + 10.692 us.
run model --nx 1024 --ny 1024 --rate 1 --launch 4 --alpha 10 --bandwidth 1 --nccheck 0 --csv \
    --most 4 --no-overlap --depth 4
near "exchange of passes of 4" "$(column strong 4 exchange)" 10.692e-6 1e-6
near "sweep of passes of 4" "$(column strong 4 sweep)" 273.836e-6 1e-6
# Nodes of 2: a row leaves the node at 0.5 GB/s and 20 us: 28.192 us; more than 14.096 us inside.
run model $simple --most 4 --per-node 2 --net-alpha 20 --net-bandwidth 0.5
near "exchange between nodes" "$(column strong 4 exchange)" 28.192e-6 1e-6
# A device within a node of 2 has a neighbour there and one outside: 4.096 + 10 us inside is more
# than 0.4096 + 1 us. In nodes of 4 the inner ones have two inside: 8.192 + 10 us. Nodes of 1 send
# both outside: 2 * 8.192 + 20 us. Weak, nothing to see: 1.
run model $simple --most 8 --per-node 2 --net-alpha 1 --net-bandwidth 10
near "exchange inside nodes of 2" "$(column strong 4 exchange)" 14.096e-6 1e-6
near "weak efficiency" "$(column weak 8 efficiency)" 1 1e-6
run model $simple --most 8 --per-node 4 --net-alpha 1 --net-bandwidth 10
near "exchange inside nodes of 4" "$(column strong 8 exchange)" 18.192e-6 1e-6
run model $simple --most 4 --per-node 1 --net-alpha 20 --net-bandwidth 0.5
near "exchange of nodes of 1" "$(column strong 4 exchange)" 36.384e-6 1e-6
# Tiles in nodes of 1: columns leave the node too, at 0.5 GB/s and 20 us, not 50: 512 bytes take
# less than the rows' 1024, 2.048 + 20 us.
run model --nx 1024 --ny 1024 --rate 1 --launch 0 --alpha 50 --bandwidth 1 --nccheck 0 --csv \
    --most 128 --per-node 1 --net-alpha 20 --net-bandwidth 0.5
near "exchange of tiles in nodes of 1" "$(column strong 128 exchange)" 22.048e-6 1e-6
# 64 devices have one band each, 16384 cells, no rows between: 16.384 + 18.192 us. 128 are 8 x 16
# tiles of 128 x 64: half of the 8192 cells are outermost bands, 4.096 us, and beside the others
# 2 * (128 + 64) * 4 bytes travel: 1.536 us + 10 us.
run model $simple --most 128 --per-node 1024
near "sweep of 64" "$(column strong 64 sweep)" 34.576e-6 1e-6
near "sweep of 128" "$(column strong 128 sweep)" 15.632e-6 1e-6
# A norm of every sweep: 4 steps of log2(4) = 2 messages of 10 us for 64 sweeps: 1.25 us.
run model --nx 1024 --ny 1024 --rate 1 --launch 0 --alpha 10 --bandwidth 1 --nccheck 1 --csv --most 4
near "norms" "$(column strong 4 norms)" 1.25e-6 1e-6
# The same with 4 sweeps a pass, each with a norm: 64 of them are gathered at once. Of every eighth
# sweep there is one to a pass, and 16 passes are: 8 * 10 us for 128 sweeps.
for every in 1 8; do
    run model --nx 1024 --ny 1024 --rate 1 --launch 0 --alpha 10 --bandwidth 1 --csv --most 4 \
        --nccheck $every --depth 4
    [ $every = 1 ] && wanted=1.25e-6 || wanted=0.625e-6
    near "norms of every $every sweeps" "$(column strong 4 norms)" $wanted 1e-6
done

# alpha and rate from a file.
echo '{"methods": [{"method": "host", "alpha": 1, "rate": 1}, {"method": "staged", "alpha": 1e-05,
 "rate": 1e9}]}' >measured.json
run model --nx 1024 --ny 1024 --rate 1 --launch 0 --measured measured.json --nccheck 0 --csv --most 4
case $err in *"without jansson (Debian: libjansson-dev)"*) finish ;; esac
near "exchange as measured" "$(column strong 4 exchange)" 18.192e-6 1e-6
echo '{"methods": [{"method": "device", "reason": "this MPI takes no device memory"},
 {"method": "staged", "alpha": 1e-05, "rate": 1e9}]}' >no-device.json
run model --nx 1024 --ny 1024 --rate 1 --launch 0 --measured no-device.json --nccheck 0 --csv --most 4
near "exchange as measured, staged" "$(column strong 4 exchange)" 18.192e-6 1e-6
echo '{"methods": [{"method": "staged", "alpha": 1e-05, "rate": null}]}' >short.json
refused 1 "short.json: its times give no alpha and rate: more and larger payloads for \`heddle p2p\` \
(--least, --most), larger --bytes for \`heddle mpi pingpong\`" model --measured short.json
echo '{"methods": [{"method": "staged", "alpha": -1e-05, "rate": 1e9}]}' >steep.json
refused 1 "steep.json: its times give no alpha and rate" model --measured steep.json
echo '{}' >empty.json
refused 1 "empty.json: no alpha and rate as \`heddle p2p --json\` (of copies) or \`heddle mpi \
pingpong --json\` prints them" model --measured empty.json
refused 1 "none.json: No such file or directory" model --measured none.json
printf '{"methods": [\n{"method": "staged", "alpha": 1e-05,' >cut.json
refused 1 "cut.json: line 2, column " model --measured cut.json
echo '{"methods": [{"method": "staged", "alpha": "1e-05", "rate": 1e9}]}' >text.json
refused 1 "text.json: its times give no alpha and rate" model --measured text.json
echo '{"methods": 3, "fits": "x", "devices": {}}' >types.json
refused 1 "types.json: no alpha and rate" model --measured types.json

# Of `heddle p2p` the copies of neighbours count: in the list 0,2,1,3 these are 0 and 2, 2 and 1,
# 1 and 3, 3 and 0. A row of 4096 bytes: 3 to 0 takes 10 + 4.096 us, 1 to 2 13 + 0.4096; with 8
# times the columns 1 to 2 takes 16.2768 and 3 to 0 42.768 us. Slower ones are no neighbours, or no
# copies.
fit()
{
    echo "{\"method\": \"$1\", \"from\": $2, \"to\": $3, \"latency\": $4, \"gbps\": $5, \"off\": 0.01}"
}
{
    echo '{"backend": "cpu", "devices": [0, 2, 1, 3], "rows": [], "fits": ['
    fit read 0 2 1 0.001
    for pair in "0 2" "2 0" "2 1" "1 3" "3 1" "0 3"; do
        echo ", $(fit copy $pair 1e-6 100)"
    done
    echo ", $(fit copy 0 1 1 0.001), $(fit copy 3 2 1 0.001), $(fit copy 3 0 10e-6 1)"
    echo ", $(fit copy 1 2 13e-6 10)], \"verified\": true}"
} >p2p.json
run model --nx 1024 --ny 1024 --rate 1 --launch 0 --measured p2p.json --nccheck 0 --csv --most 4
equal "$ran: exit status ($err)" "$status" 0
near "exchange as measured by p2p" "$(column strong 4 exchange)" 18.192e-6 1e-6
run model --measured p2p.json --nx 1024 --ny 1024
equal "and by whom ($err)" "$(grep 'measured in' out)" "         measured in a node: heddle p2p, \
copies from device 3 to 0, the slowest of neighbours"
run model --measured p2p.json --nx 128 --ny 1024 --alpha 5
equal "short rows: the one with more latency" "$(grep 'measured in\|in a node of' out)" \
    "         in a node of 8: 5 us and 10 GB/s; between nodes: 10 us and 45 GB/s
         measured in a node: heddle p2p, copies from device 1 to 2, the slowest of neighbours; \
--alpha as given"
run model --measured p2p.json --alpha 5 --bandwidth 6 --json
equal "JSON: nothing of it" "$(grep -c '"measured": "", "net_alpha"' out)" 1
run model --measured p2p.json --net-measured measured.json --json
equal "JSON: whose they are" "$(grep -o '"[a-z_]*measured": "[^,]*, [^,"]*' out | tr '\n' ' ')" \
    '"measured": "heddle p2p, copies from device 3 to 0 "net_measured": "heddle mpi pingpong, staged '
refused 1 "p2p.json: no alpha and rate as \`heddle mpi pingpong --json\` prints them between two \
nodes" model --net-measured p2p.json
echo "{\"devices\": [0, 1], \"fits\": [$(fit copy 0 1 1e-6 1), $(fit copy 1 0 null null)]}" >two.json
refused 1 "two.json: its times give no alpha and rate" model --measured two.json
echo "{\"devices\": [0, 1], \"fits\": [$(fit write 0 1 1e-6 1)]}" >stores.json
refused 1 "stores.json: no alpha and rate" model --measured stores.json
if [ "$backend" = cpu ]; then
    HEDDLE_CPU_DEVICES=3 "$tool" p2p --methods copy --runs 1 --least 4K --most 64K --json >here.json
    if grep -q '"latency": null' here.json; then # a busy machine, whose times are not on a line
        refused 1 "here.json: its times give no alpha and rate" model --measured here.json
    else
        run model --measured here.json
        equal "from the tool to the model ($err)" "$status/$(grep -c 'heddle p2p, copies from' out)" 0/1
    fi
fi
refused 2 "--rate: GLUP/s of one device are needed with --depth 2" model --depth 2
# Cells of twice the bytes: half the rate, for which there is no kernel of eight sweeps.
run model --type f64 --nccheck 0 --csv --most 1
near "a sweep in f64" "$(column strong 1 sweep)" 1175.2078e-6 1e-6
run model --type f64 --most 1
equal "the assumed rate" "$(grep -c '229 GLUP/s in f64 at 1 sweep\|half of the rate in f32' out)" 2
refused 2 "--depth: '8' is not one of 1, 2 and 4" model --type f64 --depth 8
refused 2 "--rate: GLUP/s of one device are more than 0" model --rate -1
# Columns stay below their headings.
run model --nx 1000000000 --ny 1000000000 --net-alpha 1e12 --rate 0.001 --per-node 2
equal "lines that end together" "$(grep '%$' out | awk '{ print length }' | sort -u | wc -l | tr -d ' ')" 1
refused 2 "--alpha is at least 0" model --alpha -1
refused 2 "--most: '0' is not from 1" model --most 0
run model --svg e.svg
equal "$ran: exit status" "$status" 0
equal "curves" "$(grep -c polyline e.svg)" 2
unwritten --svg model
run model --json
equal "$ran: exit status" "$status" 0
finish
