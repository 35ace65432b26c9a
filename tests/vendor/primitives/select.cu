// SPDX-License-Identifier: Apache-2.0
// select.cu - select, partition, unique and run lengths by CUB.
#include "prims.h"

#include "select.inc"
