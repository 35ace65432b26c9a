/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Classes over groups.h for C++17 kernels, with the names of cooperative groups: thread_block,
 *  tiles, coalesced and labelled groups, grid_group; reduce() and scans. Not part of kernel.h.
 *
 *      namespace cg = heddle::groups;
 *      auto tile = cg::tiled_partition<16>(cg::this_thread_block());
 *      float sum = cg::reduce(tile, x, cg::plus<float>());
 *
 *  A group lies within a warp, except for thread_block and grid_group: tiles have at most
 *  hd_warp_size() lanes. An object holds a lane mask or nothing, and its methods are calls of
 *  groups.h or of the dialect.
 */
#ifndef HEDDLE_DEVICE_GROUPS_HPP
#define HEDDLE_DEVICE_GROUPS_HPP

#ifndef __cplusplus
#error "groups.hpp is for C++ kernels; in C use the functions of heddle/device/groups.h"
#endif

#include <heddle/kernel.h>

namespace heddle
{
namespace groups
{

/** A group of lanes of a warp. */
class lane_group
{
  public:
    HD_METHOD explicit lane_group(hd_mask lanes) : lanes_(lanes)
    {
    }
    /** The lanes of the group. */
    HD_METHOD hd_mask lanes() const
    {
        return lanes_;
    }
    /** Lanes in the group. */
    HD_METHOD unsigned size() const
    {
        return hd_mask_count(lanes_);
    }
    HD_METHOD unsigned num_threads() const
    {
        return size();
    }
    /** Rank of the calling lane: 0 to size() - 1. */
    HD_METHOD unsigned thread_rank() const
    {
        return hd_mask_rank(lanes_);
    }
    /** Barrier of the group; orders the memory accesses of its lanes. */
    HD_METHOD void sync() const
    {
        hd_sync_warp_in(lanes_);
    }
    /** The value of the lane of rank `rank`. */
    template <class T> HD_METHOD T shfl(T v, unsigned rank) const
    {
        return hd_shfl_rank_in(lanes_, v, rank);
    }
    /** The value of the lane `d` ranks above; the lane's own value if there is none. */
    template <class T> HD_METHOD T shfl_down(T v, unsigned d) const
    {
        const unsigned rank = thread_rank();
        return shfl(v, d < size() - rank ? rank + d : rank);
    }
    /** The value of the lane `d` ranks below; the lane's own value if there is none. */
    template <class T> HD_METHOD T shfl_up(T v, unsigned d) const
    {
        const unsigned rank = thread_rank();
        return shfl(v, d <= rank ? rank - d : rank);
    }
    HD_METHOD int any(int p) const
    {
        return hd_any_in(lanes_, p);
    }
    HD_METHOD int all(int p) const
    {
        return hd_all_in(lanes_, p);
    }
    /** Bit r: whether p is not 0 in the lane of rank r. */
    HD_METHOD uint64_t ballot(int p) const
    {
        return hd_mask_pack(hd_ballot_in(lanes_, p), lanes_);
    }
    /** Bit r: whether the lane of rank r has the same value. */
    template <class T> HD_METHOD uint64_t match_any(T v) const
    {
        return hd_mask_pack(hd_match_any_in(lanes_, v), lanes_);
    }

  private:
    hd_mask lanes_;
};

/** Lanes that run together, or that have the same label. */
class coalesced_group : public lane_group
{
  public:
    HD_METHOD explicit coalesced_group(hd_mask lanes) : lane_group(lanes)
    {
    }
};

/** A tile of `width` lanes, a power of two of at most the warp size. */
template <unsigned width> class thread_block_tile : public lane_group
{
    static_assert(width != 0 && (width & (width - 1)) == 0 && width <= HD_WARP_MAX,
                  "the size of a tile is a power of two, at most 64");

  public:
    HD_METHOD thread_block_tile() : lane_group(hd_mask_tile(width))
    {
    }
    HD_METHOD unsigned thread_rank() const
    {
        return hd_lane() & (width - 1);
    }
    /** Index of the tile among those of the block. */
    HD_METHOD unsigned meta_group_rank() const
    {
        return hd_thread_linear() / width;
    }
    /** Number of tiles of the block. */
    HD_METHOD unsigned meta_group_size() const
    {
        return (hd_block_threads() + width - 1) / width;
    }
    template <class T> HD_METHOD T shfl(T v, unsigned rank) const
    {
        return hd_shfl_in(lanes(), v, rank, width);
    }
    template <class T> HD_METHOD T shfl_down(T v, unsigned d) const
    {
        return hd_shfl_down_in(lanes(), v, d, width);
    }
    template <class T> HD_METHOD T shfl_up(T v, unsigned d) const
    {
        return hd_shfl_up_in(lanes(), v, d, width);
    }
    template <class T> HD_METHOD T shfl_xor(T v, unsigned x) const
    {
        return hd_shfl_xor_in(lanes(), v, x, width);
    }
};

/** All threads of the block. */
class thread_block
{
  public:
    HD_METHOD unsigned size() const
    {
        return hd_block_threads();
    }
    HD_METHOD unsigned num_threads() const
    {
        return hd_block_threads();
    }
    HD_METHOD unsigned thread_rank() const
    {
        return hd_thread_linear();
    }
    HD_METHOD void sync() const
    {
        hd_sync_block();
    }
};

/** All threads of a cooperative launch. */
class grid_group
{
  public:
    HD_METHOD explicit grid_group(hd_grid_barrier *barrier) : barrier_(barrier)
    {
    }
    HD_METHOD size_t size() const
    {
        return hd_grid_blocks() * hd_block_threads();
    }
    HD_METHOD size_t thread_rank() const
    {
        return hd_block_linear() * hd_block_threads() + hd_thread_linear();
    }
    HD_METHOD void sync() const
    {
        hd_sync_grid(barrier_);
    }

  private:
    hd_grid_barrier *barrier_;
};

/** The block of the calling thread. */
HD_DEVICE thread_block this_thread_block()
{
    return thread_block();
}
/** The grid; `barrier` is in device memory, zeroed once. */
HD_DEVICE grid_group this_grid(hd_grid_barrier *barrier)
{
    return grid_group(barrier);
}
/** Lanes that run together at this point: no guarantee which, but the calling lane is one of them;
 *  on the CPU engine it is the only one. */
HD_DEVICE coalesced_group coalesced_threads()
{
    return coalesced_group(hd_active_mask());
}
/** The calling lane's tile of a block. */
template <unsigned width> HD_DEVICE thread_block_tile<width> tiled_partition(thread_block)
{
    return thread_block_tile<width>();
}
/** The calling lane's tile of a larger tile. */
template <unsigned width, unsigned outer>
HD_DEVICE thread_block_tile<width> tiled_partition(thread_block_tile<outer>)
{
    static_assert(width <= outer, "a tile is at most as large as the tile that contains it");
    return thread_block_tile<width>();
}
/** The lanes of the group with the same label. Reached by all lanes of the group. */
template <class Label>
HD_DEVICE coalesced_group labeled_partition(const lane_group &group, Label label)
{
    return coalesced_group(hd_match_any_in(group.lanes(), label));
}
/** The lanes of the group for which p is the same. Reached by all lanes of the group. */
HD_DEVICE coalesced_group binary_partition(const lane_group &group, bool p)
{
    const hd_mask with = hd_ballot_in(group.lanes(), p ? 1 : 0);
    return coalesced_group(p ? with : hd_mask_andnot(group.lanes(), with));
}
/** Barrier of a group. */
template <class Group> HD_DEVICE void sync(const Group &group)
{
    group.sync();
}

/** Operations of reduce() and the scans: only these three, in the orders of docs/dialect.md. */
template <class T> struct plus {
};
template <class T> struct less {
};
template <class T> struct greater {
};

/** The sum over the group, in all of its lanes. */
template <class T> HD_DEVICE T reduce(const lane_group &group, T v, plus<T>)
{
    return hd_sum_in(group.lanes(), v);
}
/** The minimum over the group. */
template <class T> HD_DEVICE T reduce(const lane_group &group, T v, less<T>)
{
    return hd_min_in(group.lanes(), v);
}
/** The maximum over the group. */
template <class T> HD_DEVICE T reduce(const lane_group &group, T v, greater<T>)
{
    return hd_max_in(group.lanes(), v);
}
/** The sum over the lanes up to the calling one. */
template <class T> HD_DEVICE T inclusive_scan(const lane_group &group, T v)
{
    return hd_scan_sum_in(group.lanes(), v);
}
/** The sum over the lanes below the calling one. */
template <class T> HD_DEVICE T exclusive_scan(const lane_group &group, T v)
{
    return hd_scan_exclusive_sum_in(group.lanes(), v);
}

} // namespace groups
} // namespace heddle

#endif
