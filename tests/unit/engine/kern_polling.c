/* SPDX-License-Identifier: Apache-2.0 */
/* kern_polling.c - loops that poll, and loops that look like it and are right. */
#include <heddle/kernel.h>

#include "polling_kernels.h"

HD_DEVICE int arrived(unsigned how, unsigned *flag)
{
    switch (how) {
    case POLL_ACQUIRE:
        return hd_load_acquire(flag) != 0;
    case POLL_VOLATILE:
        return *(volatile unsigned *)flag != 0;
    case POLL_CAS:
        return hd_atomic_cas(flag, 1u, 2u) == 1u;
    case POLL_EXCHANGE:
        return hd_atomic_exch(flag, 0u) != 0;
    default:
        return hd_atomic_add(flag, 0u) != 0;
    }
}

/* Nobody raises the flag. */
HD_KERNEL void polling_loop(unsigned how, unsigned *flag)
{
    if (hd_thread_x() == 0)
        while (!arrived(how, flag))
            ;
}
HD_DEFINE(polling_loop)

/* Nobody raises any of n flags. */
HD_KERNEL void polling_list(unsigned n, const unsigned *flags)
{
    const volatile unsigned *flag = flags;
    unsigned raised = 0;

    while (!raised)
        for (unsigned i = 0; i < n && !raised; i++)
            raised = flag[i];
}
HD_DEFINE(polling_list)

/* n times a step that takes some nanoseconds; *found stays 0. */
HD_DEVICE void busy(unsigned how, unsigned long long n, unsigned *found, unsigned long long *count)
{
    unsigned long long seed = n;

    switch (how) {
    case BUSY_ADD:
        for (unsigned long long i = 0; i < n; i++)
            (void)hd_atomic_add(count, 1ull);
        break;
    case BUSY_CAS:
        for (unsigned long long i = 0; i < n; i++) {
            unsigned long long seen = hd_load_relaxed(count), expected;

            do {
                expected = seen;
                seen = hd_atomic_cas(count, expected, expected + 1);
            } while (seen != expected);
        }
        break;
    case BUSY_UNTIL:
        while (hd_load_relaxed(count) < n)
            (void)hd_atomic_add(count, 1ull);
        break;
    case BUSY_SEARCH:
        for (unsigned long long i = 0; i < n && hd_load_relaxed(found) == 0; i++)
            seed = seed * 6364136223846793005ull + 1442695040888963407ull;
        (void)hd_atomic_add(count, seed | 1);
        break;
    case BUSY_TURNS:
        for (unsigned long long i = 0; i < n / 16; i++)
            (void)hd_sync_block_or(hd_thread_x() == 0 && hd_load_acquire(found) != 0);
        (void)hd_atomic_add(count, 1ull);
        break;
    default:
        while (hd_atomic_add(count, 1ull) + 1 < n)
            ;
        break;
    }
}

HD_KERNEL void polling_busy(unsigned how, unsigned long long n, unsigned *found,
                            unsigned long long *count)
{
    if (how == BUSY_TURNS || hd_thread_x() == 0)
        busy(how, n, found, count);
}
HD_DEFINE(polling_busy)

/* Block 1 is busy before it raises the flag that block 0 polls. */
HD_KERNEL void polling_late(unsigned long long n, unsigned *flag, unsigned long long *count)
{
    if (hd_block_x() == 1) {
        busy(BUSY_ADD, n, flag, count);
        hd_store_release(flag, 1u);
    } else {
        while (!arrived(POLL_ACQUIRE, flag))
            ;
    }
}
HD_DEFINE(polling_late)
