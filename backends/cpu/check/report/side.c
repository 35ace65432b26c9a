/* SPDX-License-Identifier: Apache-2.0 */
/* side.c - sides of findings: the running thread, a recorded access, an operation, host code. */
#include "check/allocations.h"

#include <string.h>

hd_check_finding hd_check_finding_here(hd_check_code code, const char *verb, uintptr_t pc)
{
    const hd_check_block *check = hd_check_me.check;
    hd_check_finding finding;

    memset(&finding, 0, sizeof finding);
    finding.code = code;
    finding.side[0].verb = verb;
    finding.side[0].thread = hd_check_me.linear;
    finding.side[0].pc = pc;
    if (check) {
        finding.side[0].op = check->op;
        finding.side[0].block = check->serial - check->op->serial;
    }
    return finding;
}

static const char *verb_of(const hd_check_record *record, hd_check_access kind)
{
    if (kind == HD_CHECK_ATOMIC)
        return record->meta & HD_CHECK_READS ? "reads atomically" : "updates atomically";
    return kind == HD_CHECK_WRITE ? "writes" : "reads";
}

hd_check_side hd_check_side_of(const hd_check_record *record, hd_check_access kind)
{
    hd_check_side side;

    memset(&side, 0, sizeof side);
    side.verb = verb_of(record, kind);
    side.op = hd_check_op_of(record->serial);
    side.thread = record->meta & HD_CHECK_THREAD;
    side.pc = hd_check_place_pc(record->place);
    if (side.op)
        side.block = record->serial - side.op->serial;
    if (side.op && !side.op->kernel) {
        side.thread = ~0u;
        side.pc = 0;
    }
    return side;
}

hd_check_side hd_check_side_of_op(const char *verb, const hd_check_op *op)
{
    hd_check_side side = {.verb = verb, .op = op, .thread = ~0u};

    memcpy(side.stack, op->stack, sizeof side.stack);
    return side;
}

hd_check_side hd_check_side_of_host(const char *verb, const uintptr_t stack[HD_CHECK_STACK])
{
    hd_check_side side = {.verb = verb, .thread = ~0u};

    memcpy(side.stack, stack, sizeof side.stack);
    return side;
}

hd_check_side hd_check_side_of_free(const hd_check_entry *e)
{
    const hd_check_op *op = hd_check_op_of(e->freed_by);

    return op ? hd_check_side_of_op("frees", op)
              : hd_check_side_of_host("frees", e->is.freed_stack);
}
