/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_launch.hpp (CPU) - launches:
       HD_PORT_LAUNCH((kernel), grid, block, shared, stream)(arguments)
   is kernel<<<grid, block, shared, stream>>>(arguments). A closure calls the kernel by its name, so
   that template arguments, overloads and pointers to kernels work as in C++. */
#ifndef HEDDLE_BACKEND_CUDA_LAUNCH_HPP
#define HEDDLE_BACKEND_CUDA_LAUNCH_HPP

#include <heddle/backend/cuda_graphs.hpp>

#include <tuple>
#include <utility>

struct hd_port_config_ {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    hd_port_config_(dim3 g, dim3 b, size_t bytes = 0, cudaStream_t s = nullptr)
        : grid(g), block(b), shared(bytes), stream(s)
    {
    }
    hd_launch_config with(unsigned flags) const
    {
        hd_launch_config config = hd_launch_with(hd_dim(grid.x, grid.y, grid.z),
                                                 hd_dim(block.x, block.y, block.z), shared,
                                                 hd_port_stream_(stream));
        config.flags = flags;
        return config;
    }
};

#define HD_PORT_STRIP_(...) __VA_ARGS__
#ifdef __clang__
#define HD_PORT_INLINE_
#else
#define HD_PORT_INLINE_ __attribute__((always_inline))
#endif
#define HD_PORT_LAUNCH(kernel, ...)                                                                \
    hd_port_launch_([=](auto... hd_a_)                                                             \
                        HD_PORT_INLINE_ { static_cast<void>(HD_PORT_STRIP_ kernel(hd_a_...)); },   \
                    hd_launch_place_{#kernel, __FILE__, __LINE__}, hd_port_config_(__VA_ARGS__))

namespace
{

#if HD_CPU_CHECK
/* Device variables are ordinary variables here, which the checker would take for host memory. */
[[maybe_unused]] const bool hd_port_variables_ = (hd_cpu_check_device_variables(), true);
#endif

/* An argument on its way to the threads of a launch. A class with a copy constructor or destructor
   of its own is copied by it when it is launched, and once more for each thread; its bytes travel
   in between, as in CUDA. */
template <class T> struct hd_port_bytes_ {
    alignas(T) unsigned char bytes[sizeof(T)];
};
template <class T>
using hd_port_sent_ = std::conditional_t<std::is_trivially_copyable_v<T>, T, hd_port_bytes_<T>>;
template <class T> inline hd_port_sent_<T> hd_port_send_(const T &value)
{
    hd_port_sent_<T> sent;
    memcpy((void *)&sent, (const void *)&value, sizeof value);
    return sent;
}
template <class T> inline HD_PORT_INLINE_ const T &hd_port_received_(const hd_port_sent_<T> &sent)
{
    return *(const T *)(const void *)&sent;
}
template <class F, class... A> struct hd_port_receiver_ {
    F closure;
    HD_PORT_INLINE_ void operator()(const hd_port_sent_<A> &...sent) const
    {
        closure(hd_port_received_<A>(sent)...);
    }
};
template <class F, class... A>
inline hd_status hd_port_launch_values_(hd_launch_place_ place, const F &closure,
                                        hd_launch_config config, const A &...arguments)
{
    if constexpr ((std::is_trivially_copyable_v<A> && ...))
        return hd_launch_in_cxx_(hd_launch_rank_<1>(), 0, place, closure, config, arguments...);
    else
        return hd_launch_in_cxx_(hd_launch_rank_<1>(), 0, place,
                                 hd_port_receiver_<F, A...>{closure}, config,
                                 hd_port_send_(arguments)...);
}

template <class F> struct hd_port_launcher_ {
    F closure;
    hd_launch_place_ place;
    hd_port_config_ config;
    template <class... A> cudaError_t operator()(A... arguments) const
    {
        return hd_port_done_(hd_port_launch_values_(place, closure, config.with(0), arguments...));
    }
};
template <class F>
inline hd_port_launcher_<F> hd_port_launch_(F closure, hd_launch_place_ place,
                                            hd_port_config_ config)
{
    return {closure, place, config};
}

/* Calls a closure in one thread of the device. */
template <class F> inline cudaError_t hd_port_once_(F function, cudaStream_t stream)
{
    return HD_PORT_LAUNCH((function), 1, 1, 0, stream)();
}

/* ---- cudaLaunchKernel and cooperative launches ----------------------------------------------- */

template <class... P> struct hd_port_call_ {
    void (*kernel)(P...);
    void operator()(P... arguments) const
    {
        kernel(arguments...);
    }
};
template <class... P, size_t... i>
inline cudaError_t hd_port_launch_array_(void (*kernel)(P...), const hd_port_config_ &config,
                                         void **arguments, unsigned flags,
                                         std::index_sequence<i...>)
{
    (void)arguments;
    return hd_port_done_(hd_port_launch_values_(
        hd_launch_place_{"cudaLaunchKernel", __FILE__, __LINE__}, hd_port_call_<P...>{kernel},
        config.with(flags), std::remove_cv_t<P>(*(std::remove_cv_t<P> *)arguments[i])...));
}
template <class... P>
inline cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void **arguments,
                                    size_t shared = 0, cudaStream_t stream = nullptr)
{
    return hd_port_launch_array_(kernel, {grid, block, shared, stream}, arguments, 0,
                                 std::index_sequence_for<P...>());
}
template <class... P>
inline cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block,
                                               void **arguments, size_t shared = 0,
                                               cudaStream_t stream = nullptr)
{
    return hd_port_launch_array_(kernel, {grid, block, shared, stream}, arguments,
                                 HD_LAUNCH_COOPERATIVE, std::index_sequence_for<P...>());
}

} // namespace

#endif
