// SPDX-License-Identifier: Apache-2.0
// reduce.cu - reductions by CUB.
#include "prims.h"

// The value at the start of the result, the index 16 bytes on. Before CUB 2.8 there is only a form
// for fewer than 2^31 elements with another result: not offered.
enum { ARG_INDEX = 16 };
template <class T> constexpr size_t arg_value = 0;
using ARG_INDEX_TYPE = int64_t;
#if CUB_VERSION >= 200800
template <class T>
static gpu_error arg_min(void *work, size_t &bytes, const void *in, void *out, size_t n,
                           gpu_stream s)
{
    char *at = static_cast<char *>(out);
    return cub::DeviceReduce::ArgMin(work, bytes, static_cast<const T *>(in),
                                     reinterpret_cast<T *>(at),
                                     reinterpret_cast<int64_t *>(at + ARG_INDEX),
                                     static_cast<int64_t>(n), s);
}

template <class T>
static gpu_error arg_max(void *work, size_t &bytes, const void *in, void *out, size_t n,
                           gpu_stream s)
{
    char *at = static_cast<char *>(out);
    return cub::DeviceReduce::ArgMax(work, bytes, static_cast<const T *>(in),
                                     reinterpret_cast<T *>(at),
                                     reinterpret_cast<int64_t *>(at + ARG_INDEX),
                                     static_cast<int64_t>(n), s);
}
#else
using no_call = gpu_error (*)(void *, size_t &, const void *, void *, size_t, gpu_stream);
template <class T> static constexpr no_call arg_min = nullptr;
template <class T> static constexpr no_call arg_max = nullptr;
#endif

#include "reduce.inc"
