/* SPDX-License-Identifier: Apache-2.0 */
/* group_chunks.c - reductions over ranks, in chunks. */
#include <heddle/kernel.h>
#include <heddle/words.h>

#include "group.h"
#include "group_link.inc"
#include "group_pieces.inc"
#include "group_rounds.inc"

#define GROUP_BODY "group_chunks.inc"
#include "group_types.inc"
