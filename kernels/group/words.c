/* SPDX-License-Identifier: Apache-2.0 */
/* words.c - reductions over ranks, in words. */
#include <heddle/kernel.h>

#include "group.h"
#include "link.inc"
#include "pieces.inc"

#define GROUP_BODY "kernels/group/words.inc"
#include "types.inc"
