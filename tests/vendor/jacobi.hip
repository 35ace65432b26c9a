// SPDX-License-Identifier: Apache-2.0
// jacobi.hip - Jacobi sweeps written by hand.
#include "case.h"

#include "jacobi.inc"
