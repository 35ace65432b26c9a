/* SPDX-License-Identifier: Apache-2.0 */
/* host.c - work on two streams of a device, and on two devices. */
#include <heddle/peer.h>

#include "host.h"
#include "kernel.h"

hd_status fork_join(const fork_work *f)
{
    const hd_launch_config left = hd_launch_loop(f->n, BLOCK, f->left);
    const hd_launch_config right = hd_launch_loop(f->n, BLOCK, f->right);

    for (int r = 0; r < ROUNDS; r++) {
        /* This overwrites the x of the round before, which the right stream has read: the left one
           waited for that before its addition. */
        HD_TRY(hd_copy(f->x, f->in + (size_t)r * f->n, f->n, f->left));
        HD_TRY(hd_event_record(f->arrived, f->left));

        /* Fork. The wait also orders y: the addition of the round before, which read it, comes
           before the record. */
        HD_TRY(hd_stream_wait(f->right, f->arrived));
        HD_TRY(hd_launch(scale_f32, right, f->n, 3.0f, f->x, f->y));
        HD_TRY(hd_event_record(f->finished, f->right));

        HD_TRY(hd_launch(scale_f32, left, f->n, 2.0f, f->x, f->z));
        HD_TRY(hd_stream_wait(f->left, f->finished)); /* join */
        HD_TRY(hd_launch(add_f32, left, f->n, f->y, f->z));
        HD_TRY(hd_copy(f->out + (size_t)r * f->n, f->z, f->n, f->left));
    }
    return hd_stream_synchronize(f->left);
}

hd_status part_create(part *p, int device, size_t n)
{
    *p = (part){.device = device, .n = n};
    HD_TRY(hd_stream_create_with(device, HD_STREAM_NON_BLOCKING, 0, &p->stream));
    HD_TRY(hd_event_create(device, 0, &p->arrived));
    HD_TRY(hd_alloc(&p->x, n, device));
    HD_TRY(hd_alloc(&p->y, n, device));
    return hd_alloc(&p->received, n, device);
}

hd_status split(part parts[2], const float *x, float *y)
{
    for (int d = 0; d < 2; d++) {
        const part *p = &parts[d];
        const size_t first = d == 0 ? 0 : parts[0].n;

        HD_TRY(hd_copy(p->x, x + first, p->n, p->stream));
        HD_TRY(
            hd_launch(scale_f32, hd_launch_loop(p->n, BLOCK, p->stream), p->n, 2.0f, p->x, p->y));
        HD_TRY(hd_copy(y + first, p->y, p->n, p->stream));
    }
    /* Waiting inside the loop would give device 1 its work only when device 0 is done. */
    HD_TRY(hd_stream_synchronize(parts[0].stream));
    return hd_stream_synchronize(parts[1].stream);
}

hd_status combine(part parts[2], float *sums)
{
    const part *to = &parts[0], *from = &parts[1];
    const hd_launch_config config = hd_launch_loop(to->n, BLOCK, to->stream);

    /* On the sender's stream, so that it comes after the kernel that computed y. The receiver knows
       nothing of that stream: it has to wait for an event behind the transfer. */
    HD_TRY(hd_transfer(to->received, to->device, from->y, from->device, from->n * sizeof *from->y,
                       from->stream));
    HD_TRY(hd_event_record(from->arrived, from->stream));
    HD_TRY(hd_stream_wait(to->stream, from->arrived));
    HD_TRY(hd_launch(add_f32, config, to->n, to->received, to->y));
    return hd_copy_blocking(sums, to->y, to->n, to->stream);
}
