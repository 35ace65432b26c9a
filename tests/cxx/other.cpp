/* SPDX-License-Identifier: Apache-2.0 */
/* other.cpp - a second C++ kernel file of test_features. */
#include "point.h"

HD_KERNEL void threads(unsigned *p, size_t n)
{
    if (hd_global_x() < n)
        p[hd_global_x()] = point::thread();
}

hd_status other_threads(unsigned *p, size_t n, hd_stream *stream)
{
    return hd_launch(threads, hd_launch_1d(n, 128, stream), p, n);
}
