/* SPDX-License-Identifier: Apache-2.0 */
/* model.c - when operations of streams run. */
#include "model.h"

/* Everything one after the other: right as long as there is one stream. */
void predict(const op *ops, int count, int copy_engines, span *spans)
{
    int now = 0;

    (void)copy_engines;
    for (int i = 0; i < count; i++) {
        spans[i].start = now;
        now += ops[i].cost;
        spans[i].end = now;
    }
}
