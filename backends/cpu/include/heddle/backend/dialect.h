/* SPDX-License-Identifier: Apache-2.0 */
/* dialect.h (CPU) - the kernel dialect of docs/dialect.md on the CPU engine; included by
   <heddle/kernel.h>. C11 or C++17 with the extensions that gcc and clang
   share. */
#ifndef HEDDLE_BACKEND_DIALECT_H
#define HEDDLE_BACKEND_DIALECT_H

#include <assert.h>

#include <heddle/backend/cpu_block.h>
#include <heddle/backend/cpu_select.h>

/* ---- kernels and functions ------------------------------------------------------------------- */

#if HD_CPU_CHECK
/* Not inlined, so that its accesses are instrumented whatever the arguments are. */
#ifdef __clang__
#define HD_KERNEL static __attribute__((noinline, unused))
#else
#define HD_KERNEL static __attribute__((noipa, unused))
#endif
#else
/* Inlined into the loop over threads below, so that kernels without collectives vectorise. */
#define HD_KERNEL HD_CPU_ALWAYS_
#endif
#define HD_DEVICE static inline __attribute__((unused))
#ifdef __cplusplus
/* Inlined, because a class may be compiled in several files, each with its own variables of the
   running thread (below). */
#define HD_METHOD __attribute__((always_inline))
#ifdef __clang__
#define HD_LAMBDA
#else
#define HD_LAMBDA __attribute__((always_inline))
#endif
#endif
/* A function that does the work of many threads in a loop: compiled a second time for processors
   with fma and 256-bit vectors, selected at program start. Both give the same bits. */
#if !HD_CPU_CHECK && defined(__x86_64__) && defined(__GLIBC__) && !defined(__AVX2__) &&            \
    !defined(__SANITIZE_ADDRESS__) && !defined(__clang__) && __GNUC__ >= 12
#define HD_WIDE static __attribute__((unused, flatten, target_clones("arch=x86-64-v3", "default")))
#else
#define HD_WIDE HD_DEVICE
#endif
/* A function compiled for such processors only: call it only if hd_is_wide(). A virtual machine may
   have AVX2 without the others of x86-64-v3. */
#if !HD_CPU_CHECK && defined(__x86_64__)
#define HD_HAS_WIDE_ONLY 1
#define HD_WIDE_ONLY static __attribute__((unused, flatten, target("arch=x86-64-v3")))
#define hd_is_wide()                                                                               \
    (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&                            \
     __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2"))
#else
#define HD_HAS_WIDE_ONLY 0
#endif
#define HD_RESTRICT __restrict__
#define HD_GRID_CONST const
#define HD_MAX_THREADS(n) HD_CPU_BOUND_(n, __COUNTER__)
#define HD_LAUNCH_BOUNDS(n, blocks) HD_CPU_BOUND_(n, __COUNTER__)
#define HD_TEMPLATE_MAX_THREADS(n)
#define HD_TEMPLATE_LAUNCH_BOUNDS(n, blocks)

/* Completes the preceding HD_KERNEL as an empty function, defines a constructor that adds the bound
   to the file's list, and starts the kernel's declaration again. */
#define HD_CPU_BOUND_(n, c)                                                                        \
    void HD_CAT(hd_cpu_begun_, c)(void)                                                            \
    {                                                                                              \
    }                                                                                              \
    static hd_cpu_bound HD_CAT(hd_cpu_bound_, c) = {NULL, c, n};                                   \
    __attribute__((constructor)) static void HD_CAT(hd_cpu_record_, c)(void)                       \
    {                                                                                              \
        HD_CAT(hd_cpu_bound_, c).next = hd_bounds_;                                                \
        hd_bounds_ = &HD_CAT(hd_cpu_bound_, c);                                                    \
    }                                                                                              \
    HD_KERNEL

#define HD_CPU_PRAGMA_(text) _Pragma(#text)
#ifdef __clang__
#define HD_UNROLL _Pragma("unroll")
#define HD_UNROLL_N(n) HD_CPU_PRAGMA_(unroll(n))
#define HD_NO_UNROLL _Pragma("nounroll")
#else
#define HD_UNROLL _Pragma("GCC unroll 64")
#define HD_UNROLL_N(n) HD_CPU_PRAGMA_(GCC unroll n)
#define HD_NO_UNROLL _Pragma("GCC unroll 1")
#endif

#define HD_WARP_MAX 64
#define HD_MAX_WARPS_PER_BLOCK 32
#define HD_MAX_BLOCK_THREADS 1024

/* All HD_MAX_THREADS and HD_DEFINE of this file. */
static hd_cpu_bound *hd_bounds_ HD_UNUSED_;
static hd_module *hd_defined_ HD_UNUSED_;

/* All hd_cpu_outside entries of the program or library, from the linker. */
extern const hd_cpu_outside __start_hd_cpu_outside[] __attribute__((weak, visibility("hidden")));
extern const hd_cpu_outside __stop_hd_cpu_outside[] __attribute__((weak, visibility("hidden")));

/* ---- the running thread ---------------------------------------------------------------------- */

/* Where C++ functions may be merged between files (cuda_names.hpp), files share the variables. */
#ifndef HD_CPU_RUNNING_
#define HD_CPU_RUNNING_ static
#endif

/* Per kernel file and OS thread, and never address-taken: the compiler can keep them in
   registers. */
HD_CPU_RUNNING_ __thread hd_cpu_thread hd_thread_ HD_UNUSED_;
HD_CPU_RUNNING_ __thread size_t hd_global_ HD_UNUSED_; /* hd_global_x() */
HD_CPU_RUNNING_ __thread hd_cpu_dims hd_dims_ HD_UNUSED_;
HD_CPU_RUNNING_ __thread const hd_cpu_block *hd_block_ HD_UNUSED_;
HD_CPU_RUNNING_ __thread int hd_stop_ HD_UNUSED_; /* the thread has blocked: leave the loop */

/* The checker's hooks must see only the memory of kernels. The dialect's own variables are read by
   assembly, which is not instrumented, and written by functions without instrumentation. */
#if HD_CPU_CHECK
#define HD_CPU_OWN_                                                                                \
    static inline __attribute__((unused, no_sanitize("thread"), HD_CPU_NO_COVERAGE_))
#ifdef __clang__
#define HD_CPU_NO_COVERAGE_ no_sanitize("coverage")
#else
#define HD_CPU_NO_COVERAGE_ no_sanitize_coverage
#endif
#if defined __x86_64__
#define HD_CPU_LOAD_(to, x) __asm__("mov %1, %0" : "=r"(to) : "m"(x))
#elif defined __aarch64__
#define HD_CPU_LOAD_(to, x)                                                                        \
    do {                                                                                           \
        if (sizeof(to) == 8)                                                                       \
            __asm__("ldr %x0, %1" : "=r"(to) : "m"(x));                                            \
        else                                                                                       \
            __asm__("ldr %w0, %1" : "=r"(to) : "m"(x));                                            \
    } while (0)
#else
#define HD_CPU_LOAD_(to, x) ((to) = (x))
#endif
/* x is an unsigned, size_t, uint64_t or pointer. */
#define HD_CPU_GET_(x) HD_CPU_GOT_(x, HD_CAT(hd_got_, __COUNTER__))
#define HD_CPU_GOT_(x, got)                                                                        \
    __extension__({                                                                                \
        HD_CPU_TYPE_(x) got;                                                                       \
        HD_CPU_LOAD_(got, x);                                                                      \
        got;                                                                                       \
    })
#else
#define HD_CPU_OWN_ HD_CPU_ALWAYS_
#define HD_CPU_GET_(x) (x)
#endif

/* The source location of a collective or a wait. In inline functions of the library (HD_SITED) it
   is the location of their call, passed as an argument that shadows this function. */
HD_CPU_OWN_ void hd_site_(void)
{
}
#define HD_CPU_HERE_(name)                                                                         \
    __extension__({                                                                                \
        static const hd_cpu_place here_ HD_UNUSED_ = {__FILE__, name, __LINE__};                   \
        HD_CPU_SITE_(&here_);                                                                      \
    })
#define HD_SITED HD_CPU_ALWAYS_
#define HD_SITE_PARAM , const hd_cpu_place *hd_site_ HD_UNUSED_
#define HD_SITE(name) , HD_CPU_HERE_(name)

#ifdef __cplusplus
/* Assembly, because a function of a class or template may be in a section of its own, and compilers
   refuse to place its variables in one named section with those of other functions. */
#ifdef __aarch64__
#define HD_CPU_SYMBOL_ "S"
#else
#define HD_CPU_SYMBOL_ "i"
#endif
#define HD_CPU_OUTSIDE_(name)                                                                      \
    __extension__({                                                                                \
        static_assert(sizeof(hd_cpu_outside) == 32, "the entry below has 32 bytes");               \
        __asm__ volatile(".pushsection hd_cpu_outside,\"aw\"\n\t.balign 8\n\t.8byte 0, 0, 0, %c0"  \
                         "\n\t.popsection"                                                         \
                         :                                                                         \
                         : HD_CPU_SYMBOL_(&hd_bounds_));                                           \
        HD_CPU_HERE_(name);                                                                        \
    })
#else
#define HD_CPU_OUTSIDE_(name)                                                                      \
    __extension__({                                                                                \
        static const hd_cpu_outside outside_ __attribute__((section("hd_cpu_outside"))) = {        \
            {__FILE__, name, __LINE__}, &hd_bounds_};                                              \
        __asm__ volatile("" : : "m"(outside_)); /* keeps outside_, whichever place is passed */    \
        HD_CPU_SITE_(&outside_.place);                                                             \
    })
#endif

HD_CPU_OWN_ void hd_cpu_stand_in_(const hd_cpu_block *block)
{
    hd_block_ = block;
    hd_dims_ = block->dims;
}

/* Switches if the engine requests it, then restores this thread's variables: other blocks, launches
   and threads may have used them in the meantime. */
HD_CPU_OWN_ void hd_cpu_give_way_(hd_cpu_fiber_switch to, hd_cpu_thread me,
                                  const hd_cpu_block *block)
{
    if (to.load)
        hd_cpu_switch(to.save, to.load);
#if HD_CPU_CHECK
    hd_cpu_check_thread(block, me.linear);
#endif
    hd_thread_ = me;
    hd_stop_ = 1;
    if (hd_block_ != block)
        hd_cpu_stand_in_(block);
    hd_global_ = hd_dims_.origin_x + me.x;
}

#define HD_CPU_HOLDS_(condition)                                                                   \
    do {                                                                                           \
        if (!(condition))                                                                          \
            __builtin_unreachable();                                                               \
    } while (0)

/* HD_CPU_RUN_(block, from, to, call): the body of a hd_cpu_entry, the loop over the threads of a
   block with x innermost; `call` calls the kernel. Without collectives hd_stop_ stays 0 and the
   loop vectorises; otherwise the thread that blocked keeps this stack, and the engine starts the
   next thread on another one. The assumed bounds tell the compiler that no index wraps around, so
   that it can split the loop at `i < n`. */
#if HD_CPU_CHECK
/* The checker chooses the next thread; hd_cpu_begin_ sets the file's variables for thread
   `linear`. */
HD_CPU_OWN_ void hd_cpu_begin_(unsigned linear)
{
    hd_thread_.x = hd_thread_.linear = linear;
    hd_thread_.y = hd_thread_.z = 0;
    if (hd_dims_.block_dim.x != hd_dims_.threads) {
        hd_thread_.x = linear % hd_dims_.block_dim.x;
        hd_thread_.y = linear / hd_dims_.block_dim.x % hd_dims_.block_dim.y;
        hd_thread_.z = linear / hd_dims_.block_dim.x / hd_dims_.block_dim.y;
    }
    hd_global_ = hd_dims_.origin_x + hd_thread_.x;
}

static __attribute__((unused, no_sanitize("thread"), HD_CPU_NO_COVERAGE_)) void
hd_cpu_again_(const hd_cpu_block *block, unsigned linear)
{
    hd_cpu_stand_in_(block);
    hd_cpu_begin_(linear);
    hd_stop_ = 1;
}

#define HD_CPU_RUNNER_ __attribute__((no_sanitize("thread"), HD_CPU_NO_COVERAGE_))
#define HD_CPU_RUN_(block, from, to, call)                                                         \
    (void)(to);                                                                                    \
    hd_stop_ = 0;                                                                                  \
    hd_cpu_stand_in_(block);                                                                       \
    hd_cpu_check_thread(block, from);                                                              \
    hd_cpu_check_entry(block, hd_cpu_again_);                                                      \
    do {                                                                                           \
        hd_cpu_begin_(from);                                                                       \
        call;                                                                                      \
    } while (!hd_stop_ && hd_cpu_check_next(block, &(from)))
#else
#define HD_CPU_RUNNER_
#define HD_CPU_RUN_(block, from, to, call)                                                         \
    hd_stop_ = 0;                                                                                  \
    do {                                                                                           \
        hd_cpu_stand_in_(block);                                                                   \
        const unsigned width = hd_dims_.block_dim.x, height = hd_dims_.block_dim.y;                \
        unsigned row = from ? from / width : 0, x = from - row * width;                            \
        hd_thread_.y = from ? row % height : 0;                                                    \
        hd_thread_.z = from ? row / height : 0;                                                    \
        for (unsigned base = from - x; base < to; base += width, x = 0) {                          \
            unsigned end = to - base < width ? to - base : width;                                  \
            size_t global = hd_dims_.origin_x + x;                                                 \
            HD_CPU_HOLDS_(x < HD_CPU_MAX_THREADS && end <= HD_CPU_MAX_THREADS);                    \
            HD_CPU_HOLDS_(global < (size_t)1 << 62 && base < HD_CPU_MAX_THREADS);                  \
            for (; x < end; x++, global++) {                                                       \
                hd_thread_.x = x;                                                                  \
                hd_thread_.linear = base + x;                                                      \
                hd_global_ = global;                                                               \
                call;                                                                              \
                if (hd_stop_)                                                                      \
                    return;                                                                        \
            }                                                                                      \
            if (++hd_thread_.y == height) {                                                        \
                hd_thread_.y = 0;                                                                  \
                hd_thread_.z++;                                                                    \
            }                                                                                      \
        }                                                                                          \
        from = 0;                                                                                  \
    } while (hd_cpu_block_follows(block))
#endif

/* HD_DEFINE(name): the loop over threads and the handle. */
#define HD_DEFINE(name) HD_CPU_DEFINE_(name)
#define HD_CPU_DEFINE_(name)                                                                       \
    HD_NEEDS_DECLARE_(name)                                                                        \
    static HD_CPU_RUNNER_ void name##_run_(const hd_cpu_block *block, void *const *args,           \
                                           unsigned from, unsigned to)                             \
    {                                                                                              \
        const struct name##_args_ given = name##_unpack_(args);                                    \
        HD_CPU_RUN_(block, from, to, name##_call_(name, given));                                   \
    }                                                                                              \
    HD_CPU_HANDLE_(name)
#define HD_CPU_HANDLE_(name)                                                                       \
    static hd_module name##_module_ = {                                                            \
        NULL, &hd_defined_,           &hd_bounds_,          __COUNTER__, 0, 0, HD_CPU_CHECK,       \
        0,    __start_hd_cpu_outside, __stop_hd_cpu_outside};                                      \
    __attribute__((constructor)) static void name##_record_(void)                                  \
    {                                                                                              \
        name##_module_.next = hd_defined_;                                                         \
        hd_defined_ = &name##_module_;                                                             \
    }                                                                                              \
    const hd_kernel name##_kernel = {                                                              \
        #name,           name##_signature_, (void (*)(void))name##_run_,                           \
        &name##_module_, name##_arg_count_, name##_arg_sizes_};                                    \
    HD_CPU_KNOW_(name)

#ifdef __cplusplus
/* hd_launch in this file finds the handle by the function. */
#define HD_CPU_KNOW_(name)                                                                         \
    static hd_cpu_known_ name##_known_ = {nullptr, (void (*)(void))name, &name##_kernel};          \
    static const hd_kernel *const name##_handle_ HD_UNUSED_ = hd_cpu_know_(&name##_known_);
#else
#define HD_CPU_KNOW_(name)
#endif

/* ---- indices --------------------------------------------------------------------------------- */

#define hd_thread_x() HD_CPU_GET_(hd_thread_.x)
#define hd_thread_y() HD_CPU_GET_(hd_thread_.y)
#define hd_thread_z() HD_CPU_GET_(hd_thread_.z)
#define hd_block_x() HD_CPU_GET_(hd_dims_.block.x)
#define hd_block_y() HD_CPU_GET_(hd_dims_.block.y)
#define hd_block_z() HD_CPU_GET_(hd_dims_.block.z)
#define hd_block_dim_x() HD_CPU_GET_(hd_dims_.block_dim.x)
#define hd_block_dim_y() HD_CPU_GET_(hd_dims_.block_dim.y)
#define hd_block_dim_z() HD_CPU_GET_(hd_dims_.block_dim.z)
#define hd_grid_dim_x() HD_CPU_GET_(hd_dims_.grid_dim.x)
#define hd_grid_dim_y() HD_CPU_GET_(hd_dims_.grid_dim.y)
#define hd_grid_dim_z() HD_CPU_GET_(hd_dims_.grid_dim.z)
#define hd_thread_linear() HD_CPU_GET_(hd_thread_.linear)
#define hd_block_threads() HD_CPU_GET_(hd_dims_.threads)
#define hd_warp_size() HD_CPU_GET_(hd_dims_.warp_size)
#define hd_lane() (HD_CPU_GET_(hd_thread_.linear) & (HD_CPU_GET_(hd_dims_.warp_size) - 1))

#define hd_global_x() HD_CPU_GET_(hd_global_)

HD_DEVICE size_t hd_global_y(void)
{
    return (size_t)HD_CPU_GET_(hd_dims_.block.y) * HD_CPU_GET_(hd_dims_.block_dim.y) +
           HD_CPU_GET_(hd_thread_.y);
}

HD_DEVICE size_t hd_global_z(void)
{
    return (size_t)HD_CPU_GET_(hd_dims_.block.z) * HD_CPU_GET_(hd_dims_.block_dim.z) +
           HD_CPU_GET_(hd_thread_.z);
}

HD_DEVICE size_t hd_global_size_x(void)
{
    return (size_t)HD_CPU_GET_(hd_dims_.grid_dim.x) * HD_CPU_GET_(hd_dims_.block_dim.x);
}

HD_DEVICE size_t hd_block_linear(void)
{
    return ((size_t)HD_CPU_GET_(hd_dims_.block.z) * HD_CPU_GET_(hd_dims_.grid_dim.y) +
            HD_CPU_GET_(hd_dims_.block.y)) *
               HD_CPU_GET_(hd_dims_.grid_dim.x) +
           HD_CPU_GET_(hd_dims_.block.x);
}

HD_DEVICE size_t hd_grid_blocks(void)
{
    return (size_t)HD_CPU_GET_(hd_dims_.grid_dim.x) * HD_CPU_GET_(hd_dims_.grid_dim.y) *
           HD_CPU_GET_(hd_dims_.grid_dim.z);
}

HD_DEVICE unsigned hd_warp(void)
{
    return HD_CPU_GET_(hd_thread_.linear) / HD_CPU_GET_(hd_dims_.warp_size);
}

HD_DEVICE unsigned hd_warps_per_block(void)
{
    return (HD_CPU_GET_(hd_dims_.threads) + HD_CPU_GET_(hd_dims_.warp_size) - 1) /
           HD_CPU_GET_(hd_dims_.warp_size);
}

/* ---- shared memory --------------------------------------------------------------------------- */

HD_CPU_OWN_ void *hd_cpu_array_(hd_cpu_array *array, hd_cpu_view *view)
{
    if (view->serial != hd_dims_.serial)
        hd_cpu_bind_array(hd_block_, array, view);
    return view->data;
}

/* The variables by which hd_cpu_array_ finds the array. */
#define HD_CPU_SHARED_(text, array, view, size, alignment)                                         \
    static_assert((size) <= HD_CPU_STATIC_SHARED, "static shared arrays hold 48 KB at most");      \
    static_assert((alignment) <= HD_CPU_ALIGN_MAX, "shared arrays are aligned to 1024 at most");   \
    static hd_cpu_array array = {text, (size), (alignment), 0, 0};                                 \
    static __thread hd_cpu_view view
#define HD_SHARED(type, name, n)                                                                   \
    HD_CPU_SHARED_(#name, name##_array_, name##_view_, sizeof(type) * (n), __alignof__(type));     \
    type *const name = (type *)hd_cpu_array_(&name##_array_, &name##_view_)
#define HD_SHARED2(type, name, n, m)                                                               \
    HD_CPU_SHARED_(#name, name##_array_, name##_view_, sizeof(type) * (n) * (m),                   \
                   __alignof__(type));                                                             \
    type(*const name)[m] = (type(*)[m])hd_cpu_array_(&name##_array_, &name##_view_)
#define HD_SHARED_DYN(type, name)                                                                  \
    type *const name = (type *)(void *)HD_CPU_GET_(HD_CPU_GET_(hd_block_)->dynamic)
#define HD_SHARED_AT(type, name, offset)                                                           \
    type *const name = (type *)(void *)(HD_CPU_GET_(HD_CPU_GET_(hd_block_)->dynamic) + (offset))

/* ---- constants, device variables, tables ----------------------------------------------------- */

HD_CPU_ALWAYS_ void *hd_cpu_cell_(hd_cpu_cell *cell)
{
#if !HD_CPU_CHECK
    void *copy = __atomic_load_n(&cell->copy[hd_dims_.device], __ATOMIC_ACQUIRE);

    if (copy)
        return copy;
#endif
    return hd_cpu_cell_copy(cell, HD_CPU_GET_(hd_dims_.device));
}

#define HD_CONSTANT(type, name, n)                                                                 \
    static_assert(sizeof(type) * (n) <= HD_CPU_CONSTANT, "constant memory holds 64 KB at most");   \
    HD_CPU_CELL_(const type, name, sizeof(type) * (n), 1, NULL)
#define HD_CONSTANT_INIT(type, name, n, ...)                                                       \
    static_assert(sizeof(type) * (n) <= HD_CPU_CONSTANT, "constant memory holds 64 KB at most");   \
    static const type name##_initial_[n] = __VA_ARGS__;                                            \
    HD_CPU_CELL_(const type, name, sizeof(type) * (n), 1, name##_initial_)
#define HD_DEVICE_VAR(type, name, n) HD_CPU_CELL_(type, name, sizeof(type) * (n), 0, NULL)
#define HD_DEVICE_VAR_INIT(type, name, n, ...)                                                     \
    static const type name##_initial_[n] = __VA_ARGS__;                                            \
    HD_CPU_CELL_(type, name, sizeof(type) * (n), 0, name##_initial_)
#define HD_CPU_CELL_(type, name, size, constant, initial)                                          \
    typedef type name##_type_;                                                                     \
    typedef char name##_extent_[size];                                                             \
    static hd_cpu_cell name##_cell_ HD_UNUSED_ = {#name, (size), constant, initial, {NULL}};
#define hd_symbol(name) ((name##_type_ *)hd_cpu_cell_(&name##_cell_))
#define HD_DEFINE_SYMBOL(name)                                                                     \
    HD_EXTERN const hd_symbol name##_symbol;                                                       \
    const hd_symbol name##_symbol = {#name, &name##_cell_, sizeof(name##_extent_), NULL};

#define HD_TABLE(type, name, n) static const type name[n] HD_UNUSED_

/* ---- other ---------------------------------------------------------------------------------- */

#include <heddle/backend/cpu_loops.h>
#include <heddle/backend/cpu_collective.h>
#include <heddle/backend/cpu_masked.h>
#include <heddle/backend/cpu_memory.h>
#include <heddle/backend/cpu_math.h>

#define hd_printf(...) ((void)hd_cpu_printf(__VA_ARGS__))

/* Both count nanoseconds: the frequency of a core varies and is unknown to the program. */
#define hd_clock() hd_cpu_clock()
#define hd_wall_clock() hd_cpu_clock()

/* Ends the calling thread and records source location and coordinates for the host. */
#define hd_assert(condition)                                                                       \
    ((condition)                                                                                   \
         ? (void)0                                                                                 \
         : hd_cpu_assert_failed(hd_block_, hd_thread_, #condition, __func__, __FILE__, __LINE__))

#define HD_HAS_F16_ARITHMETIC 0
#define HD_HAS_BF16_ARITHMETIC 0
#define HD_HAS_F32_ATOMIC_ADD 0
#define HD_HAS_F64_ATOMIC_ADD 0
#define HD_HAS_MATCH 1
#define HD_HAS_LANE_ROWS 0
#define HD_HAS_CONSTANT_CACHE 1
#define HD_HAS_SCALAR_REGISTERS 0
#define HD_HAS_POLLING 0
#define HD_HAS_WARP_REDUCE 1
#define HD_HAS_ASYNC_COPY 0
#define HD_SHARED_SMALL 0
#define hd_uniform(v) (v)
#define hd_in_order(v) (v)
#define hd__first_argument(p) (p)
#define hd_shfl_up_full(v, d, width) hd_shfl_up(v, d, width)
typedef size_t hd_offset;
#define HD_SHARED_MOST 0x7fffffff

#endif
