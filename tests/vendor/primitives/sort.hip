// SPDX-License-Identifier: Apache-2.0
// sort.hip - radix sort by hipCUB.
#include "prims.h"

#include "sort.inc"
