/* SPDX-License-Identifier: Apache-2.0 */
/* layout.h - where the normal number of a path and a step is stored. */
#ifndef MONTE_CARLO_LAYOUT_H
#define MONTE_CARLO_LAYOUT_H

#include <heddle/kernel_decl.h>

/* The element of the array of paths * steps numbers that belongs to (path, step). */
HD_BOTH size_t place(size_t path, size_t step, size_t paths, size_t steps)
{
    /* Threads of a warp have neighbouring paths: in a step they read neighbouring numbers. */
    (void)steps;
    return step * paths + path;
}

#endif
