// SPDX-License-Identifier: Apache-2.0
// vendor_interface.hip - vendor_interface.h for libraries of AMD.
#include "library.inc"
