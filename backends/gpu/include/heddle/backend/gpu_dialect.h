/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_dialect.h - the part of the kernel dialect that is the same on every GPU, as specified in
   docs/dialect.md. A backend's dialect.h includes it after defining the qualifiers (HD_DEVICE,
   HD_KERNEL, HD_UNROLL ...), the thread indices, and the primitives hd_prim_*, which are listed
   where they are used. */
#ifndef HEDDLE_BACKEND_GPU_DIALECT_H
#define HEDDLE_BACKEND_GPU_DIALECT_H

#include <heddle/backend/gpu_module.h>
#include <heddle/backend/gpu_types.h>

#define HD_TEMPLATE_MAX_THREADS(n) HD_MAX_THREADS(n)
#define HD_TEMPLATE_LAUNCH_BOUNDS(n, blocks) HD_LAUNCH_BOUNDS(n, blocks)
#define HD_WARP_MAX 64
#define HD_MAX_WARPS_PER_BLOCK 32
#define HD_MAX_BLOCK_THREADS 1024

/* ---- kernels and data ------------------------------------------------------------------------ */

static __device__ hd_gpu_assert_page *hd_assert_page_ __attribute__((unused));
static hd_module hd_module_ = {&hd_assert_page_, 0, nullptr, nullptr};

/* Registers this file's kernels with the runtime, so that they are loaded before any of them runs:
   with lazy loading, loading a kernel at its first launch may wait for running kernels. */
static __attribute__((constructor, unused)) void hd_gpu_begin_(void)
{
    hd_gpu_enlist(&hd_module_);
}
static __attribute__((destructor, unused)) void hd_gpu_end_(void)
{
    hd_gpu_delist(&hd_module_);
}

static inline __attribute__((unused)) int hd_gpu_list_(hd_gpu_entry *entry)
{
    entry->next = hd_module_.entries;
    hd_module_.entries = entry;
    return 1;
}

#define HD_DEFINE(name) HD_GPU_DEFINE_(name)
#define HD_GPU_DEFINE_(name)                                                                       \
    HD_NEEDS_DECLARE_(name)                                                                        \
    static name##_fn *const name##_check_ HD_UNUSED_ = name;                                       \
    const hd_kernel name##_kernel = {#name,       name##_signature_, (void (*)(void))name,         \
                                     &hd_module_, name##_arg_count_, name##_arg_sizes_};           \
    static hd_gpu_entry name##_entry_ = {&name##_kernel, nullptr};                                 \
    static const int name##_listed_ HD_UNUSED_ = hd_gpu_list_(&name##_entry_);

#define HD_WIDE HD_DEVICE
#define HD_SHARED(type, name, n) __shared__ type name[n]
#define HD_SHARED2(type, name, n, m) __shared__ type name[n][m]
#define HD_GPU_DYNAMIC_ extern __shared__ HD_ALIGN(16) unsigned char hd_dynamic_[]
#define HD_SHARED_DYN(type, name)                                                                  \
    HD_GPU_DYNAMIC_;                                                                               \
    type *const name = (type *)hd_dynamic_
#define HD_SHARED_AT(type, name, offset)                                                           \
    HD_GPU_DYNAMIC_;                                                                               \
    type *const name = (type *)(hd_dynamic_ + (offset))

#define HD_CONSTANT(type, name, n)                                                                 \
    static_assert(sizeof(type) * (n) <= 65536, "constant memory holds 64 KB at most");             \
    static __constant__ type name##_data_[n];
#define HD_CONSTANT_INIT(type, name, n, ...)                                                       \
    static_assert(sizeof(type) * (n) <= 65536, "constant memory holds 64 KB at most");             \
    static __constant__ type name##_data_[n] = __VA_ARGS__;
#define HD_DEVICE_VAR(type, name, n) static __device__ type name##_data_[n];
#define HD_DEVICE_VAR_INIT(type, name, n, ...) static __device__ type name##_data_[n] = __VA_ARGS__;
#define hd_symbol(name) name##_data_
#define HD_DEFINE_SYMBOL(name)                                                                     \
    HD_EXTERN const hd_symbol name##_symbol;                                                       \
    const hd_symbol name##_symbol = {#name, name##_data_, sizeof name##_data_, &hd_module_};
#define HD_TABLE(type, name, n) static __device__ const type name[n] __attribute__((unused))

/* ---- indices --------------------------------------------------------------------------------- */

HD_DEVICE unsigned hd_thread_linear(void)
{
    return hd_thread_x() + hd_block_dim_x() * (hd_thread_y() + hd_block_dim_y() * hd_thread_z());
}

HD_DEVICE unsigned hd_block_threads(void)
{
    return hd_block_dim_x() * hd_block_dim_y() * hd_block_dim_z();
}

HD_DEVICE size_t hd_block_linear(void)
{
    return hd_block_x() + hd_grid_dim_x() * (hd_block_y() + hd_grid_dim_y() * (size_t)hd_block_z());
}

HD_DEVICE size_t hd_grid_blocks(void)
{
    return (size_t)hd_grid_dim_x() * hd_grid_dim_y() * hd_grid_dim_z();
}

HD_DEVICE size_t hd_global_x(void)
{
    return (size_t)hd_block_x() * hd_block_dim_x() + hd_thread_x();
}

HD_DEVICE size_t hd_global_y(void)
{
    return (size_t)hd_block_y() * hd_block_dim_y() + hd_thread_y();
}

HD_DEVICE size_t hd_global_z(void)
{
    return (size_t)hd_block_z() * hd_block_dim_z() + hd_thread_z();
}

HD_DEVICE size_t hd_global_size_x(void)
{
    return (size_t)hd_grid_dim_x() * hd_block_dim_x();
}

HD_DEVICE size_t hd_gpu_global_size_y_(void)
{
    return (size_t)hd_grid_dim_y() * hd_block_dim_y();
}

HD_DEVICE size_t hd_gpu_global_size_z_(void)
{
    return (size_t)hd_grid_dim_z() * hd_block_dim_z();
}

HD_DEVICE unsigned hd_warp(void)
{
    return hd_thread_linear() / hd_warp_size();
}

HD_DEVICE unsigned hd_warps_per_block(void)
{
    return (hd_block_threads() + hd_warp_size() - 1) / hd_warp_size();
}

/* Grid-stride loops. Each iteration runs exactly once for any launch shape: HD_FOR uses all threads
   of the grid, HD_FOR2 includes z in the outer loop. */
#define HD_GPU_LOOP_(i, n, first, step)                                                            \
    for (size_t i = (first), i##_end_ = (n), i##_step_ = (step); i < i##_end_; i += i##_step_)
#define HD_FOR(i, n)                                                                               \
    HD_GPU_LOOP_(i, n, hd_block_linear() * hd_block_threads() + hd_thread_linear(),                \
                 hd_grid_blocks() * hd_block_threads())
#define HD_FOR2(j, ny, i, nx)                                                                      \
    HD_GPU_LOOP_(j, ny, hd_global_y() + hd_gpu_global_size_y_() * hd_global_z(),                   \
                 hd_gpu_global_size_y_() * hd_gpu_global_size_z_())                                \
    HD_GPU_LOOP_(i, nx, hd_global_x(), hd_global_size_x())
#define HD_FOR3(k, nz, j, ny, i, nx)                                                               \
    HD_GPU_LOOP_(k, nz, hd_global_z(), hd_gpu_global_size_z_())                                    \
    HD_GPU_LOOP_(j, ny, hd_global_y(), hd_gpu_global_size_y_())                                    \
    HD_GPU_LOOP_(i, nx, hd_global_x(), hd_global_size_x())

/* ---- arithmetic ------------------------------------------------------------------------------ */

/* hd_prim_min_f_, hd_prim_max_f_ (float, double): as in minmax.h, with the device's
   instructions. */
HD_DEVICE float hd_min(float a, float b)
{
    return hd_prim_min_f_(a, b);
}
HD_DEVICE double hd_min(double a, double b)
{
    return hd_prim_min_f_(a, b);
}
HD_DEVICE float hd_max(float a, float b)
{
    return hd_prim_max_f_(a, b);
}
HD_DEVICE double hd_max(double a, double b)
{
    return hd_prim_max_f_(a, b);
}
/* Otherwise in the common type of both arguments, as in C. */
template <class A, class B> HD_DEVICE auto hd_min(A a, B b) -> decltype(a + b)
{
    typedef decltype(a + b) T;
    if constexpr (hd_gpu_type_<T>::is_float)
        return hd_prim_min_f_((T)a, (T)b);
    else
        return (T)a < (T)b ? (T)a : (T)b;
}
template <class A, class B> HD_DEVICE auto hd_max(A a, B b) -> decltype(a + b)
{
    typedef decltype(a + b) T;
    if constexpr (hd_gpu_type_<T>::is_float)
        return hd_prim_max_f_((T)a, (T)b);
    else
        return (T)a < (T)b ? (T)b : (T)a;
}
template <class T> HD_DEVICE T hd_clamp(T x, hd_same_<T> low, hd_same_<T> high)
{
    return hd_min(hd_max(x, low), high);
}

HD_DEVICE int hd_abs(int x)
{
    return x < 0 ? (int)(0u - (unsigned)x) : x;
}
HD_DEVICE long hd_abs(long x)
{
    return x < 0 ? (long)(0ul - (unsigned long)x) : x;
}
HD_DEVICE long long hd_abs(long long x)
{
    return x < 0 ? (long long)(0ull - (unsigned long long)x) : x;
}
HD_DEVICE unsigned hd_abs(unsigned x)
{
    return x;
}
HD_DEVICE unsigned long hd_abs(unsigned long x)
{
    return x;
}
HD_DEVICE unsigned long long hd_abs(unsigned long long x)
{
    return x;
}
HD_DEVICE float hd_abs(float x)
{
    return fabsf(x);
}
HD_DEVICE double hd_abs(double x)
{
    return fabs(x);
}

/* Elementary functions: the vendor's, f32 and f64. Largest error in ulp as both vendors state it
   (CUDA C++ Programming Guide, mathematical functions; ROCm HIP math API), the greater of the two:
   sqrt, fma, floor, ceil, round, trunc, rint, fmod, copysign 0 (correctly rounded or exact);
   rsqrt 2; exp, exp2, log, log2, log10, log1p, expm1 2; sin, cos, sincospi 2; tan 4; asin, acos,
   atan, atan2 4; sinh, cosh 3; tanh 2; cbrt 2; hypot 4; erf 2; erfc 6; tgamma 10; lgamma 6
   away from its zeros; pow 8. */
#define HD_GPU_MATH1_(name)                                                                        \
    HD_DEVICE float hd_##name(float x)                                                             \
    {                                                                                              \
        return name##f(x);                                                                         \
    }                                                                                              \
    HD_DEVICE double hd_##name(double x)                                                           \
    {                                                                                              \
        return name(x);                                                                            \
    }
#define HD_GPU_MATH2_(name)                                                                        \
    HD_DEVICE float hd_##name(float x, float y)                                                    \
    {                                                                                              \
        return name##f(x, y);                                                                      \
    }                                                                                              \
    HD_DEVICE double hd_##name(double x, double y)                                                 \
    {                                                                                              \
        return name(x, y);                                                                         \
    }
HD_GPU_MATH1_(sqrt)
HD_GPU_MATH1_(rsqrt)
HD_GPU_MATH1_(floor)
HD_GPU_MATH1_(ceil)
HD_GPU_MATH1_(round)
HD_GPU_MATH1_(trunc)
HD_GPU_MATH1_(rint)
HD_GPU_MATH1_(exp)
HD_GPU_MATH1_(exp2)
HD_GPU_MATH1_(expm1)
HD_GPU_MATH1_(log)
HD_GPU_MATH1_(log2)
HD_GPU_MATH1_(log10)
HD_GPU_MATH1_(log1p)
HD_GPU_MATH1_(sin)
HD_GPU_MATH1_(cos)
HD_GPU_MATH1_(tan)
HD_GPU_MATH1_(asin)
HD_GPU_MATH1_(acos)
HD_GPU_MATH1_(atan)
HD_GPU_MATH1_(sinh)
HD_GPU_MATH1_(cosh)
HD_GPU_MATH1_(tanh)
HD_GPU_MATH1_(erf)
HD_GPU_MATH1_(erfc)
HD_GPU_MATH1_(cbrt)
HD_GPU_MATH1_(tgamma)
HD_GPU_MATH1_(lgamma)
HD_GPU_MATH2_(pow)
HD_GPU_MATH2_(atan2)
HD_GPU_MATH2_(hypot)
HD_GPU_MATH2_(fmod)
HD_GPU_MATH2_(copysign)
#undef HD_GPU_MATH1_
#undef HD_GPU_MATH2_

HD_DEVICE float hd_fma(float a, float b, float c)
{
    return fmaf(a, b, c);
}
HD_DEVICE double hd_fma(double a, double b, double c)
{
    return fma(a, b, c);
}
HD_DEVICE void hd_sincos(float x, float *sine, float *cosine)
{
    sincosf(x, sine, cosine);
}
HD_DEVICE void hd_sincos(double x, double *sine, double *cosine)
{
    sincos(x, sine, cosine);
}
HD_DEVICE void hd_sincospi(float x, float *sine, float *cosine)
{
    sincospif(x, sine, cosine);
}
HD_DEVICE void hd_sincospi(double x, double *sine, double *cosine)
{
    sincospi(x, sine, cosine);
}

/* hd_prim_popcount_, hd_prim_clz_, hd_prim_reverse_, hd_prim_mulhi_ (unsigned, unsigned long long;
   mulhi also int, long long). */
template <class T> HD_DEVICE unsigned hd_popcount(T x)
{
    return hd_prim_popcount_(hd_gpu_bits_(x));
}
template <class T> HD_DEVICE unsigned hd_clz(T x)
{
    return hd_prim_clz_(hd_gpu_bits_(x));
}
template <class T> HD_DEVICE unsigned hd_ctz(T x)
{
    return hd_prim_clz_(hd_prim_reverse_(hd_gpu_bits_(x)));
}
template <class T> HD_DEVICE T hd_bit_reverse(T x)
{
    return (T)hd_prim_reverse_(hd_gpu_bits_(x));
}
template <class T> HD_DEVICE T hd_mulhi(T a, hd_same_<T> b)
{
    return (T)hd_prim_mulhi_((hd_order_<T>)a, (hd_order_<T>)b);
}

#include <heddle/backend/gpu_atomics.h>
#include <heddle/backend/gpu_warp.h>
#include <heddle/backend/gpu_block.h>
#include <heddle/backend/gpu_fast.h>
#include <heddle/backend/gpu_masked.h>
#include <heddle/backend/gpu_texture.h>

/* ---- diagnostics ----------------------------------------------------------------------------- */

#define hd_printf(...) ((void)printf(__VA_ARGS__))

HD_DEVICE void hd_gpu_copy_text_(char *to, const char *from, unsigned size)
{
    unsigned i = 0;
    for (; i + 1 < size && from[i]; i++)
        to[i] = from[i];
    to[i] = 0;
}

/* Writes a record for the host, if it is the first of its generation, and ends the thread (on AMD
   hardware the whole wavefront, because no instruction ends a single lane). */
static __device__ __attribute__((noinline, unused)) void
hd_gpu_assert_failed_(const char *condition, const char *function, const char *file, int line)
{
    hd_gpu_assert_page *page = hd_assert_page_;
    unsigned generation = page ? hd_load_relaxed_system(&page->generation) : 0;
    if (page && hd_atomic_max(page->claim, generation) < generation) {
        page->block[0] = hd_block_x();
        page->block[1] = hd_block_y();
        page->block[2] = hd_block_z();
        page->thread[0] = hd_thread_x();
        page->thread[1] = hd_thread_y();
        page->thread[2] = hd_thread_z();
        page->line = line;
        hd_gpu_copy_text_(page->function, function, sizeof page->function);
        hd_gpu_copy_text_(page->condition, condition, sizeof page->condition);
        hd_gpu_copy_text_(page->file, file, sizeof page->file);
        hd_store_release_system(&page->ready, generation);
    }
    hd_prim_exit_();
}
#define hd_assert(condition)                                                                       \
    ((condition) ? (void)0 : hd_gpu_assert_failed_(#condition, __func__, __FILE__, __LINE__))

#endif
