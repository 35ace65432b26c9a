/* SPDX-License-Identifier: Apache-2.0 */
/* warps.c - shuffles, votes, matches and reductions of warps of 32 lanes, barriers, and vectors. A
   warp's results are compared with loops over its lanes. */
#include <heddle/cuda_names.h>

#include "check.h"

enum { LANES = 32, WARPS = 4, N = LANES * WARPS };

typedef struct results {
    int index, up, down, by_xor, pairs;
    double wide;
    long long longs;
    float last;
    unsigned ballot, some, every, matched, same, sum, least, both;
    int most, all;
} results;

HD_BOTH int value_of(int lane)
{
    return (lane * 7 + 3) % 11 - 4;
}

HD_PORT_KERNEL(exchange, results *)
__global__ void exchange(results *out)
{
    const int lane = (int)threadIdx.x % warpSize, v = value_of((int)threadIdx.x);
    results r;

    memset(&r, 0, sizeof r);
    r.index = __shfl_sync(0xffffffff, v, (lane + 5) % 32);
    r.up = __shfl_up_sync(0xffffffff, v, 2);
    r.down = __shfl_down_sync(0xffffffff, v, 3, 16);
    r.by_xor = __shfl_xor_sync(0xffffffff, v, 9);
    r.pairs = __shfl_sync(0xffffffff, v, 1, 8);
    r.wide = __shfl_down_sync(0xffffffff, 0.5 * v, 1);
    r.longs = __shfl_xor_sync(0xffffffff, (long long)v << 40, 31);
    r.last = __shfl_sync(0xffffffff, (float)v, 31);
    r.ballot = __ballot_sync(0xffffffff, v > 0);
    r.some = (unsigned)__any_sync(0xffffffff, v == 6);
    r.every = (unsigned)__all_sync(0xffffffff, v > -5);
    __syncwarp();
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
    r.matched = __match_any_sync(0xffffffff, v);
    r.same = __match_all_sync(0xffffffff, 2.5, &r.all);
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    r.sum = (unsigned)__reduce_add_sync(0xffffffff, v);
    r.least = __reduce_min_sync(0xffffffff, (unsigned)v);
    r.most = __reduce_max_sync(0xffffffff, v);
    r.both = __reduce_xor_sync(0xffffffff, (unsigned)v);
#endif
    __syncwarp(0xffffffff);
    out[threadIdx.x] = r;
}
HD_PORT_DEFINE(exchange)

/* Only half of the lanes: the sum of the values of even ones. */
HD_PORT_KERNEL(even_sum, int *)
__global__ void even_sum(int *out)
{
    int v = value_of((int)threadIdx.x);

    if (threadIdx.x % 2 == 0) {
        for (int d = 16; d > 1; d /= 2)
            v += __shfl_xor_sync(0x55555555, v, d);
        out[threadIdx.x / 2] = v;
    }
}
HD_PORT_DEFINE(even_sum)

HD_PORT_KERNEL(blocks, int *)
__global__ void blocks(int *out)
{
    HD_SHARED(int, shared, N);
    const int i = (int)threadIdx.x, positive = __syncthreads_count(value_of(i) > 0);
    const int some = __syncthreads_or(i == 77), all = __syncthreads_and(i != 77);

    shared[i] = i;
    __syncthreads();
    out[i] = shared[N - 1 - i] + 1000 * positive + 1000000 * (some != 0) + 2000000 * (all != 0);
}
HD_PORT_DEFINE(blocks)

HD_PORT_KERNEL(vectors, float4 *, double2 *, uchar4 *)
__global__ void vectors(float4 *f, double2 *d, uchar4 *c)
{
    const unsigned i = threadIdx.x;
    const float4 v = f[i];

    f[i] = make_float4(v.w, v.z, v.y, v.x);
    d[i] = make_double2(d[i].y, (double)i);
    c[i] = make_uchar4((unsigned char)i, 1, 2, 3);
}
HD_PORT_DEFINE(vectors)

static void check_exchange(void)
{
    static results got[N];
    results *out;
    int wrong = 0;

    CALL(cudaMalloc(&out, sizeof got));
    HD_PORT_LAUNCH((exchange), 1, N)(out);
    CALL(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) {
        const int first = i / 32 * 32, lane = i % 32, v = value_of(i);
        unsigned ballot = 0, matched = 0, least = 0xffffffffu, both = 0;
        int some = 0, every = 1, sum = 0, most = -100;

        for (int k = 0; k < 32; k++) {
            const int other = value_of(first + k);
            ballot |= (unsigned)(other > 0) << k;
            matched |= (unsigned)(other == v) << k;
            some |= other == 6;
            every &= other > -5;
            sum += other;
            most = other > most ? other : most;
            least = (unsigned)other < least ? (unsigned)other : least;
            both ^= (unsigned)other;
        }
        wrong += got[i].index != value_of(first + (lane + 5) % 32);
        wrong += got[i].up != (lane < 2 ? v : value_of(i - 2));
        wrong += got[i].down != (lane % 16 < 13 ? value_of(i + 3) : v);
        wrong += got[i].by_xor != value_of(first + (lane ^ 9));
        wrong += got[i].pairs != value_of(i / 8 * 8 + 1);
        wrong += got[i].wide != 0.5 * (lane < 31 ? value_of(i + 1) : v);
        wrong += got[i].longs != (long long)value_of(first + 31 - lane) * ((long long)1 << 40);
        wrong += got[i].last != (float)value_of(first + 31);
        wrong += got[i].ballot != ballot || got[i].matched != matched;
        wrong += got[i].some != (unsigned)some || got[i].every != (unsigned)every;
        wrong += got[i].same != 0xffffffffu || !got[i].all;
        wrong += got[i].sum != (unsigned)sum || got[i].least != least;
        wrong += got[i].most != most || got[i].both != both;
    }
    CHECK(wrong == 0);
    CALL(cudaFree(out));
}

static void check_halves(void)
{
    int *out, got[16], sum = 0, wrong = 0;

    CALL(cudaMalloc(&out, sizeof got));
    HD_PORT_LAUNCH((even_sum), 1, 32)(out);
    CALL(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i += 2)
        sum += value_of(i);
    for (int i = 0; i < 16; i++)
        wrong += got[i] != sum;
    CHECK(wrong == 0);
    CALL(cudaFree(out));
}

static void check_blocks(void)
{
    int *out, got[N], positive = 0, wrong = 0;

    CALL(cudaMalloc(&out, sizeof got));
    HD_PORT_LAUNCH((blocks), 1, N)(out);
    CALL(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        positive += value_of(i) > 0;
    for (int i = 0; i < N; i++)
        wrong += got[i] != N - 1 - i + 1000 * positive + 1000000;
    CHECK(wrong == 0);
    CALL(cudaFree(out));
}

static void check_vectors(void)
{
    float4 *f, hf[32];
    double2 *d, hd[32];
    uchar4 *c, hc[32];
    int wrong = 0;

    CHECK(sizeof(float3) == 12 && sizeof(float4) == 16 && sizeof(uchar4) == 4);
    CHECK(sizeof(double3) == 24 && sizeof(longlong2) == 16 && sizeof(dim3) == 12);
    CALL(cudaMalloc(&f, sizeof hf));
    CALL(cudaMalloc(&d, sizeof hd));
    CALL(cudaMalloc(&c, sizeof hc));
    for (int i = 0; i < 32; i++) {
        hf[i] = make_float4(1, 2, 3, (float)i);
        hd[i] = make_double2(i, 2 * i);
    }
    CALL(cudaMemcpy(f, hf, sizeof hf, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy(d, hd, sizeof hd, cudaMemcpyHostToDevice));
    HD_PORT_LAUNCH((vectors), 1, 32)(f, d, c);
    CALL(cudaMemcpy(hf, f, sizeof hf, cudaMemcpyDeviceToHost));
    CALL(cudaMemcpy(hd, d, sizeof hd, cudaMemcpyDeviceToHost));
    CALL(cudaMemcpy(hc, c, sizeof hc, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++) {
        wrong += hf[i].x != (float)i || hf[i].y != 3 || hf[i].z != 2 || hf[i].w != 1;
        wrong += hd[i].x != 2 * i || hd[i].y != i || hc[i].x != i || hc[i].w != 3;
    }
    CHECK(wrong == 0);
    CALL(cudaFree(f));
    CALL(cudaFree(d));
    CALL(cudaFree(c));
}

int main(void)
{
    check_exchange();
    check_halves();
    check_blocks();
    check_vectors();
    puts(failures ? "FAIL" : "PASS");
    return failures != 0;
}
