/* SPDX-License-Identifier: Apache-2.0 */
/* warnings.c - heddle's macros as kernel files and host files use them: test_headers.sh compiles it
   with many warnings. It is not run. */
#include <heddle/graph.h>
#include <heddle/heddle.h>
#include <heddle/kernel.h>

typedef struct pair {
    double weight;
    uint32_t count;
} pair;

HD_DECLARE(nothing)
HD_DECLARE(everything, size_t, float, const float *, float *, pair)
HD_DECLARE_SYMBOL(table)
HD_DECLARE_SYMBOL(primes)
HD_CONSTANT(float, weights, 5)
HD_DEFINE_SYMBOL(weights)
HD_CONSTANT_INIT(uint32_t, primes, 4, {2, 3, 5, 7})
HD_DEFINE_SYMBOL(primes)
HD_DEVICE_VAR(float, table, 8)
HD_DEFINE_SYMBOL(table)
HD_DEVICE_VAR_INIT(float, first, 2, {1.0f})
HD_TABLE(int, fixed, 3) = {1, 2, 3};

HD_DEVICE float twice(float x)
{
    return 2.0f * x;
}
HD_BOTH int both(int x)
{
    return x + 1;
}
HD_WIDE float wide(float x)
{
    return x;
}

HD_KERNEL HD_MAX_THREADS(256) void nothing(void)
{
    hd_printf("%d\n", 1);
}
HD_DEFINE(nothing)
HD_INSTANCE(nothing)

HD_KERNEL HD_LAUNCH_BOUNDS(256, 2) void everything(size_t n, float a, const float *HD_RESTRICT x,
                                                   float *HD_RESTRICT y, HD_GRID_CONST pair p)
{
    HD_SHARED(float, tile, 32);
    HD_SHARED2(float, tile2, 4, 8);
    HD_SHARED3(float, tile3, 2, 4, 8);
    HD_SHARED_ONE(unsigned, one);
    HD_SHARED_DYN(float, dyn);
    HD_SHARED_AT(double, at, 16);
    unsigned lane = hd_lane();
    hd_mask m = hd_mask_warp();
    int i32 = (int)lane;
    unsigned u32 = lane;
    long long i64 = i32;
    unsigned long long u64 = u32;
    double f64 = 1;
    float f32 = a;

    tile[lane % 32] = twice(a);
    tile2[0][lane % 8] = 0;
    tile3[0][1][lane % 8] = 0;
    if (hd_thread_linear() == 0) {
        *one = (unsigned)both(0);
        dyn[0] = 1;
        at[0] = p.weight;
    }
    hd_sync_block();
    i32 = hd_shfl(i32, 0, 32);
    u32 = hd_shfl_up(u32, 1, 32);
    i64 = hd_shfl_down(i64, 1, 32);
    u64 = hd_shfl_xor(u64, 1, 32);
    f64 = hd_broadcast(f64, 0);
    f32 = hd_shfl_in(m, f32, 0, 32);
    p.count ? (void)0 : (void)0;
    i32 += hd_warp_sum(i32) + hd_warp_max(i32) + hd_warp_scan_sum(i32);
    f32 += hd_block_sum(f32) + hd_block_scan_sum(f32);
    f64 += hd_warp_sum_width(f64, 16) + hd_sum_in(m, f64);
    u32 += hd_any(i32 > 0) ? 1u : 0u;
    u32 += hd_mask_count(hd_ballot(i32 > 0)) + hd_mask_count(hd_match_any(i32)) +
           hd_mask_count(hd_match_all(f32));
    u32 += hd_sync_block_count(1);
    hd_sync_warp();
    (void)hd_atomic_add(&y[0], f32);
    (void)hd_atomic_max_block(one, 3u);
    (void)hd_atomic_cas_system(one, 3u, 4u);
    (void)hd_atomic_add(&hd_symbol(table)[0],
                        hd_symbol(weights)[0] + (float)hd_symbol(primes)[0] + hd_symbol(first)[1]);
    hd_store_release(one, 1u);
    u32 += hd_load_acquire(one);
    hd_wait_eq(one, 1u);
    hd_fence_device();
    hd_assert(n > 0);
    f32 += hd_sqrt(f32) + hd_exp(f32) + hd_fma(f32, f32, f32) + hd_min(f32, 1.0f) +
           hd_max(f32, 0.0f) + 0.0f;
    f64 += hd_sqrt(f64) + hd_min(f64, 1.0);
    i32 = hd_max(i32, fixed[lane % 3]);
    u64 += (unsigned long long)hd_clock() + (unsigned long long)hd_wall_clock();
    HD_FOR(i, n)
        y[i] = a * x[i] + wide(y[i]);
    HD_FOR2(j, n, i, n)
        y[i] = x[j];
    HD_FOR3(k, n, j, n, i, n)
        y[i] = x[j] + (float)k;
    HD_UNROLL
    for (int k = 0; k < 4; k++)
        y[k] = (float)i64 + (float)u64 + (float)u32 + (float)i32 + (float)f64 + f32;
    HD_UNROLL_N(2)
    for (int k = 0; k < 4; k++)
        y[k] = 0;
    HD_NO_UNROLL
    for (int k = 0; k < 4; k++)
        y[k] = 0;
}
HD_DEFINE(everything)
#if !HD_CXX
hd_status starts(hd_graph *graph, hd_graph_exec *exec, hd_graph_node *node, hd_launch_config config,
                 float *y);
hd_status starts(hd_graph *graph, hd_graph_exec *exec, hd_graph_node *node, hd_launch_config config,
                 float *y)
{
    const pair p = {1.0, 2};
    HD_TRY(hd_launch(nothing, config));
    HD_TRY(hd_launch(everything, config, (size_t)1, 2.0f, y, y, p));
    HD_TRY(hd_graph_kernel(graph, NULL, 0, &node, nothing, config));
    HD_TRY(hd_graph_kernel(graph, &node, 1, NULL, everything, config, (size_t)1, 2.0f, y, y, p));
    return hd_graph_exec_set_kernel(exec, node, nothing, config);
}
#endif
