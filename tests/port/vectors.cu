// Thrust: vectors, calls with and without a policy, iterators that compute.
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/unique.h>

struct is_odd {
    __host__ __device__ bool operator()(int v) const
    {
        return v & 1;
    }
};
struct product {
    __host__ __device__ int operator()(const thrust::tuple<int, int> &t) const
    {
        return thrust::get<0>(t) * thrust::get<1>(t);
    }
};
struct square {
    __host__ __device__ int operator()(int v) const
    {
        return v * v;
    }
};

__global__ void add_one(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        x[i]++;
}

/* 16 bits of a word that other threads change, too. */
__global__ void count_halves(unsigned short *counts)
{
    unsigned short *mine = counts + threadIdx.x % 2, seen = 0, got;

    while ((got = atomicCAS(mine, seen, (unsigned short)(seen + 1))) != seen)
        seen = got;
}

__global__ void dot(int *sum) // over the largest integer
{
    *sum = __dp4a(0x7f7f7f7f, 0x7f7f7f7f, *sum);
}

static int calls;
static void called(cudaStream_t, cudaError_t status, void *)
{
    calls += status == cudaSuccess;
}

static int wrong;
static void check(bool right, int line)
{
    if (!right)
        printf("line %d\n", line);
    wrong += !right;
}
#define CHECK(condition) check(condition, __LINE__)

int main()
{
    const int n = 1009;
    thrust::host_vector<int> h(n);
    std::vector<int> plain(n);
    for (int i = 0; i < n; i++)
        plain[i] = h[i] = (i * 7919 + 13) % 101;
    thrust::device_vector<int> d = h, keys = h, values(n), out(n);

    int sum = std::accumulate(plain.begin(), plain.end(), 5);
    CHECK(thrust::reduce(d.begin(), d.end(), 5, thrust::plus<int>()) == sum);
    CHECK(thrust::reduce(thrust::device, d.begin(), d.end()) == sum - 5);
    CHECK(thrust::reduce(d.begin(), d.end(), 0, thrust::maximum<int>()) == 100);

    thrust::inclusive_scan(d.begin(), d.end(), out.begin());
    int running = 0;
    for (int i = 0; i < n; i++)
        CHECK(out[i] == (running += plain[i]));
    thrust::exclusive_scan(d.begin(), d.end(), d.begin(), 3); // in place
    running = 3;
    for (int i = 0; i < n; i++) {
        CHECK(d[i] == running);
        running += plain[i];
    }

    thrust::sequence(values.begin(), values.end(), 10, 2);
    thrust::sort_by_key(keys.begin(), keys.end(), values.begin());
    for (int i = 0; i < n; i++) {
        CHECK(i == 0 || keys[i - 1] <= keys[i]);
        CHECK(plain[(values[i] - 10) / 2] == keys[i]);
    }
    thrust::device_vector<int> ones(n, 1), unique(101), counts(101);
    auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), ones.begin(), unique.begin(),
                                      counts.begin());
    CHECK(ends.first - unique.begin() == 101);
    for (int k = 0; k < 101; k++)
        CHECK(counts[k] == std::count(plain.begin(), plain.end(), unique[k]));

    auto end = thrust::copy_if(keys.begin(), keys.end(), out.begin(), is_odd());
    CHECK(end - out.begin() == std::count_if(plain.begin(), plain.end(), is_odd()));
    end = thrust::remove_if(thrust::device, out.begin(), end, is_odd());
    CHECK(end == out.begin());
    end = thrust::unique(keys.begin(), keys.end());
    CHECK(end - keys.begin() == 101);

    thrust::counting_iterator<int> first(1);
    auto squares = thrust::make_transform_iterator(first, square());
    CHECK(thrust::reduce(squares, squares + 10) == 385);
    thrust::host_vector<int> host_ones = ones;
    auto pairs = thrust::make_zip_iterator(thrust::make_tuple(h.begin(), host_ones.begin()));
    CHECK(thrust::transform_reduce(pairs, pairs + n, product(), 0, thrust::plus<int>()) == sum - 5);
    auto sorted = thrust::make_zip_iterator(thrust::make_tuple(h.begin(), plain.begin()));
    thrust::sort(thrust::host, sorted, sorted + n); // by the first part, then the second
    CHECK(std::is_sorted(plain.begin(), plain.end()) && std::equal(h.begin(), h.end(), plain.begin()));

    // What the host reads of a vector comes after the kernels that write it.
    int *raw = thrust::raw_pointer_cast(d.data());
    int before = d[7];
    add_one<<<8, 128>>>(raw, n);
    CHECK(d[7] == before + 1);
    add_one<<<8, 128>>>(raw, n);
    thrust::host_vector<int> read = d;
    CHECK(read[7] == before + 2);
    add_one<<<8, 128>>>(raw, n);
    read = d;
    CHECK(read[7] == before + 3);
    add_one<<<8, 128>>>(raw, n);
    thrust::device_vector<int> copy = d;
    CHECK(copy[7] == before + 4);
    add_one<<<8, 128>>>(raw, n);
    copy = d;
    CHECK(copy[7] == before + 5);
    add_one<<<8, 128>>>(raw, n);
    CHECK(d.front() == copy.front() + 1 && d.back() == copy.back() + 1);

    thrust::device_vector<unsigned short> halves(2, 0);
    count_halves<<<4, 64>>>(thrust::raw_pointer_cast(halves.data()));
    CHECK(halves[0] == 128 && halves[1] == 128);
    cudaStreamAddCallback(0, called, NULL, 0);
    cudaDeviceSynchronize();
    CHECK(calls == 1);
    thrust::device_vector<int> dots(1, 0x7fffffff);
    dot<<<1, 1>>>(thrust::raw_pointer_cast(dots.data()));
    CHECK(dots[0] == (int)(0x7fffffffu + 4 * 127 * 127));

    printf("vectors %s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
