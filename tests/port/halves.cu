// Warps of one block that do different things: other masks, other numbers of turns, other branches.
// On a device with 64 lanes two of them share a wavefront. The host computes what each lane returns.
#include <cstdio>
#include <vector>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

enum { TURNS = 9, MIX = 31 };

__host__ __device__ inline unsigned scramble(unsigned a, unsigned b, unsigned c)
{
    unsigned x = a * 0x9e3779b9u + b * 0x85ebca6bu + c * 0xc2b2ae35u;
    x ^= x >> 15;
    x *= 0x2c1b3c6du;
    return x ^ x >> 12;
}
__host__ __device__ inline int turns_of(unsigned warp)
{
    return (int)(warp * 5 % TURNS) + 1;
}
__host__ __device__ inline unsigned mask_of(unsigned warp, int turn, unsigned lanes)
{
    const unsigned mask = scramble(warp, turn, 1) & lanes;
    return mask ? mask : lanes;
}
// The source of a lane: a lane of the mask.
__host__ __device__ inline int source_of(unsigned mask, unsigned lane)
{
    for (lane = lane * 7 + 3;; lane++)
        if (mask >> (lane & 31) & 1)
            return (int)(lane & 31);
}

__device__ unsigned in_mask(unsigned mask, unsigned lane, unsigned value)
{
    unsigned h = __shfl_sync(mask, value, source_of(mask, lane));
    h = h * MIX + __ballot_sync(mask, value & 1);
    h = h * MIX + (__any_sync(mask, value % 5 == 0) ? 1 : 0);
    h = h * MIX + (__all_sync(mask, value % 5) ? 1 : 0);
    h = h * MIX + __match_any_sync(mask, value % 3);
    h = h * MIX + __reduce_add_sync(mask, value);
    h = h * MIX + (unsigned)__reduce_min_sync(mask, (int)value);
    h = h * MIX + __reduce_max_sync(mask, value);
    h = h * MIX + __reduce_xor_sync(mask, value);
    return h;
}

__global__ void votes(unsigned *out)
{
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x, lane = thread % 32;
    const unsigned warp = thread / 32, threads = blockDim.x * blockDim.y;
    const unsigned rest = threads - warp * 32, lanes = rest < 32 ? (1u << rest) - 1 : 0xffffffffu;
    unsigned h = 0;
    for (int turn = 0; turn < turns_of(warp); turn++) {
        const unsigned mask = mask_of(warp, turn, lanes);
        if (mask >> lane & 1)
            h = h * MIX + in_mask(mask, lane, scramble(thread, turn, 2));
        else if (lanes & ~mask)
            h = h * MIX + in_mask(lanes & ~mask, lane, scramble(thread, turn, 3));
    }
    out[blockIdx.x * threads + thread] = h;
}

// Segments, wide values, and lanes that are read past the end of a segment.
struct wide {
    double d;
    unsigned u;
};
__global__ void shuffles(unsigned *out)
{
    const unsigned thread = threadIdx.x, warp = thread / 32;
    unsigned h = 0;
    for (int turn = 0; turn < turns_of(warp); turn++)
        for (int width = 1; width <= 32; width *= 2) {
            const wide w = {(double)thread + turn / 8.0, scramble(thread, turn, width)};
            h = h * MIX + __shfl_up_sync(0xffffffff, w.u, turn, width);
            h = h * MIX + __shfl_down_sync(0xffffffff, w.u, turn, width);
            h = h * MIX + __shfl_xor_sync(0xffffffff, w.u, turn % width, width);
            const wide other = __shfl_sync(0xffffffff, w, turn * 3 + 1, width);
            h = h * MIX + other.u + (unsigned)(other.d * 8);
        }
    out[blockIdx.x * blockDim.x + thread] = h;
}

// Each warp hands values on in its own memory; one atomic for the lanes that keep something.
__global__ void places(unsigned *place, unsigned *used)
{
    __shared__ unsigned box[8][33];
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    unsigned sum = 0;
    for (int turn = 0; turn < turns_of(warp); turn++) {
        box[warp][lane] = scramble(threadIdx.x, turn, 4);
        __syncwarp();
        sum += box[warp][(lane + turn + 1) % 32];
        __syncwarp();
    }
    const unsigned keep = __ballot_sync(0xffffffff, sum % 3 != 0);
    if (sum % 3 != 0) {
        const int leader = __ffs(keep) - 1;
        unsigned base = 0;
        if ((int)lane == leader)
            base = atomicAdd(used, __popc(keep));
        base = __shfl_sync(keep, base, leader);
        place[blockIdx.x * blockDim.x + threadIdx.x] = base + __popc(keep & ((1u << lane) - 1));
    }
}

// Groups: tiles of each size, and those that a branch leaves together.
template <int N> __device__ unsigned in_tile(unsigned value)
{
    cg::thread_block_tile<N> tile = cg::tiled_partition<N>(cg::this_thread_block());
    unsigned h = cg::reduce(tile, value, cg::plus<unsigned>());
    h = h * MIX + tile.ballot(value & 1);
    h = h * MIX + tile.match_any(value % 3);
    h = h * MIX + tile.shfl_xor(value, N / 2);
    h = h * MIX + tile.shfl(value, N - 1);
    return h * MIX + tile.meta_group_rank() + tile.thread_rank();
}
__global__ void groups(unsigned *out, unsigned *taken, unsigned *sums)
{
    const unsigned thread = threadIdx.x, warp = thread / 32;
    unsigned h = 0;
    for (int turn = 0; turn < turns_of(warp); turn++) {
        const unsigned value = scramble(thread, turn, 5);
        h = h * MIX + in_tile<2>(value);
        h = h * MIX + in_tile<8>(value);
        h = h * MIX + in_tile<16>(value);
        h = h * MIX + in_tile<32>(value);
        if (value % 4 == warp % 4) {
            cg::coalesced_group some = cg::coalesced_threads();
            const unsigned sum = cg::reduce(some, value & 0xff, cg::plus<unsigned>());
            if (some.thread_rank() == 0) {
                atomicAdd(taken, some.size());
                atomicAdd(sums, sum);
            }
        }
    }
    out[thread] = h;
}

// The kinds of atomics, in shared memory and in managed memory. All lanes of all warps meet.
struct totals {
    float f;
    double d;
    unsigned long long large;
    int least, most;
    unsigned around, down, bits;
    unsigned short half[2];
};
__device__ void add_to(totals *t, unsigned i)
{
    atomicAdd(&t->f, 0.5f);
    atomicAdd(&t->d, 0.25);
    atomicAdd(&t->large, 0x100000001ull);
    atomicMin(&t->least, (int)i - 50);
    atomicMax(&t->most, (int)i);
    atomicInc(&t->around, 6);
    atomicDec(&t->down, 9);
    atomicXor(&t->bits, 1u << i % 32);
    unsigned short *half = &t->half[i & 1], old = 0, seen;
    while ((seen = atomicCAS(half, old, (unsigned short)(old + 1))) != old)
        old = seen;
}
__global__ void atomics(totals *all, totals *blocks)
{
    __shared__ totals mine;
    if (threadIdx.x == 0)
        mine = totals();
    __syncthreads();
    add_to(&mine, threadIdx.x);
    add_to(all, threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0)
        blocks[blockIdx.x] = mine;
}

static int wrong;
#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition) && wrong++ < 5)                                                           \
            printf("line %d\n", __LINE__);                                                         \
    } while (0)

static unsigned expect_in_mask(unsigned mask, unsigned warp, unsigned lane, int turn, unsigned salt)
{
    unsigned value[32], odd = 0, equal = 0, sum = 0, most = 0, bits = 0;
    int least = 0x7fffffff, any = 0, all = 1;
    for (unsigned i = 0; i < 32; i++) {
        value[i] = scramble(warp * 32 + i, turn, salt);
        if (!(mask >> i & 1))
            continue;
        odd |= (value[i] & 1) << i;
        any |= value[i] % 5 == 0;
        all &= value[i] % 5 != 0;
        sum += value[i];
        bits ^= value[i];
        least = (int)value[i] < least ? (int)value[i] : least;
        most = value[i] > most ? value[i] : most;
    }
    for (unsigned i = 0; i < 32; i++)
        equal |= (unsigned)((mask >> i & 1) && value[i] % 3 == value[lane] % 3) << i;
    unsigned h = value[source_of(mask, lane)];
    for (unsigned x : {odd, (unsigned)any, (unsigned)all, equal, sum, (unsigned)least, most, bits})
        h = h * MIX + x;
    return h;
}

static void check_votes(dim3 block)
{
    const unsigned threads = block.x * block.y;
    unsigned *out;
    cudaMallocManaged(&out, 2 * threads * sizeof *out);
    votes<<<2, block>>>(out);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (unsigned t = 0; t < 2 * threads; t++) {
        const unsigned thread = t % threads, warp = thread / 32, lane = thread % 32;
        const unsigned rest = threads - warp * 32, lanes = rest < 32 ? (1u << rest) - 1 : ~0u;
        unsigned h = 0;
        for (int turn = 0; turn < turns_of(warp); turn++) {
            const unsigned mask = mask_of(warp, turn, lanes);
            const bool in = mask >> lane & 1;
            h = h * MIX + expect_in_mask(in ? mask : lanes & ~mask, warp, lane, turn, in ? 2 : 3);
        }
        CHECK(out[t] == h);
    }
    cudaFree(out);
}

static void check_shuffles(int threads)
{
    unsigned *out;
    cudaMallocManaged(&out, threads * sizeof *out);
    shuffles<<<1, threads>>>(out);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (int t = 0; t < threads; t++) {
        unsigned h = 0;
        for (int turn = 0; turn < turns_of(t / 32); turn++)
            for (int width = 1; width <= 32; width *= 2) {
                const int first = t / width * width, last = first + width - 1;
                const int from = first + (turn * 3 + 1) % width;
                h = h * MIX + scramble(t - turn >= first ? t - turn : t, turn, width);
                h = h * MIX + scramble(t + turn <= last ? t + turn : t, turn, width);
                h = h * MIX + scramble(t ^ turn % width, turn, width);
                h = h * MIX + scramble(from, turn, width) + (unsigned)(from * 8 + turn);
            }
        CHECK(out[t] == h);
    }
    cudaFree(out);
}

static void check_places(int threads)
{
    unsigned *place, *used, kept = 0;
    cudaMallocManaged(&place, 3 * threads * sizeof *place);
    cudaMallocManaged(&used, sizeof *used);
    *used = 0;
    for (int i = 0; i < 3 * threads; i++)
        place[i] = ~0u;
    places<<<3, threads>>>(place, used);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    std::vector<int> seen(3 * threads);
    for (int i = 0; i < 3 * threads; i++) {
        const unsigned t = i % threads, warp = t / 32;
        unsigned sum = 0;
        for (int turn = 0; turn < turns_of(warp); turn++)
            sum += scramble(warp * 32 + (t + turn + 1) % 32, turn, 4);
        kept += sum % 3 != 0;
        CHECK((place[i] != ~0u) == (sum % 3 != 0));
        if (place[i] < 3u * threads)
            CHECK(seen[place[i]]++ == 0);
    }
    CHECK(*used == kept);
    for (unsigned i = 0; i < kept; i++)
        CHECK(seen[i] == 1);
    cudaFree(place);
    cudaFree(used);
}

static unsigned expect_in_tile(int size, int thread, int turn)
{
    const int first = thread / size * size;
    const unsigned mine = scramble(thread, turn, 5);
    unsigned sum = 0, odd = 0, equal = 0;
    for (int i = 0; i < size; i++) {
        const unsigned value = scramble(first + i, turn, 5);
        sum += value;
        odd |= (value & 1) << i;
        equal |= (unsigned)(value % 3 == mine % 3) << i;
    }
    unsigned h = sum;
    for (unsigned x : {odd, equal, scramble(thread ^ size / 2, turn, 5),
                       scramble(first + size - 1, turn, 5),
                       (unsigned)(thread / size + thread % size)})
        h = h * MIX + x;
    return h;
}
static void check_groups(int threads)
{
    unsigned *out, took = 0, total = 0;
    cudaMallocManaged(&out, (threads + 2) * sizeof *out);
    out[threads] = out[threads + 1] = 0;
    groups<<<1, threads>>>(out, out + threads, out + threads + 1);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (int t = 0; t < threads; t++) {
        unsigned h = 0;
        for (int turn = 0; turn < turns_of(t / 32); turn++) {
            const unsigned value = scramble(t, turn, 5);
            for (int size : {2, 8, 16, 32})
                h = h * MIX + expect_in_tile(size, t, turn);
            if (value % 4 == t / 32 % 4) {
                took++;
                total += value & 0xff;
            }
        }
        CHECK(out[t] == h);
    }
    CHECK(out[threads] == took && out[threads + 1] == total);
    cudaFree(out);
}

static void check_totals(const totals &t, unsigned blocks, unsigned threads)
{
    const unsigned n = blocks * threads;
    unsigned bits = 0;
    for (unsigned i = 0; i < threads; i++)
        bits ^= 1u << i % 32;
    CHECK(t.f == 0.5f * n && t.d == 0.25 * n && t.large == n * 0x100000001ull);
    CHECK(t.least == -50 && t.most == (int)threads - 1);
    CHECK(t.around == n % 7 && t.down == (10 - n % 10) % 10);
    CHECK(t.bits == (blocks % 2 ? bits : 0));
    CHECK(t.half[0] == blocks * ((threads + 1) / 2) && t.half[1] == blocks * (threads / 2));
}
static void check_atomics(unsigned blocks, unsigned threads)
{
    totals *t;
    cudaMallocManaged(&t, (blocks + 1) * sizeof *t);
    t[0] = totals();
    atomics<<<blocks, threads>>>(t, t + 1);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    check_totals(t[0], blocks, threads);
    for (unsigned b = 1; b <= blocks; b++)
        check_totals(t[b], 1, threads);
    cudaFree(t);
}

int main()
{
    for (unsigned threads : {1u, 31u, 32u, 33u, 64u, 95u, 96u, 100u, 256u})
        check_votes(dim3(threads));
    check_votes(dim3(16, 6));
    check_votes(dim3(7, 13));
    for (int threads : {32, 64, 96, 256}) {
        check_shuffles(threads);
        check_places(threads);
        check_groups(threads);
    }
    check_atomics(3, 33);
    check_atomics(2, 160);
    printf("halves %s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
