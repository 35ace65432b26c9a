// Macros before CUDA's headers, compilers' words, ordered atomics, conversions with a direction,
// pairs of 16-bit values, complex numbers.
#define T float /* a name that headers use too */
#include <cstdio>
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#if defined(__WINDOWS__) || __ppc__
#error "not this one"
#endif
struct __attribute__((__aligned__(16))) quad {
    T v[4];
};
#ifdef __NVCC__ /* nvcc's only */
__host__ __device__ inline float4 &operator+=(float4 &a, const float4 &b)
{
    a.x += b.x;
    a.y += b.y;
    a.z += b.z;
    a.w += b.w;
    return a;
}
#endif

__device__ void raise_to(float *address, float value)
{
    unsigned *bits = (unsigned *)address;
    unsigned old = __nv_atomic_load_n(bits, __NV_ATOMIC_RELAXED);
    while (__uint_as_float(old) < value) {
        unsigned seen = atomicCAS_system(bits, old, __float_as_uint(value));
        if (seen == old)
            break;
        old = seen;
    }
}

__global__ void values(float *most, float4 *sum, int *count, quad *out, const T *in, int n)
{
    __shared__ float4 total[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    total[threadIdx.x] = make_float4(1, i < n ? in[i] : 0, 0, threadIdx.x);
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        if (threadIdx.x < d)
            total[threadIdx.x] += total[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        sum[blockIdx.x] = total[0];
        __nv_atomic_fetch_add(count, 1, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE);
    }
    if (i < n) {
        raise_to(most, in[i]);
        out[i].v[0] = in[i];
    }
}

static int wrong;
static void check(bool right, int line)
{
    if (!right)
        printf("line %d\n", line);
    wrong += !right;
}
#define CHECK(condition) check(condition, __LINE__)

__global__ void scalars(int *ok)
{
    half2 a = __floats2half2_rn(1, 3), b = __float2half2_rn(2);
    float2 more = __half22float2(__hgt2(a, b)), most = __half22float2(__hmax2(a, b));
    ok[0] = more.x == 0 && more.y == 1 && most.x == 2 && most.y == 3;
    ok[1] = __ll2float_rd((1ll << 24) + 1) == 16777216.0f &&
            __ll2float_ru((1ll << 24) + 1) == 16777218.0f &&
            __int2float_rz(-((1 << 24) + 3)) == -16777218.0f &&
            __ull2double_rd(~0ull) == 18446744073709549568.0 &&
            __ull2float_ru(~0ull) == 18446744073709551616.0f && __ll2double_rn(-5) == -5.0;
    cuDoubleComplex z = cuCdiv(make_cuDoubleComplex(3, 4), make_cuDoubleComplex(0, 2));
    cuFloatComplex w = cuCmulf(make_cuFloatComplex(1, 2), cuConjf(make_cuFloatComplex(1, 2)));
    ok[2] = cuCreal(z) == 2 && cuCimag(z) == -1.5 && cuCrealf(w) == 5 && cuCimagf(w) == 0 &&
            cuCabs(make_cuDoubleComplex(3, 4)) == 5;
}

// Every operator of pairs of 16-bit values, on numbers that are exact.
template <class Two> __device__ bool both(Two v, float x, float y)
{
    return (float)v.x == x && (float)v.y == y;
}
template <class Two> __global__ void operators(Two a, Two b, int *ok) // (1, 3), (2, 3)
{
    Two c = a, d = a;
    auto one = a.x;
    bool right = both(-a, -1, -3) && both(+a, 1, 3) && both(a + b, 3, 6) && both(a - b, -1, 0) &&
                 both(a * b, 2, 9) && both(b / a, 2, 1);
    c += b;
    right = right && both(c, 3, 6);
    c -= a;
    right = right && both(c, 2, 3);
    c *= b;
    right = right && both(c, 4, 9);
    c /= b;
    right = right && both(c, 2, 3);
    right = right && both(++d, 2, 4) && both(d++, 2, 4) && both(--d, 2, 4) && both(d--, 2, 4);
    right = right && both(d, 1, 3) && d == a && !(a == b) && !(a != b) && a != a + b;
    right = right && a <= b && !(a < b) && a < a + b && b >= a && !(b > a) && a + b > a;
    one++;
    ++one;
    *ok = right && (float)one-- == 3 && (float)--one == 1 && (float)+one == 1 && (float)-one == -1;
}

int main()
{
    const int n = 1000, blocks = (n + 63) / 64;
    T *in, *most;
    float4 *sum;
    int *count, *ok;
    quad *out;
    cudaMallocManaged(&in, n * sizeof *in);
    cudaMallocManaged(&most, sizeof *most);
    cudaMallocManaged(&sum, blocks * sizeof *sum);
    cudaMallocManaged(&count, sizeof *count);
    cudaMallocManaged(&ok, 5 * sizeof *ok);
    cudaMallocManaged(&out, n * sizeof *out);
    for (int i = 0; i < n; i++)
        in[i] = (i * 7) % 997;
    *most = 0;
    *count = 0;
    values<<<blocks, 64>>>(most, sum, count, out, in, n);
    scalars<<<1, 1>>>(ok);
    operators<<<1, 1>>>(__floats2half2_rn(1, 3), __floats2half2_rn(2, 3), ok + 3);
    operators<<<1, 1>>>(__floats2bfloat162_rn(1, 3), __floats2bfloat162_rn(2, 3), ok + 4);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(*most == 996 && *count == blocks && sizeof(quad) == 16);
    CHECK(ok[0] && ok[1] && ok[2] && ok[3] && ok[4]);
    for (int b = 0; b < blocks; b++) {
        float all = 0;
        for (int i = b * 64; i < n && i < b * 64 + 64; i++)
            all += in[i];
        CHECK(sum[b].x == 64 && sum[b].y == all && sum[b].w == 63 * 32);
    }
    for (int i = 0; i < n; i++)
        CHECK(out[i].v[0] == in[i]);
    cudaFree(in);
    cudaFree(most);
    cudaFree(sum);
    cudaFree(count);
    cudaFree(ok);
    cudaFree(out);
    printf("values %s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
