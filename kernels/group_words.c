/* SPDX-License-Identifier: Apache-2.0 */
/* group_words.c - reductions over ranks, in words. */
#include <heddle/kernel.h>
#include <heddle/words.h>

#include "group.h"
#include "group_link.inc"
#include "group_pieces.inc"

#define GROUP_BODY "group_words.inc"
#include "group_types.inc"
