/* SPDX-License-Identifier: Apache-2.0 */
/* test_groups.cpp - the classes of heddle/device/groups.hpp, and shared variables by reference. */
#include <heddle/device/groups.hpp>

#include "conformance/rig.h"

namespace cg = heddle::groups;

enum { TILE_SUM, TILE_RANK, TILE_BALLOT, TILE_XOR, PART_SIZE, PART_LEAST, SCAN, BLOCK, RESULTS };
static const unsigned N = 192;

HD_KERNEL void ask_groups(const int *in, int *out)
{
    HD_SHARED_REF(int, total);
    const cg::thread_block block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<8>(block);
    const unsigned t = block.thread_rank();
    const int v = in[t];
    const auto part = cg::labeled_partition(tile, v % 3);

    if (t == 0)
        total = 0;
    cg::sync(block);
    out[TILE_SUM * N + t] = cg::reduce(tile, v, cg::plus<int>());
    out[TILE_RANK * N + t] = (int)(tile.thread_rank() + 100 * tile.meta_group_rank());
    out[TILE_BALLOT * N + t] = (int)tile.ballot(v % 2);
    out[TILE_XOR * N + t] = tile.shfl_xor(v, 3);
    out[PART_SIZE * N + t] = (int)part.size();
    out[PART_LEAST * N + t] = cg::reduce(part, v, cg::less<int>());
    out[SCAN * N + t] = cg::inclusive_scan(part, v) + part.shfl(v, 0);
    if (tile.thread_rank() == 0)
        (void)hd_atomic_add_block(&total, 1);
    block.sync();
    out[BLOCK * N + t] = total;
}

TEST(classes_of_groups)
{
    int in[N], out[RESULTS * N];
    uint64_t state = 3;
    void *d_in, *d_out;

    rig_open();
    for (unsigned t = 0; t < N; t++)
        in[t] = (int)(rig_random(&state) % 1000);
    d_in = rig_upload(in, sizeof in);
    d_out = rig_zeroed(sizeof out);
    MUST(hd_launch(ask_groups, rig_flat(1, N), (const int *)d_in, (int *)d_out));
    rig_download(out, d_out, sizeof out);
    for (unsigned t = 0; t < N; t++) {
        int sum = 0, ballot = 0, size = 0, least = 1000, scan = 0, first = -1;

        for (unsigned i = t / 8 * 8; i < t / 8 * 8 + 8; i++) {
            sum += in[i];
            ballot |= in[i] % 2 << i % 8;
            if (in[i] % 3 != in[t] % 3)
                continue;
            size++;
            least = in[i] < least ? in[i] : least;
            scan += i <= t ? in[i] : 0;
            first = first < 0 ? in[i] : first;
        }
        CHECK_EQ_I64(out[TILE_SUM * N + t], sum);
        CHECK_EQ_I64(out[TILE_RANK * N + t], t % 8 + 100 * (t / 8));
        CHECK_EQ_I64(out[TILE_BALLOT * N + t], ballot);
        CHECK_EQ_I64(out[TILE_XOR * N + t], in[t ^ 3]);
        CHECK_EQ_I64(out[PART_SIZE * N + t], size);
        CHECK_EQ_I64(out[PART_LEAST * N + t], least);
        CHECK_EQ_I64(out[SCAN * N + t], scan + first);
        CHECK_EQ_I64(out[BLOCK * N + t], N / 8);
    }
    rig_drop(d_in);
    rig_drop(d_out);
}

TEST_MAIN
