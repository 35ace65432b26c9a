/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Declares kernels and device symbols to host files and kernel files alike. Includes no vendor
 *  headers; C11 and C++17.
 */
#ifndef HEDDLE_KERNEL_DECL_H
#define HEDDLE_KERNEL_DECL_H

#include <stddef.h>
#include <stdint.h>

#include <heddle/detail/arguments.h>
#include <heddle/status.h>
/* HD_BOTH, HD_EXTERN, HD_ALIGN, HD_DECLARE_BACKEND_: chosen by the include path of the backend. */
#include <heddle/backend/decl.h>
#include <heddle/device/locks.h>

/** @addtogroup launches
 *  @{
 */

/** A stream: a queue of work of one device, executed in order (stream.h). */
typedef struct hd_stream hd_stream;

/** Extents of a grid or block. */
typedef struct hd_dim3 {
    unsigned x, /**< Extent in x, the innermost. */
        y,      /**< Extent in y. */
        z;      /**< Extent in z. */
} hd_dim3;

/** Flags of hd_launch_config. */
enum {
    HD_LAUNCH_COOPERATIVE = 1 /**< All blocks are resident at once; required by hd_sync_grid(). */
};

/** How a kernel is launched. hd_launch_1d() and the functions beside it make one. */
typedef struct hd_launch_config {
    hd_dim3 grid;        /**< Blocks in the grid. */
    hd_dim3 block;       /**< Threads in a block. */
    size_t shared_bytes; /**< Dynamic shared memory per block in bytes. */
    hd_stream *stream;   /**< The stream, which names the device. */
    unsigned flags;      /**< 0 or #HD_LAUNCH_COOPERATIVE. */
} hd_launch_config;

/** State that the runtime keeps for a kernel file (assertions, device symbols); on the CPU backend
 *  for a kernel. */
typedef struct hd_module hd_module;

/** A kernel as host code sees it: a constant that HD_DEFINE makes. Never freed. */
typedef struct hd_kernel {
    const char *name;          /**< Name of the kernel. */
    const char *signature;     /**< Argument types as written in #HD_DECLARE. */
    void (*entry)(void);       /**< Entry point; its meaning is the backend's. */
    hd_module *module;         /**< State of the kernel file. */
    unsigned arg_count;        /**< Number of arguments. */
    const uint32_t *arg_sizes; /**< Bytes of each argument. */
} hd_kernel;

/** A device variable or constant table as host code sees it. */
typedef struct hd_symbol {
    const char *name;   /**< Name of the variable. */
    const void *handle; /**< Its meaning is the backend's. */
    size_t bytes;       /**< Size in bytes. */
    hd_module *module;  /**< State of the kernel file. */
} hd_symbol;

/** Launches a kernel with untyped arguments. Called by the typed launchers behind #hd_launch.
 *
 *  @param kernel  The kernel.
 *  @param config  Grid, block, shared memory, stream and flags.
 *  @param args    Pointers to the arguments, kernel->arg_count of them; copied before it returns.
 *  @param file    Source file of the caller, for the detail of an error.
 *  @param line    Line in file.
 *  @return As #hd_launch.
 */
HD_EXTERN hd_status hd_launch_kernel(const hd_kernel *kernel, hd_launch_config config, void **args,
                                     const char *file, int line);

/** Makes a symbol visible outside of a shared library that is compiled with -fvisibility=hidden. */
#define HD_EXPORT __attribute__((visibility("default")))

/** Precedes the handle of every kernel and device symbol; empty by default.
 *
 *  Define it as #HD_EXPORT for a shared library that hides its symbols and whose kernels are
 *  launched from outside, e.g. by target_compile_definitions(mykernels PUBLIC
 *  HD_KERNEL_API=HD_EXPORT).
 */
#ifndef HD_KERNEL_API
#define HD_KERNEL_API
#endif

#define HD_UNUSED_ __attribute__((unused))
#define HD_PARAM_(i, type) , type p##i
#define HD_ADDRESS_(i, type) (void *)&p##i,
#define HD_SIZE_(i, type) (uint32_t)sizeof(type),

/** HD_DECLARE(name, types...): declares a kernel of 0 to 64 arguments.
 *
 *  Gives host code the handle `name_kernel` and the typed launcher behind #hd_launch.
 */
#define HD_DECLARE(...)                                                                            \
    HD_DECLARE_(HD_ARG_FIRST(__VA_ARGS__), HD_ARG_TEXT(__VA_ARGS__), __VA_ARGS__)
#define HD_DECLARE_(...) HD_DECLARE__(__VA_ARGS__)
#define HD_DECLARE__(name, text, ...)                                                              \
    HD_EXTERN HD_KERNEL_API const hd_kernel name##_kernel;                                         \
    typedef int name##_is_declared_by_HD_DECLARE;                                                  \
    typedef void name##_fn(HD_ARG_LIST(__VA_ARGS__));                                              \
    static inline HD_UNUSED_ hd_status name##_launch_from_HD_DECLARE(                              \
        const char *file, int line, hd_launch_config config HD_ARG_MAP(HD_PARAM_, __VA_ARGS__))    \
    {                                                                                              \
        void *args[] = {HD_ARG_MAP(HD_ADDRESS_, __VA_ARGS__) NULL};                                \
        return hd_launch_kernel(&name##_kernel, config, args, file, line);                         \
    }                                                                                              \
    static const uint32_t name##_arg_sizes_[] HD_UNUSED_ = {HD_ARG_MAP(HD_SIZE_, __VA_ARGS__) 0};  \
    static const char name##_signature_[] HD_UNUSED_ = text;                                       \
    enum { name##_arg_count_ = HD_ARG_COUNT(__VA_ARGS__) };                                        \
    HD_DECLARE_BACKEND_(__VA_ARGS__)

/* Part of HD_DEFINE: without HD_DECLARE the compiler's error names what is missing. */
#define HD_NEEDS_DECLARE_(name)                                                                    \
    typedef name##_is_declared_by_HD_DECLARE name##_is_defined_ HD_UNUSED_;

/** Lists a kernel that an included body has defined under a pasted name, so that a search for the
 *  full name finds it. Generates no code; does not compile if there is no such kernel.
 *
 *  @param name  Full name of the kernel.
 */
#define HD_INSTANCE(name) typedef char name##_instance_[sizeof(&name) ? 1 : -1] HD_UNUSED_;

/** hd_launch(name, config, arguments...): launches a kernel asynchronously on config.stream.
 *
 *  Errors of the configuration are returned here, with the caller's file and line; failures of the
 *  running kernel are returned by the next call that waits for its device (@ref common_errors). A
 *  wrong argument type does not compile.
 *
 *  @param name  Name of the kernel, as in #HD_DECLARE.
 *  @return HD_OK or one of the @ref common_errors; HD_ERR_LAUNCH_CONFIG if an extent is 0, or grid,
 *          block, threads per block or shared memory exceed a limit of the device, or grid times
 *          block exceeds 2^32 - 1 threads in a dimension; HD_ERR_ARGUMENT for a NULL stream or
 *          unknown flags.
 */
#define hd_launch(name, ...) hd_launch_declared(name, __VA_ARGS__)

/** As #hd_launch, for a kernel that #HD_DECLARE declares and another file defines. Kernel files in
 *  C++ need it, since #hd_launch there is for functions and closures of the same file.
 */
#define hd_launch_declared(name, ...)                                                              \
    HD_CAT(name, _launch_from_HD_DECLARE)(__FILE__, __LINE__, __VA_ARGS__)

/** The handle of a kernel, for attribute and occupancy calls.
 *
 *  @param name  Name of the kernel, as in #HD_DECLARE.
 */
#define hd_kernel_of(name) (&HD_CAT(name, _kernel))

/** Declares the handle `name_symbol` of a device variable or constant.
 *
 *  @param name  Name of the variable.
 */
#define HD_DECLARE_SYMBOL(name) HD_EXTERN HD_KERNEL_API const hd_symbol name##_symbol;

/** @} */

#endif
