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

    printf("vectors %s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
