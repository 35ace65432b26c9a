/* SPDX-License-Identifier: Apache-2.0 */
/* usable.c - the memory that an access may use: a live allocation that the device can access. */
#include "check/allocations.h"

#include <stdio.h>
#include <string.h>

enum { SEEN = 8 };

static unsigned char peer[HD_CPU_MAX_DEVICES][HD_CPU_MAX_DEVICES];

void hd_check_peer(int device, int of, int enabled)
{
    peer[device][of] = (unsigned char)enabled;
    hd_check_entries_changed();
}

int hd_check_mapped(uintptr_t address, size_t bytes)
{
    hd_cpu_allocation found;

    return hd_cpu_memory_find((const void *)address, &found) == 1 &&
           bytes <= found.bytes - (size_t)(address - (uintptr_t)found.base);
}

/* Use after free if the use was enqueued after hd_free, or is ordered after hd_free_async;
   otherwise free and use are unordered. */
static hd_check_code code_of_freed(const hd_check_entry *e, const hd_check_op *user)
{
    const hd_check_op *op = hd_check_op_of(e->freed_by);

    if (op ? !hd_check_op_before(op, user) : user->number <= e->freed_at)
        return HD_CHECK_FREE_IN_USE;
    if (user->kernel && (e->is.kind == HD_MEM_PINNED || e->is.kind == HD_MEM_MAPPED))
        return HD_CHECK_DEAD_ARGUMENT;
    return HD_CHECK_USE_AFTER_FREE;
}

/* Records the operation among the allocation's users, in place of one that is ordered before it. */
static void note_user(hd_check_entry *e, const hd_check_op *op)
{
    uint32_t *into = NULL;

    for (unsigned i = 0; i < HD_CHECK_USERS; i++) {
        const hd_check_op *user;

        if (e->is.used_by[i] == op->serial)
            return;
        user = into ? NULL : hd_check_op_of(e->is.used_by[i]);
        if (!into && (!user || hd_check_op_before(user, op)))
            into = &e->is.used_by[i];
    }
    *(into ? into : &e->is.used_by[op->number % HD_CHECK_USERS]) = op->serial;
}

int hd_check_used(const hd_check_op *op, uintptr_t address, const char *verb)
{
    hd_check_finding f = {.side = {hd_check_side_of_op(verb, op)}};
    hd_check_entry *e;
    int freed;

    (void)pthread_mutex_lock(&hd_check_entries_lock);
    e = hd_check_entry_at(address);
    freed = e && e->is.freed;
    if (e && !freed)
        note_user(e, op);
    (void)pthread_mutex_unlock(&hd_check_entries_lock);
    if (!freed)
        return 1;
    f.code = code_of_freed(e, op);
    f.side[1] = hd_check_side_of_free(e);
    hd_check_describe(address, f.object, sizeof f.object);
    hd_check_report(&f);
    return 0;
}

static void unusable(hd_check_entry *e, uintptr_t address, size_t bytes, hd_check_access kind,
                     uintptr_t pc)
{
    hd_check_op *op = hd_check_me.check->op;
    hd_check_code code = HD_CHECK_BOUNDS_GLOBAL;
    hd_check_finding f;

    op->strayed = 1;
    if (e && e->is.freed)
        code = code_of_freed(e, op);
    else if (e && bytes <= e->is.bytes - (address - e->is.base))
        code = HD_CHECK_NO_PEER;
    if (hd_check_again(code, pc, 0))
        return;
    f = hd_check_finding_here(code, kind == HD_CHECK_READ ? "reads" : "writes", pc);
    if (kind == HD_CHECK_ATOMIC)
        f.side[0].verb = "updates atomically";
    hd_check_describe(address, f.object, sizeof f.object);
    if (code == HD_CHECK_NO_PEER)
        (void)snprintf(f.detail, sizeof f.detail,
                       "the kernel runs on device %d, the memory is that of device %d", op->device,
                       e->is.device);
    else
        (void)snprintf(f.detail, sizeof f.detail, "%zu bytes at %p", bytes, (void *)address);
    if (e && e->is.freed)
        f.side[1] = hd_check_side_of_free(e);
    hd_check_report(&f);
}

static int reaches(const hd_check_entry *e, int device)
{
    return e->is.device == device || peer[device][e->is.device] ||
           (e->is.kind != HD_MEM_DEVICE && e->is.kind != HD_MEM_COHERENT);
}

/* The arrays that the launch accessed last: kernels alternate between a few. */
typedef struct seen_lately {
    unsigned version, next;
    const hd_check_op *op;
    struct {
        uintptr_t base;
        size_t bytes;
        int written, constant;
    } array[SEEN];
} seen_lately;

static _Thread_local seen_lately seen __attribute__((tls_model("initial-exec")));

static const hd_check_range *use_seen(unsigned i)
{
    return hd_check_range_add((hd_check_range){seen.array[i].base, seen.array[i].bytes,
                                               seen.array[i].written, seen.array[i].constant});
}

static const hd_check_range *take_seen(uintptr_t address, size_t bytes)
{
    if (seen.version != __atomic_load_n(&hd_check_memory_version, __ATOMIC_ACQUIRE) ||
        seen.op != hd_check_me.check->op)
        return NULL;
    for (unsigned i = 0; i < SEEN; i++) {
        uintptr_t into = address - seen.array[i].base;

        if (into < seen.array[i].bytes && bytes <= seen.array[i].bytes - into)
            return use_seen(i);
    }
    return NULL;
}

/* Uses the entry immediately: another host thread may change the table before the next lookup. */
static const hd_check_range *put_seen(const hd_check_entry *e)
{
    unsigned at;

    if (seen.version != hd_check_memory_version || seen.op != hd_check_me.check->op) {
        memset(&seen, 0, sizeof seen);
        seen.version = hd_check_memory_version;
        seen.op = hd_check_me.check->op;
    }
    at = seen.next++ % SEEN;
    seen.array[at].base = e->is.base;
    seen.array[at].bytes = e->is.bytes;
    seen.array[at].written = e->is.kind != HD_MEM_DEVICE || e->is.name;
    seen.array[at].constant = e->is.constant;
    return use_seen(at);
}

/* The live allocation that contains all the bytes, if the running thread's device can access it. */
static const hd_check_range *live_range(uintptr_t address, size_t bytes, hd_check_access kind,
                                        uintptr_t pc)
{
    const hd_check_op *op = hd_check_me.check->op;
    const hd_check_range *range = take_seen(address, bytes);
    hd_check_entry *e;
    int good;

    if (range)
        return range;
    (void)pthread_mutex_lock(&hd_check_entries_lock);
    e = hd_check_entry_at(address);
    good = e && !e->is.freed && bytes <= e->is.bytes - (address - e->is.base) &&
           reaches(e, op->device);
    if (good) {
        note_user(e, op);
        range = put_seen(e);
    }
    (void)pthread_mutex_unlock(&hd_check_entries_lock);
    if (!good)
        unusable(e, address, bytes, kind, pc);
    return range;
}

const hd_check_range *hd_check_usable(uintptr_t address, size_t bytes, hd_check_access kind,
                                      uintptr_t pc)
{
    const hd_check_range *range = live_range(address, bytes, kind, pc);
    hd_check_finding f;

    if (!range || !range->constant || kind == HD_CHECK_READ)
        return range;
    if (hd_check_again(HD_CHECK_CONSTANT_WRITE, pc, 0))
        return NULL;
    f = hd_check_finding_here(HD_CHECK_CONSTANT_WRITE, "writes", pc);
    hd_check_describe(address, f.object, sizeof f.object);
    hd_check_report(&f);
    return NULL;
}
