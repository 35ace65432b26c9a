// What --clean rewrites, and names that only look like CUDA's: variables, members and parameters
// called min or rsqrt, macros, overloads, functions that call themselves.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

#define TID threadIdx.x
#define FULL 0xffffffffu
enum { THREADS = 80, BLOCKS = 3, ALL = THREADS * BLOCKS };

__global__ void __launch_bounds__(THREADS) warps(const int *__restrict__ in, int *out);

struct __align__(8) range {
    int min, max; // members
    __device__ range(int a, int b) : min(a), max(b) {}
    __device__ int width() const { return max - min; }
    static __host__ __device__ int twice(int x) { return 2 * x; }
};

template <class T> __device__ T pick(T x) { return x + 1; }
template <> __device__ float pick<float>(float x) { return x + 2; }

__device__ int depth(int n) { return n > 0 ? 1 + depth(n / 2) : 0; }

__host__ __device__ inline float root(float x) { return sqrtf(x); }

// Warps of 32 whose last is half empty, and work of the first warp alone.
__global__ void __launch_bounds__(THREADS) warps(const int *__restrict__ in, int *out)
{
    __shared__ int first[32];
    int i = blockIdx.x * blockDim.x + TID, v = in[i];
    int up = __shfl_up_sync(FULL, v, 1);
    int pair = __shfl_xor_sync(0xffffffff, v, 1);
    int eighth = __shfl_sync(~0u, v, 3, 8);
    int any = __any_sync(FULL, v == 3), all = __all_sync(FULL, v != 50);
    if (TID < 32) {
        first[TID] = v;
        __syncwarp();
        v = __shfl_xor_sync(FULL, first[31 - TID], 5);
    } else {
        v = __shfl_up_sync(FULL, v, 2);
    }
    out[i] = up + 3 * pair + 5 * eighth + 7 * any + 11 * all + 13 * v;
}

__global__ void counts(unsigned *found, unsigned long long *wide, float *sum, int *bounds, int n)
{
    __shared__ unsigned bins[2][5];
    __shared__ int total, cube[2][3][4];
    extern __shared__ float room[];
    const unsigned i = blockIdx.y * blockDim.y + threadIdx.y;
    if (threadIdx.y < 10)
        bins[threadIdx.y / 5][threadIdx.y % 5] = 0;
    if (threadIdx.y == 0)
        total = 0;
    if (threadIdx.y < 24)
        cube[threadIdx.y / 12][threadIdx.y / 4 % 3][threadIdx.y % 4] = threadIdx.y;
    room[threadIdx.y] = 0.5f * threadIdx.y;
    __syncthreads();
    if (i < n) {
        atomicAdd(&bins[i & 1][i % 5], 1);
        atomicAdd(&total, 1);
        atomicAdd(sum, room[threadIdx.y]);
        atomicAdd(wide, 1ull << (i % 40));
        atomicMax(bounds, (int)i);
        atomicMin(bounds + 1, -(int)i);
        atomicSub(bounds + 2, 1);
        atomicOr(&found[10], 1u << (i % 32));
        atomicInc(&found[11], 6);
    }
    __syncthreads();
    if (threadIdx.y < 10)
        atomicAdd(found + threadIdx.y, bins[threadIdx.y / 5][threadIdx.y % 5]);
    if (threadIdx.y == 0)
        found[12 + blockIdx.y] = total + sizeof(cube) / sizeof(cube[0][0][0]) + cube[1][2][3];
    unsigned odd = __syncthreads_count(i & 1);
    if (threadIdx.y == 0)
        found[12 + gridDim.y + blockIdx.y] = odd;
}

__global__ void numbers(int *out, float *real)
{
    int max = 5, rsqrt = 7; // variables
    float x = 2.25f;
    double y = 6.25;
    range r(max, rsqrt + 20);
    {
        int min = 3;
        out[0] = min + max + rsqrt + r.width() + r.min;
    }
    out[1] = min(r.width(), 9) + ::max(4, 9);
    out[2] = __popc(0xf0u) + __clz(1) + (int)__brev(0x80000000u) + __ffs(12);
    out[3] = __float_as_int(1.0f) + (int)__umulhi(0x80000000u, 6u);
    out[4] = depth(9) + range::twice(4) + pick(1);
    out[5] = (int)sqrtf(9) + (int)sqrt(y * 4) + (int)rsqrtf(0.25f);
    real[0] = sqrtf(x) + fmaf(x, 2.0f, 1) + pick(0.5f) + root(4.0f);
    real[1] = fabsf(-x) + floorf(y) + powf(2, 3.0f) + __int_as_float(0x40000000);
    const float lowest = x;
    real[2] = lowest > 2 ? ceilf(lowest * 2.0f) : 0;
}

template <class F> __global__ void apply(F f, int *out) { out[threadIdx.x] = f(threadIdx.x); }

template <int N> __global__ void fill(int *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = N; }
template __global__ void fill<4>(int *);

static int atomicSub(int a, int b) { return a - b; } // an overload

static int wrong;
static void check(double got, double want, int line)
{
    if (got != want)
        printf("line %d: %g instead of %g\n", line, got, want);
    wrong += got != want;
}
#define CHECK(got, want) check(got, want, __LINE__)

static int lane_of(const int *in, int i, int lane, int own) // of the warp of 32 within its block
{
    const int place = i % THREADS / 32 * 32 + lane;
    return lane >= 0 && place < THREADS ? in[i / THREADS * THREADS + place] : own;
}

static void check_warps(const int *in, const int *out)
{
    for (int i = 0; i < ALL; i++) {
        const int t = i % THREADS, lane = t % 32;
        int any = 0, all = 1, v = lane_of(in, i, lane - 2, in[i]);
        for (int k = 0; k < 32; k++) {
            any |= lane_of(in, i, k, 0) == 3;
            all &= lane_of(in, i, k, 0) != 50;
        }
        if (t < 32)
            v = in[i / THREADS * THREADS + 31 - (t ^ 5)];
        CHECK(out[i], lane_of(in, i, lane - 1, in[i]) + 3 * lane_of(in, i, lane ^ 1, in[i]) +
                          5 * lane_of(in, i, lane / 8 * 8 + 3, in[i]) + 7 * any + 11 * all + 13 * v);
    }
}

int main()
{
    static int in[ALL], out[ALL], bounds[3] = {-1, 1, 7};
    unsigned found[32] = {0}, *f;
    unsigned long long wide = 0, sum = 0, *w;
    float real[3], total = 0, expect = 0, *r;
    int *a, *b;
    for (int i = 0; i < ALL; i++)
        in[i] = (i * 29 + 5) % 97;
    cudaMalloc(&a, sizeof in);
    cudaMalloc(&b, sizeof out);
    cudaMalloc(&f, sizeof found);
    cudaMalloc(&w, sizeof wide);
    cudaMalloc(&r, sizeof real);
    cudaMemcpy(a, in, sizeof in, cudaMemcpyHostToDevice);
    warps<<<BLOCKS, THREADS>>>(a, b);
    cudaMemcpy(out, b, sizeof out, cudaMemcpyDeviceToHost);
    check_warps(in, out);

    const int n = 230;
    cudaMemset(f, 0, sizeof found);
    cudaMemset(w, 0, sizeof wide);
    cudaMemset(r, 0, sizeof real);
    cudaMemcpy(b, bounds, sizeof bounds, cudaMemcpyHostToDevice);
    counts<<<dim3(1, BLOCKS), dim3(1, THREADS), THREADS * sizeof(float)>>>(f, w, r, b, n);
    cudaMemcpy(found, f, sizeof found, cudaMemcpyDeviceToHost);
    cudaMemcpy(&wide, w, sizeof wide, cudaMemcpyDeviceToHost);
    cudaMemcpy(&total, r, sizeof total, cudaMemcpyDeviceToHost);
    cudaMemcpy(bounds, b, sizeof bounds, cudaMemcpyDeviceToHost);
    unsigned bins[10] = {0};
    for (int i = 0; i < n; i++) {
        bins[i % 2 * 5 + i % 5]++;
        sum += 1ull << (i % 40);
        expect += 0.5f * (i % THREADS);
    }
    for (int i = 0; i < 10; i++)
        CHECK(found[i], bins[i]);
    CHECK(found[10], 0xffffffffu);
    CHECK(found[11], n % 7);
    for (int i = 0; i < BLOCKS; i++) {
        CHECK(found[12 + i], (i < 2 ? THREADS : n - 2 * THREADS) + 24 + 23);
        CHECK(found[12 + BLOCKS + i], THREADS / 2);
    }
    CHECK(wide == sum, 1);
    CHECK(total, expect);
    CHECK(bounds[0], n - 1);
    CHECK(bounds[1], 1 - n);
    CHECK(bounds[2], 7 - n);

    numbers<<<1, 1>>>(b, r);
    cudaMemcpy(out, b, sizeof out, cudaMemcpyDeviceToHost);
    cudaMemcpy(real, r, sizeof real, cudaMemcpyDeviceToHost);
    CHECK(out[0], 3 + 5 + 7 + 22 + 5);
    CHECK(out[1], 9 + 9);
    CHECK(out[2], 4 + 31 + 1 + 3);
    CHECK(out[3], 0x3f800000 + 3);
    CHECK(out[4], 4 + 8 + 2);
    CHECK(out[5], 3 + 5 + 2);
    CHECK(real[0], 1.5f + 5.5f + 2.5f + 2.0f);
    CHECK(real[1], 2.25f + 6.0f + 8.0f + 2.0f);
    CHECK(real[2], 5.0f);

    const int add = atomicSub(44, 2);
    auto square = [=] __device__(int i) { return i * i + add; };
    apply<<<1, 5>>>(square, b);
    fill<4><<<2, 3>>>(b + 5);
    cudaMemcpy(out, b, sizeof out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 11; i++)
        CHECK(out[i], i < 5 ? i * i + 42 : 4);
    cudaFree(a);
    cudaFree(b);
    cudaFree(f);
    cudaFree(w);
    cudaFree(r);
    printf("dialect %s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
