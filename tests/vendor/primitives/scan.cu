// SPDX-License-Identifier: Apache-2.0
// scan.cu - inclusive sums by CUB.
#include "prims.h"

#include "scan.inc"
