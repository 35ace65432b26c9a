/* SPDX-License-Identifier: Apache-2.0 */
/* cub_device.hpp - CUB's calls for whole arrays: each is a kernel of one thread, in the
   order of a plain loop; sorts copy to the host and back. The first call of each pair, without
   memory, asks for 1 byte. */
#ifndef HEDDLE_BACKEND_PORT_CUB_DEVICE_HPP
#define HEDDLE_BACKEND_PORT_CUB_DEVICE_HPP

#include <limits>
#include <numeric>

namespace cub
{

template <class T> using CountingInputIterator = thrust::counting_iterator<T>;
template <class T> using ConstantInputIterator = thrust::constant_iterator<T>;
template <class V, class F, class I, class = ptrdiff_t>
using TransformInputIterator = thrust::transform_iterator<F, I, V>;

template <class I> using hd_value_of_ = typename std::iterator_traits<I>::value_type;

template <class F>
static cudaError_t hd_once_(void *memory, size_t &bytes, cudaStream_t stream, F function)
{
    if (!memory) {
        bytes = 1;
        return cudaSuccess;
    }
    return hd_port_once_(function, stream);
}
/* Defines a call: the body sees its parameters. */
#define HD_CUB_CALL_(name, templates, parameters, ...)                                             \
    template <HD_PORT_STRIP_ templates>                                                            \
    static cudaError_t name(void *memory, size_t &bytes, HD_PORT_STRIP_ parameters,                \
                            cudaStream_t stream = nullptr)                                         \
    {                                                                                              \
        return hd_once_(memory, bytes, stream, [=] { __VA_ARGS__ });                               \
    }
/* Defines a call that is another one with more arguments. */
#define HD_CUB_SAME_(name, templates, parameters, other, ...)                                      \
    template <HD_PORT_STRIP_ templates>                                                            \
    static cudaError_t name(void *memory, size_t &bytes, HD_PORT_STRIP_ parameters,                \
                            cudaStream_t stream = nullptr)                                         \
    {                                                                                              \
        return other(memory, bytes, __VA_ARGS__, stream);                                          \
    }

struct DeviceReduce {
    HD_CUB_CALL_(Reduce, (class I, class O, class N, class Op, class T),
                 (I in, O out, N count, Op op, T first), {
                     T sum = first;
                     for (N i = 0; i < count; i++)
                         sum = op(sum, in[i]);
                     *out = sum;
                 })
    HD_CUB_CALL_(Sum, (class I, class O, class N), (I in, O out, N count), {
        hd_value_of_<I> sum = hd_value_of_<I>();
        for (N i = 0; i < count; i++)
            sum = sum + in[i];
        *out = sum;
    })
    HD_CUB_CALL_(Min, (class I, class O, class N), (I in, O out, N count), {
        hd_value_of_<I> best = std::numeric_limits<hd_value_of_<I>>::max();
        for (N i = 0; i < count; i++)
            best = cub::Min()(best, (hd_value_of_<I>)in[i]);
        *out = best;
    })
    HD_CUB_CALL_(Max, (class I, class O, class N), (I in, O out, N count), {
        hd_value_of_<I> best = std::numeric_limits<hd_value_of_<I>>::lowest();
        for (N i = 0; i < count; i++)
            best = cub::Max()(best, (hd_value_of_<I>)in[i]);
        *out = best;
    })
    HD_CUB_CALL_(ArgMin, (class I, class O, class N), (I in, O out, N count), {
        KeyValuePair<int, hd_value_of_<I>> best(0, in[0]);
        for (N i = 1; i < count; i++)
            if (in[i] < best.value)
                best = {(int)i, in[i]};
        *out = best;
    })
    HD_CUB_CALL_(ArgMax, (class I, class O, class N), (I in, O out, N count), {
        KeyValuePair<int, hd_value_of_<I>> best(0, in[0]);
        for (N i = 1; i < count; i++)
            if (best.value < in[i])
                best = {(int)i, in[i]};
        *out = best;
    })
    HD_CUB_CALL_(ReduceByKey, (class K, class U, class V, class A, class C, class Op, class N),
                 (K keys, U unique, V values, A sums, C runs, Op op, N count), {
                     N run = -1;
                     for (N i = 0; i < count; i++)
                         if (i > 0 && keys[i] == keys[i - 1]) {
                             sums[run] = op(sums[run], values[i]);
                         } else {
                             unique[++run] = keys[i];
                             sums[run] = values[i];
                         }
                     *runs = run + 1;
                 })
};

struct DeviceScan {
    HD_CUB_CALL_(ExclusiveScan, (class I, class O, class Op, class T, class N),
                 (I in, O out, Op op, T first, N count), {
                     T sum = first;
                     for (N i = 0; i < count; i++) {
                         const hd_value_of_<I> value = in[i];
                         out[i] = sum;
                         sum = op(sum, value);
                     }
                 })
    HD_CUB_CALL_(InclusiveScan, (class I, class O, class Op, class N),
                 (I in, O out, Op op, N count), {
                     for (N i = 0; i < count; i++) {
                         const hd_value_of_<I> value = in[i];
                         out[i] = i > 0 ? op(out[i - 1], value) : value;
                     }
                 })
    HD_CUB_SAME_(ExclusiveSum, (class I, class O, class N), (I in, O out, N count), ExclusiveScan,
                 in, out, cub::Sum(), hd_value_of_<I>(), count)
    HD_CUB_SAME_(InclusiveSum, (class I, class O, class N), (I in, O out, N count), InclusiveScan,
                 in, out, cub::Sum(), count)
};

struct DeviceSelect {
    HD_CUB_CALL_(Flagged, (class I, class F, class O, class C, class N),
                 (I in, F flags, O out, C chosen, N count), {
                     N kept = 0;
                     for (N i = 0; i < count; i++)
                         if (flags[i])
                             out[kept++] = in[i];
                     *chosen = kept;
                 })
    HD_CUB_CALL_(If, (class I, class O, class C, class N, class P),
                 (I in, O out, C chosen, N count, P wanted), {
                     N kept = 0;
                     for (N i = 0; i < count; i++)
                         if (wanted(in[i]))
                             out[kept++] = in[i];
                     *chosen = kept;
                 })
    HD_CUB_CALL_(Unique, (class I, class O, class C, class N), (I in, O out, C chosen, N count), {
        N kept = 0;
        for (N i = 0; i < count; i++)
            if (i == 0 || !(in[i] == in[i - 1]))
                out[kept++] = in[i];
        *chosen = kept;
    })
};

/* Two arrays of which one is current, for sorts that may swap them. */
template <class T> struct DoubleBuffer {
    T *d_buffers[2] = {};
    int selector = 0;
    DoubleBuffer() = default;
    DoubleBuffer(T *current, T *other) : d_buffers{current, other}
    {
    }
    T *Current()
    {
        return d_buffers[selector];
    }
    T *Alternate()
    {
        return d_buffers[selector ^ 1];
    }
};

/* Sorts by the bits first <= b < last of the keys, as CUB does: stable. */
struct DeviceRadixSort {
    template <class K> static bool hd_before_(const K &a, const K &b, int first, int last)
    {
        if constexpr (std::is_integral_v<K>) {
            const int width = last - first;
            if (first > 0 || last < (int)sizeof(K) * 8) {
                const unsigned long long keep = width >= 64 ? ~0ull : (1ull << width) - 1;
                const unsigned long long flip = std::is_signed_v<K> && last == (int)sizeof(K) * 8
                                                    ? 1ull << (width - 1)
                                                    : 0;
                return ((((unsigned long long)a >> first) & keep) ^ flip) <
                       ((((unsigned long long)b >> first) & keep) ^ flip);
            }
        }
        return a < b;
    }
    template <class T> static std::vector<T> hd_read_(const T *from, size_t count)
    {
        std::vector<T> values(count);
        (void)cudaMemcpy(values.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost);
        return values;
    }
    template <class T>
    static cudaError_t hd_write_(T *to, const std::vector<T> &from,
                                 const std::vector<size_t> &order)
    {
        std::vector<T> sorted;
        for (size_t place : order)
            sorted.push_back(from[place]);
        return cudaMemcpy(to, sorted.data(), order.size() * sizeof(T), cudaMemcpyHostToDevice);
    }
    template <class K, class V>
    static cudaError_t hd_sort_(void *memory, size_t &bytes, const K *in, K *out, const V *values,
                                V *moved, size_t count, int first, int last, cudaStream_t stream,
                                bool down)
    {
        if (!memory) {
            bytes = 1;
            return cudaSuccess;
        }
        const cudaError_t error = cudaStreamSynchronize(stream);
        if (error != cudaSuccess)
            return error;
        std::vector<size_t> order(count);
        const std::vector<K> keys = hd_read_(in, count);
        std::iota(order.begin(), order.end(), (size_t)0);
        std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
            return down ? hd_before_(keys[b], keys[a], first, last)
                        : hd_before_(keys[a], keys[b], first, last);
        });
        if (values) {
            const cudaError_t written = hd_write_(moved, hd_read_(values, count), order);
            if (written != cudaSuccess)
                return written;
        }
        return hd_write_(out, keys, order);
    }
#define HD_CUB_SORT_(keys_name, pairs_name, down)                                                  \
    template <class K, class N>                                                                    \
    static cudaError_t keys_name(void *memory, size_t &bytes, const K *in, K *out, N count,        \
                                 int first = 0, int last = (int)sizeof(K) * 8,                     \
                                 cudaStream_t stream = nullptr)                                    \
    {                                                                                              \
        return hd_sort_(memory, bytes, in, out, (const char *)nullptr, (char *)nullptr,            \
                        (size_t)count, first, last, stream, down);                                 \
    }                                                                                              \
    template <class K, class N>                                                                    \
    static cudaError_t keys_name(void *memory, size_t &bytes, DoubleBuffer<K> &keys, N count,      \
                                 int first = 0, int last = (int)sizeof(K) * 8,                     \
                                 cudaStream_t stream = nullptr)                                    \
    {                                                                                              \
        return keys_name(memory, bytes, (const K *)keys.Current(), keys.Current(), count, first,   \
                         last, stream);                                                            \
    }                                                                                              \
    template <class K, class V, class N>                                                           \
    static cudaError_t pairs_name(void *memory, size_t &bytes, const K *in, K *out,                \
                                  const V *values, V *moved, N count, int first = 0,               \
                                  int last = (int)sizeof(K) * 8, cudaStream_t stream = nullptr)    \
    {                                                                                              \
        return hd_sort_(memory, bytes, in, out, values, moved, (size_t)count, first, last, stream, \
                        down);                                                                     \
    }                                                                                              \
    template <class K, class V, class N>                                                           \
    static cudaError_t pairs_name(void *memory, size_t &bytes, DoubleBuffer<K> &keys,              \
                                  DoubleBuffer<V> &values, N count, int first = 0,                 \
                                  int last = (int)sizeof(K) * 8, cudaStream_t stream = nullptr)    \
    {                                                                                              \
        return pairs_name(memory, bytes, (const K *)keys.Current(), keys.Current(),                \
                          (const V *)values.Current(), values.Current(), count, first, last,       \
                          stream);                                                                 \
    }
    HD_CUB_SORT_(SortKeys, SortPairs, false)
    HD_CUB_SORT_(SortKeysDescending, SortPairsDescending, true)
#undef HD_CUB_SORT_
};

struct DeviceRunLengthEncode {
    HD_CUB_CALL_(Encode, (class I, class O, class L, class C, class N),
                 (I in, O unique, L lengths, C runs, N count), {
                     N run = -1;
                     for (N i = 0; i < count; i++)
                         if (i > 0 && in[i] == in[i - 1]) {
                             lengths[run] = lengths[run] + 1;
                         } else {
                             unique[++run] = in[i];
                             lengths[run] = 1;
                         }
                     *runs = run + 1;
                 })
};

struct DeviceSegmentedReduce {
    HD_CUB_CALL_(Reduce, (class I, class O, class B, class E, class Op, class T),
                 (I in, O out, int segments, B begins, E ends, Op op, T first), {
                     for (int s = 0; s < segments; s++) {
                         T sum = first;
                         for (auto i = begins[s]; i < ends[s]; i++)
                             sum = op(sum, in[i]);
                         out[s] = sum;
                     }
                 })
    HD_CUB_SAME_(Sum, (class I, class O, class B, class E),
                 (I in, O out, int segments, B begins, E ends), Reduce, in, out, segments, begins,
                 ends, cub::Sum(), hd_value_of_<I>())
};
#undef HD_CUB_CALL_
#undef HD_CUB_SAME_

} // namespace cub

#endif
