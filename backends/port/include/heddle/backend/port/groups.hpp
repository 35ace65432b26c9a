/* SPDX-License-Identifier: Apache-2.0 */
/* groups.hpp - cooperative groups over the warp operations of device.hpp. */
#ifndef HEDDLE_BACKEND_PORT_GROUPS_HPP
#define HEDDLE_BACKEND_PORT_GROUPS_HPP

/* Zeroed at first use; hd_sync_grid leaves it ready for the next launch. */
HD_DEVICE_VAR(hd_grid_barrier, hd_port_grid_barrier_, 1)

namespace cooperative_groups
{

/* ---- blocks ---------------------------------------------------------------------------------- */

struct thread_block {
    static void sync()
    {
        hd_sync_block();
    }
    static unsigned thread_rank()
    {
        return hd_thread_linear();
    }
    static unsigned size()
    {
        return hd_block_threads();
    }
    static unsigned num_threads()
    {
        return hd_block_threads();
    }
    static dim3 group_index()
    {
        return dim3(blockIdx);
    }
    static dim3 thread_index()
    {
        return dim3(threadIdx);
    }
    static dim3 group_dim()
    {
        return blockDim;
    }
    static dim3 dim_threads()
    {
        return blockDim;
    }
};
typedef thread_block thread_group;
static inline thread_block this_thread_block()
{
    return {};
}

/* ---- groups of lanes: what tiles and coalesced groups share ---------------------------------- */

/* Group defines lanes(), a mask of the logical warp; its ranks count the lanes of the mask. */
template <class Group> struct hd_lanes_ {
    unsigned mask() const
    {
        return static_cast<const Group *>(this)->lanes();
    }
    unsigned thread_rank() const
    {
        return (unsigned)__popc(mask() & ((1u << (hd_lane() & 31u)) - 1));
    }
    unsigned size() const
    {
        return (unsigned)__popc(mask());
    }
    unsigned num_threads() const
    {
        return size();
    }
    /* The lane of a rank. */
    int lane_of(unsigned rank) const
    {
        unsigned rest = mask();
        for (; rank && rest; rank--)
            rest &= rest - 1;
        return rest ? __builtin_ctz(rest) : (int)(hd_lane() & 31u);
    }
    void sync() const
    {
        __syncwarp(mask());
    }
    template <class T> T shfl(T value, unsigned rank) const
    {
        return __shfl_sync(mask(), value, lane_of(rank % size()));
    }
    template <class T> T shfl_up(T value, unsigned delta) const
    {
        const unsigned rank = thread_rank();
        return __shfl_sync(mask(), value, lane_of(rank >= delta ? rank - delta : rank));
    }
    template <class T> T shfl_down(T value, unsigned delta) const
    {
        const unsigned rank = thread_rank();
        return __shfl_sync(mask(), value, lane_of(rank + delta < size() ? rank + delta : rank));
    }
    template <class T> T shfl_xor(T value, unsigned bits) const
    {
        const unsigned rank = thread_rank() ^ bits;
        return __shfl_sync(mask(), value, lane_of(rank < size() ? rank : thread_rank()));
    }
    int any(int p) const
    {
        return __any_sync(mask(), p);
    }
    int all(int p) const
    {
        return __all_sync(mask(), p);
    }
    unsigned ballot(int p) const
    {
        return packed(__ballot_sync(mask(), p));
    }
    template <class T> unsigned match_any(T value) const
    {
        return packed(__match_any_sync(mask(), value));
    }
    /* Bits of lanes as bits of ranks. */
    unsigned packed(unsigned lanes) const
    {
        unsigned out = 0, rank = 0;
        for (unsigned rest = mask(); rest; rest &= rest - 1, rank++)
            out |= (lanes >> __builtin_ctz(rest) & 1) << rank;
        return out;
    }
};

template <unsigned N, class Parent = void>
struct thread_block_tile : hd_lanes_<thread_block_tile<N, Parent>> {
    thread_block_tile() = default;
    template <class Other> thread_block_tile(const thread_block_tile<N, Other> &)
    {
    }
    static_assert(N >= 1 && N <= 32 && (N & (N - 1)) == 0, "tiles have 1, 2, 4 ... 32 lanes");
    unsigned lanes() const
    {
        const unsigned all = N == 32 ? 0xffffffffu : (1u << (N & 31)) - 1;
        return (all << (hd_lane() & 31u & ~(N - 1))) & hd_port_lanes_();
    }
    static unsigned thread_rank()
    {
        return hd_thread_linear() & (N - 1);
    }
    static constexpr unsigned size()
    {
        return N;
    }
    static constexpr unsigned num_threads()
    {
        return N;
    }
    static unsigned meta_group_rank()
    {
        return hd_thread_linear() / N;
    }
    static unsigned meta_group_size()
    {
        return (hd_block_threads() + N - 1) / N;
    }
    template <class T> T shfl(T value, int rank) const
    {
        return __shfl_sync(lanes(), value, rank, N);
    }
    template <class T> T shfl_up(T value, unsigned delta) const
    {
        return __shfl_up_sync(lanes(), value, (int)delta, N);
    }
    template <class T> T shfl_down(T value, unsigned delta) const
    {
        return __shfl_down_sync(lanes(), value, (int)delta, N);
    }
    template <class T> T shfl_xor(T value, unsigned bits) const
    {
        return __shfl_xor_sync(lanes(), value, (int)bits, N);
    }
};
template <unsigned N, class Parent>
static inline thread_block_tile<N, Parent> tiled_partition(const Parent &)
{
    return {};
}

struct coalesced_group : hd_lanes_<coalesced_group> {
    unsigned set;
    explicit coalesced_group(unsigned mask) : set(mask)
    {
    }
    unsigned lanes() const
    {
        return set;
    }
};
static inline coalesced_group coalesced_threads()
{
    return coalesced_group(__activemask());
}

/* ---- the grid -------------------------------------------------------------------------------- */

struct grid_group {
    static void sync()
    {
        hd_sync_grid(&hd_symbol(hd_port_grid_barrier_)[0]);
    }
    static bool is_valid()
    {
        return true;
    }
    static unsigned long long thread_rank()
    {
        return hd_block_linear() * hd_block_threads() + hd_thread_linear();
    }
    static unsigned long long size()
    {
        return hd_grid_blocks() * hd_block_threads();
    }
    static unsigned long long num_threads()
    {
        return size();
    }
    static dim3 group_dim()
    {
        return gridDim;
    }
};
static inline grid_group this_grid()
{
    return {};
}
template <class Group> static inline void sync(const Group &group)
{
    group.sync();
}

/* ---- reductions ------------------------------------------------------------------------------ */

template <class T = void> struct plus {
    T operator()(T a, T b) const
    {
        return a + b;
    }
};
template <class T = void> struct less {
    T operator()(T a, T b) const
    {
        return b < a ? b : a;
    }
};
template <class T = void> struct greater {
    T operator()(T a, T b) const
    {
        return a < b ? b : a;
    }
};
template <class T = void> struct bit_and {
    T operator()(T a, T b) const
    {
        return a & b;
    }
};
template <class T = void> struct bit_or {
    T operator()(T a, T b) const
    {
        return a | b;
    }
};
template <class T = void> struct bit_xor {
    T operator()(T a, T b) const
    {
        return a ^ b;
    }
};
/* The result in every thread: a butterfly in full tiles of a power of two, else rank by rank. */
template <class Group, class T, class Op> static inline T reduce(const Group &group, T value, Op op)
{
    const unsigned count = (unsigned)__popc(group.mask());
    T total = value;

    if ((count & (count - 1)) == 0) {
        for (unsigned d = count / 2; d; d /= 2)
            total = op(total, group.shfl_xor(total, d));
        return total;
    }
    for (unsigned rank = 0; rank < count; rank++) {
        const T other = group.shfl(value, rank);
        total = rank ? op(total, other) : other;
    }
    return total;
}

} // namespace cooperative_groups

#endif
