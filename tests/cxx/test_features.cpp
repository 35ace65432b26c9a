/* SPDX-License-Identifier: Apache-2.0 */
/* test_features.cpp - C++ kernels and their host code in one file: templates with shared arrays,
   references, operators, methods, lambdas, overloads, closures as kernels. */
#include "point.h"

#include <vector>

#include "conformance/rig.h"

static const unsigned SIZE = 1000, BLOCK = 128; /* 1000 = 7 * 128 + 104 */

template <class T> struct buffer {
    T *device = nullptr;
    std::vector<T> host;

    explicit buffer(size_t n) : host(n)
    {
        rig_open();
        MUST(hd_alloc(&device, n, 0));
    }
    ~buffer()
    {
        (void)hd_free(device);
    }
    void send()
    {
        MUST(hd_copy_blocking(device, host.data(), host.size(), rig_stream));
    }
    void fetch()
    {
        MUST(hd_copy_blocking(host.data(), device, host.size(), rig_stream));
    }
};

/* ---- templates with shared arrays ------------------------------------------------------------ */

/* The sum of the block's values, n threads. Each instance has an array of its own. */
template <class T, int n, int unused = 0> HD_DEVICE T sum_of(T value)
{
    HD_SHARED(T, values, n + unused);
    T sum = 0;

    values[hd_thread_x()] = value;
    hd_sync_block();
    for (int i = 0; i < n; i++)
        sum += values[i];
    hd_sync_block();
    return sum;
}

template <class T, int n = 128>
HD_KERNEL HD_TEMPLATE_MAX_THREADS(128) void sums(const T *in, T *out, unsigned count)
{
    const unsigned i = (unsigned)hd_global_x();
    const T mine = i < count ? in[i] : (T)0;
    const T one = sum_of<T, n>(mine);
    const int other = sum_of<int, n, 1>(hd_thread_x() < 3 ? 1 : 0); /* beside the array above */

    if (hd_thread_x() == 0)
        out[hd_block_x()] = hd_max(one, (T)other);
}

template <class T> static void check_sums()
{
    const unsigned blocks = (SIZE + BLOCK - 1) / BLOCK;
    buffer<T> in(SIZE), out(blocks);

    for (unsigned i = 0; i < SIZE; i++)
        in.host[i] = (T)(i % 13);
    in.send();
    MUST(hd_launch(sums<T>, hd_launch_1d(SIZE, BLOCK, rig_stream), in.device, out.device, SIZE));
    out.fetch();
    for (unsigned b = 0; b < blocks; b++) {
        T sum = 0;

        for (unsigned i = b * BLOCK; i < SIZE && i < (b + 1) * BLOCK; i++)
            sum += in.host[i];
        CHECK(out.host[b] == (sum > (T)3 ? sum : (T)3));
    }
}

TEST(shared_arrays_of_instances)
{
    check_sums<float>();
    check_sums<double>();
    check_sums<int>();
    check_sums<unsigned long long>();
}

/* ---- references, operators, methods, lambdas ------------------------------------------------- */

template <class T> HD_DEVICE void exchange(T &a, T &b)
{
    const T old = a;

    a = b;
    b = old;
}

HD_DEVICE point operator*(float s, const point &p)
{
    return {s * p.x, s * p.y, s * p.z};
}

HD_DEVICE float plus(float a, float b = 4.0f)
{
    return a + b;
}

HD_KERNEL void points(const point *in, float *out, unsigned n)
{
    const unsigned i = (unsigned)hd_global_x();
    const auto square = [=](float v) { return v * v + (float)(i % 2); };
    point p;

    if (i >= n)
        return;
    p = 2.0f * in[i];
    p += in[i];
    exchange(p.x, p.z);
    out[i] = plus(p.dot(in[i])) + square(p.y);
}

TEST(operators_methods_references_and_lambdas)
{
    buffer<point> in(SIZE);
    buffer<float> out(SIZE);

    for (unsigned i = 0; i < SIZE; i++)
        in.host[i] = {(float)(i % 7), (float)(i % 5), (float)(i % 3)};
    in.send();
    MUST(hd_launch(points, hd_launch_1d(SIZE, BLOCK, rig_stream), in.device, out.device, SIZE));
    out.fetch();
    for (unsigned i = 0; i < SIZE; i++) {
        const point p = in.host[i];

        CHECK(out.host[i] ==
              6.0f * p.x * p.z + 3.0f * p.y * p.y + 4.0f + 9.0f * p.y * p.y + (float)(i % 2));
    }
}

TEST(methods_in_two_files)
{
    buffer<unsigned> p(SIZE);

    MUST(other_threads(p.device, SIZE, rig_stream));
    p.fetch();
    for (unsigned i = 0; i < SIZE; i++)
        CHECK_EQ_U64(p.host[i], 2 * i + i % BLOCK % 2);
}

/* ---- collectives in templates ---------------------------------------------------------------- */

template <class T> struct lanes {
    T value;

    HD_METHOD T rotated(unsigned by) const
    {
        return hd_shfl(value, (int)((hd_lane() + by) % 8u), 8);
    }
};

template <class T> HD_KERNEL void collectives(const T *in, T *out)
{
    const unsigned t = hd_thread_linear();
    const lanes<T> mine = {in[t]};

    out[t] = hd_min(hd_warp_max(mine.rotated(3)), hd_block_sum(mine.value));
}

template <class T> static void check_collectives()
{
    buffer<T> in(128), out(128);

    for (unsigned i = 0; i < 128; i++)
        in.host[i] = (T)(i * 37 % 101);
    in.send();
    MUST(hd_launch(collectives<T>, hd_launch_1d(128, 128, rig_stream), in.device, out.device));
    out.fetch();
    for (unsigned i = 0; i < 128; i++) {
        T most = 0;

        for (unsigned lane = 0; lane < rig_warp; lane++) {
            const T v = in.host[i / rig_warp * rig_warp + lane];
            most = v > most ? v : most;
        }
        CHECK(out.host[i] == most); /* the sum of all values is greater */
    }
}

TEST(collectives_in_templates)
{
    check_collectives<int>();
    check_collectives<float>();
    check_collectives<double>();
    check_collectives<unsigned long>();
}

/* ---- what hd_launch takes -------------------------------------------------------------------- */

HD_KERNEL void store(int *p, int value)
{
    p[hd_global_x()] = value;
}

HD_KERNEL void store(int *p, double value)
{
    p[hd_global_x()] = (int)(2.0 * value);
}

TEST(overloaded_and_deduced_kernels)
{
    buffer<int> p(64);

    MUST(hd_launch(store, hd_launch_1d(64, 64, rig_stream), p.device, 3));
    p.fetch();
    CHECK_EQ_I64(p.host[63], 3);
    MUST(hd_launch(store, hd_launch_1d(64, 64, rig_stream), p.device, 3.5));
    p.fetch();
    CHECK_EQ_I64(p.host[63], 7);
}

struct scaled {
    int *p;
    int by;

    HD_METHOD void operator()(int value) const
    {
        p[hd_global_x()] = value * by;
    }
};

/* Not in a TEST: closures for GPUs need an enclosing function with a name of its own. */
static void check_closures()
{
    buffer<int> p(64);
    int *const to = p.device;
    const int by = 5;
    const auto add = [=] HD_LAMBDA(int value) { to[hd_global_x()] = value + by; };

    MUST(hd_launch(add, hd_launch_1d(64, 64, rig_stream), 8));
    p.fetch();
    CHECK_EQ_I64(p.host[0], 13);
    MUST(hd_launch(scaled({to, 7}), hd_launch_1d(64, 64, rig_stream), 6));
    p.fetch();
    CHECK_EQ_I64(p.host[63], 42);
    MUST(hd_launch([=] HD_LAMBDA() { to[hd_global_x()] = (int)hd_thread_x() - by; },
                   hd_launch_1d(64, 64, rig_stream)));
    p.fetch();
    CHECK_EQ_I64(p.host[0], -5);
    CHECK_EQ_I64(p.host[63], 58);
}

TEST(closures_as_kernels)
{
    check_closures();
}

/* ---- names and handles ----------------------------------------------------------------------- */

TEST(messages_name_kernels_as_they_are_written)
{
    const hd_launch_config none = hd_launch_with(hd_dim(0, 1, 1), hd_dim(1, 1, 1), 0, rig_stream);
    char text[HD_ERROR_TEXT_MAX];

    CHECK_EQ_STR(hd_kernel_of_function((sums<float, 64>))->name, "sums<float, 64>");
    CHECK_EQ_STR(hd_kernel_of_function(points)->name, "points");
    CHECK(hd_launch((sums<int, 64>), none, nullptr, nullptr, 0u) == HD_ERR_LAUNCH_CONFIG);
    CHECK(strstr(hd_error_format(text, sizeof text), "kernel sums<int, 64>") != NULL);
    CHECK_EQ_U64(hd_kernel_of_function(points)->arg_count, 3);
    CHECK(strstr(hd_kernel_of_function(points)->signature, "float") != NULL);
}

TEST_MAIN
