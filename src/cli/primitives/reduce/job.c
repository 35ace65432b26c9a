/* SPDX-License-Identifier: Apache-2.0 */
/* job.c - shared by the steps of `heddle reduce`: names of the quantities, and failures. */
#include "job.h"

#include <stdarg.h>

const char *const reduce_quantity_names[QUANTITY_COUNT_] = {
#define QUANTITY_NAME_(name, text, op) text,
    REDUCE_QUANTITY_LIST(QUANTITY_NAME_)
#undef QUANTITY_NAME_
};

const char *reduce_quantity_name(reduce_quantity quantity)
{
    return reduce_quantity_names[quantity];
}

hd_reduce_op reduce_quantity_op(reduce_quantity quantity)
{
    static const hd_reduce_op ops[] = {
#define QUANTITY_OP_(name, text, op) op,
        REDUCE_QUANTITY_LIST(QUANTITY_OP_)
#undef QUANTITY_OP_
    };

    return ops[quantity];
}

int reduce_failed(reduce_job *job, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(job->message, sizeof job->message, format, args);
    va_end(args);
    return -1;
}

int reduce_failed_call(reduce_job *job)
{
    hd_error_format(job->message, sizeof job->message);
    return -1;
}
