/* SPDX-License-Identifier: Apache-2.0 */
/* compare.h - shared by the comparison of kernel accesses (race.c) and of copies (transfer.c). */
#ifndef HEDDLE_CPU_CHECK_ACCESS_COMPARE_H
#define HEDDLE_CPU_CHECK_ACCESS_COMPARE_H

#include "check/check.h"

static inline const char *hd_check_verb_of(hd_check_access kind, int reads_only)
{
    if (kind == HD_CHECK_ATOMIC)
        return reads_only ? "reads atomically" : "updates atomically";
    return kind == HD_CHECK_READ ? "reads" : "writes";
}

/* Reads conflict only with writes. */
static inline int hd_check_reads_are_over(const hd_check_record *r, hd_check_access theirs,
                                          const hd_check_op *op)
{
    return (theirs == HD_CHECK_READ || r->meta & HD_CHECK_READS) &&
           r->serial - op->serial >= op->blocks && hd_check_read_before(r->serial, op);
}

#endif
