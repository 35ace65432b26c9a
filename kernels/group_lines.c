/* SPDX-License-Identifier: Apache-2.0 */
/* group_lines.c - reductions over ranks, in lines. */
#include <heddle/kernel.h>
#include <heddle/words.h>

#include "group.h"
#include "group_link.inc"
#include "group_pieces.inc"

#include "group_line.inc"

#define GROUP_BODY "group_lines.inc"
#include "group_types.inc"
