/* SPDX-License-Identifier: Apache-2.0 */
/* atomics.c - atomics of each type, with values of other types, and of volatile variables. */
#include <heddle/cuda_names.h>

#include "check.h"

enum { N = 256, THREADS = 64 };

/* A pointer to a volatile variable, which CUDA itself does not take. */
#ifdef __cplusplus
#define VOLATILE(type, pointer) (type *)(pointer)
#else
#define VOLATILE(type, pointer) (volatile type *)(pointer)
#endif

typedef struct sums {
    int i;
    unsigned u;
    unsigned long long ull;
    float f;
    double d;
    int sub, least, most, any, all, flips, last, cas;
    unsigned uleast, umost, wraps, falls, exchanged;
    unsigned long long ullmost, bits;
    int volatile_sum, system_sum, block_sum;
    float fsum_of_ints, fexch;
} sums;

HD_PORT_KERNEL(all_atomics, sums *)
__global__ void all_atomics(sums *s)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    int seen, wanted;

    atomicAdd(&s->i, i);
    atomicAdd(&s->u, (unsigned)i);
    atomicAdd(&s->ull, 1ull << 33);
    atomicAdd(&s->f, 0.5f);
    atomicAdd(&s->d, 0.25);
    atomicSub(&s->sub, 2);
    atomicMin(&s->least, 100 - i);
    atomicMax(&s->most, i);
    atomicMin(&s->uleast, 1000u - (unsigned)i);
    atomicMax(&s->umost, (unsigned)i);
    atomicMax(&s->ullmost, (unsigned long long)i << 32);
    atomicOr(&s->any, 1 << i % 20);
    atomicAnd(&s->all, ~(1 << i % 20));
    atomicXor(&s->flips, i);
    atomicOr(&s->bits, 1ull << i % 64);
    atomicInc(&s->wraps, 9u);
    atomicDec(&s->falls, 9u);
    atomicExch(&s->exchanged, 7u);
    atomicExch(&s->fexch, 1.5f);
    atomicExch(&s->last, 3);
    atomicAdd(VOLATILE(int, &s->volatile_sum), 1);
    atomicAdd_system(&s->system_sum, 1);
    if (blockIdx.x == 0)
        atomicAdd_block(&s->block_sum, 1);
    atomicAdd(&s->fsum_of_ints, 1);
    seen = atomicAdd(&s->cas, 0);
    do {
        wanted = seen;
        seen = atomicCAS(&s->cas, wanted, wanted + 3);
    } while (seen != wanted);
    __threadfence();
}
HD_PORT_DEFINE(all_atomics)

/* Old values: a counter hands out each number once. */
HD_PORT_KERNEL(tickets, int *, int *)
__global__ void tickets(int *counter, int *taken)
{
    taken[atomicAdd(counter, 1)] += 1;
}
HD_PORT_DEFINE(tickets)

static void check_sums(void)
{
    sums *s, got;
    int total = 0, flips = 0;

    memset(&got, 0, sizeof got);
    got.least = got.uleast = 1000;
    got.all = -1;
    CALL(cudaMalloc(&s, sizeof got));
    CALL(cudaMemcpy(s, &got, sizeof got, cudaMemcpyHostToDevice));
    HD_PORT_LAUNCH((all_atomics), N / THREADS, THREADS)(s);
    CALL(cudaMemcpy(&got, s, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) {
        total += i;
        flips ^= i;
    }
    CHECK(got.i == total && got.u == (unsigned)total && got.ull == (unsigned long long)N << 33);
    CHECK(got.f == 0.5f * N && got.d == 0.25 * N && got.sub == -2 * N);
    CHECK(got.least == 100 - (N - 1) && got.most == N - 1);
    CHECK(got.uleast == 1000u - (N - 1) && got.umost == N - 1);
    CHECK(got.ullmost == (unsigned long long)(N - 1) << 32);
    CHECK(got.any == (1 << 20) - 1 && got.all == ~((1 << 20) - 1) && got.flips == flips);
    CHECK(got.bits == ~0ull && got.exchanged == 7 && got.fexch == 1.5f && got.last == 3);
    CHECK(got.wraps == N % 10 && got.falls == (10 - N % 10) % 10);
    CHECK(got.volatile_sum == N && got.system_sum == N && got.block_sum == THREADS);
    CHECK(got.fsum_of_ints == N && got.cas == 3 * N);
    CALL(cudaFree(s));
}

static void check_tickets(void)
{
    int *counter, *taken, got[N], wrong = 0;

    CALL(cudaMalloc(&counter, sizeof *counter));
    CALL(cudaMalloc(&taken, sizeof got));
    CALL(cudaMemset(counter, 0, sizeof *counter));
    CALL(cudaMemset(taken, 0, sizeof got));
    HD_PORT_LAUNCH((tickets), N / THREADS, THREADS)(counter, taken);
    CALL(cudaMemcpy(got, taken, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        wrong += got[i] != 1;
    CHECK(wrong == 0);
    CALL(cudaFree(counter));
    CALL(cudaFree(taken));
}

int main(void)
{
    check_sums();
    check_tickets();
    puts(failures ? "FAIL" : "PASS");
    return failures != 0;
}
