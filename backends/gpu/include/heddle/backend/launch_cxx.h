/* SPDX-License-Identifier: Apache-2.0 */
/* launch_cxx.h (GPU) - handles of kernels that C++ files launch without HD_DEFINE: a function by its
   own address, a closure by that of a kernel that calls it (detail/launch_cxx.h). Included there. */
#ifndef HEDDLE_BACKEND_LAUNCH_CXX_H
#define HEDDLE_BACKEND_LAUNCH_CXX_H

/* An object of another type at each use, so that each launch has its own handle. */
#define HD_LAUNCH_CALL_(kernel) [] {}

template <class F, class... A> static __global__ void hd_gpu_closure_(F closure, A... arguments)
{
    closure(arguments...);
}

/* Host code cannot ask how device code calls a closure, except one without qualifiers in nvcc.
   Elsewhere the compiler's error is at the call above. */
#if defined(__CUDACC_EXTENDED_LAMBDA__)
template <class F, class... A>
constexpr bool hd_closure_takes_ =
    __nv_is_extended_device_lambda_closure_type(F) || std::is_invocable_v<const F &, const A &...>;
#else
template <class F, class... A> constexpr bool hd_closure_takes_ = true;
#endif

/* Internal linkage: a handle refers to its file's module. */
namespace
{

template <class... P> struct hd_gpu_handle_ {
    static hd_kernel make(void (*entry)(P...), hd_launch_place_ at, char *name, size_t size)
    {
        static const uint32_t sizes[] = {(uint32_t)sizeof(P)..., 0};
        return {hd_launch_name_(at, name, size), hd_launch_types_<P...>(),
                (void (*)(void))entry,           &hd_module_,
                (unsigned)sizeof...(P),          sizes};
    }
};

template <class Call, class... P> struct hd_function_kernel_ {
    static const hd_kernel *handle(void (*function)(P...), hd_launch_place_ at)
    {
        static char name[128];
        static const hd_kernel kernel = hd_gpu_handle_<P...>::make(function, at, name, sizeof name);
        return &kernel;
    }
};

template <class F, class... A> struct hd_closure_kernel_ {
    static const hd_kernel *handle(hd_launch_place_ at)
    {
        static char name[128];
        static const hd_kernel kernel = hd_gpu_handle_<F, A...>::make(hd_gpu_closure_<F, A...>, at,
                                                                      name, sizeof name);
        return &kernel;
    }
};

} // namespace

#endif
