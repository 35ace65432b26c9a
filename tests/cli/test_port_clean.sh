#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# heddle port --clean: what each rule writes, and what it keeps with which reason. tests/port builds
# and runs programs that are written so.
. "$(dirname "$0")/check.sh"
cd "$scratch" || exit 1

# becomes SOURCE EXPECTED [REASON]: the text below the includes, and the reason of what is kept.
becomes()
{
    printf '#include <cuda_runtime.h>\n%s\n' "$1" >case.cu
    run port case.cu -o put --clean --force
    equal "$1: status ($out)" "$status" 0
    equal "$1" "$(cat put/case.cu)" "#include <heddle/cuda_names.hpp>
#include <heddle/kernel.h>
$2"
    [ -z "${3:-}" ] && return
    checks=$((checks + 1))
    printf '%s\n' "$out" | grep -q -x -F "kept: $3" || fail "$1: the report lacks 'kept: $3'
$out"
}

# body SOURCE EXPECTED [REASON]: statements of a kernel.
body()
{
    becomes "__global__ void k(int *p, float f, double d, unsigned *u, volatile int *v, unsigned long long *w) {
    $1
}" "HD_KERNEL void k(int *p, float f, double d, unsigned *u, volatile int *v, unsigned long long *w) {
    $2
}" "${3:-}"
}

# keeps SOURCE REASON
keeps()
{
    body "$1" "$1" "$2"
}

types='the types of its arguments are not evident here'
pointer='the type of the variable is not evident here'
mask='its mask is not a literal with all 32 lanes'
whole='used as a whole array: HD_SHARED may declare a pointer'

# ---- indices
body 'p[0] = threadIdx.x + blockDim.y * gridDim.z;' 'p[0] = hd_thread_x() + hd_block_dim_y() * hd_grid_dim_z();'
body 'int i = blockIdx.x * blockDim.x + threadIdx.x;' 'int i = hd_global_x32();'
body 'int i = threadIdx.y + (blockDim.y * blockIdx.y);' 'int i = hd_global_y32();'
body 'if ((blockIdx.z * blockDim.z) + threadIdx.z < 4) f = 1;' 'if (hd_global_z32() < 4) f = 1;'
body 'int i = 2 * blockIdx.x * blockDim.x + threadIdx.x;' 'int i = 2 * hd_block_x() * hd_block_dim_x() + hd_thread_x();'
body 'long i = (long)blockIdx.x * blockDim.x + threadIdx.x;' 'long i = (long)hd_block_x() * hd_block_dim_x() + hd_thread_x();'
body 'int i = blockIdx.x * blockDim.x + threadIdx.x * 4;' 'int i = hd_block_x() * hd_block_dim_x() + hd_thread_x() * 4;'
body 'int i = blockIdx.x * blockDim.y + threadIdx.x;' 'int i = hd_block_x() * hd_block_dim_y() + hd_thread_x();'
body 'int i = p[0] - blockIdx.x * blockDim.x + threadIdx.x;' 'int i = p[0] - hd_block_x() * hd_block_dim_x() + hd_thread_x();'
body 'p += gridDim.x * blockDim.x;' 'p += hd_global_size_x32();'
body 'int i = p[0] / gridDim.x * blockDim.x;' 'int i = p[0] / hd_grid_dim_x() * hd_block_dim_x();'
keeps 'uint3 b = blockIdx;' 'used as a whole: heddle has one function for x, y and z each'
keeps 'p[0] = warpSize;' "32 in CUDA's sense; hd_warp_size() is the hardware's"

# ---- barriers, warps of 32
body '__syncthreads(); __threadfence_block();' 'hd_sync_block(); hd_fence_block();'
body 'p[0] = __syncthreads_or(f > 0);' 'p[0] = hd_sync_block_or(f > 0);'
body '__syncwarp(); __syncwarp(0xffffffff);' 'hd_sync_warp_in(hd_mask_tile(32)); hd_sync_warp_in(hd_mask_tile(32));'
keeps '__syncwarp(0xffff);' "$mask"
body 'f += __shfl_down_sync(0xffffffffu, f, 4);' 'f += hd_shfl_down_in(hd_mask_tile(32), f, 4, 32);'
body 'f += __shfl_xor_sync(-1, f, 4, 8);' 'f += hd_shfl_xor_in(hd_mask_tile(32), f, 4, 8);'
body 'f += __shfl_up(f, 1) + __shfl(f, 0, 16);' 'f += hd_shfl_up_in(hd_mask_tile(32), f, 1, 32) + hd_shfl_in(hd_mask_tile(32), f, 0, 16);'
body 'p[0] = __any(f > 0) + __all_sync(~0u, f > 0);' 'p[0] = hd_any_in(hd_mask_tile(32), f > 0) + hd_all_in(hd_mask_tile(32), f > 0);'
keeps 'f += __shfl_sync(p[0], f, 0);' "$mask"
keeps 'f += __shfl_sync(0x0fffffff, f, 0);' "$mask"
keeps 'f += __shfl_sync(~0u, g<1, 2>(f), 0);' 'its arguments cannot be told apart: commas in < >'
keeps 'u[0] = __ballot_sync(~0u, f > 0);' 'an unsigned with 32 lanes; hd_ballot_in gives an hd_mask'
becomes '#define ALL 0xffffffff
const unsigned some = 0xff, full = ~0u;
__device__ int f(int x) { return __shfl_sync(ALL, x, 1) + __shfl_sync(some, x, 1); }' '#define ALL 0xffffffff
const unsigned some = 0xff, full = ~0u;
HD_DEVICE int f(int x) { return hd_shfl_in(hd_mask_tile(32), x, 1, 32) + __shfl_sync(some, x, 1); }' "$mask"

# ---- atomics, by the type of the variable
body 'atomicAdd(p, 1); atomicAdd(&u[3], 1); atomicAdd(w + 2, 1);' 'hd_atomic_add(p, 1); hd_atomic_add(&u[3], 1); hd_atomic_add(w + 2, 1);'
body 'atomicMax_block(p + 1, 2); atomicXor_system(&p[f > 0 ? 1 : 2], 2);' 'hd_atomic_max_block(p + 1, 2); hd_atomic_xor_system(&p[f > 0 ? 1 : 2], 2);'
body 'atomicCAS((unsigned long long *)p, 1, 2);' 'hd_atomic_cas((unsigned long long *)p, 1, 2);'
body 'atomicInc(u, 3);' 'hd_atomic_inc(u, 3);'
keeps 'atomicInc((unsigned *)(void *)x, 3); atomicDec(p, 3);' "$pointer"
keeps 'atomicAdd(v, 1);' "$pointer"
keeps 'atomicAdd(&unknown[0], 1);' "$pointer"
keeps 'short *p; atomicCAS(p, 1, 2);' "$pointer"
becomes '__global__ void k(float *s) { atomicAdd(s, 1); }' 'HD_KERNEL void k(float *s) { hd_atomic_add(s, 1); }'
becomes '__global__ void k(float *s) { __shared__ float t; atomicAdd(s, 1); atomicAdd(&t, 1); }
void *host(void *p) { cudaMallocManaged(&p, 4); return p; }' 'HD_KERNEL void k(float *s) { HD_SHARED_REF(float, t); atomicAdd(s, 1); hd_atomic_add(&t, 1); }
void *host(void *p) { cudaMallocManaged(&p, 4); return p; }' "a floating-point variable, and the program has memory of the host: hd_atomic_add is for device memory"
body '{ float *p = &f; atomicAdd(p, 1); } atomicOr(p, 1);' '{ float *p = &f; hd_atomic_add(p, 1); } hd_atomic_or(p, 1);'

# ---- arithmetic, by the types of the arguments
body 'f = sqrtf(f * 2); d = sqrt(d);' 'f = hd_sqrt(f * 2); d = hd_sqrt(d);'
body 'f = powf(f, (float)d) + fmaf(f, f, float(p[0]));' 'f = hd_pow(f, (float)d) + hd_fma(f, f, float(p[0]));'
keeps 'f = sqrtf(d);' "$types"
keeps 'f = sqrtf(p[0]);' "$types"
keeps 'f = powf(f, 2);' "$types"
keeps 'f = sqrtf(f * 2.0);' "$types"
body 'p[0] = min(p[1], 3) + max(u[0], u[1]);' 'p[0] = hd_min(p[1], 3) + hd_max(u[0], u[1]);'
body 'p[0] = min(max(p[1], 0), p[2]);' 'p[0] = hd_min(hd_max(p[1], 0), p[2]);'
keeps 'p[0] = min(max(p[1], u[0]), 2);' "$types"
keeps 'p[0] = min(p[1], u[0]);' "$types"
keeps 'f = max(f, 1.0f);' "$types"
keeps '{ int f = 3; p[0] = sqrtf(f); }' "$types"
body 'for (int d = 1; d < 9; d++) { p[d] = sqrt(d); } d = sqrt(d);' 'for (int d = 1; d < 9; d++) { p[d] = sqrt(d); } d = hd_sqrt(d);' "$types"
body '{ float sqrtf = f; f = sqrtf; } f = sqrtf(f);' '{ float sqrtf = f; f = sqrtf; } f = hd_sqrt(f);'
keeps 'f = __expf(f);' 'hd_fast_exp promises less: results that are normal numbers'
becomes '__host__ __device__ float f(float x) { return sqrtf(x); }' 'HD_BOTH float f(float x) { return sqrtf(x); }' "in a function of host code, too: heddle's is for kernels"
becomes 'float f(float x) { return sqrtf(x); }
__device__ float max(float a, int b); // the program has its own
__global__ void k(int *p) { p[0] = max(p[1], 2) + s.min(1) + s::min(2, 3); }' 'float f(float x) { return sqrtf(x); }
__device__ float max(float a, int b); // the program has its own
HD_KERNEL void k(int *p) { p[0] = max(p[1], 2) + s.min(1) + s::min(2, 3); }' 'the program defines it itself'
body 'p[0] = __popc(u[0]) + __float_as_int(f) + -__clz(p[1]);' 'p[0] = (int)hd_popcount_u32(u[0]) + (int)hd_f32_bits(f) + -(int)hd_clz_u32(p[1]);'
body 'f = __ldg(p + 1) + __ldg(&reinterpret_cast<int *>(p)[1]);' 'f = hd_load_readonly(p + 1) + __ldg(&reinterpret_cast<int *>(p)[1]);' "$pointer"

# ---- shared variables
body '__shared__ float s[4], *q;' 'HD_SHARED(float, s, 4); HD_SHARED_REF(float *, q);'
body '__shared__ volatile int s[2 * 8][3]; s[1][2] = 1;' 'HD_SHARED2(volatile int, s, 2 * 8, 3); s[1][2] = 1;'
body 'extern __shared__ __align__(16) double s[];' 'HD_SHARED_DYN(double, s);'
body '__shared__ int s[2][3][4]; g(s[1]);' 'HD_SHARED3(int, s, 2, 3, 4); g(s[1]);'
body '__shared__ int s[4]; p[0] = sizeof(s);' 'HD_PORT_SHARED(s, int[4]); p[0] = sizeof(s);' "$whole"
body '__shared__ int s[4]; g(&s);' 'HD_PORT_SHARED(s, int[4]); g(&s);' "$whole"
body '__shared__ int s[4]; for (int x : s) p[0] = x;' 'HD_PORT_SHARED(s, int[4]); for (int x : s) p[0] = x;' "$whole"
body '__shared__ int s[4]; g(s);' 'HD_SHARED(int, s, 4); g(s);'
body '{ __shared__ int s[4]; s[0] = 1; } { int s[3]; p[0] = sizeof(s); }' '{ HD_SHARED(int, s, 4); s[0] = 1; } { int s[3]; p[0] = sizeof(s); }'
body '__shared__ int s[1][2][3][4];' 'HD_PORT_SHARED(s, int[1][2][3][4]);' 'HD_SHARED has up to three extents'
body '__shared__ __align__(16) char s[4];' 'HD_PORT_SHARED_ALIGNED(s, __align__(16), char[4]);' 'HD_SHARED has no alignment'
body '__shared__ pair<int, int> s[4];' 'HD_PORT_SHARED(s, pair<int, int>[4]);' 'HD_SHARED takes a type and extents without commas and members'
becomes 'template <int N> __device__ int sum(int (&a)[N]);
__global__ void k(int *p) { __shared__ int s[4]; p[0] = sum(s); }' 'template <int N> __device__ int sum(int (&a)[N]);
HD_KERNEL void k(int *p) { HD_PORT_SHARED(s, int[4]); p[0] = sum(s); }' "$whole"

# ---- functions
becomes 'static __device__ __forceinline__ int f(int x) { return x; }' 'HD_DEVICE int f(int x) { return x; }'
becomes '__host__ __device__ constexpr inline int f(int x) { return x; }' 'HD_BOTH constexpr int f(int x) { return x; }'
becomes 'template <class T> __device__ T operator+(v<T> a, v<T> b) { return a.x; }' 'template <class T> HD_DEVICE T operator+(v<T> a, v<T> b) { return a.x; }'
becomes 'struct s { explicit __device__ s(int) { } static inline __device__ int f() { return 1; } };' 'struct s { explicit HD_METHOD s(int) { } static HD_METHOD int f() { return 1; } };'
becomes 'struct s { __device__ int f(); };
__device__ int s::f() { return 1; }' 'struct s { __device__ int f(); };
__device__ int s::f() { return 1; }' 'instantiated, specialised, a friend or defined outside of its class'
becomes '__global__ __launch_bounds__(64, 2) void k(const float *__restrict__ p) { }
static __global__ void __launch_bounds__(64) k2() { }' 'HD_KERNEL HD_TEMPLATE_LAUNCH_BOUNDS(64, 2) void k(const float *HD_RESTRICT p) { }
HD_KERNEL void HD_TEMPLATE_MAX_THREADS(64) k2() { }'
becomes '__device__ __noinline__ int f() { return 1; }' '__device__ __noinline__ int f() { return 1; }' "heddle's functions are inlined"
becomes 'extern "C" __global__ void k() { }' 'extern "C" __global__ void k() { }' 'instantiated, specialised, a friend or defined outside of its class'
becomes 'extern "C" {
__global__ void k() { }
}' 'extern "C" {
__global__ void k() { }
}' 'instantiated, specialised, a friend or defined outside of its class'
becomes 'int __device__ f() { return 1; }' 'int __device__ f() { return 1; }' 'its qualifiers do not stand together before the type'
becomes '#define ON __device__ inline
ON int f() { return threadIdx.x; }' '#define ON __device__ inline
ON int f() { return hd_thread_x(); }' 'in a macro: the functions that use it are not known here'
becomes '__device__ int counter;
__constant__ float c[3];
__device__ int f() { return 1; }' '__device__ int counter;
__constant__ float c[3];
HD_DEVICE int f() { return 1; }' "a variable: heddle's are used as hd_symbol(name)[i]"
becomes '__global__ void k(int *);
__global__ void k(int *p) { auto f = [=] __device__ (int x) { return x; }; auto g = [=] __host__ __device__ () { }; }' 'HD_KERNEL void k(int *);
HD_KERNEL void k(int *p) { auto f = [=] HD_LAMBDA (int x) { return x; }; auto g = [=] __host__ __device__ () { }; }' 'of a lambda for host code, too'
becomes 'struct s { friend int f(s); };
__device__ int f(s x) { return 1; }' 'struct s { friend int f(s); };
__device__ int f(s x) { return 1; }' 'instantiated, specialised, a friend or defined outside of its class'
becomes '#if 1
#endif
__global__ void k() { __syncthreads(); }' '#if 1
#endif
HD_KERNEL void k() { hd_sync_block(); }'

# A function that several files declare, a variable of host code called blockDim, HIP's indices.
printf '__device__ int shared_by(int);\n__device__ int mine() { return 1; }\n' >two.cuh
printf '#include "two.cuh"\n__device__ int shared_by(int x) { return x; }\n' >one.cu
printf '#include "two.cuh"\n__global__ void k(int *p) { p[0] = shared_by(1) + blockDim.x; }\nint main() { dim3 blockDim(4); k<<<1, blockDim>>>(0); return blockDim.x; }\n' >two.cu
run port one.cu two.cu -o several --clean
equal "several files: status ($out)" "$status" 0
equal "a function of two files" "$(sed -n 's/^\(.*shared_by(int x).*\)/\1/p' several/one.cu)" "__device__ int shared_by(int x) { return x; }"
equal "its declaration" "$(tail -n 2 several/two.cuh)" "__device__ int shared_by(int);
HD_DEVICE int mine() { return 1; }"
equal "a variable blockDim" "$(tail -n 2 several/two.cu)" "HD_KERNEL void k(int *p) { p[0] = shared_by(1) + hd_block_dim_x(); }
int main() { dim3 blockDim_(4); HD_PORT_LAUNCH((k), 1, blockDim_)(0); return blockDim_.x; }"
printf '#include <hip/hip_runtime.h>\n__global__ void k(int *p) { p[hipThreadIdx_x] = 1; }\n' >indices.hip
run port indices.hip -o indices --clean
equal "HIP's indices" "$(tail -n 1 indices/indices.hip)" 'HD_KERNEL void k(int *p) { p[hd_thread_x()] = 1; }'

# The example of the page.
page=$(dirname "$0")/../../docs/port.md
block() { awk -v n="$1" '/^```c\+\+$/ { k++; next } /^```$/ { if (k == n && on) exit; on = 0; next } k == n { on = 1; print }' "$page"; }
becomes "$(block 1)" "$(block 2 | sed 's|// --clean|// CUDA|')"
[ "$(block 1 | wc -l)" -gt 10 ] || fail "docs/port.md has no example"

# Vectors, in host code too, unless the program uses them in a way of CUDA's.
becomes 'struct s { float4 a; };
__global__ void k(float4 *p) { __shared__ float2 t[2]; p[0] = make_float4(1, t[0].x, 3, 4); }
int2 host(uint3 a, longlong2 b) { return make_int2(a.x, (int)b.y); }' 'struct s { hd_f32x4 a; };
HD_KERNEL void k(hd_f32x4 *p) { HD_SHARED(hd_f32x2, t, 2); p[0] = hd_f32x4_make(1, t[0].x, 3, 4); }
hd_i32x2 host(uint3 a, longlong2 b) { return hd_i32x2_make(a.x, (int)b.y); }' 'converts to dim3'
becomes 'float4 operator+(float4 a, float b);' 'float4 operator+(float4 a, float b);' \
    "another type than heddle's, and the program defines operators"
becomes '__global__ void k(float4 *p) { p[0] = __ldg(p + 1); }' 'HD_KERNEL void k(float4 *p) { p[0] = __ldg(p + 1); }' \
    "another type than heddle's, and CUDA's loads and stores take CUDA's"
becomes '#define MAKE(n) make_float##n
float2 f();' '#define MAKE(n) make_float##n
float2 f();' "another type than heddle's, and the program pastes names together"
becomes 'struct float4 { float v[4]; };
float4 f();
__global__ void k() { }' 'struct float4 { float v[4]; };
float4 f();
HD_KERNEL void k() { }'

# ---- the report
printf '__global__ void k(int *p) { p[0] = threadIdx.x + threadIdx.x; }\nint main() { k<<<1, 1>>>(0); cudaDeviceSynchronize(); cudaDeviceSynchronize(); }\n' >report.cu
run port report.cu -o report --clean
equal "the report" "$(printf '%s\n' "$out" | sed -n '/^--clean/,/^1 file/p' | sed '$d')" "--clean: 3 uses of CUDA's names rewritten, 3 kept
     1  __global__: HD_KERNEL
     2  threadIdx.x: hd_thread_x()
kept: HD_PORT_LAUNCH: hd_launch takes a stream of heddle's
     1  <<< >>> (first in report.cu:2)
kept: heddle has no current device: its calls name a device or a stream
     2  cudaDeviceSynchronize (first in report.cu:2)"
run port report.cu -o report --clean --force --report json
equal "JSON: a rewritten name" "$(printf '%s\n' "$out" | tr -d ' \n' | grep -c '{"name":"threadIdx.x","count":2,"rewritten":true,"note":"hd_thread_x()","file":"report.cu","line":1}')" 1
run port report.cu -o report --force --report json
equal "JSON without --clean" "$(printf '%s\n' "$out" | grep -c '"names"')" 0
printf '__global__ void k() { __syncthreads(); cudaFrobnicate(); }\n' >wrong.cu
run port wrong.cu -o never --clean
equal "an error: status" "$status" 1
[ ! -e never ] || fail "an error: something is written"

# Again: nothing is left to rewrite.
run port report/report.cu -o again --clean
equal "again: status" "$status" 0
cp "$(dirname "$0")/../port/dialect.cu" once.cu
run port once.cu -o first --clean
run port first/once.cu -o second --clean
equal "again" "$(grep -v '^#include' second/once.cu)" "$(grep -v '^#include' first/once.cu)"

# ---- bad input: status 0 or 1, and an end.
awk 'BEGIN { printf "__global__ void k(float x) {"; for (i = 0; i < 200000; i++) printf " x += sqrtf(y) + __shfl_sync(m%d, x, 0);", i; print "}" }' >long.cu
run port long.cu -o long --clean
equal "200000 calls: status" "$status" 0
awk 'BEGIN { printf "__global__ void k(float x) { x = sqrtf("; for (i = 0; i < 100000; i++) printf "(-"; printf "x"; for (i = 0; i < 100000; i++) printf ")"; print "); }" }' >deep.cu
run port deep.cu -o deep --clean
equal "100000 brackets: status" "$status" 0
cat "$(dirname "$0")"/../port/*.cu >seed.cu
size=$(wc -c <seed.cu)
turn=0
while [ $turn -lt 80 ]; do
    at=$(((turn * 7919 + 13) % size))
    cut=$((turn % 9))
    { head -c $at seed.cu; [ $((turn % 3)) = 0 ] || printf '%s' '<__shared__ "{(__shfl_sync('; tail -c +$((at + cut + 1)) seed.cu; } >mutant.cu
    run port mutant.cu -o mutants --clean --partial --force
    [ "$status" -le 1 ] || fail "mutant $turn: status $status"
    checks=$((checks + 1))
    turn=$((turn + 1))
done
finish
