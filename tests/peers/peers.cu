// SPDX-License-Identifier: Apache-2.0
// peers.cu - peers.h for libraries of NVIDIA.
#include "peers.inc"
