/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_types.h - type traits for the templates of the GPU dialects; included after HD_DEVICE is
   defined. */
#ifndef HEDDLE_BACKEND_GPU_TYPES_H
#define HEDDLE_BACKEND_GPU_TYPES_H

/* A parameter of this type does not take part in deducing T: hd_atomic_add(&u64_counter, 1). */
template <class T> struct hd_gpu_same_ {
    typedef T type;
};
template <class T> using hd_same_ = typename hd_gpu_same_<T>::type;

/* The unsigned integer type of that size. */
template <size_t bytes> struct hd_gpu_word_;
template <> struct hd_gpu_word_<4> {
    typedef unsigned type;
};
template <> struct hd_gpu_word_<8> {
    typedef unsigned long long type;
};
template <class T> using hd_word_ = typename hd_gpu_word_<sizeof(T)>::type;

template <class T> HD_DEVICE hd_word_<T> hd_gpu_bits_(T value)
{
    hd_word_<T> word;
    __builtin_memcpy(&word, &value, sizeof word);
    return word;
}

template <class T> HD_DEVICE T hd_gpu_of_bits_(hd_word_<T> word)
{
    T value;
    __builtin_memcpy(&value, &word, sizeof value);
    return value;
}

/* For a type T of the dialect: whether it is a float, the type used to compare it, the type used to
   add it. */
template <class T> struct hd_gpu_type_;
#define HD_GPU_TYPE_(T, floating, Order, Sum)                                                      \
    template <> struct hd_gpu_type_<T> {                                                           \
        enum { is_float = floating };                                                              \
        typedef Order order;                                                                       \
        typedef Sum sum;                                                                           \
    };
HD_GPU_TYPE_(int, 0, int, unsigned)
HD_GPU_TYPE_(unsigned, 0, unsigned, unsigned)
HD_GPU_TYPE_(long, 0, long long, unsigned long long)
HD_GPU_TYPE_(unsigned long, 0, unsigned long long, unsigned long long)
HD_GPU_TYPE_(long long, 0, long long, unsigned long long)
HD_GPU_TYPE_(unsigned long long, 0, unsigned long long, unsigned long long)
HD_GPU_TYPE_(float, 1, float, float)
HD_GPU_TYPE_(double, 1, double, double)
#undef HD_GPU_TYPE_
template <class T> using hd_order_ = typename hd_gpu_type_<T>::order;
template <class T> using hd_sum_ = typename hd_gpu_type_<T>::sum;

#endif
