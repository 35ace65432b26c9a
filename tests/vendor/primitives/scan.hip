// SPDX-License-Identifier: Apache-2.0
// scan.hip - inclusive sums by hipCUB.
#include "prims.h"

#include "scan.inc"
