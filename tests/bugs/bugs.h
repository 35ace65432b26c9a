/* SPDX-License-Identifier: Apache-2.0 */
/* bugs.h - every planted bug, and what the checker has to say about it.

   X(name, family, code, warps, where, also)
   family: the kernels stand in kern_<family>.c, the host's side in bug_<family>.c (or zoo.c); the
           lines that a finding may name are marked there
   warps:  32 or 64 where the bug shows with warps of this size only, 0: with both
   where:  ANY, or CPU where a GPU has no two devices, or would only hang or crash the program
   also:   codes of other errors that come with it, in any order, or "" */
#ifndef HEDDLE_TESTS_BUGS_H
#define HEDDLE_TESTS_BUGS_H

#define BUGS(X)                                                                                    \
    BUGS_BARRIER(X)                                                                                \
    BUGS_GLOBAL(X)                                                                                 \
    BUGS_BYTES(X)                                                                                  \
    BUGS_IDIOM(X)                                                                                  \
    BUGS_FENCE(X)                                                                                  \
    BUGS_WARP(X)                                                                                   \
    BUGS_COLLECTIVE(X)                                                                             \
    BUGS_WAVE(X)                                                                                   \
    BUGS_BOUNDS(X)                                                                                 \
    BUGS_BLOCK(X)                                                                                  \
    BUGS_POLL(X)                                                                                   \
    BUGS_MEMORY(X)                                                                                 \
    BUGS_IMAGE(X)                                                                                  \
    BUGS_STREAM(X)                                                                                 \
    BUGS_ORDER(X)                                                                                  \
    BUGS_GRAPH(X)                                                                                  \
    BUGS_LINT(X)

#define BUGS_BARRIER(X)                                                                            \
    X(barrier_first, barrier, "HD-RACE-SHARED", 0, ANY, "HD-UNINIT-SHARED")                        \
    X(barrier_last, barrier, "HD-RACE-SHARED", 0, ANY, "")                                         \
    X(barrier_loop, barrier, "HD-RACE-SHARED", 0, ANY, "HD-RACE-WARP")                             \
    X(barrier_branch, barrier, "HD-RACE-SHARED", 0, ANY, "HD-UNINIT-SHARED")                       \
    X(barrier_result, barrier, "HD-RACE-SHARED", 0, ANY, "HD-RACE-WARP")                           \
    X(barrier_buffers, barrier, "HD-RACE-SHARED", 0, ANY, "")                                      \
    X(barrier_total, barrier, "HD-RACE-SHARED", 0, ANY, "HD-RACE-WARP HD-UNINIT-SHARED")           \
    X(barrier_transpose, barrier, "HD-RACE-SHARED", 0, ANY, "HD-RACE-WARP HD-UNINIT-SHARED")       \
    X(barrier_halo, barrier, "HD-RACE-SHARED", 0, ANY, "HD-RACE-WARP HD-UNINIT-SHARED")            \
    X(barrier_scan, barrier, "HD-RACE-SHARED", 0, ANY, "HD-RACE-WARP")                             \
    X(barrier_some, barrier, "HD-RACE-SHARED", 0, ANY, "HD-UNINIT-SHARED")                         \
    X(shared_overlap, barrier, "HD-RACE-SHARED", 0, ANY, "")                                       \
    X(shared_two_writers, barrier, "HD-RACE-SHARED", 0, ANY, "")                                   \
    X(shared_histogram, barrier, "HD-RACE-SHARED", 0, ANY, "HD-RACE-WARP")                         \
    X(shared_leaders, barrier, "HD-RACE-SHARED", 0, ANY, "")

#define BUGS_GLOBAL(X)                                                                             \
    X(global_scratch, global, "HD-RACE-GLOBAL", 0, ANY, "")                                        \
    X(global_reuse, global, "HD-RACE-GLOBAL", 0, ANY, "")                                          \
    X(global_two_writers, global, "HD-RACE-GLOBAL", 0, ANY, "")                                    \
    X(global_wide, global, "HD-RACE-WARP", 0, ANY, "")                                             \
    X(blocks_sum, global, "HD-RACE-BLOCKS", 0, ANY, "")                                            \
    X(blocks_stencil, global, "HD-RACE-BLOCKS", 0, ANY, "")                                        \
    X(blocks_overlap, global, "HD-RACE-BLOCKS", 0, ANY, "")                                        \
    X(blocks_last, global, "HD-RACE-BLOCKS", 0, ANY, "")                                           \
    X(blocks_phases, global, "HD-RACE-BLOCKS", 0, ANY, "")                                         \
    X(blocks_histogram, global, "HD-RACE-BLOCKS", 0, ANY, "")                                      \
    X(atomic_read, global, "HD-RACE-ATOMIC", 0, ANY, "")                                           \
    X(atomic_last, global, "HD-RACE-ATOMIC", 0, ANY, "")                                           \
    X(atomic_reset, global, "HD-RACE-ATOMIC", 0, ANY, "HD-UNINIT-SHARED")                          \
    X(atomic_some, global, "HD-RACE-ATOMIC", 0, ANY, "")                                           \
    X(atomic_start, global, "HD-RACE-ATOMIC", 0, ANY, "HD-MISSING-FENCE")                          \
    X(scope_count, global, "HD-RACE-SCOPE", 0, ANY, "")                                            \
    X(scope_last, global, "HD-RACE-SCOPE", 0, ANY, "")

#define BUGS_BYTES(X)                                                                              \
    X(bytes_halves, bytes, "HD-RACE-WARP", 0, ANY, "")                                             \
    X(bytes_pixel, bytes, "HD-RACE-WARP", 0, ANY, "")                                              \
    X(bytes_first, bytes, "HD-RACE-WARP", 0, ANY, "HD-UNINIT-SHARED")                              \
    X(bytes_reuse, bytes, "HD-RACE-SHARED", 0, ANY, "")                                            \
    X(bytes_reader, bytes, "HD-RACE-SHARED", 0, ANY, "")                                           \
    X(bytes_loop, bytes, "HD-RACE-SHARED", 0, ANY, "HD-UNINIT-SHARED")                             \
    X(bytes_far, bytes, "HD-RACE-SHARED", 0, ANY, "HD-UNINIT-SHARED")                              \
    X(bytes_joined, bytes, "HD-RACE-SHARED", 0, ANY, "HD-RACE-WARP")                               \
    X(bytes_member, bytes, "HD-RACE-BLOCKS", 0, ANY, "HD-UNINIT-GLOBAL")                           \
    X(bytes_union, bytes, "HD-RACE-SHARED", 0, ANY, "HD-RACE-WARP HD-UNINIT-SHARED")               \
    X(bytes_field, bytes, "HD-RACE-WARP", 0, ANY, "")                                              \
    X(bytes_wide, bytes, "HD-RACE-SHARED", 0, ANY, "HD-RACE-WARP HD-UNINIT-SHARED")                \
    X(bytes_count, bytes, "HD-RACE-WARP", 0, ANY, "HD-RACE-SHARED HD-UNINIT-SHARED")               \
    X(bytes_packed, bytes, "HD-RACE-WARP", 0, ANY, "HD-RACE-GLOBAL HD-RACE-BLOCKS")                \
    X(bytes_unset, bytes, "HD-UNINIT-SHARED", 0, ANY, "")                                          \
    X(bytes_half, bytes, "HD-UNINIT-SHARED", 0, ANY, "")                                           \
    X(bytes_copied, bytes, "HD-UNINIT-SHARED", 0, ANY, "")                                         \
    X(bytes_mapped, bytes, "HD-RACE-GLOBAL", 0, ANY, "")                                           \
    X(bytes_border, bytes, "HD-STREAM-ORDER", 0, ANY, "")                                          \
    X(bytes_image, bytes, "HD-BOUNDS-GLOBAL", 0, ANY, "")

#define BUGS_IDIOM(X)                                                                              \
    X(idiom_unrolled, idiom, "HD-RACE-WARP", 0, ANY, "")                                           \
    X(idiom_broadcast, idiom, "HD-RACE-SHARED", 0, ANY, "HD-RACE-WARP")                            \
    X(idiom_matmul, idiom, "HD-RACE-SHARED", 0, ANY, "HD-RACE-WARP")                               \
    X(idiom_halo, idiom, "HD-UNINIT-SHARED", 0, ANY, "")                                           \
    X(idiom_flush, idiom, "HD-RACE-ATOMIC", 0, ANY, "")                                            \
    X(idiom_slots, idiom, "HD-RACE-ATOMIC", 0, ANY,                                                \
      "HD-RACE-SHARED HD-MISSING-FENCE HD-RACE-BLOCKS")                                            \
    X(idiom_reverse, idiom, "HD-RACE-BLOCKS", 0, ANY, "HD-RACE-GLOBAL HD-RACE-WARP")               \
    X(idiom_chunks, idiom, "HD-RACE-BLOCKS", 0, ANY, "HD-RACE-WARP HD-RACE-GLOBAL")                \
    X(idiom_bitonic, idiom, "HD-RACE-SHARED", 0, ANY, "HD-RACE-WARP")                              \
    X(idiom_in_place, idiom, "HD-RACE-WARP", 0, ANY,                                               \
      "HD-RACE-GLOBAL HD-RACE-BLOCKS HD-MISSING-FENCE")                                            \
    X(idiom_digits, idiom, "HD-RACE-WARP", 0, ANY, "")                                             \
    X(idiom_compact, idiom, "HD-RACE-WARP", 0, ANY, "HD-UNINIT-SHARED HD-BOUNDS-GLOBAL")           \
    X(idiom_rows, idiom, "HD-BOUNDS-GLOBAL", 0, ANY, "")                                           \
    X(idiom_padding, idiom, "HD-RACE-SHARED", 0, ANY, "HD-RACE-WARP HD-UNINIT-SHARED")             \
    X(idiom_fields, idiom, "HD-UNINIT-SHARED", 0, ANY, "")                                         \
    X(idiom_flags, idiom, "HD-RACE-WARP", 0, ANY, "HD-RACE-SHARED")                                \
    X(idiom_words, idiom, "HD-MISSING-FENCE", 0, ANY, "HD-RACE-BLOCKS")                            \
    X(idiom_prefetch, idiom, "HD-RACE-SHARED", 0, ANY, "HD-RACE-WARP")                             \
    X(idiom_vector, idiom, "HD-RACE-SHARED", 0, ANY, "HD-RACE-WARP HD-UNINIT-SHARED")              \
    X(idiom_max, idiom, "HD-RACE-BLOCKS", 0, ANY, "HD-RACE-WARP HD-RACE-GLOBAL HD-RACE-ATOMIC")    \
    X(idiom_queue, idiom, "HD-RACE-ATOMIC", 0, ANY, "HD-RACE-BLOCKS HD-MISSING-FENCE")             \
    X(idiom_sums, idiom, "HD-UNINIT-SHARED", 0, ANY, "")

#define BUGS_FENCE(X)                                                                              \
    X(fence_relaxed, fence, "HD-MISSING-FENCE", 0, ANY, "")                                        \
    X(fence_block, fence, "HD-MISSING-FENCE", 0, ANY, "")                                          \
    X(fence_after, fence, "HD-MISSING-FENCE", 0, ANY, "")                                          \
    X(fence_plain, fence, "HD-RACE-ATOMIC", 0, ANY, "HD-MISSING-FENCE HD-RACE-BLOCKS")             \
    X(fence_scope, fence, "HD-RACE-SCOPE", 0, ANY, "HD-MISSING-FENCE")                             \
    X(ticket_relaxed, fence, "HD-MISSING-FENCE", 0, ANY, "")                                       \
    X(ticket_release, fence, "HD-MISSING-FENCE", 0, ANY, "")                                       \
    X(ticket_acquire, fence, "HD-MISSING-FENCE", 0, ANY, "")                                       \
    X(ticket_early, fence, "HD-MISSING-FENCE", 0, ANY, "HD-RACE-BLOCKS")                           \
    X(fence_wait, fence, "HD-RACE-SCOPE", 0, ANY, "HD-MISSING-FENCE HD-RACE-BLOCKS")               \
    X(fence_replaced, fence, "HD-MISSING-FENCE", 0, ANY, "")                                       \
    X(fence_twice, fence, "HD-RACE-BLOCKS", 0, ANY, "HD-MISSING-FENCE")                            \
    X(fences_writer, fence, "HD-MISSING-FENCE", 0, ANY, "")                                        \
    X(fences_reader, fence, "HD-MISSING-FENCE", 0, ANY, "")                                        \
    X(row_early, fence, "HD-MISSING-FENCE", 0, ANY, "HD-RACE-BLOCKS")                              \
    X(row_reader, fence, "HD-MISSING-FENCE", 0, ANY, "HD-RACE-BLOCKS")                             \
    X(lock_relaxed, fence, "HD-MISSING-FENCE", 0, ANY, "")

#define BUGS_WARP(X)                                                                               \
    X(warp_nothing, warp, "HD-RACE-WARP", 0, ANY, "HD-UNINIT-SHARED")                              \
    X(warp_shuffle, warp, "HD-RACE-WARP", 0, ANY, "")                                              \
    X(warp_vote, warp, "HD-RACE-WARP", 0, ANY, "")                                                 \
    X(warp_halves, warp, "HD-RACE-WARP", 0, ANY, "HD-UNINIT-SHARED")                               \
    X(warp_again, warp, "HD-RACE-WARP", 0, ANY, "")                                                \
    X(warp_tail, warp, "HD-RACE-WARP", 0, ANY, "")                                                 \
    X(warp_global, warp, "HD-RACE-WARP", 0, ANY, "")                                               \
    X(warp_leader, warp, "HD-RACE-WARP", 0, ANY, "HD-UNINIT-SHARED")                               \
    X(warp_writers, warp, "HD-RACE-WARP", 0, ANY, "")

#define BUGS_COLLECTIVE(X)                                                                         \
    X(diverged_branch, collective, "HD-DIVERGED-WARP", 0, ANY, "")                                 \
    X(diverged_sides, collective, "HD-DIVERGED-WARP", 0, ANY, "")                                  \
    X(diverged_calls, collective, "HD-DIVERGED-WARP", 0, ANY, "")                                  \
    X(diverged_kinds, collective, "HD-DIVERGED-WARP", 0, ANY, "")                                  \
    X(diverged_loop, collective, "HD-DIVERGED-WARP", 0, ANY, "")                                   \
    X(diverged_take, collective, "HD-DIVERGED-WARP", 0, ANY, "")                                   \
    X(inactive_ended, collective, "HD-LANE-INACTIVE", 0, ANY, "")                                  \
    X(inactive_returned, collective, "HD-LANE-INACTIVE", 0, ANY, "")                               \
    X(inactive_partial, collective, "HD-LANE-INACTIVE", 0, ANY, "")                                \
    X(inactive_mask, collective, "HD-LANE-INACTIVE", 0, ANY, "")                                   \
    X(inactive_last, collective, "HD-LANE-INACTIVE", 0, ANY, "")                                   \
    X(inactive_full, collective, "HD-LANE-INACTIVE", 0, ANY, "")                                   \
    X(mask_literal, collective, "HD-MASK-SELF", 64, ANY, "HD-MASK-ABSENT")                         \
    X(mask_partial, collective, "HD-MASK-ABSENT", 0, ANY, "")                                      \
    X(mask_returned, collective, "HD-MASK-ABSENT", 0, ANY, "")                                     \
    X(mask_branch, collective, "HD-DIVERGED-WARP", 0, ANY, "")                                     \
    X(mask_self, collective, "HD-MASK-SELF", 0, ANY, "")                                           \
    X(mask_active, collective, "HD-LANE-INACTIVE", 0, ANY, "")                                     \
    X(width_odd, collective, "HD-WARP-WIDTH", 0, ANY, "")                                          \
    X(width_wave, collective, "HD-WARP-WIDTH", 32, ANY, "")                                        \
    X(distance_negative, collective, "HD-SHUFFLE-DISTANCE", 0, ANY, "")                            \
    X(broadcast_own, collective, "HD-BROADCAST-LANE", 0, ANY, "")

#define BUGS_WAVE(X)                                                                               \
    X(wave_half, wave, "HD-WARP-DEPENDENT", 0, ANY, "")                                            \
    X(wave_last, wave, "HD-WARP-DEPENDENT", 0, ANY, "")                                            \
    X(wave_leader, wave, "HD-WARP-DEPENDENT", 0, ANY, "")                                          \
    X(wave_order, wave, "HD-WARP-DEPENDENT", 0, ANY, "")                                           \
    X(wave_slots, wave, "HD-UNINIT-SHARED", 64, ANY, "")                                           \
    X(wave_votes, wave, "HD-WARP-DEPENDENT", 0, ANY, "")                                           \
    X(wave_rank, wave, "HD-MASK-32BIT", 64, ANY, "HD-RACE-WARP")                                   \
    X(wave_array, wave, "HD-BOUNDS-SHARED", 64, ANY, "")

#define BUGS_BOUNDS(X)                                                                             \
    X(bounds_end, bounds, "HD-BOUNDS-GLOBAL", 0, ANY, "")                                          \
    X(bounds_start, bounds, "HD-BOUNDS-GLOBAL", 0, ANY, "")                                        \
    X(bounds_block, bounds, "HD-BOUNDS-GLOBAL", 0, ANY, "")                                        \
    X(bounds_row, bounds, "HD-BOUNDS-GLOBAL", 0, ANY, "")                                          \
    X(bounds_far, bounds, "HD-BOUNDS-GLOBAL", 0, ANY, "")                                          \
    X(bounds_bin, bounds, "HD-BOUNDS-GLOBAL", 0, ANY, "")                                          \
    X(bounds_tile, bounds, "HD-BOUNDS-SHARED", 0, ANY, "")                                         \
    X(bounds_dynamic, bounds, "HD-BOUNDS-SHARED", 0, ANY, "")                                      \
    X(bounds_pair, bounds, "HD-BOUNDS-GLOBAL", 0, ANY, "")                                         \
    X(bounds_half, bounds, "HD-BOUNDS-SHARED", 0, ANY, "")                                         \
    X(bounds_wild, bounds, "HD-BOUNDS-GLOBAL", 0, CPU, "")                                         \
    X(bounds_local, bounds, "HD-BOUNDS-LOCAL", 0, ANY, "")                                         \
    X(bounds_table, bounds, "HD-BOUNDS-LOCAL", 0, ANY, "")                                         \
    X(bounds_constant, bounds, "HD-BOUNDS-GLOBAL", 0, ANY, "")                                     \
    X(bounds_below, bounds, "HD-BOUNDS-SHARED", 0, ANY, "")                                        \
    X(bounds_vector, bounds, "HD-BOUNDS-GLOBAL", 0, ANY, "")                                       \
    X(constant_write, bounds, "HD-CONSTANT-WRITE", 0, ANY, "")                                     \
    X(misaligned_vector, bounds, "HD-MISALIGNED", 0, ANY, "")                                      \
    X(misaligned_atomic, bounds, "HD-MISALIGNED", 0, CPU, "")                                      \
    X(misaligned_wide, bounds, "HD-MISALIGNED", 0, ANY, "")                                        \
    X(misaligned_shared, bounds, "HD-MISALIGNED", 0, ANY, "")

#define BUGS_BLOCK(X)                                                                              \
    X(apart_sides, block, "HD-DIVERGED-BARRIER", 0, ANY, "")                                       \
    X(apart_turns, block, "HD-DIVERGED-BARRIER", 0, ANY, "")                                       \
    X(apart_sum, block, "HD-DIVERGED-BARRIER", 0, ANY, "")                                         \
    X(apart_shuffle, block, "HD-DIVERGED-WARP", 0, ANY, "")                                        \
    X(apart_grid, block, "HD-DIVERGED-BARRIER", 0, ANY, "")                                        \
    X(ticket_unset, block, "HD-UNINIT-GLOBAL", 0, ANY, "")                                         \
    X(returned_barrier, block, "HD-EXITED-BARRIER", 0, ANY, "")                                    \
    X(returned_lanes, block, "HD-DIVERGED-BARRIER", 0, ANY, "")                                    \
    X(apart_lanes, block, "HD-DIVERGED-BARRIER", 0, ANY, "")                                       \
    X(apart_early, block, "HD-DIVERGED-BARRIER", 0, ANY, "")                                       \
    X(returned_sum, block, "HD-DIVERGED-BARRIER", 0, ANY, "")                                      \
    X(returned_assert, block, "HD-DIVERGED-BARRIER", 0, CPU, "HD-LANE-INACTIVE HD-MASK-ABSENT")    \
    X(apart_calls, block, "HD-DIVERGED-BARRIER", 0, ANY, "")                                       \
    X(apart_others, block, "HD-DIVERGED-WARP", 0, ANY, "")                                         \
    X(deadlock_later, block, "HD-DEADLOCK", 0, ANY, "")                                            \
    X(deadlock_lanes, block, "HD-DEADLOCK", 0, ANY, "HD-DIVERGED-WARP")                            \
    X(deadlock_nobody, block, "HD-DEADLOCK", 0, ANY, "")                                           \
    X(deadlock_pair, block, "HD-DEADLOCK", 0, ANY, "")                                             \
    X(fault_divide, block, "HD-FAULT", 0, CPU, "")

#define BUGS_POLL(X)                                                                               \
    X(poll_acquire, poll, "HD-POLLING", 0, CPU, "")                                                \
    X(poll_volatile, poll, "HD-POLLING", 0, CPU, "HD-RACE-ATOMIC")                                 \
    X(poll_lock, poll, "HD-POLLING", 0, CPU, "")                                                   \
    X(poll_shared, poll, "HD-POLLING", 0, CPU, "")                                                 \
    X(poll_together, poll, "HD-POLLING", 0, CPU, "")                                               \
    X(poll_turns, poll, "HD-POLLING", 0, CPU, "")                                                  \
    X(poll_limit, poll, "HD-POLLING", 0, CPU, "")                                                  \
    X(poll_pointer, poll, "HD-POLLING", 0, CPU, "HD-RACE-ATOMIC")                                  \
    X(poll_lanes, poll, "HD-POLLING", 0, CPU, "")                                                  \
    X(poll_blocks, poll, "HD-POLLING", 0, CPU, "")                                                 \
    X(poll_locks, poll, "HD-POLLING", 0, CPU, "")                                                  \
    X(poll_first, poll, "HD-POLLING", 0, CPU, "")

#define BUGS_MEMORY(X)                                                                             \
    X(freed_use, memory, "HD-USE-AFTER-FREE", 0, ANY, "HD-DEAD-ARGUMENT")                          \
    X(freed_async, memory, "HD-USE-AFTER-FREE", 0, ANY, "HD-DEAD-ARGUMENT")                        \
    X(freed_twice, memory, "HD-DOUBLE-FREE", 0, ANY, "")                                           \
    X(freed_inside, memory, "HD-BAD-FREE", 0, ANY, "")                                             \
    X(leak, memory, "HD-LEAK", 0, ANY, "")                                                         \
    X(uninit_global, memory, "HD-UNINIT-GLOBAL", 0, ANY, "")                                       \
    X(uninit_again, memory, "HD-UNINIT-GLOBAL", 0, ANY, "")                                        \
    X(uninit_last, memory, "HD-UNINIT-GLOBAL", 0, ANY, "")                                         \
    X(uninit_byte, memory, "HD-UNINIT-GLOBAL", 0, ANY, "")                                         \
    X(uninit_wide, memory, "HD-UNINIT-GLOBAL", 0, ANY, "")                                         \
    X(uninit_count, memory, "HD-UNINIT-GLOBAL", 0, ANY, "")                                        \
    X(uninit_shared, memory, "HD-UNINIT-SHARED", 0, ANY, "")                                       \
    X(uninit_part, memory, "HD-UNINIT-SHARED", 0, ANY, "")                                         \
    X(host_pointer, memory, "HD-HOST-POINTER", 0, ANY, "")                                         \
    X(host_member, memory, "HD-HOST-POINTER", 0, ANY, "")                                          \
    X(freed_mapped, memory, "HD-DEAD-ARGUMENT", 0, ANY, "HD-USE-AFTER-FREE")                       \
    X(dead_frame, memory, "HD-DEAD-ARGUMENT", 0, ANY, "HD-HOST-POINTER")                           \
    X(dead_registration, memory, "HD-DEAD-ARGUMENT", 0, ANY, "HD-HOST-POINTER")                    \
    X(device_pointer, memory, "HD-DEVICE-POINTER", 0, CPU, "")                                     \
    X(device_memcpy, memory, "HD-DEVICE-POINTER", 0, CPU, "")                                      \
    X(no_peer, memory, "HD-NO-PEER", 0, CPU, "")                                                   \
    X(peer_gone, memory, "HD-NO-PEER", 0, CPU, "")                                                 \
    X(freed_host, memory, "HD-USE-AFTER-FREE", 0, CPU, "")                                         \
    X(bounds_pinned, memory, "HD-BOUNDS-GLOBAL", 0, CPU, "")                                       \
    X(freed_again, memory, "HD-DOUBLE-FREE", 0, ANY, "")

#define BUGS_IMAGE(X)                                                                              \
    X(image_race, image, "HD-RACE-GLOBAL", 0, ANY, "HD-RACE-WARP")                                 \
    X(image_uninit, image, "HD-UNINIT-GLOBAL", 0, ANY, "")                                         \
    X(image_freed, image, "HD-USE-AFTER-FREE", 0, ANY, "")

#define BUGS_STREAM(X)                                                                             \
    X(stream_kernels, stream, "HD-STREAM-ORDER", 0, ANY, "")                                       \
    X(stream_copy, stream, "HD-STREAM-ORDER", 0, ANY, "")                                          \
    X(stream_fill, stream, "HD-STREAM-ORDER", 0, ANY, "")                                          \
    X(stream_readers, stream, "HD-STREAM-ORDER", 0, ANY, "")                                       \
    X(stream_readers_fill, stream, "HD-STREAM-ORDER", 0, ANY, "")                                  \
    X(stream_copied, stream, "HD-STREAM-ORDER", 0, ANY, "")                                        \
    X(stream_default, stream, "HD-STREAM-ORDER", 0, ANY, "")                                       \
    X(stream_flag, stream, "HD-STREAM-ORDER", 0, ANY, "")                                          \
    X(stream_reuse, stream, "HD-STREAM-ORDER", 0, ANY, "")                                         \
    X(stream_write, stream, "HD-STREAM-ORDER", 0, ANY, "")                                         \
    X(event_early, stream, "HD-STREAM-ORDER", 0, ANY, "")                                          \
    X(event_other, stream, "HD-STREAM-ORDER", 0, ANY, "")                                          \
    X(event_unrecorded, stream, "HD-EVENT-UNRECORDED", 0, ANY, "HD-STREAM-ORDER")                  \
    X(event_twice, stream, "HD-DEAD-HANDLE", 0, ANY, "")                                           \
    X(stream_twice, stream, "HD-DEAD-HANDLE", 0, ANY, "")                                          \
    X(stream_gone, stream, "HD-DEAD-HANDLE", 0, CPU, "")                                           \
    X(devices_order, stream, "HD-STREAM-ORDER", 0, CPU, "")                                        \
    X(devices_scope, stream, "HD-RACE-SCOPE", 0, CPU, "")                                          \
    X(free_in_use, stream, "HD-FREE-IN-USE", 0, ANY, "")                                           \
    X(free_in_wait, stream, "HD-FREE-IN-USE", 0, CPU, "")                                          \
    X(host_early, stream, "HD-HOST-EARLY", 0, ANY, "")                                             \
    X(host_event, stream, "HD-HOST-EARLY", 0, ANY, "")                                             \
    X(host_reuse, stream, "HD-HOST-REUSE", 0, ANY, "")                                             \
    X(host_pageable, stream, "HD-HOST-REUSE", 0, ANY, "")                                          \
    X(host_100k, stream, "HD-HOST-REUSE", 0, ANY, "")                                              \
    X(host_plain, stream, "HD-HOST-EARLY", 0, ANY, "")                                             \
    X(host_mapped, stream, "HD-HOST-EARLY", 0, ANY, "")                                            \
    X(host_managed, stream, "HD-HOST-REUSE", 0, CPU, "")                                           \
    X(host_volatile, stream, "HD-HOST-EARLY", 0, ANY, "")                                          \
    X(free_from_afar, stream, "HD-FREE-IN-USE", 0, CPU, "")

#define BUGS_ORDER(X)                                                                              \
    X(order_copy, order, "HD-STREAM-ORDER", 0, ANY, "")                                            \
    X(order_learned, order, "HD-STREAM-ORDER", 0, ANY, "")                                         \
    X(order_border, order, "HD-STREAM-ORDER", 0, ANY, "")                                          \
    X(order_blocking, order, "HD-STREAM-ORDER", 0, ANY, "")                                        \
    X(order_host, order, "HD-STREAM-ORDER", 0, ANY, "")                                            \
    X(order_pitch, order, "HD-HOST-REUSE", 0, ANY, "")                                             \
    X(order_part, order, "HD-HOST-EARLY", 0, ANY, "")                                              \
    X(order_flag, order, "HD-HOST-EARLY", 0, ANY, "")                                              \
    X(order_freed, order, "HD-USE-AFTER-FREE", 0, CPU, "")                                         \
    X(order_pending, order, "HD-LEAK", 0, CPU, "")

#define BUGS_GRAPH(X)                                                                              \
    X(graph_edge, graph, "HD-STREAM-ORDER", 0, ANY, "")                                            \
    X(graph_copy, graph, "HD-STREAM-ORDER", 0, ANY, "")                                            \
    X(graph_join, graph, "HD-STREAM-ORDER", 0, ANY, "")                                            \
    X(graph_fork, graph, "HD-STREAM-ORDER", 0, ANY, "")                                            \
    X(graph_early, graph, "HD-HOST-EARLY", 0, ANY, "")

#define BUGS_LINT(X)                                                                               \
    X(block_48, lint, "HD-BLOCK-64", 0, ANY, "")                                                   \
    X(shared_56k, lint, "HD-SHARED-48K", 0, ANY, "")                                               \
    X(shared_72k, lint, "HD-SHARED-64K", 0, ANY, "")                                               \
    X(launch_rows, lint, "HD-LAUNCH-BOUNDS", 0, CPU, "")                                           \
    X(uncoalesced_stride, lint, "HD-UNCOALESCED", 0, ANY, "")                                      \
    X(uncoalesced_columns, lint, "HD-UNCOALESCED", 0, ANY, "")                                     \
    X(banks_pairs, lint, "HD-BANK-CONFLICT", 0, ANY, "")                                           \
    X(banks_columns, lint, "HD-BANK-CONFLICT", 0, ANY, "")                                         \
    X(divergent_switch, lint, "HD-DIVERGENT-BRANCH", 0, ANY, "")                                   \
    X(divergent_leader, lint, "HD-DIVERGENT-BRANCH", 0, ANY, "")                                   \
    X(divergent_pair, lint, "HD-DIVERGENT-BRANCH", 0, ANY, "")                                     \
    X(shared_both, lint, "HD-SHARED-48K", 0, ANY, "")                                              \
    X(shared_unasked, lint, "HD-SHARED-48K", 0, ANY, "")                                           \
    X(shared_node, lint, "HD-SHARED-48K", 0, ANY, "")                                              \
    X(launch_threads, lint, "HD-LAUNCH-BOUNDS", 0, ANY, "")                                        \
    X(mask_half, lint, "HD-MASK-32BIT", 64, ANY, "HD-MASK-SELF")

#endif
