/* SPDX-License-Identifier: Apache-2.0 */
/* kern_shuffle.c - every shuffle, called with arguments from the host. */
#include <heddle/kernel.h>

#include "shuffle.h"

#define SHUFFLE_WITH_CONSTANTS
#define BODY "shuffle.inc"
#include "typed_all.inc"
