/* SPDX-License-Identifier: Apache-2.0 */
/* kern_print.c - printing and asserting kernels. */
#include <heddle/kernel.h>

#include "print.h"

HD_KERNEL void say(int number, double value)
{
    hd_printf("block %u thread %u number %d value %.3f 100%% %s\n", hd_block_x(), hd_thread_x(),
              number, value, "done");
}
HD_DEFINE(say)

HD_KERNEL void assert_at(size_t culprit, unsigned *count)
{
    size_t i = hd_global_x();

    hd_assert(i != culprit);
    (void)hd_atomic_add(count, 1u);
}
HD_DEFINE(assert_at)

/* Thread `culprit` of each block leaves by its assertion between two barriers. */
HD_KERNEL void assert_beside_barriers(unsigned culprit, unsigned *count)
{
    hd_sync_block();
    hd_assert(hd_thread_linear() != culprit);
    hd_sync_block();
    (void)hd_atomic_add(count, hd_sync_block_count(1) == hd_block_threads() - 1 ? 1u : 1000u);
}
HD_DEFINE(assert_beside_barriers)

HD_KERNEL void count_threads(unsigned *count)
{
    (void)hd_atomic_add(count, 1u);
}
HD_DEFINE(count_threads)

HD_KERNEL void self_checked(int holds, unsigned *count)
{
    HD_SELF_CHECK(holds);
    (void)hd_atomic_add(count, 1u);
}
HD_DEFINE(self_checked)
