/* SPDX-License-Identifier: Apache-2.0 */
/* plugin.c - a module that is loaded late and makes a launch: findings name its line. */
#include "ends.h"

hd_status ends_plug(ends_launcher *launcher, const hd_kernel *kernel, hd_launch_config config,
                    void **args);

static volatile int calls;

hd_status ends_plug(ends_launcher *launcher, const hd_kernel *kernel, hd_launch_config config,
                    void **args)
{
    hd_status status = launcher(kernel, config, args, __FILE__, __LINE__); /* PLUGIN */

    calls = calls + 1; /* the call above stays one that returns here */
    return status;
}
