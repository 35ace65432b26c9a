// SPDX-License-Identifier: Apache-2.0
// histogram.hip - histograms by hipCUB.
#include "prims.h"

#include "histogram.inc"
