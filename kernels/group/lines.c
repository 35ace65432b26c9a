/* SPDX-License-Identifier: Apache-2.0 */
/* lines.c - reductions over ranks, in lines. */
#include <heddle/kernel.h>

#include "group.h"
#include "link.inc"
#include "pieces.inc"

#include "line.inc"

#define GROUP_BODY "kernels/group/lines.inc"
#include "types.inc"
