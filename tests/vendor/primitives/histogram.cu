// SPDX-License-Identifier: Apache-2.0
// histogram.cu - histograms by CUB.
#include "prims.h"

#include "histogram.inc"
