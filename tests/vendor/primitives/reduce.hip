// SPDX-License-Identifier: Apache-2.0
// reduce.hip - reductions by hipCUB.
#include "prims.h"

#include <climits>

// Key (index) and value as one pair, for fewer than 2^31 elements.
template <class T> using arg_pair = hipcub::KeyValuePair<int, T>;
enum { ARG_INDEX = 0 };
template <class T> constexpr size_t arg_value = offsetof(arg_pair<T>, value);
using ARG_INDEX_TYPE = int;

template <class T>
static gpu_error arg_min(void *work, size_t &bytes, const void *in, void *out, size_t n,
                          gpu_stream s)
{
    if (n > INT_MAX)
        return hipErrorInvalidValue;
    return hipcub::DeviceReduce::ArgMin(work, bytes, static_cast<const T *>(in),
                                        static_cast<arg_pair<T> *>(out), static_cast<int>(n), s);
}

template <class T>
static gpu_error arg_max(void *work, size_t &bytes, const void *in, void *out, size_t n,
                          gpu_stream s)
{
    if (n > INT_MAX)
        return hipErrorInvalidValue;
    return hipcub::DeviceReduce::ArgMax(work, bytes, static_cast<const T *>(in),
                                        static_cast<arg_pair<T> *>(out), static_cast<int>(n), s);
}

#include "reduce.inc"
