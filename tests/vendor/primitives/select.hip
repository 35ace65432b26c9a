// SPDX-License-Identifier: Apache-2.0
// select.hip - select, partition, unique and run lengths by hipCUB.
#include "prims.h"

#include "select.inc"
