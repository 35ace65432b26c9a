/* SPDX-License-Identifier: Apache-2.0 */
/* launch.c - launches one kernel of one rank, and records which stream it went to. */
#include "plan.h"

#include "runtime/runtime.h"

void hd__group_stream_used(hd_group *group, unsigned r, hd_stream *stream)
{
    if (!hd__captured(stream))
        atomic_store(&group->rank[r].last, stream);
}

hd_status hd__group_launch(hd_group *group, unsigned r, const hd_kernel *kernel, unsigned blocks,
                           unsigned threads, void *task, hd_stream *stream)
{
    void *args[] = {task};

    hd__group_stream_used(group, r, stream);
    return hd_launch_kernel(kernel,
                            hd_launch_with(hd_dim(blocks, 1, 1), hd_dim(threads, 1, 1), 0, stream),
                            args, __FILE__, __LINE__);
}
