#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# The tables of docs/porting-names.md: a row for every CUDA name of cuda_names.txt, heddle names that
# the public headers have, and HIP names that HIP's headers have, if they are installed.
. "$(dirname "$0")/../check.sh"
root=${HEDDLE_SOURCE_DIR:-$(cd "$(dirname "$0")/../../.." && pwd)}
find_python || { echo "python3 is needed to read the page"; exit 77; }
command -v "${CC:-cc}" >/dev/null || { echo "no C compiler (${CC:-cc}) to preprocess headers"; exit 77; }

# What host code and kernels see: the public headers of the CPU engine with all that their macros
# make, and what only a GPU's headers define.
for header in "$root"/include/heddle/*.h; do
    case ${header##*/} in
    mpi.h | cuda_names.h) ;; # needs MPI; has CUDA's names, not heddle's
    *) echo "#include <heddle/${header##*/}>" ;;
    esac
done >"$scratch/all.c"
echo "#include <heddle/device/image.h>" >>"$scratch/all.c"
"${CC:-cc}" -std=c11 -E -dD -I "$root/include" -I "$root/backends/cpu/include" \
    "$scratch/all.c" >"$scratch/heddle" || fail "the public headers do not pass the preprocessor"
grep -hE '^(#define|HD_DEVICE) ' "$root"/backends/*/include/heddle/backend/*.h >>"$scratch/heddle"

# names PAGE LIST [HIP]: what is wrong with the tables of a page, and how much was looked at.
names()
{
    "$python" "$root/tests/cli/docs/names.py" "$1" "$2" "$scratch/heddle" ${3:+"$3"}
}

hip=/usr/include/hip
[ -f $hip/hip_version.h ] || { echo "the column HIP is not checked: no $hip"; hip=; }
names "$root/docs/porting-names.md" "$root/tests/cli/docs/cuda_names.txt" $hip >"$scratch/found"
equal "docs/porting-names.md: exit status" "$?" 0
cat "$scratch/found"

# A page with one fault of each kind, beside what is right.
mkdir -p "$scratch/hip"
cat >"$scratch/hip/hip_version.h" <<'EOH'
#define HIP_VERSION_MAJOR 6
#define HIP_VERSION_MINOR 1
hipMalloc __shfl threadIdx float4 float2 MAKE(make_)
EOH
printf '# names\ncudaMalloc 3\n__shfl_sync 3\ncudaGone 3\nthrust::sort 3\nthreadIdx 3\n' >"$scratch/list"
cat >"$scratch/page.md" <<'MD'
`cudaGone` in the text is not a row.

| CUDA | HIP | heddle |
|---|---|---|
| `cudaMalloc(&p, bytes)` | `hipMalloc` | `hd_alloc(&p, n, device)` |
| `cudaFree` | `hipFree` | `hd_release(p)` |
| `__shfl_sync(m, v, l)` | `__shfl_sync(m, v, l)` (ROCm 6.2; 64 bits), `__shfl` | `hd_shfl(v, l, w)`, `HD_ATTR_…` |
| `__any_sync` | `__any_sync` (ROCm 6.1) | `hd_any`, `HD_NOTHING_…` |
| `threadIdx.x`, `make_float4(…)` | the same | `hd_thread_x()` |
| `make_float3(…)` | the same | none: nothing |
| `thrust::sort` | the same | none: [elsewhere](x.md) |
| `cuda__x` | — | |
| `a` | `b` |

| CUDA | heddle |
|---|---|
| `cudaGone` | `hd_gone` |
MD
names "$scratch/page.md" "$scratch/list" "$scratch/hip" >"$scratch/found"
equal "a bad page: exit status" "$?" 1
equal "a bad page" "$(cat "$scratch/found")" \
    "heddle: no hd_release
HIP 6.1: no hipFree
heddle: no HD_NOTHING_…
HIP 6.1: no __any_sync
none, without a link: none: nothing
HIP 6.1: no make_float3
an empty cell of the column heddle
not three columns: | \`a\` | \`b\` |
CUDA: no row for cudaGone
8 rows, 5 CUDA names, 7 heddle names, 8 HIP names checked"
finish
