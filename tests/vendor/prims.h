// SPDX-License-Identifier: Apache-2.0
// prims.h - CUB or hipCUB as namespace `prims`, and its name as tables print it.
#ifndef HEDDLE_TESTS_PRIMS_H
#define HEDDLE_TESTS_PRIMS_H

#include "case.h"

#if defined(__HIP__) || defined(__HIPCC__)
#include <hipcub/hipcub.hpp>
namespace prims = hipcub;
inline const char *prims_name()
{
    return "hipCUB";
}
#else
#include <cub/cub.cuh>
namespace prims = cub;
inline const char *prims_name()
{
    static char text[32];
    snprintf(text, sizeof text, "CUB %d.%d.%d", CUB_MAJOR_VERSION, CUB_MINOR_VERSION,
             CUB_SUBMINOR_VERSION);
    return text;
}
#endif

#endif
