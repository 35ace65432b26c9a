// CUB: the overloads of scans and reductions of blocks and warps.
#include <cstdio>
#include <cub/cub.cuh>

enum { THREADS = 96, ITEMS = 3, ALL = THREADS * ITEMS, OUTPUTS = 20, LANES = 8 };

// Does not commute: x -> a x + b, modulo 2^32.
struct Line {
    unsigned a, b;
};
struct After {
    __host__ __device__ Line operator()(const Line &f, const Line &g) const
    {
        return {f.a * g.a, f.b * g.a + g.b};
    }
};
// The value that stands before the block's; every lane of the first warp has one.
struct Running {
    Line line;
    __device__ Line operator()(Line total)
    {
        Line before = line;
        line = After()(line, total);
        return before;
    }
};
struct Count {
    int value;
    __device__ int operator()(int total)
    {
        value += total;
        return value - total;
    }
};

__global__ void blocks(const Line *in, Line *out, int *sums)
{
    typedef cub::BlockScan<Line, THREADS> Scan;
    typedef cub::BlockScan<int, THREADS, cub::BLOCK_SCAN_WARP_SCANS> Sums;
    typedef cub::BlockReduce<Line, THREADS> Reduce;
    __shared__ typename Scan::TempStorage scan;
    __shared__ typename Sums::TempStorage sum;
    __shared__ typename Reduce::TempStorage reduce;
    const Line first = {5, 7};
    Line mine[ITEMS], got[ITEMS], one, total;
    Running running = {first};
    int t = threadIdx.x, k = 0, ints[ITEMS], scanned[ITEMS], whole;
    auto store = [&](const Line *from) {
        __syncthreads();
        for (int i = 0; i < ITEMS; i++)
            out[k * ALL + t * ITEMS + i] = from[i];
        k++;
    };
    auto store_one = [&](Line value) {
        __syncthreads();
        out[k++ * ALL + t] = value;
    };
    for (int i = 0; i < ITEMS; i++) {
        mine[i] = in[t * ITEMS + i];
        ints[i] = (int)(mine[i].b % 50);
    }
    Scan(scan).InclusiveScan(mine, got, After()); // 0
    store(got);
    Scan(scan).InclusiveScan(mine, got, After(), total); // 1, 2
    store(got);
    store_one(total);
    Scan(scan).ExclusiveScan(mine, got, first, After()); // 3
    store(got);
    Scan(scan).ExclusiveScan(mine, got, first, After(), total); // 4, 5
    store(got);
    store_one(total);
    Scan(scan).InclusiveScan(mine, got, first, After(), total); // 6
    store(got);
    Scan(scan).ExclusiveScan(mine, got, After(), running); // 7
    store(got);
    Scan(scan).InclusiveScan(mine, got, After(), running); // 8: after two times the whole
    store(got);
    Scan(scan).InclusiveScan(mine[0], one, After(), total); // 9, 10
    store_one(one);
    store_one(total);
    Scan(scan).ExclusiveScan(mine[0], one, After(), total); // 11, not of thread 0
    store_one(one);
    Scan(scan).InclusiveScan(mine[0], one, first, After()); // 12
    store_one(one);
    for (int i = 0; i < ITEMS; i++)
        got[i] = mine[i];
    Scan(scan).InclusiveScan(got, got, After()); // 13: in place
    store(got);
    store_one(Reduce(reduce).Reduce(mine, After())); // 14, thread 0
    store_one(Reduce(reduce).Reduce(mine[0], After(), 50)); // 15, thread 0

    Count count = {100};
    Sums(sum).ExclusiveSum(ints, scanned, count);
    __syncthreads();
    for (int i = 0; i < ITEMS; i++)
        sums[t * ITEMS + i] = scanned[i];
    Sums(sum).InclusiveSum(ints[0], scanned[0], count);
    __syncthreads();
    sums[ALL + t] = scanned[0];
    Sums(sum).InclusiveSum(ints, scanned, whole);
    sums[2 * ALL + t] = scanned[ITEMS - 1];
    sums[3 * ALL + t] = whole;
}

__global__ void warps(const Line *in, Line *out)
{
    typedef cub::WarpScan<Line, LANES> Scan;
    typedef cub::WarpReduce<Line, LANES> Reduce;
    __shared__ typename Scan::TempStorage scan[THREADS / LANES];
    __shared__ typename Reduce::TempStorage reduce[THREADS / LANES];
    const Line first = {5, 7};
    int t = threadIdx.x, w = t / LANES;
    Line mine = in[t], a, b, total;
    Scan(scan[w]).InclusiveScan(mine, a, After(), total);
    out[t] = a;
    out[ALL + t] = total;
    Scan(scan[w]).ExclusiveScan(mine, a, first, After(), total);
    out[2 * ALL + t] = a;
    Scan(scan[w]).Scan(mine, a, b, first, After());
    out[3 * ALL + t] = a;
    out[4 * ALL + t] = b;
    Scan(scan[w]).ExclusiveScan(mine, a, After());
    out[5 * ALL + t] = a;
    if (w % 2) { // one logical warp of several
        out[6 * ALL + t] = Reduce(reduce[w]).Reduce(mine, After(), 5);
        out[7 * ALL + t] = Reduce(reduce[w]).HeadSegmentedReduce(mine, t % 3 == 0, After());
        out[8 * ALL + t] = Reduce(reduce[w]).TailSegmentedReduce(mine, t % 3 == 2, After());
    }
}

static int wrong;
static void same(Line got, Line want, int line)
{
    if (got.a != want.a || got.b != want.b) {
        if (wrong++ < 10)
            printf("line %d\n", line);
    }
}
#define SAME(got, want) same(got, want, __LINE__)

int main()
{
    const Line first = {5, 7};
    static Line in[ALL], out[OUTPUTS * ALL];
    static int sums[4 * ALL];
    Line *d, *e;
    int *f;
    for (unsigned i = 0; i < ALL; i++)
        in[i] = {2 * (i * 37 % 101) + 3, i * 911 % 1009};
    cudaMalloc(&d, sizeof in);
    cudaMalloc(&e, sizeof out);
    cudaMalloc(&f, sizeof sums);
    cudaMemcpy(d, in, sizeof in, cudaMemcpyHostToDevice);
    blocks<<<1, THREADS>>>(d, e, f);
    cudaMemcpy(out, e, sizeof out, cudaMemcpyDeviceToHost);
    cudaMemcpy(sums, f, sizeof sums, cudaMemcpyDeviceToHost);

    const After after;
    Line all = in[0], ones = in[0];
    for (int i = 1; i < ALL; i++)
        all = after(all, in[i]);
    for (int t = 1; t < THREADS; t++)
        ones = after(ones, in[t * ITEMS]);
    Line with = first, without = in[0], twice = after(first, all), column = in[0];
    int sum = 100;
    for (int i = 0; i < ALL; i++) {
        for (int k : {3, 4, 7})
            SAME(out[k * ALL + i], with);
        with = after(with, in[i]);
        without = i ? after(without, in[i]) : in[0];
        twice = after(twice, in[i]);
        for (int k : {0, 1, 13})
            SAME(out[k * ALL + i], without);
        SAME(out[6 * ALL + i], with);
        SAME(out[8 * ALL + i], twice);
        wrong += sums[i] != sum;
        sum += in[i].b % 50;
    }
    const int total = sum - 100;
    for (int t = 0, below = 0; t < THREADS; t++) {
        if (t)
            SAME(out[11 * ALL + t], column);
        column = t ? after(column, in[t * ITEMS]) : in[0];
        SAME(out[2 * ALL + t], all);
        SAME(out[5 * ALL + t], all);
        SAME(out[9 * ALL + t], column);
        SAME(out[10 * ALL + t], ones);
        SAME(out[12 * ALL + t], after(first, column));
        if (t == 49)
            SAME(out[15 * ALL], column);
        sum += in[t * ITEMS].b % 50;
        wrong += sums[ALL + t] != sum;
        for (int i = 0; i < ITEMS; i++)
            below += in[t * ITEMS + i].b % 50;
        wrong += sums[2 * ALL + t] != below || sums[3 * ALL + t] != total;
    }
    SAME(out[14 * ALL], all);

    warps<<<1, THREADS>>>(d, e);
    cudaMemcpy(out, e, sizeof out, cudaMemcpyDeviceToHost);
    for (int w = 0; w < THREADS; w += LANES) {
        Line before = in[w], five = in[w];
        for (int l = 0; l < LANES; l++) {
            const int t = w + l;
            SAME(out[2 * ALL + t], l ? after(first, before) : first);
            SAME(out[4 * ALL + t], l ? after(first, before) : first);
            if (l)
                SAME(out[5 * ALL + t], before);
            before = l ? after(before, in[t]) : in[t];
            five = l == 4 ? before : five;
            SAME(out[t], before);
            SAME(out[3 * ALL + t], after(first, before));
        }
        for (int l = 0; l < LANES; l++)
            SAME(out[ALL + w + l], before);
        if (w / LANES % 2 == 0)
            continue;
        SAME(out[6 * ALL + w], five);
        for (int start = w; start < w + LANES;) {
            int end = start / 3 * 3 + 3 < w + LANES ? start / 3 * 3 + 3 : w + LANES;
            Line segment = in[start];
            for (int i = start + 1; i < end; i++)
                segment = after(segment, in[i]);
            SAME(out[7 * ALL + start], segment);
            SAME(out[8 * ALL + start], segment);
            start = end;
        }
    }
    cudaFree(d);
    cudaFree(e);
    cudaFree(f);
    printf("scans %s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
