/* SPDX-License-Identifier: Apache-2.0 */
/* chunks.c - reductions over ranks, in chunks. */
#include <heddle/kernel.h>

#include "group.h"
#include "link.inc"
#include "pieces.inc"
#include "rounds.inc"

#define GROUP_BODY "kernels/group/chunks.inc"
#include "types.inc"
