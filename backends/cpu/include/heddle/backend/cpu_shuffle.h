/* SPDX-License-Identifier: Apache-2.0 */
/* cpu_shuffle.h - shuffles of values of any type on the CPU, in exchanges of at most 8 bytes.
   Included by cpu_collective.h. */
#ifndef HEDDLE_BACKEND_CPU_SHUFFLE_H
#define HEDDLE_BACKEND_CPU_SHUFFLE_H

/* The source lane. width is a power of two, so the group begins at lane & ~(width - 1). */
HD_CPU_ALWAYS_ unsigned hd_cpu_from_index_(unsigned lane, unsigned index, unsigned width)
{
    return (lane & ~(width - 1)) | (index & (width - 1));
}

HD_CPU_ALWAYS_ unsigned hd_cpu_from_up_(unsigned lane, unsigned delta, unsigned width)
{
    return (lane & (width - 1)) >= delta ? lane - delta : lane;
}

HD_CPU_ALWAYS_ unsigned hd_cpu_from_down_(unsigned lane, unsigned delta, unsigned width)
{
    return delta < width - (lane & (width - 1)) ? lane + delta : lane;
}

HD_CPU_ALWAYS_ unsigned hd_cpu_from_xor_(unsigned lane, unsigned x, unsigned width)
{
    return (lane ^ x) < (lane & ~(width - 1)) + width ? lane ^ x : lane;
}

/* An argument of a warp operation as unsigned, verified by the checker. */
#if HD_CPU_CHECK
#define HD_CPU_ARGUMENT_(what, x, name)                                                            \
    hd_cpu_check_argument(what, (int64_t)(x), HD_CPU_HERE_(name))
#else
#define HD_CPU_ARGUMENT_(what, x, name) ((unsigned)(x))
#endif
#define HD_CPU_WIDTH_(w, name) HD_CPU_ARGUMENT_(HD_CPU_WIDTH, w, name)
#define HD_CPU_DISTANCE_(d, name) HD_CPU_ARGUMENT_(HD_CPU_DISTANCE, d, name)

/* The source lane for the arguments of a shuffle. Any lane number is valid for hd_shfl: it is taken
   modulo the width. */
#define HD_CPU_INDEX_(l, w, name)                                                                  \
    hd_cpu_from_index_(hd_lane(), (unsigned)(l), HD_CPU_WIDTH_(w, name))
#define HD_CPU_UP_(d, w, name)                                                                     \
    hd_cpu_from_up_(hd_lane(), HD_CPU_DISTANCE_(d, name), HD_CPU_WIDTH_(w, name))
#define HD_CPU_DOWN_(d, w, name)                                                                   \
    hd_cpu_from_down_(hd_lane(), HD_CPU_DISTANCE_(d, name), HD_CPU_WIDTH_(w, name))
#define HD_CPU_XOR_(x, w, name)                                                                    \
    hd_cpu_from_xor_(hd_lane(), HD_CPU_DISTANCE_(x, name), HD_CPU_WIDTH_(w, name))
#define HD_CPU_LANE_(l, w, name)                                                                   \
    hd_cpu_from_index_(hd_lane(), HD_CPU_ARGUMENT_(HD_CPU_LANE, l, name), w)

/* The `size` bytes of a value, 1 to 8, as a word and back. Sizes are constants after inlining;
   pieces of 4, 2 and 1 bytes need no call of memcpy. */
HD_CPU_ALWAYS_ uint64_t hd_cpu_word_of_(const unsigned char *from, size_t size)
{
    uint64_t word = 0;
    uint32_t four;
    uint16_t two;

    if (size == 8) {
        __builtin_memcpy(&word, from, 8);
        return word;
    }
    if (size & 1)
        word = from[size & 6];
    if (size & 2) {
        __builtin_memcpy(&two, from + (size & 4), 2);
        word = word << 16 | two;
    }
    if (size & 4) {
        __builtin_memcpy(&four, from, 4);
        word = word << 32 | four;
    }
    return word;
}

HD_CPU_ALWAYS_ void hd_cpu_word_to_(unsigned char *to, size_t size, uint64_t word)
{
    const uint32_t four = (uint32_t)word;
    uint16_t two;

    if (size == 8) {
        __builtin_memcpy(to, &word, 8);
        return;
    }
    if (size & 4) {
        __builtin_memcpy(to, &four, 4);
        word >>= 32;
    }
    if (size & 2) {
        two = (uint16_t)word;
        __builtin_memcpy(to + (size & 4), &two, 2);
        word >>= 16;
    }
    if (size & 1)
        to[size & 6] = (unsigned char)word;
}

/* Replaces a value by that of lane `from`. */
HD_CPU_ALWAYS_ void hd_cpu_move_(void *value, size_t size, unsigned kind, unsigned from,
                                 const hd_cpu_place *here)
{
    unsigned char *at = (unsigned char *)value;

    for (size_t done = 0; done < size; done += 8) {
        const size_t part = size - done < 8 ? size - done : 8;
        const uint64_t word = hd_cpu_word_of_(at + done, part);

        hd_cpu_word_to_(at + done, part, hd_cpu_warp_(kind, word, from, here));
    }
}

HD_CPU_ALWAYS_ void hd_cpu_move_in_(void *value, size_t size, hd_mask m, unsigned kind,
                                    unsigned from, const hd_cpu_place *here)
{
    unsigned char *at = (unsigned char *)value;

    for (size_t done = 0; done < size; done += 8) {
        const size_t part = size - done < 8 ? size - done : 8;
        const uint64_t word = hd_cpu_word_of_(at + done, part);

        hd_cpu_word_to_(at + done, part, hd_cpu_mask_(m.bits, kind, word, from, here));
    }
}

/* Does not compile for values that have no meaning in another lane. 5: the class of pointers. */
#define HD_CPU_NO_POINTER_                                                                         \
    "a shuffle moves a value, not a pointer or an array: pass *p, or the address as uint64_t"
#ifdef __cplusplus
#define HD_CPU_MOVABLE_(v, moved)                                                                  \
    static_assert(!std::is_pointer_v<decltype(moved)>, HD_CPU_NO_POINTER_);                        \
    static_assert(std::is_trivially_copyable_v<decltype(moved)>,                                   \
                  "a shuffle copies bytes: it moves numbers and trivially copyable structs");
#else
#define HD_CPU_MOVABLE_(v, moved)                                                                  \
    _Static_assert(__builtin_classify_type(v) != 5, HD_CPU_NO_POINTER_);
#endif

#define HD_CPU_MOVE_(v, kind, from, n, width, name)                                                \
    HD_CPU_MOVED_(v, hd_cpu_move_, HD_CAT(hd_moved_, __COUNTER__), kind, from(n, width, name),     \
                  HD_CPU_HERE_(name))
#define HD_CPU_MOVE_IN_(m, v, kind, from, n, width, name)                                          \
    HD_CPU_MOVED_(v, hd_cpu_move_in_, HD_CAT(hd_moved_, __COUNTER__), m, kind,                     \
                  from(n, width, name), HD_CPU_HERE_(name))
#define HD_CPU_MOVED_(v, move, moved, ...)                                                         \
    __extension__({                                                                                \
        HD_CPU_TYPE_(v) moved = (v);                                                               \
        HD_CPU_MOVABLE_(v, moved)                                                                  \
        move(&moved, sizeof moved, __VA_ARGS__);                                                   \
        moved;                                                                                     \
    })

#define hd_shfl(v, lane, width) HD_CPU_MOVE_(v, HD_CPU_SHFL, HD_CPU_INDEX_, lane, width, "hd_shfl")
#define hd_shfl_up(v, d, width) HD_CPU_MOVE_(v, HD_CPU_SHFL_UP, HD_CPU_UP_, d, width, "hd_shfl_up")
#define hd_shfl_down(v, d, width)                                                                  \
    HD_CPU_MOVE_(v, HD_CPU_SHFL_DOWN, HD_CPU_DOWN_, d, width, "hd_shfl_down")
#define hd_shfl_xor(v, x, width)                                                                   \
    HD_CPU_MOVE_(v, HD_CPU_SHFL_XOR, HD_CPU_XOR_, x, width, "hd_shfl_xor")
#define hd_broadcast(v, lane)                                                                      \
    HD_CPU_MOVE_(v, HD_CPU_BROADCAST, HD_CPU_LANE_, lane, hd_warp_size(), "hd_broadcast")
#define hd_shfl_in(m, v, lane, width)                                                              \
    HD_CPU_MOVE_IN_(m, v, HD_CPU_SHFL, HD_CPU_INDEX_, lane, width, "hd_shfl_in")
#define hd_shfl_up_in(m, v, d, width)                                                              \
    HD_CPU_MOVE_IN_(m, v, HD_CPU_SHFL_UP, HD_CPU_UP_, d, width, "hd_shfl_up_in")
#define hd_shfl_down_in(m, v, d, width)                                                            \
    HD_CPU_MOVE_IN_(m, v, HD_CPU_SHFL_DOWN, HD_CPU_DOWN_, d, width, "hd_shfl_down_in")
#define hd_shfl_xor_in(m, v, x, width)                                                             \
    HD_CPU_MOVE_IN_(m, v, HD_CPU_SHFL_XOR, HD_CPU_XOR_, x, width, "hd_shfl_xor_in")

#endif
