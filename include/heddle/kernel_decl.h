/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_decl.h - declares kernels and device symbols to host files and kernel files alike.
   Knows no vendor header; C11 and C++17. */
#ifndef HEDDLE_KERNEL_DECL_H
#define HEDDLE_KERNEL_DECL_H

#include <stddef.h>
#include <stdint.h>

#include <heddle/detail/arguments.h>
#include <heddle/status.h>
/* HD_BOTH, HD_EXTERN, HD_ALIGN, HD_DECLARE_BACKEND_: chosen by the include path of the backend. */
#include <heddle/backend/decl.h>

typedef struct hd_stream hd_stream;

typedef struct hd_dim3 {
    unsigned x, y, z;
} hd_dim3;

enum { HD_LAUNCH_COOPERATIVE = 1 }; /* every block resident at once; needed by hd_sync_grid */

/* How a kernel is launched: blocks in the grid, threads in a block, bytes of dynamic shared
   memory per block, the stream (which names the device), flags. */
typedef struct hd_launch_config {
    hd_dim3 grid;
    hd_dim3 block;
    size_t shared_bytes;
    hd_stream *stream;
    unsigned flags;
} hd_launch_config;

/* State of one kernel file that the runtime keeps (assertion slot, device symbols); on the CPU of
   one kernel. */
typedef struct hd_module hd_module;

/* A kernel as host code sees it. Made by HD_DEFINE, constant, never freed. */
typedef struct hd_kernel {
    const char *name;
    const char *signature; /* the argument types as written in HD_DECLARE */
    void (*entry)(void);   /* meaning is the backend's */
    hd_module *module;
    unsigned arg_count;
    const uint32_t *arg_sizes;
} hd_kernel;

/* A device variable or constant table as host code sees it. */
typedef struct hd_symbol {
    const char *name;
    const void *handle; /* meaning is the backend's */
    size_t bytes;
    hd_module *module;
} hd_symbol;

/* Called by the launchers below. `args` points at the arguments, one pointer each. */
HD_EXTERN hd_status hd_launch_kernel(const hd_kernel *kernel, hd_launch_config config, void **args,
                                     const char *file, int line);

/* Makes a symbol visible outside of a shared library that is compiled with -fvisibility=hidden. */
#define HD_EXPORT __attribute__((visibility("default")))

/* HD_KERNEL_API stands before the handle of every kernel and device symbol. Define it as HD_EXPORT
   for a shared library that hides its symbols and whose kernels are launched from outside, e.g. by
   target_compile_definitions(mykernels PUBLIC HD_KERNEL_API=HD_EXPORT). */
#ifndef HD_KERNEL_API
#define HD_KERNEL_API
#endif

#define HD_UNUSED_ __attribute__((unused))
#define HD_PARAM_(i, type) , type p##i
#define HD_ADDRESS_(i, type) (void *)&p##i,
#define HD_SIZE_(i, type) (uint32_t)sizeof(type),

/* HD_DECLARE(name, types...): declares a kernel of 0 to 24 arguments. Gives host code the handle
   `name_kernel` and the typed launcher behind hd_launch(name, config, arguments...). */
#define HD_DECLARE(...) HD_DECLARE_(__VA_ARGS__)
#define HD_DECLARE_(name, ...) HD_DECLARE__(name, #__VA_ARGS__, name, ##__VA_ARGS__)
#define HD_DECLARE__(name, text, ...)                                                              \
    HD_EXTERN HD_KERNEL_API const hd_kernel name##_kernel;                                         \
    typedef void name##_fn(HD_ARG_LIST(__VA_ARGS__));                                              \
    static inline HD_UNUSED_ hd_status name##_launch(                                              \
        const char *file, int line, hd_launch_config config HD_ARG_MAP(HD_PARAM_, __VA_ARGS__))    \
    {                                                                                              \
        void *args[] = {HD_ARG_MAP(HD_ADDRESS_, __VA_ARGS__) NULL};                                \
        return hd_launch_kernel(&name##_kernel, config, args, file, line);                         \
    }                                                                                              \
    static const uint32_t name##_arg_sizes_[] HD_UNUSED_ = {HD_ARG_MAP(HD_SIZE_, __VA_ARGS__) 0};  \
    static const char name##_signature_[] HD_UNUSED_ = text;                                       \
    enum { name##_arg_count_ = HD_ARG_COUNT(__VA_ARGS__) };                                        \
    HD_DECLARE_BACKEND_(__VA_ARGS__)

/* HD_INSTANCE(name): lists a kernel that an included body has defined under a pasted name. Makes
   nothing, and does not compile if there is no such kernel: it is where readers and tools that look
   for the name find it. */
#define HD_INSTANCE(name) typedef char name##_instance_[sizeof(&name) ? 1 : -1] HD_UNUSED_;

/* hd_launch(name, config, arguments...): launches asynchronously on config.stream; errors of the
   configuration are returned here with the caller's place, errors of the running kernel by the
   next synchronising call on its device. A wrong argument type does not compile. */
#define hd_launch(name, ...) HD_CAT(name, _launch)(__FILE__, __LINE__, __VA_ARGS__)

/* The handle of a kernel, for attribute and occupancy calls. */
#define hd_kernel_of(name) (&HD_CAT(name, _kernel))

/* HD_DECLARE_SYMBOL(name): declares the handle `name_symbol` of a device variable or constant. */
#define HD_DECLARE_SYMBOL(name) HD_EXTERN HD_KERNEL_API const hd_symbol name##_symbol;

#endif
