// SPDX-License-Identifier: Apache-2.0
// peers.hip - peers.h for libraries of AMD.
#include "peers.inc"
