/* SPDX-License-Identifier: Apache-2.0 */
/* vectors.hpp - what C++ adds to vectors.h: dim3, whose missing extents are 1. */
#ifndef HEDDLE_BACKEND_PORT_VECTORS_HPP
#define HEDDLE_BACKEND_PORT_VECTORS_HPP

#include <heddle/backend/port/vectors.h>

#ifndef HD_PORT_OWN_DIM3_ /* the backend defines it */
struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned nx = 1, unsigned ny = 1, unsigned nz = 1) : x(nx), y(ny), z(nz)
    {
    }
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
    constexpr operator uint3() const
    {
        return {x, y, z};
    }
};
#endif

#endif
