/* SPDX-License-Identifier: Apache-2.0 */
/* argument.c - addresses that kernels use outside the region of kernel memory: invalid, host
   memory, or host memory that was already gone when the launch received a pointer to it (a local
   variable of a function that had returned, memory that had been unregistered). */
#include "check/check.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "observe.h"

enum { GONE_MAX = 64 };
static const size_t near = 1 << 20; /* an access this close to the region is out of bounds */

static struct {
    uintptr_t base;
    size_t bytes;
    uintptr_t stack[HD_CHECK_STACK];
} gone[GONE_MAX];
static unsigned gone_next;
static int registrations;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- registered memory ----------------------------------------------------------------------- */

void hd_check_registered(const void *pointer, size_t bytes)
{
    uintptr_t base = (uintptr_t)pointer;

    (void)pthread_mutex_lock(&lock);
    registrations++;
    for (unsigned i = 0; i < GONE_MAX; i++)
        if (gone[i].base - base < bytes || base - gone[i].base < gone[i].bytes)
            gone[i].bytes = 0;
    (void)pthread_mutex_unlock(&lock);
}

void hd_check_unregistered(const void *pointer, size_t bytes)
{
    (void)pthread_mutex_lock(&lock);
    registrations--;
    gone[gone_next].base = (uintptr_t)pointer;
    gone[gone_next].bytes = bytes;
    hd_check_stack(gone[gone_next].stack);
    gone_next = (gone_next + 1) % GONE_MAX;
    (void)pthread_mutex_unlock(&lock);
}

int hd_check_any_registered(void)
{
    return __atomic_load_n(&registrations, __ATOMIC_RELAXED) > 0;
}

static int was_registered(uintptr_t address, hd_check_side *side)
{
    int found = 0;

    (void)pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < GONE_MAX && !found; i++)
        if (address - gone[i].base < gone[i].bytes) {
            *side = (hd_check_side){.verb = "unregisters", .thread = ~0u};
            memcpy(side->stack, gone[i].stack, sizeof side->stack);
            found = 1;
        }
    (void)pthread_mutex_unlock(&lock);
    return found;
}

/* ---- local variables ------------------------------------------------------------------------- */

/* The lowest address of the calling thread's stack; 0: unknown. */
static uintptr_t stack_low(void)
{
    static _Thread_local uintptr_t low __attribute__((tls_model("initial-exec")));
    pthread_attr_t attributes;
    void *base = NULL;
    size_t bytes = 0;

    if (low)
        return low;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return 0;
    (void)pthread_attr_getstack(&attributes, &base, &bytes);
    (void)pthread_attr_destroy(&attributes);
    low = (uintptr_t)base;
    return low;
}

void hd_check_launched(hd_check_op *op, const void *frame)
{
    op->dead_from = stack_low();
    op->dead_bytes = op->dead_from ? (uintptr_t)frame - op->dead_from : 0;
}

/* ---- addresses outside the region ------------------------------------------------------------ */

static int is_there(uintptr_t address)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char any;

    return mincore((void *)(address & ~(uintptr_t)(page - 1)), 1, &any) == 0;
}

hd_check_code hd_check_outside(uintptr_t address, hd_check_side *side)
{
    const hd_check_op *op = hd_check_me.check->op;
    uintptr_t from = hd_check_base - near;

    if (address - op->dead_from < op->dead_bytes || was_registered(address, side))
        return HD_CHECK_DEAD_ARGUMENT;
    if (address - from < hd_check_bytes + 2 * near || !is_there(address) ||
        hd_check_in_shadow(address))
        return HD_CHECK_BOUNDS_GLOBAL;
    return HD_CHECK_HOST_POINTER;
}
