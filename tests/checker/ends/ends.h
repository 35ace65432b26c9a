/* SPDX-License-Identifier: Apache-2.0 */
/* ends.h - the kernels of `ends`, and what its plugin does. */
#ifndef HEDDLE_TESTS_CHECKER_ENDS_H
#define HEDDLE_TESTS_CHECKER_ENDS_H

#include <heddle/kernel_decl.h>

/* One block of 256: shared memory is written and read by others without a barrier. */
HD_DECLARE(ends_race, unsigned *)
/* The same with many instructions for one line. */
HD_DECLARE(ends_unrolled, unsigned *)
HD_DECLARE_SYMBOL(ends_variable)

typedef hd_status ends_launcher(const hd_kernel *kernel, hd_launch_config config, void **args,
                                const char *file, int line);
typedef hd_status ends_plugin(ends_launcher *launcher, const hd_kernel *kernel,
                              hd_launch_config config, void **args);

#endif
