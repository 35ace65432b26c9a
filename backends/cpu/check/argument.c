/* SPDX-License-Identifier: Apache-2.0 */
/* argument.c - pointers that kernels are given: the memory behind them must still be there. Which
   arguments are pointers is read from the types as written in HD_DECLARE. */
#include "check.h"

#include <stdio.h>
#include <string.h>

#include "checked.h"

enum { GONE_MAX = 64 };

/* Host memory whose lock was taken back: kernels cannot reach it any more. */
static struct {
    uintptr_t base;
    size_t bytes;
    uintptr_t stack[HD_CHECK_STACK];
} gone[GONE_MAX];
static unsigned gone_next, registered;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void hd_check_registered(const void *pointer, size_t bytes)
{
    uintptr_t base = (uintptr_t)pointer;

    (void)pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < GONE_MAX; i++)
        if (gone[i].base - base < bytes || base - gone[i].base < gone[i].bytes)
            gone[i].bytes = 0;
    registered++;
    (void)pthread_mutex_unlock(&lock);
}

void hd_check_unregistered(const void *pointer, size_t bytes)
{
    (void)pthread_mutex_lock(&lock);
    gone[gone_next].base = (uintptr_t)pointer;
    gone[gone_next].bytes = bytes;
    hd_check_stack(gone[gone_next].stack);
    gone_next = (gone_next + 1) % GONE_MAX;
    registered--;
    (void)pthread_mutex_unlock(&lock);
}

int hd_check_any_registered(void)
{
    return __atomic_load_n(&registered, __ATOMIC_RELAXED) != 0;
}

/* 1 and who took it back. */
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

static int was_freed(uintptr_t address, hd_check_side *side)
{
    const hd_check_allocation *a = hd_check_inside(address) ? hd_check_allocation_at(address)
                                                            : NULL;

    if (!a || address - a->base >= a->bytes || !hd_check_free_due(a))
        return 0;
    *side = (hd_check_side){.verb = "frees", .thread = ~0u};
    memcpy(side->stack, a->freed_stack, sizeof side->stack);
    return 1;
}

/* The type that begins at `text` and ends before a comma outside parentheses; where the next one
   begins, NULL behind the last. *pointer: it has a star. */
static const char *type_next(const char *text, int *pointer)
{
    int depth = 0;

    *pointer = 0;
    for (; *text && (depth || *text != ','); text++) {
        depth += (*text == '(') - (*text == ')');
        *pointer |= *text == '*';
    }
    return *text ? text + 1 : NULL;
}

static void check(const hd_cpu_launch *launch, unsigned number, uintptr_t address)
{
    hd_check_finding f = {.code = HD_CHECK_DEAD_ARGUMENT};

    if (!was_freed(address, &f.side[1]) && !was_registered(address, &f.side[1]))
        return;
    f.side[0] = (hd_check_side){.verb = "is launched", .op = launch->op->check, .thread = ~0u};
    memcpy(f.side[0].stack, launch->op->check->stack, sizeof f.side[0].stack);
    hd_check_describe(address, f.object, sizeof f.object);
    (void)snprintf(f.detail, sizeof f.detail, "argument %u of %s: %p", number + 1,
                   launch->kernel->name, (void *)address);
    hd_check_report(&f);
}

void hd_check_arguments(const hd_cpu_launch *launch)
{
    const hd_kernel *kernel = launch->kernel;
    const char *text = kernel->signature;

    for (unsigned i = 0; i < kernel->arg_count && text; i++) {
        uintptr_t address;
        int pointer;

        text = type_next(text, &pointer);
        if (!pointer || kernel->arg_sizes[i] != sizeof address)
            continue;
        memcpy(&address, launch->args[i], sizeof address);
        if (address)
            check(launch, i, address);
    }
}
