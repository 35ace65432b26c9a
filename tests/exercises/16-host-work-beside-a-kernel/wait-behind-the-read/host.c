/* SPDX-License-Identifier: Apache-2.0 */
/* host.c - the host side: it prepares chunks and uses results while the device works. */
#include "host.h"
#include "exercise.h"
#include "kernel.h"

enum { BLOCK = 128 };

void process(size_t chunks, size_t n, uint64_t *totals)
{
    uint32_t *in, *out; /* pinned host memory */
    uint32_t *x, *y;    /* device memory */
    hd_stream *stream;

    TRY(hd_stream_create(0, &stream));
    TRY(hd_alloc_kind(&in, n, HD_MEM_PINNED, 0));
    TRY(hd_alloc_kind(&out, n, HD_MEM_PINNED, 0));
    TRY(hd_alloc(&x, n, 0));
    TRY(hd_alloc(&y, n, 0));
    for (size_t c = 0; c < chunks; c++) {
        prepare(c, n, in);
        TRY(hd_copy(x, in, n, stream));
        TRY(hd_launch(square_plus_one, hd_launch_loop(n, BLOCK, stream), n, x, y));
        TRY(hd_copy(out, y, n, stream));
        totals[c] = total_of(n, out);
        TRY(hd_stream_synchronize(stream));
    }
    TRY(hd_free(y));
    TRY(hd_free(x));
    TRY(hd_free(out));
    TRY(hd_free(in));
    TRY(hd_stream_destroy(stream));
}
