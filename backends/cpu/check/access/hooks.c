/* SPDX-License-Identifier: Apache-2.0 */
/* hooks.c - the functions that instrumented code calls: -fsanitize=thread for every access,
   -fsanitize=bounds,alignment,shift for errors that an address does not reveal,
   -fsanitize-coverage=trace-pc for branches. The compilers define the names; their own runtime
   libraries are not linked. */
#include "quick.h"

#include <link.h>
#include <stdio.h>
#include <string.h>

#define PC ((uintptr_t)__builtin_return_address(0))

/* ---- memory outside allocations and shared arrays --------------------------------------- */

typedef struct span {
    uintptr_t from, bytes;
} span;

enum { SPANS_MAX = 512 };

/* Per worker: thread-local variables of every module; per process: read-only and writable
   segments. */
static span local[SPANS_MAX], constant[SPANS_MAX], writable[SPANS_MAX];
static unsigned locals, constants, writables;
static int device_variables; /* the program's variables of static storage may be device variables */

void hd_cpu_check_device_variables(void)
{
    device_variables = 1;
}

static int add_spans(struct dl_phdr_info *module, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    for (unsigned i = 0; i < module->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &module->dlpi_phdr[i];
        span s = {(uintptr_t)(module->dlpi_addr + p->p_vaddr), p->p_memsz};

        if (p->p_type == PT_TLS && module->dlpi_tls_data && locals < SPANS_MAX)
            local[locals++] = (span){(uintptr_t)module->dlpi_tls_data, p->p_memsz};
        if (((p->p_type == PT_LOAD && !(p->p_flags & PF_W)) || p->p_type == PT_GNU_RELRO) &&
            constants < SPANS_MAX)
            constant[constants++] = s;
        if (p->p_type == PT_LOAD && p->p_flags & PF_W && writables < SPANS_MAX)
            writable[writables++] = s;
    }
    return 0;
}

static int in_any(const span *s, unsigned count, uintptr_t address)
{
    for (unsigned i = 0; i < count; i++)
        if (address - s[i].from < s[i].bytes)
            return 1;
    return 0;
}

/* Memory outside the region that kernels may use: the thread's stack, thread-local variables, the
   engine's part of the block, constant tables, and device variables that are ordinary ones. */
static int harmless(uintptr_t address, hd_check_access kind)
{
    const hd_check_now *now = &hd_check_me;

    return address - now->stack < now->stack_bytes || in_any(local, locals, address) ||
           address - now->view < now->view_bytes ||
           (kind == HD_CHECK_READ && in_any(constant, constants, address)) ||
           (device_variables && in_any(writable, writables, address) &&
            !in_any(constant, constants, address));
}

static void __attribute__((noinline))
outside(uintptr_t address, size_t bytes, hd_check_access kind, uintptr_t pc)
{
    hd_check_finding f;

    if (harmless(address, kind))
        return;
    locals = constants = writables = 0; /* modules may have been loaded since the last call */
    (void)dl_iterate_phdr(add_spans, NULL);
    if (harmless(address, kind) || hd_check_mapped(address, bytes))
        return;
    f = hd_check_finding_here(HD_CHECK_HOST_POINTER, kind == HD_CHECK_READ ? "reads" : "writes",
                              pc);
    hd_check_me.check->op->strayed = 1;
    f.code = kind != HD_CHECK_READ && in_any(constant, constants, address)
                 ? HD_CHECK_CONSTANT_WRITE
                 : hd_check_outside(address, &f.side[1]);
    (void)snprintf(f.detail, sizeof f.detail, "%zu bytes at %p", bytes, (void *)address);
    hd_check_report(&f);
}

/* All accesses that the quick path does not handle: host code, profiled blocks, other memory. */
static void __attribute__((noinline))
any_access(uintptr_t address, size_t bytes, hd_check_access kind, hd_check_use use, uintptr_t pc)
{
    const hd_check_now *now = &hd_check_me;

    if (!now->block) {
        hd_check_host_access(address, bytes, kind != HD_CHECK_READ, pc);
    } else if (hd_check_inside(address)) {
        if (hd_check_traced())
            hd_check_trace_access(address, bytes, HD_CHECK_LOOKS, pc);
        if (now->sampled)
            hd_check_profile_access(address, bytes, kind, address - now->shared < now->shared_bytes,
                                    pc);
        hd_check_kernel_access(address, bytes, kind, now->scope, use, pc);
    } else if (address - now->stack >= now->stack_bytes &&
               (!locals || address - local[0].from >= local[0].bytes)) {
        outside(address, bytes, kind, pc);
    }
}

/* Structs and other memory accessed as a whole. */
static inline void access_at(const volatile void *pointer, size_t bytes, hd_check_access kind,
                             uintptr_t pc)
{
    any_access((uintptr_t)pointer, bytes, kind,
               kind == HD_CHECK_READ ? HD_CHECK_COPIES : HD_CHECK_FILLS, pc);
}

/* The slower second attempt: tests more kinds of order, and finds the array anew if the access is
   not in the array of the last access by this instruction. */
static int second_look(uintptr_t address, size_t bytes, int writes, uintptr_t pc)
{
    const hd_check_now *now = &hd_check_me;
    hd_check_recent *r = &hd_check_recents[hd_check_recent_slot(pc)];
    const hd_check_range *range;

    if (!now->when || r->pc != pc || r->when != now->when)
        return 0;
    if (address - r->from > r->last) {
        range = hd_check_quick_range(now, address, bytes);
        if (!range || (writes && range->constant))
            return 0;
        hd_check_recent_lies_in(r, range, bytes);
    }
    return hd_check_quick(address, bytes, writes, pc, 1);
}

static void __attribute__((noinline))
not_quick(uintptr_t address, size_t bytes, int writes, uintptr_t pc)
{
    if (!second_look(address, bytes, writes, pc))
        any_access(address, bytes, writes ? HD_CHECK_WRITE : HD_CHECK_READ, HD_CHECK_READS_WRITES,
                   pc);
}

/* bytes: 1, 2, 4, 8 or 16 */
HD_CHECK_ALWAYS_ void word_at(const volatile void *pointer, size_t bytes, int writes, uintptr_t pc)
{
    const uintptr_t address = (uintptr_t)pointer;

    if (!hd_check_quick(address, bytes, writes, pc, 0) &&
        address - hd_check_me.stack >= hd_check_me.stack_bytes)
        not_quick(address, bytes, writes, pc);
}

/* ---- plain accesses -------------------------------------------------------------------------- */

void __tsan_init(void);
void __tsan_init(void)
{
}

void __tsan_func_entry(void *pc);
void __tsan_func_entry(void *pc)
{
    (void)pc;
}

void __tsan_func_exit(void);
void __tsan_func_exit(void)
{
}

#define HOOK_(name, bytes, writes)                                                                 \
    void name(void *p);                                                                            \
    void name(void *p)                                                                             \
    {                                                                                              \
        word_at(p, bytes, writes, PC);                                                             \
    }
#define HOOKS_(bytes)                                                                              \
    HOOK_(__tsan_read##bytes, bytes, 0)                                                            \
    HOOK_(__tsan_write##bytes, bytes, 1)                                                           \
    HOOK_(__tsan_volatile_read##bytes, bytes, 0)                                                   \
    HOOK_(__tsan_volatile_write##bytes, bytes, 1)
HOOKS_(1)
HOOKS_(2)
HOOKS_(4)
HOOKS_(8)
HOOKS_(16)

/* clang: accesses that may be misaligned, e.g. two neighbouring words that it combines into one
   access. GPU compilers combine only what is known to be aligned. */
static void unaligned_at(const char *p, size_t bytes, int writes, uintptr_t pc)
{
    const size_t surely = (uintptr_t)p & -(uintptr_t)p;
    const size_t piece = surely && surely < bytes ? surely : bytes;

    for (size_t i = 0; i < bytes; i += piece)
        word_at(p + i, piece, writes, pc);
}

#define PIECES_(name, bytes, writes)                                                               \
    void name(void *p);                                                                            \
    void name(void *p)                                                                             \
    {                                                                                              \
        unaligned_at(p, bytes, writes, PC);                                                        \
    }
#define UNALIGNED_(bytes)                                                                          \
    PIECES_(__tsan_unaligned_read##bytes, bytes, 0)                                                \
    PIECES_(__tsan_unaligned_write##bytes, bytes, 1)                                               \
    PIECES_(__tsan_unaligned_volatile_read##bytes, bytes, 0)                                       \
    PIECES_(__tsan_unaligned_volatile_write##bytes, bytes, 1)
UNALIGNED_(2)
UNALIGNED_(4)
UNALIGNED_(8)
UNALIGNED_(16)

/* clang: a read followed by a write of the same location */
#define BOTH_(bytes)                                                                               \
    void __tsan_read_write##bytes(void *p);                                                        \
    void __tsan_read_write##bytes(void *p)                                                         \
    {                                                                                              \
        word_at(p, bytes, 0, PC);                                                                  \
        word_at(p, bytes, 1, PC);                                                                  \
    }
BOTH_(1)
BOTH_(2)
BOTH_(4)
BOTH_(8)
BOTH_(16)

void __tsan_read_range(void *p, size_t bytes);
void __tsan_read_range(void *p, size_t bytes)
{
    if (bytes)
        access_at(p, bytes, HD_CHECK_READ, PC);
}

void __tsan_write_range(void *p, size_t bytes);
void __tsan_write_range(void *p, size_t bytes)
{
    if (bytes)
        access_at(p, bytes, HD_CHECK_WRITE, PC);
}

void __tsan_vptr_update(void **slot, void *value);
void __tsan_vptr_update(void **slot, void *value)
{
    (void)value;
    access_at(slot, sizeof *slot, HD_CHECK_WRITE, PC);
}

void __tsan_vptr_read(void **slot);
void __tsan_vptr_read(void **slot)
{
    access_at(slot, sizeof *slot, HD_CHECK_READ, PC);
}

static void copies_at(void *to, const void *from, size_t bytes, uintptr_t pc)
{
    if (!bytes)
        return;
    access_at(from, bytes, HD_CHECK_READ, pc);
    access_at(to, bytes, HD_CHECK_WRITE, pc);
}

void *__tsan_memcpy(void *to, const void *from, size_t bytes);
void *__tsan_memcpy(void *to, const void *from, size_t bytes)
{
    copies_at(to, from, bytes, PC);
    return memcpy(to, from, bytes);
}

void *__tsan_memmove(void *to, const void *from, size_t bytes);
void *__tsan_memmove(void *to, const void *from, size_t bytes)
{
    copies_at(to, from, bytes, PC);
    return memmove(to, from, bytes);
}

void *__tsan_memset(void *to, int value, size_t bytes);
void *__tsan_memset(void *to, int value, size_t bytes)
{
    if (bytes)
        access_at(to, bytes, HD_CHECK_WRITE, PC);
    return memset(to, value, bytes);
}

/* ---- atomics --------------------------------------------------------------------------------- */

/* An exchange reads, but the location need not have been initialised. */
enum { MAY_READ = 2 };

/* Before an atomic access of a kernel: lets other threads run first. raises: the access sets a
   value, as when raising a flag, rather than adding to it. */
static void comes(const volatile void *pointer, size_t bytes, int raises, hd_check_look how,
                  uintptr_t pc)
{
    const uintptr_t address = (uintptr_t)pointer;

    if (!hd_check_me.block || !hd_check_inside(address))
        return;
    if (hd_check_traced())
        hd_check_trace_access(address, bytes, how, pc);
    if (raises)
        hd_check_raises(address, pc);
}

static void atomic_at(const volatile void *pointer, size_t bytes, int reads, int writes, int order,
                      uintptr_t pc)
{
    const uintptr_t address = (uintptr_t)pointer;
    const hd_check_now *now = &hd_check_me;

    if (!now->block) {
        hd_check_host_atomic(address, bytes, reads, writes, pc);
    } else if (hd_check_inside(address)) {
        if (now->sampled)
            hd_check_profile_access(address, bytes, HD_CHECK_ATOMIC,
                                    address - now->shared < now->shared_bytes, pc);
        if (reads)
            hd_check_reads_variable(address, order, now->scope);
        hd_check_kernel_access(address, bytes, HD_CHECK_ATOMIC, now->scope,
                               !writes      ? HD_CHECK_READS_ONLY
                               : reads == 1 ? HD_CHECK_READS_WRITES
                                            : HD_CHECK_WRITES_ONLY,
                               pc);
        if (writes)
            hd_check_writes_variable(address, order, now->scope, !reads);
        hd_check_trace_clean();
    } else {
        outside(address, bytes, writes ? HD_CHECK_WRITE : HD_CHECK_READ, pc);
    }
}

/* The memory order that instrumented code passes is at most as strong as the kernel's; the access
   itself is sequentially consistent. */
#define ATOMICS_(bits, T)                                                                          \
    T __tsan_atomic##bits##_load(const volatile T *p, int order);                                  \
    T __tsan_atomic##bits##_load(const volatile T *p, int order)                                   \
    {                                                                                              \
        comes(p, sizeof(T), 0, HD_CHECK_LOOKS_ATOMICALLY, PC);                                     \
        atomic_at(p, sizeof(T), 1, 0, order, PC);                                                  \
        return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                               \
    }                                                                                              \
    void __tsan_atomic##bits##_store(volatile T *p, T v, int order);                               \
    void __tsan_atomic##bits##_store(volatile T *p, T v, int order)                                \
    {                                                                                              \
        comes(p, sizeof(T), 1, HD_CHECK_LOOKS_ATOMICALLY, PC);                                     \
        atomic_at(p, sizeof(T), 0, 1, order, PC);                                                  \
        __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                                  \
    }                                                                                              \
    ATOMIC_(bits, T, exchange, __atomic_exchange_n, MAY_READ)                                      \
    ATOMIC_(bits, T, fetch_add, __atomic_fetch_add, 1)                                             \
    ATOMIC_(bits, T, fetch_sub, __atomic_fetch_sub, 1)                                             \
    ATOMIC_(bits, T, fetch_and, __atomic_fetch_and, 1)                                             \
    ATOMIC_(bits, T, fetch_or, __atomic_fetch_or, 1)                                               \
    ATOMIC_(bits, T, fetch_xor, __atomic_fetch_xor, 1)                                             \
    ATOMIC_(bits, T, fetch_nand, __atomic_fetch_nand, 1)                                           \
    SWAP_(bits, T, strong)                                                                         \
    SWAP_(bits, T, weak)                                                                           \
    T __tsan_atomic##bits##_compare_exchange_val(volatile T *p, T expected, T v, int order,        \
                                                 int failed);                                      \
    T __tsan_atomic##bits##_compare_exchange_val(volatile T *p, T expected, T v, int order,        \
                                                 int failed)                                       \
    {                                                                                              \
        int equal;                                                                                 \
        comes(p, sizeof(T), 0, HD_CHECK_LOOKS_TO_SWAP, PC);                                        \
        equal = __atomic_load_n(p, __ATOMIC_SEQ_CST) == expected;                                  \
        atomic_at(p, sizeof(T), 1, equal, equal ? order : failed, PC);                             \
        (void)__atomic_compare_exchange_n(p, &expected, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        return expected;                                                                           \
    }
#define SWAP_(bits, T, strength)                                                                   \
    int __tsan_atomic##bits##_compare_exchange_##strength(volatile T *p, T *expected, T v,         \
                                                          int order, int failed);                  \
    int __tsan_atomic##bits##_compare_exchange_##strength(volatile T *p, T *expected, T v,         \
                                                          int order, int failed)                   \
    {                                                                                              \
        int equal;                                                                                 \
        comes(p, sizeof(T), 0, HD_CHECK_LOOKS_TO_SWAP, PC);                                        \
        equal = __atomic_load_n(p, __ATOMIC_SEQ_CST) == *expected;                                 \
        atomic_at(p, sizeof(T), 1, equal, equal ? order : failed, PC);                             \
        return __atomic_compare_exchange_n(p, expected, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    }
#define ATOMIC_(bits, T, name, builtin, reads)                                                     \
    T __tsan_atomic##bits##_##name(volatile T *p, T v, int order);                                 \
    T __tsan_atomic##bits##_##name(volatile T *p, T v, int order)                                  \
    {                                                                                              \
        comes(p, sizeof(T), (reads) == MAY_READ,                                                   \
              (reads) == MAY_READ ? HD_CHECK_LOOKS_TO_SWAP : HD_CHECK_LOOKS_ATOMICALLY, PC);       \
        atomic_at(p, sizeof(T), reads, 1, order, PC);                                              \
        return builtin(p, v, __ATOMIC_SEQ_CST);                                                    \
    }
ATOMICS_(8, uint8_t)
ATOMICS_(16, uint16_t)
ATOMICS_(32, uint32_t)
ATOMICS_(64, uint64_t)

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order)
{
    (void)order;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (hd_check_me.block)
        hd_check_fence(HD_CHECK_SYSTEM);
    hd_check_trace_clean();
}

void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order)
{
    (void)order;
}

/* ---- errors that addresses do not reveal ------------------------------------------------- */

/* Common initial part of the compilers' records of a source location, in gcc and clang. */
typedef struct source_place {
    const char *file;
    uint32_t line, column;
} source_place;

static void at_source(hd_check_code code, const char *verb, source_place *place)
{
    hd_check_finding f;

    if (!hd_check_me.block)
        return;
    hd_check_me.check->op->strayed |= code != HD_CHECK_MASK_32BIT;
    f = hd_check_finding_here(code, verb, 0);
    f.side[0].file = place->file;
    f.side[0].line = (int)(place->line & 0x7fffffff);
    hd_check_report(&f);
}

void __ubsan_handle_out_of_bounds(source_place *place, uintptr_t index);
void __ubsan_handle_out_of_bounds(source_place *place, uintptr_t index)
{
    (void)index;
    at_source(HD_CHECK_BOUNDS_LOCAL, "indexes", place);
}

/* Null and misaligned pointers; accesses inside the region are reported by the access itself. */
void __ubsan_handle_type_mismatch_v1(source_place *place, uintptr_t pointer);
void __ubsan_handle_type_mismatch_v1(source_place *place, uintptr_t pointer)
{
    if (pointer)
        at_source(HD_CHECK_MISALIGNED, "uses", place);
}

void __ubsan_handle_shift_out_of_bounds(source_place *place, uintptr_t value, uintptr_t by);
void __ubsan_handle_shift_out_of_bounds(source_place *place, uintptr_t value, uintptr_t by)
{
    (void)value;
    (void)by;
    at_source(HD_CHECK_MASK_32BIT, "shifts", place);
}

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    if (hd_check_me.sampled)
        hd_check_profile_branch(PC);
}
