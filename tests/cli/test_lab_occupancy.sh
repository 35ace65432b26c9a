#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# heddle lab occupancy: kernels of a trace, of ptxas's report and of clang's remarks, against blocks
# that are put on a compute unit one by one.
. "$(dirname "$0")/check.sh"
here=$(cd "$(dirname "$0")" && pwd)
find_python || { echo "no python3"; exit 77; }
[ "$backend" = cpu ] || exit 77

# occupancy ROWS FILE OPTIONS...: rows, and each against the reference.
occupancy()
{
    rows=$1
    shift
    run lab occupancy "$@" --json
    equal "$ran: exit status ($err)" "$status" "${expected_status:-0}"
    equal "$ran: rows" "$(printf '%s\n' "$out" | grep -c '"case"')" "$rows"
    equal "$ran: against the reference" \
        "$("$python" "$here/lab_occupancy_reference.py" "$scratch/out" 2>&1 | head -n 5)" ""
}

# ---- compilers: no JSON is read --------------------------------------------------------------

for r in 1 8 9 32 33 40 41 64 65 72 80 96 100 128 168 255; do
    cat <<LINES
ptxas info    : Compiling entry function 'kernel_$r' for 'sm_90'
ptxas info    : Function properties for kernel_$r
    304 bytes stack frame, $((8 * r)) bytes spill stores, $((16 * r)) bytes spill loads
ptxas info    : Used $r registers, used 1 barriers, 304 bytes cumulative stack size, $((r * 131)) bytes smem
LINES
done >"$scratch/ptxas"
occupancy 16 "$scratch/ptxas"
equal "$ran: the GPU of sm_90" "$(grep -c '"device_model": "h100"' "$scratch/out")" 1
for threads in 1 31 32 33 96 128 1000 1024; do
    occupancy 16 "$scratch/ptxas" --threads $threads
done
for shared in 1 1024 49152 100K 227K 228K 1M; do
    occupancy 16 "$scratch/ptxas" --shared $shared --device-model h200
done
occupancy 16 "$scratch/ptxas" --device-model mi300x
occupancy 2 "$scratch/ptxas" --kernels kernel_6
run lab occupancy "$scratch/ptxas" --csv --kernels kernel_255
equal "$ran: what ptxas said" "$(sed -n '2s/,[^,]*,[^,]*,[^,]*,,,.*//p' "$scratch/out")" "kernel_255,,256,255,304,2040,33405"

for r in 1 36 64 65 96 128 129 256; do
    for line in "Function Name: wide_$r" "    SGPRs: 24" "    VGPRs: $r" "    AGPRs: 0" \
        "    ScratchSize [bytes/lane]: 520" "    Occupancy [waves/SIMD]: 8" "    SGPRs Spill: 0" \
        "    VGPRs Spill: 3" "    LDS Size [bytes/block]: $((r * 100))"; do
        echo "axpy.c:3:1: remark: $line [-Rpass-analysis=kernel-resource-usage]"
    done
done >"$scratch/clang"
for device in mi210 mi250x mi300x; do
    occupancy 8 "$scratch/clang" --device-model $device --threads 192
done
run lab occupancy "$scratch/clang" --device-model mi210 --csv --kernels wide_36
equal "$ran: what clang said" "$(sed -n '2s/,[^,]*,[^,]*,[^,]*,,,.*//p' "$scratch/out")" "wide_36,,256,36,520,12,3600"
# Accumulation registers lie behind the others, rounded up to 4; 112 scalar registers leave 7 warps.
sed 's/AGPRs: 0/AGPRs: 30/; s/ SGPRs: 24/ SGPRs: 106/' "$scratch/clang" >"$scratch/wide"
run lab occupancy "$scratch/wide" --device-model mi210 --csv --threads 64
equal "$ran: registers" "$(awk -F, 'NR > 1 { printf "%s ", $4 }' "$scratch/out")" "34 66 94 98 126 158 162 286 "
equal "$ran: blocks" "$(awk -F, 'NR > 1 { printf "%s ", $8 }' "$scratch/out")" "28 16 9 9 6 5 4 2 "
refused 2 "--device-model is needed" lab occupancy "$scratch/clang"
run lab occupancy "$scratch/ptxas" --plot "$scratch/o.svg"
equal "$ran: a bar per kernel" "$(grep -c '</rect>' "$scratch/o.svg")" 16
echo "make: Nothing to be done" >"$scratch/neither"
refused 1 "neither a trace, nor what nvcc" lab occupancy "$scratch/neither"
refused 1 "No such file" lab occupancy "$scratch/nowhere"
refused 1 "no kernel whose name contains axpy" lab occupancy "$scratch/ptxas" --kernels axpy
refused 2 "--threads: '1025' is not from 1 to 1024" lab occupancy "$scratch/ptxas" --threads 1025
refused 2 "--device-model: unknown 'h20', did you mean 'h200'?" lab occupancy "$scratch/ptxas" --device-model h20

# ---- traces ----------------------------------------------------------------------------------

run sort --n 20000 --trace "$scratch/trace.json"
equal "$ran: exit status ($err)" "$status" 0
run lab occupancy "$scratch/trace.json" --device-model h100
case $err in *"without jansson (Debian: libjansson-dev)"*) finish ;; esac
kernels=$("$python" -c 'import json, sys
events = json.load(open(sys.argv[1]))["traceEvents"]
print(len({(e["name"], e["args"]["block"], e["args"]["shared_bytes"]) for e in events if e.get("cat") == "kernel"}))' "$scratch/trace.json")
for device in h100 mi210; do
    occupancy "$kernels" "$scratch/trace.json" --device-model $device
    occupancy "$kernels" "$scratch/trace.json" --device-model $device --registers 41
done
equal "$ran: the CPU engine has no driver" "$(grep -c '"blocks": null' "$scratch/out")" "$kernels"
refused 2 "--device-model is needed" lab occupancy "$scratch/trace.json"

# What a GPU would have written: kernels with 41 registers in blocks of 96 threads, of which 11 are
# resident, according to the driver or not.
span()
{
    printf ',{"name": "%s", "ph": "X", "pid": 1, "tid": 1, "ts": 1, "dur": 1, "cat": "kernel", "args": {"block": "32 x 3 x 1", "shared_bytes": 0, "static_shared_bytes": 16, "registers": 41, "local_bytes": 8, "resident_blocks": %d}}' "$1" "$2"
}
traced()
{
    printf '{"traceEvents": [{"name": "process_name", "ph": "M", "pid": 1, "args": {"name": "device 0: NVIDIA H200"}}'
    "$@"
    printf ']}'
}
right() { span a 13; span b 13; span a 13; }
wrong() { span a 13; span b 14; }
traced right >"$scratch/gpu.json"
occupancy 2 "$scratch/gpu.json"
equal "$ran: verified" "$(grep -c '"verified": true' "$scratch/out")" 1
equal "$ran: launches" "$(grep -o '"launches": [0-9]*' "$scratch/out" | tr '\n' ' ')" '"launches": 2 "launches": 1 '
traced wrong >"$scratch/gpu.json"
expected_status=1 occupancy 2 "$scratch/gpu.json"
equal "$ran: the line" "$err" "heddle: lab occupancy: 1 of 2 rows differ from what the driver reports"
echo '{"events": []}' >"$scratch/gpu.json"
refused 1 'it has no array "traceEvents"' lab occupancy "$scratch/gpu.json"
echo '{"traceEvents": [' >"$scratch/gpu.json"
refused 1 "gpu.json" lab occupancy "$scratch/gpu.json"
finish
