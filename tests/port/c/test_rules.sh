#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# C and C++ agree on the types and bits of mathematics: the arguments are numbers.c compiled as each. What
# must not compile in C does not; with nvcc, the programs compile for sm_90. Uses CC, HEDDLE_SOURCE_DIR.
set -u
root=$HEDDLE_SOURCE_DIR
work=$(mktemp -d "${TMPDIR:-/tmp}/heddle-rules.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

"$1" >"$work/c" && "$2" >"$work/cxx" || failed=1
[ "$(wc -l <"$work/c")" -gt 300 ] || { echo "the table is short"; failed=1; }
diff "$work/c" "$work/cxx" || failed=1

compile="${CC:-cc} -std=c11 -Wall -Wextra -Werror -fsyntax-only -I$root/include
    -I$root/backends/cpu/include -I$root/backends/port/include"
statement() # CODE: a C file with the statement in a function
{
    cat >"$work/source.c" <<END
#include <heddle/cuda_names.h>
typedef struct box { int field[3]; } box;
static __device__ int value;
HD_PORT_KERNEL(scale, float *, int)
__global__ void scale(float *x, int n)
{
    x[0] = (float)n;
}
HD_PORT_DEFINE(scale)
int main(void)
{
    float *x = NULL;
    int n = 0;
    box b = {{0}};
    (void)x, (void)n, (void)b, (void)value;
    $1;
}
END
    # shellcheck disable=SC2086
    $compile "$work/source.c" 2>"$work/errors"
}
accept()
{
    statement "$1" || { echo "should compile: $1"; head -n 5 "$work/errors"; failed=1; }
}
refuse()
{
    statement "$1" && { echo "should not compile: $1"; failed=1; }
}
accept 'cudaMalloc(&x, 4)'
refuse 'cudaMalloc(x, 4)'
refuse 'cudaMalloc(&n, 4)'
refuse 'cudaMallocManaged(x, 4)'
accept 'HD_PORT_LAUNCH((scale), 1, HD_PORT_DIM3(1))(x, 1)'
refuse 'HD_PORT_LAUNCH((scale), 1, 1)(n, 1)'
refuse 'HD_PORT_LAUNCH((scale), 1, 1)(x)'
refuse 'HD_PORT_LAUNCH((scale), 1, 1)(x, 1, 2)'
refuse 'HD_PORT_LAUNCH((scale), b, 1)(x, 1)'
refuse 'HD_PORT_LAUNCH((other), 1, 1)(x, 1)'
accept 'atomicAdd(&n, 1.5)'
refuse 'atomicAdd(&b, 1)'
refuse 'atomicAnd(x, 1)'
refuse 'x = __shfl_sync(~0u, x, 0)'
accept 'b = __shfl_sync(~0u, b, 0)'
accept 'n = min(n, 3) + max(2u, n)'
refuse 'x = min(x, 3)'
accept 'cudaEventRecord(0)'
refuse 'cudaEventRecord(n)'
accept 'cudaMemcpyToSymbol(value, &n, sizeof n)'
refuse 'cudaMemcpyToSymbol(value + 1, &n, sizeof n)'
accept '__syncwarp()'

# Each of these calls has one argument that no parameter takes, its last. Without it they compile.
calls()
{
    cat <<'END'
(void)HD_PORT_LAUNCH((scale), 1, 1, 0, 0, 7)
(void)HD_PORT_DIM3(1, 2, 3, 7)
cudaLaunchKernel(scale, 1, 1, NULL, 0, 0, 7)
cudaLaunchCooperativeKernel(scale, 1, 1, NULL, 0, 0, 7)
cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, scale, 32, 0, 7)
cudaOccupancyMaxPotentialBlockSize(&n, &n, scale, 0, 0, 7)
cudaEventCreate(NULL, 0, 7)
cudaEventRecord(0, 0, 7)
cudaStreamWaitEvent(0, 0, 0, 7)
cudaMemcpyPeerAsync(x, 0, x, 0, 4, 0, 7)
cudaMemsetAsync(x, 0, 4, 0, 7)
cudaMemPrefetchAsync(x, 4, 0, 0, 7)
cudaStreamAttachMemAsync(0, x, 4, 0, 7)
cudaMemcpyAsync(x, x, 4, cudaMemcpyDefault, 0, 7)
cudaMemcpy2DAsync(x, 4, x, 4, 4, 1, cudaMemcpyDefault, 0, 7)
cudaMallocManaged(&x, 4, 0, 7)
cudaHostAlloc(&x, 4, 0, 7)
cudaMallocAsync(&x, 4, 0, 7)
cudaHostGetDevicePointer(&x, x, 0, 7)
cudaMemcpyToSymbol(value, &n, 4, 0, cudaMemcpyDefault, 0, 7)
cudaMemcpyFromSymbol(&n, value, 4, 0, cudaMemcpyDefault, 0, 7)
cudaGraphInstantiate(&g, 0, 0, 0, 0, 7)
__syncwarp(1, 7)
n = __shfl_sync(~0u, n, 0, 32, 7)
n = __shfl_up_sync(~0u, n, 1, 32, 7)
n = __shfl(n, 0, 32, 7)
n = __nv_atomic_load_n(&n, 5, 5, 7)
__nv_atomic_store_n(&n, 1, 5, 5, 7)
n = __nv_atomic_fetch_add(&n, 1, 5, 5, 7)
END
}
functions() # one for each line of standard input
{
    printf '#include <heddle/cuda_names.h>\nstatic __device__ int value;\n'
    printf 'HD_PORT_KERNEL(scale)\n__global__ void scale(void)\n{\n}\nHD_PORT_DEFINE(scale)\n'
    awk '{ print "void f" NR "(float *x, int n, cudaGraphExec_t g);"
           print "void f" NR "(float *x, int n, cudaGraphExec_t g)"
           print "{\n    (void)x, (void)n, (void)g, (void)value;\n    " $0 ";\n}" }'
}
calls | sed 's/, 7)$/)/; s/(void)HD_PORT_LAUNCH.*/&()/' | functions >"$work/source.c"
# shellcheck disable=SC2086
$compile "$work/source.c" || failed=1
calls | functions >"$work/source.c"
case $("${CC:-cc}" --version) in
*clang*) compile="$compile -ferror-limit=0" ;; # its default is 20
esac
# shellcheck disable=SC2086
found=$($compile "$work/source.c" 2>&1 | grep -c 'error: .*heddle_too_many_arguments')
[ "$found" -eq "$(calls | wc -l)" ] || {
    echo "$found of $(calls | wc -l) calls with too many arguments are refused"
    failed=1
}

nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
[ -x "$nvcc" ] || exit $failed
for file in "$root"/tests/port/c/*.c; do
    [ "${file##*/}" = numbers.c ] && continue # overloads of the CPU's header
    "$nvcc" -x cu -std=c++17 -arch=sm_90 -I"$root/include" -I"$root/backends/cuda/include" \
        -I"$root/backends/gpu/include" -c "$file" -o "$work/object" >"$work/errors" 2>&1 || {
        echo "nvcc does not compile $file"
        grep error "$work/errors" | head -n 5
        failed=1
    }
done
exit $failed
