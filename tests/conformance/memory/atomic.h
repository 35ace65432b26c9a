/* SPDX-License-Identifier: Apache-2.0 */
/* atomic.h - declares the kernels of kern_atomic.c. */
#ifndef HEDDLE_TESTS_ATOMIC_H
#define HEDDLE_TESTS_ATOMIC_H

#include <heddle/kernel_decl.h>

#include "typed.h"

enum {
    ATOMIC_ADD,
    ATOMIC_SUB,
    ATOMIC_MIN,
    ATOMIC_MAX,
    ATOMIC_EXCH,
    ATOMIC_CAS, /* a loop that adds */
    ATOMIC_ANY_TYPE,
    ATOMIC_AND = ATOMIC_ANY_TYPE,
    ATOMIC_OR,
    ATOMIC_XOR,
    ATOMIC_INTEGER,
    ATOMIC_INC = ATOMIC_INTEGER,
    ATOMIC_DEC,
    ATOMIC_OPS
};
enum { SCOPE_BLOCK, SCOPE_DEVICE, SCOPE_SYSTEM, SCOPES };

/* Every thread applies the operation once with values[its id]: to cells[0], or to cells[block] in
   block scope, or to a shared copy of cells[block]. olds: what each thread got back. */
#define ATOMIC_DECLARE(suffix, type)                                                               \
    HD_DECLARE(atomic_##suffix, type *, const type *, type *, unsigned, unsigned, unsigned)        \
    HD_DECLARE(cas_##suffix, type *, const type *, const type *, type *)                           \
    HD_DECLARE(ordered_access_##suffix, type *, type *)
TYPED_LIST(ATOMIC_DECLARE)
HD_DECLARE(atomic_wrap, uint32_t *, uint32_t *, uint32_t, unsigned, unsigned, unsigned)
#define ORDERED_DECLARE(suffix, type) HD_DECLARE(ordered_atomic_##suffix, type *, type *)
TYPED_INTEGER_LIST(ORDERED_DECLARE)
enum { ORDERED_ATOMICS = 27, ORDERED_ACCESSES = 6 };

#endif
