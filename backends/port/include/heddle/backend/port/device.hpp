/* SPDX-License-Identifier: Apache-2.0 */
/* device.hpp - what C++ adds to device.h: shuffles, matches and reductions of any type. */
#ifndef HEDDLE_BACKEND_PORT_DEVICE_HPP
#define HEDDLE_BACKEND_PORT_DEVICE_HPP

#include <heddle/backend/port/vectors.hpp>

#include <heddle/backend/port/device.h>

HD_DEVICE constexpr unsigned hd_port_all_(unsigned mask = 0xffffffffu)
{
    return mask;
}
#define __syncwarp(...) hd_sync_warp_in(hd_port_mask_(hd_port_all_(__VA_ARGS__)))

/* Values of other sizes travel in words. */
template <class T> struct hd_port_words_ {
    static constexpr size_t count = (sizeof(T) + 3) / 4;
    unsigned word[count];
};

#define HD_PORT_SHUFFLE_(name, operation)                                                          \
    template <class T> HD_DEVICE T name(unsigned mask, T value, int lane, int width = 32)          \
    {                                                                                              \
        hd_port_words_<T> words = {};                                                              \
        memcpy(&words, &value, sizeof value);                                                      \
        for (unsigned &word : words.word)                                                          \
            word = operation(hd_port_mask_(mask), word, lane, width);                              \
        memcpy(&value, &words, sizeof value);                                                      \
        return value;                                                                              \
    }
HD_PORT_SHUFFLE_(__shfl_sync, hd_shfl_in)
HD_PORT_SHUFFLE_(__shfl_up_sync, hd_shfl_up_in)
HD_PORT_SHUFFLE_(__shfl_down_sync, hd_shfl_down_in)
HD_PORT_SHUFFLE_(__shfl_xor_sync, hd_shfl_xor_in)
#undef HD_PORT_SHUFFLE_
/* Forms without a mask: the whole warp takes part. */
template <class T> HD_DEVICE T __shfl(T value, int lane, int width = 32)
{
    return __shfl_sync(0xffffffffu, value, lane, width);
}
template <class T> HD_DEVICE T __shfl_up(T value, unsigned lanes, int width = 32)
{
    return __shfl_up_sync(0xffffffffu, value, (int)lanes, width);
}
template <class T> HD_DEVICE T __shfl_down(T value, unsigned lanes, int width = 32)
{
    return __shfl_down_sync(0xffffffffu, value, (int)lanes, width);
}
template <class T> HD_DEVICE T __shfl_xor(T value, int lanes, int width = 32)
{
    return __shfl_xor_sync(0xffffffffu, value, lanes, width);
}

template <class T> HD_DEVICE unsigned long long hd_port_bits_(T value)
{
    unsigned long long bits = 0;
    static_assert(sizeof value <= sizeof bits, "__match_any_sync compares at most 8 bytes");
    memcpy(&bits, &value, sizeof value);
    return bits;
}
template <class T> HD_DEVICE unsigned __match_any_sync(unsigned mask, T value)
{
    return hd_port_match_any_(mask, hd_port_bits_(value));
}
template <class T> HD_DEVICE unsigned __match_all_sync(unsigned mask, T value, int *all)
{
    return hd_port_match_all_(mask, hd_port_bits_(value), all);
}
#define HD_PORT_REDUCTION_(operation, T, S, expression)                                            \
    HD_PORT_REDUCE_(__reduce_##operation##sync, T, expression)
HD_PORT_REDUCTIONS_(HD_PORT_REDUCTION_)
#undef HD_PORT_REDUCTION_
#undef HD_PORT_REDUCTIONS_
#undef HD_PORT_REDUCE_

#endif
