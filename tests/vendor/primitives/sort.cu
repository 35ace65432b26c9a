// SPDX-License-Identifier: Apache-2.0
// sort.cu - radix sort by CUB.
#include "prims.h"

#include "sort.inc"
