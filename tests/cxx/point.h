/* SPDX-License-Identifier: Apache-2.0 */
/* point.h - a class that two kernel files use; its methods ask which thread runs. */
#ifndef HEDDLE_TESTS_CXX_POINT_H
#define HEDDLE_TESTS_CXX_POINT_H

#include <heddle/kernel.h>

#include <heddle/heddle.h>

struct point {
    float x, y, z;

    HD_METHOD_BOTH float dot(const point &o) const
    {
        return x * o.x + y * o.y + z * o.z;
    }
    HD_METHOD_BOTH point &operator+=(const point &o)
    {
        x += o.x;
        y += o.y;
        z += o.z;
        return *this;
    }
    HD_METHOD static unsigned thread()
    {
        return (unsigned)hd_global_x() * 2u + hd_thread_linear() % 2u;
    }
};

/* In other.cpp: p[i] = point::thread() of thread i. */
hd_status other_threads(unsigned *p, size_t n, hd_stream *stream);

#endif
