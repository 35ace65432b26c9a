/* SPDX-License-Identifier: Apache-2.0 */
/* codes.h - all findings of the checker: stable code, severity, short meaning, and the usual
   fix. */
#ifndef HEDDLE_CPU_CHECK_CODES_H
#define HEDDLE_CPU_CHECK_CODES_H

typedef enum hd_check_severity {
    HD_CHECK_ERROR,       /* wrong on some backend, or on any */
    HD_CHECK_PORTABILITY, /* may differ between vendors or warp sizes */
    HD_CHECK_PERFORMANCE
} hd_check_severity;

/* X(name, code, severity, title, advice) */
#define HD_CHECK_CODES(X)                                                                          \
    X(RACE_SHARED, "HD-RACE-SHARED", ERROR, "race between threads of a block in shared memory",    \
      "Put hd_sync_block() between the two accesses, reached by every thread of the block.")       \
    X(RACE_GLOBAL, "HD-RACE-GLOBAL", ERROR, "race between threads of a block in global memory",    \
      "Put hd_sync_block() between the two accesses, or let one thread do both.")                  \
    X(RACE_WARP, "HD-RACE-WARP", ERROR, "race between lanes of a warp",                            \
      "Put hd_sync_warp() between the two accesses; lanes do not run in lockstep, and shuffles "   \
      "and votes do not order memory.")                                                            \
    X(RACE_BLOCKS, "HD-RACE-BLOCKS", ERROR, "race between blocks of a launch",                     \
      "Let blocks write different elements, use atomics, or end the kernel between the two "       \
      "accesses.")                                                                                 \
    X(RACE_ATOMIC, "HD-RACE-ATOMIC", ERROR, "race between an atomic and a plain access",           \
      "Make both accesses atomic (hd_load_relaxed, hd_store_relaxed), or order them by a "         \
      "barrier.")                                                                                  \
    X(RACE_SCOPE, "HD-RACE-SCOPE", ERROR, "an atomic's scope does not include the other access",   \
      "Use the device scope (no suffix) between blocks, _system between devices and with the "     \
      "host.")                                                                                     \
    X(MISSING_FENCE, "HD-MISSING-FENCE", ERROR, "a flag was published without the data before it", \
      "Store the flag with hd_store_release (or hd_fence_device() before it) and read it with "    \
      "hd_wait_*, hd_load_acquire, or a fence after it.")                                          \
    X(STREAM_ORDER, "HD-STREAM-ORDER", ERROR,                                                      \
      "two operations of different streams are not "                                               \
      "ordered",                                                                                   \
      "Record an event after the first (hd_event_record) and let the other stream wait for it "    \
      "(hd_stream_wait), or use one stream.")                                                      \
    X(DIVERGED_BARRIER, "HD-DIVERGED-BARRIER", ERROR,                                              \
      "not all threads of the block reach the "                                                    \
      "same barrier",                                                                              \
      "Move the barrier out of the branch, so that every thread that has not returned reaches "    \
      "it.")                                                                                       \
    X(DIVERGED_WARP, "HD-DIVERGED-WARP", ERROR,                                                    \
      "not all lanes of the warp reach the same "                                                  \
      "collective",                                                                                \
      "Move the collective out of the branch, or use the _in(mask, ...) form with the lanes that " \
      "reach it.")                                                                                 \
    X(LANE_INACTIVE, "HD-LANE-INACTIVE", ERROR,                                                    \
      "a value is read from a lane that does not take "                                            \
      "part",                                                                                      \
      "Read only lanes that exist and reach the collective; hd_warp_sum and the other warp "       \
      "reductions skip absent lanes.")                                                             \
    X(MASK_ABSENT, "HD-MASK-ABSENT", ERROR,                                                        \
      "a mask contains lanes that do not exist or have returned",                                  \
      "Build the mask with hd_ballot before the branch, or from hd_block_threads() for the last "  \
      "warp.")                                                                                     \
    X(MASK_SELF, "HD-MASK-SELF", ERROR, "a lane passes a mask that does not contain it",           \
      "Only lanes of the mask may call: test hd_mask_test(mask, hd_lane()) around the call. A "    \
      "literal such as 0xffffffff lacks lanes 32 to 63: call the form without a mask.")            \
    X(WARP_WIDTH, "HD-WARP-WIDTH", ERROR,                                                          \
      "a width that is not a power of two up to the warp size",                                    \
      "Use a power of two that is at most hd_warp_size(): 32 always is, 64 is not.")               \
    X(SHUFFLE_DISTANCE, "HD-SHUFFLE-DISTANCE", ERROR,                                              \
      "a shuffle distance that is negative or exceeds 32 bits",                                    \
      "Shuffle in the other direction (hd_shfl_down for hd_shfl_up) by a positive distance; "      \
      "hd_shfl_xor takes the bits of the lane number to flip.")                                    \
    X(BROADCAST_LANE, "HD-BROADCAST-LANE", ERROR,                                                  \
      "the source lane of a broadcast differs between lanes or is beyond the warp",                \
      "Pass one lane below hd_warp_size(); if lanes read from different lanes, use "               \
      "hd_shfl(v, lane, hd_warp_size()).")                                                         \
    X(DEADLOCK, "HD-DEADLOCK", ERROR, "threads wait for something that cannot happen",             \
      "Wait only for blocks that have started (hd_ordered_block_id) or for launches that are "     \
      "enqueued; let only one lane per warp take a lock.")                                         \
    X(POLLING, "HD-POLLING", ERROR, "a loop polls memory, so that no other thread can run",        \
      "Wait with hd_wait_ge, hd_wait_eq or hd_wait_ne (_block within a block, _system for the "    \
      "host or another device).")                                                                  \
    X(BOUNDS_GLOBAL, "HD-BOUNDS-GLOBAL", ERROR, "access outside every allocation",                 \
      "Compare the index with the size; the last block has threads beyond the end.")               \
    X(BOUNDS_SHARED, "HD-BOUNDS-SHARED", ERROR, "access outside the shared array",                 \
      "Size the array for the largest block, by HD_WARP_MAX or HD_MAX_WARPS_PER_BLOCK, or raise "  \
      "the dynamic shared memory of the launch.")                                                  \
    X(BOUNDS_LOCAL, "HD-BOUNDS-LOCAL", ERROR, "index outside a local array or table",              \
      "Size the array for the largest index.")                                                     \
    X(CONSTANT_WRITE, "HD-CONSTANT-WRITE", ERROR, "a kernel writes constant memory",               \
      "Use HD_DEVICE_VAR for what kernels write; constants are written by hd_symbol_write.")       \
    X(MISALIGNED, "HD-MISALIGNED", ERROR,                                                          \
      "access at an address that is not a multiple of its size",                                   \
      "Use vector types only at multiples of their size; handle the first elements one by one.")   \
    X(USE_AFTER_FREE, "HD-USE-AFTER-FREE", ERROR, "use of memory that was freed",                  \
      "Free memory after the last launch that uses it, in the order of its stream.")               \
    X(DOUBLE_FREE, "HD-DOUBLE-FREE", ERROR, "memory is freed twice",                               \
      "Set the pointer to NULL after hd_free.")                                                    \
    X(BAD_FREE, "HD-BAD-FREE", ERROR, "freed pointer is not the start of an allocation",           \
      "Free the pointer that the allocation returned.")                                            \
    X(LEAK, "HD-LEAK", ERROR, "memory is never freed", "Call hd_free before the program ends.")    \
    X(UNINIT_GLOBAL, "HD-UNINIT-GLOBAL", ERROR, "read of global memory that was never written",    \
      "Fill or copy the memory before the launch, in the order of its stream.")                    \
    X(UNINIT_SHARED, "HD-UNINIT-SHARED", ERROR,                                                    \
      "read of shared memory that the block has not "                                              \
      "written",                                                                                   \
      "Shared memory starts undefined in every block: write it, then hd_sync_block().")            \
    X(HOST_POINTER, "HD-HOST-POINTER", ERROR, "a kernel uses ordinary host memory",                \
      "Copy the data to device memory, or allocate it as HD_MEM_MAPPED.")                          \
    X(DEVICE_POINTER, "HD-DEVICE-POINTER", ERROR, "host code uses device memory in place",         \
      "Copy it to host memory first (hd_copy, then synchronise).")                                 \
    X(NO_PEER, "HD-NO-PEER", ERROR, "a kernel uses memory of a device that it has no access to",   \
      "Call hd_peer_enable for the pair, or copy with hd_copy_peer.")                              \
    X(FREE_IN_USE, "HD-FREE-IN-USE", ERROR, "memory is freed while another stream may use it",     \
      "Let the stream of hd_free_async wait for an event after the last use.")                     \
    X(HOST_EARLY, "HD-HOST-EARLY", ERROR,                                                          \
      "host code reads what a copy or a kernel need not have written yet",                         \
      "Synchronise the stream, or an event after it, before reading.")                             \
    X(HOST_REUSE, "HD-HOST-REUSE", ERROR,                                                          \
      "host code writes what a copy or a kernel may still use",                                    \
      "Synchronise the stream before using the buffer again.")                                     \
    X(DEAD_ARGUMENT, "HD-DEAD-ARGUMENT", ERROR,                                                    \
      "a kernel argument points to memory that no longer exists",                                  \
      "Keep the memory until the launch is done.")                                                 \
    X(DEAD_HANDLE, "HD-DEAD-HANDLE", ERROR,                                                        \
      "a stream, event, graph ... is used after it was destroyed",                                 \
      "Destroy it once, after its last use, and set the pointer to NULL then.")                    \
    X(FAULT, "HD-FAULT", ERROR, "the kernel crashed",                                              \
      "The findings above, if any, usually say why.")                                              \
    X(EVENT_UNRECORDED, "HD-EVENT-UNRECORDED", PORTABILITY,                                        \
      "wait for an event that was never "                                                          \
      "recorded",                                                                                  \
      "Record the event first; waiting for one that was never recorded waits for nothing.")        \
    X(WARP_DEPENDENT, "HD-WARP-DEPENDENT", PORTABILITY, "the result depends on the warp size",     \
      "Use widths instead of the warp size in the algorithm, ascending strides in trees, and "     \
      "HD_WARP_MAX to size arrays.")                                                               \
    X(MASK_32BIT, "HD-MASK-32BIT", PORTABILITY, "lane mask handled in 32 bits",                    \
      "Keep masks in hd_mask; shift 64-bit values by hd_lane().")                                  \
    X(BLOCK_64, "HD-BLOCK-64", PORTABILITY, "block size is not a multiple of 64",                  \
      "Use a multiple of 64 threads: otherwise the last wavefront on AMD is partly empty.")        \
    X(SHARED_48K, "HD-SHARED-48K", PORTABILITY, "a block uses more than 48 KB of shared memory",   \
      "More than 48 KB needs an opt-in on NVIDIA and leaves room for one block per unit on AMD.")  \
    X(SHARED_64K, "HD-SHARED-64K", PORTABILITY, "a block uses more than 64 KB of shared memory",   \
      "AMD has 64 KB per block: use smaller tiles.")                                               \
    X(LAUNCH_BOUNDS, "HD-LAUNCH-BOUNDS", PORTABILITY, "launch beyond what a vendor allows",        \
      "Stay within 1024 threads per block, 65535 blocks in y and z and 2^32 - 1 threads per "      \
      "dimension.")                                                                                \
    X(EXITED_BARRIER, "HD-EXITED-BARRIER", PORTABILITY, "barrier after some threads returned",     \
      "Keep all threads until the last barrier; replace the early return by a condition.")         \
    X(UNCOALESCED, "HD-UNCOALESCED", PERFORMANCE, "lanes of a warp access scattered addresses",    \
      "Let neighbouring lanes use neighbouring elements.")                                         \
    X(BANK_CONFLICT, "HD-BANK-CONFLICT", PERFORMANCE,                                              \
      "lanes of a warp hit the same bank of "                                                      \
      "shared memory",                                                                             \
      "Pad rows by one element, or change the order of indices.")                                  \
    X(DIVERGENT_BRANCH, "HD-DIVERGENT-BRANCH", PERFORMANCE, "few lanes of a warp take a branch",   \
      "Let all lanes of a warp take the same path.")

typedef enum hd_check_code {
#define HD_CHECK_ENUM_(name, code, severity, title, advice) HD_CHECK_##name,
    HD_CHECK_CODES(HD_CHECK_ENUM_)
#undef HD_CHECK_ENUM_
        HD_CHECK_CODE_COUNT
} hd_check_code;

#endif
