/* SPDX-License-Identifier: Apache-2.0 */
/* restrict.c - the same kernel twice. */
#include <heddle/kernel.h>

#include "restrict.h"

#define RESTRICT_NAME restrict_off
#define RESTRICT_POINTER
#include "restrict.inc"

#define RESTRICT_NAME restrict_on
#define RESTRICT_POINTER HD_RESTRICT
#include "restrict.inc"
