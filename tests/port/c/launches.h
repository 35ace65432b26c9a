/* SPDX-License-Identifier: Apache-2.0 */
/* launches.h - what launches.c and launches_other.c share. */
#ifndef LAUNCHES_H
#define LAUNCHES_H

#include <heddle/cuda_names.h>

HD_PORT_BEGIN_C
void launch_other(int *x, int n);
void fail_other(void);
int device_of_other(void);
HD_PORT_END_C
HD_PORT_EXTERN_C const int other_value;

#endif
