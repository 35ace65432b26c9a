// SPDX-License-Identifier: Apache-2.0
// library.cu - vendor_interface.h for libraries of NVIDIA.
#include "library.inc"
