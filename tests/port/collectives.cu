// CUB: block and warp collectives in kernels, and its calls for whole arrays.
#include <algorithm>
#include <cstdio>
#include <vector>
#include <cub/cub.cuh>

enum { THREADS = 96, ITEMS = 3, TILE = THREADS * ITEMS };

__global__ void tiles(const int *in, int *sums, int *scanned, int *warps, int *differences, int n)
{
    typedef cub::BlockReduce<int, THREADS> Reduce;
    typedef cub::BlockScan<int, THREADS> Scan;
    typedef cub::BlockLoad<int, THREADS, ITEMS, cub::BLOCK_LOAD_TRANSPOSE> Load;
    typedef cub::BlockStore<int, THREADS, ITEMS, cub::BLOCK_STORE_TRANSPOSE> Store;
    typedef cub::WarpScan<int> WarpScan;
    typedef cub::BlockAdjacentDifference<int, THREADS> Difference;
    __shared__ union {
        typename Reduce::TempStorage reduce;
        typename Scan::TempStorage scan;
        typename Load::TempStorage load;
        typename Store::TempStorage store;
        typename Difference::TempStorage difference;
    } shared;
    __shared__ typename WarpScan::TempStorage warp[THREADS / 32];
    int mine[ITEMS], out[ITEMS], below;
    const int start = blockIdx.x * TILE, count = min(TILE, n - start);

    Load(shared.load).Load(in + start, mine, count, 0);
    __syncthreads();
    int sum = Reduce(shared.reduce).Sum(mine[0] + mine[1] + mine[2]);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
    __syncthreads();
    Scan(shared.scan).ExclusiveSum(mine, out);
    __syncthreads();
    Scan(shared.scan).ExclusiveScan(mine[0], below, 7, cub::Sum(), sum);
    if (threadIdx.x == THREADS - 1) {
        sums[gridDim.x + blockIdx.x] = sum;
        sums[2 * gridDim.x + blockIdx.x] = below + mine[0];
    }
    __syncthreads();
    Store(shared.store).Store(scanned + start, out, count);
    __syncthreads();
    WarpScan(warp[threadIdx.x / 32]).ExclusiveSum(mine[0], below);
    warps[blockIdx.x * THREADS + threadIdx.x] = below;
    Difference(shared.difference).SubtractLeft(mine, out, cub::Sum());
    __syncthreads();
    for (int i = 0; i < ITEMS; i++)
        if (start + (int)threadIdx.x * ITEMS + i < n)
            differences[start + threadIdx.x * ITEMS + i] = out[i];
}

static int wrong;
static void check(bool right, int line)
{
    if (!right)
        printf("line %d\n", line);
    wrong += !right;
}
#define CHECK(condition) check(condition, __LINE__)

template <class T> static T *on_device(const std::vector<T> &v)
{
    T *d;
    cudaMalloc(&d, v.size() * sizeof(T));
    cudaMemcpy(d, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
    return d;
}
template <class T> static std::vector<T> on_host(const T *d, size_t n)
{
    std::vector<T> v(n);
    cudaMemcpy(v.data(), d, n * sizeof(T), cudaMemcpyDeviceToHost);
    return v;
}

// Runs the call twice: for the bytes it needs, and with them.
template <class F> static void twice(F call)
{
    void *memory = nullptr;
    size_t bytes = 0;
    call(memory, bytes);
    cudaMalloc(&memory, bytes);
    call(memory, bytes);
    cudaFree(memory);
}

int main()
{
    const int n = 1001, blocks = (n + TILE - 1) / TILE;
    std::vector<int> in(n), zeros(n), flags(n);
    for (int i = 0; i < n; i++) {
        in[i] = (i * 37 + 11) % 64 - 20;
        flags[i] = i % 3 == 1;
    }
    int *d = on_device(in), *sums = on_device(zeros), *scanned = on_device(zeros);
    int *warps = on_device(zeros), *differences = on_device(zeros), *f = on_device(flags);
    tiles<<<blocks, THREADS>>>(d, sums, scanned, warps, differences, n);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    std::vector<int> s = on_host(sums, 3 * blocks), c = on_host(scanned, n), w = on_host(warps, n);
    std::vector<int> a = on_host(differences, n);
    for (int b = 0; b < blocks; b++) {
        int sum = 0, below = 0;
        for (int i = b * TILE; i < std::min(n, (b + 1) * TILE); i++) {
            CHECK(c[i] == sum);
            CHECK(a[i] == (i == b * TILE ? in[i] : in[i] + in[i - 1]));
            sum += in[i];
        }
        CHECK(s[b] == sum);
        sum = 0;
        for (int i = b * TILE; i < std::min(n, (b + 1) * TILE); i += ITEMS)
            sum += in[i];
        CHECK(s[blocks + b] == sum && s[2 * blocks + b] == sum + 7);
        for (int t = 0; t < THREADS && b * TILE + t * ITEMS < n; t++) {
            below = t % 32 == 0 ? 0 : below;
            CHECK(w[b * THREADS + t] == below);
            below += in[b * TILE + t * ITEMS];
        }
    }

    int *out = scanned, *picked = sums;
    int total = 0, chosen = 0;
    for (int i = 0; i < n; i++) {
        total += in[i];
        chosen += flags[i];
    }
    twice([&](void *m, size_t &b) { cub::DeviceReduce::Sum(m, b, d, out, n); });
    CHECK(on_host(out, 1)[0] == total);
    twice([&](void *m, size_t &b) { cub::DeviceReduce::Max(m, b, d, out, n); });
    CHECK(on_host(out, 1)[0] == *std::max_element(in.begin(), in.end()));
    twice([&](void *m, size_t &b) { cub::DeviceScan::ExclusiveSum(m, b, d, out, n); });
    c = on_host(out, n);
    CHECK(c[0] == 0 && c[n - 1] == total - in[n - 1]);
    cub::CountingInputIterator<int> places(0);
    twice([&](void *m, size_t &b) { cub::DeviceSelect::Flagged(m, b, places, f, out, picked, n); });
    CHECK(on_host(picked, 1)[0] == chosen);
    c = on_host(out, chosen);
    for (int i = 0; i < chosen; i++)
        CHECK(c[i] == 3 * i + 1);

    int *keys = on_device(zeros), *values = on_device(zeros);
    for (int i = 0; i < n; i++)
        zeros[i] = i;
    int *from = on_device(zeros);
    twice([&](void *m, size_t &b) {
        cub::DeviceRadixSort::SortPairs(m, b, d, keys, from, values, n);
    });
    c = on_host(keys, n);
    w = on_host(values, n);
    for (int i = 0; i < n; i++) {
        CHECK(c[i] == in[w[i]]);
        CHECK(i == 0 || c[i - 1] < c[i] || (c[i - 1] == c[i] && w[i - 1] < w[i]));
    }
    twice([&](void *m, size_t &b) { cub::DeviceRadixSort::SortKeysDescending(m, b, d, keys, n); });
    c = on_host(keys, n);
    CHECK(std::is_sorted(c.rbegin(), c.rend()));
    twice([&](void *m, size_t &b) {
        cub::DeviceRunLengthEncode::Encode(m, b, keys, out, values, picked, n);
    });
    CHECK(on_host(picked, 1)[0] == 64);
    for (int *memory : {d, sums, scanned, warps, differences, f, keys, values, from})
        cudaFree(memory);
    printf("collectives %s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
