/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Groups of lanes of a warp: a group is the mask of its lanes, so that every operation of the
 *  dialect that takes a mask works on groups. Included by kernel.h; groups.hpp has classes over it.
 *
 *      hd_mask tile = hd_mask_tile(16);            // tile of 16 lanes
 *      hd_mask same = hd_match_any(key);           // labelled partition: lanes with equal keys
 *      hd_mask some = hd_active_mask();            // coalesced group: lanes that run together
 *
 *      size hd_mask_count(g)   rank hd_mask_rank(g)   barrier hd_sync_warp_in(g)
 *      votes hd_any_in(g, p), hd_all_in, hd_ballot_in; hd_match_any_in, hd_match_all_in
 *      hd_sum_in(g, v), hd_min_in, hd_max_in, hd_scan_sum_in ..., hd_scan_exclusive_sum_in
 *      hd_shfl_rank_in(g, v, rank); in a tile also hd_shfl_in(g, v, rank, width) and the others
 *
 *  Exactly the lanes of the group must reach an operation on it; different groups of a warp may
 *  reach it at different times, or together.
 */
#ifndef HEDDLE_DEVICE_GROUPS_H
#define HEDDLE_DEVICE_GROUPS_H

/** @defgroup groups Groups of lanes
 *  @brief Tiles, labelled partitions and coalesced groups as lane masks; kernels only.
 *  @{
 */

/** Returns the lanes of the calling lane's tile: lanes 0 to width - 1 of the warp, or the next
 *  `width`, and so on.
 *
 *  If the threads of a block do not fill its last tile, that tile has fewer lanes. Not a
 *  collective: any lane may call it. Lanes that have returned are included.
 *
 *  @param width  A power of two, at most hd_warp_size().
 *  @return The mask, which contains the calling lane.
 */
HD_DEVICE hd_mask hd_mask_tile(unsigned width)
{
    const unsigned lane = hd_lane(), first = lane & ~(width - 1);
    const unsigned left = hd_block_threads() - (hd_thread_linear() - lane) - first;
    const unsigned size = left < width ? left : width;

    return hd_mask_of(~(uint64_t)0 >> (64 - size) << first);
}

/** Returns a lane of a mask by its rank.
 *
 *  @param m     The mask.
 *  @param rank  0 to hd_mask_count(m) - 1.
 *  @return The lane that has `rank` lanes of m below it.
 */
HD_DEVICE unsigned hd_mask_nth(hd_mask m, unsigned rank)
{
    unsigned lane = 0;

    HD_UNROLL
    for (unsigned half = 32; half != 0; half /= 2) {
        const uint64_t low = m.bits >> lane & (((uint64_t)1 << half) - 1);
        const unsigned below = hd_popcount_u64(low);
        const unsigned upper = rank >= below ? 1u : 0u;

        rank -= upper * below;
        lane += upper * half;
    }
    return lane;
}

/** Renumbers lanes by their rank in a group: bit r of the result tells whether the lane of rank r
 *  is in a mask. Up to one step per lane of the group, unless the group has no gaps.
 *
 *  @param m      The mask, e.g. from hd_ballot_in().
 *  @param group  The group, not empty.
 *  @return The bits of m at the lanes of `group`, without those in between.
 */
HD_DEVICE uint64_t hd_mask_pack(hd_mask m, hd_mask group)
{
    const unsigned first = hd_mask_first(group);
    const uint64_t run = group.bits >> first;
    uint64_t packed = 0;
    unsigned rank = 0;

    if ((run & (run + 1)) == 0)
        return m.bits >> first & run;
    HD_NO_UNROLL
    for (uint64_t left = group.bits; left != 0; left &= left - 1, rank++)
        packed |= (uint64_t)hd_mask_test(m, hd_ctz_u64(left)) << rank;
    return packed;
}

/** Returns the value of the lane of a group with a given rank. Reached by all lanes of the group.
 *
 *  @param m     The group; evaluated twice.
 *  @param v     The value that this lane contributes.
 *  @param rank  Rank of the lane whose value is wanted: 0 to hd_mask_count(m) - 1.
 *  @return That lane's v.
 */
#define hd_shfl_rank_in(m, v, rank) hd_shfl_in((m), v, hd_mask_nth((m), (rank)), hd_warp_size())

/** @} */

#endif
