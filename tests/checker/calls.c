/* SPDX-License-Identifier: Apache-2.0 */
/* calls.c - launches the kernel of kern_calls.c; for test_calls.sh. */
#include <heddle/heddle.h>

#include <stdio.h>

#include "kern_calls.h"

enum { THREADS = 64, BLOCKS = 2 };

static hd_status run(void)
{
    unsigned *out, *flag;
    hd_stream *stream;

    HD_TRY(hd_stream_create(0, &stream));
    HD_TRY(hd_alloc(&out, BLOCKS * THREADS, 0));
    HD_TRY(hd_alloc(&flag, 1, 0));
    HD_TRY(hd_fill_zero(flag, 1, stream));
    HD_TRY(hd_launch(calls_late, hd_launch_1d(BLOCKS * THREADS, THREADS, stream), out, flag));
    HD_TRY(hd_free(out));
    HD_TRY(hd_free(flag));
    return hd_stream_destroy(stream);
}

int main(void)
{
    hd_status status = run();

    printf("%s\n", status < 0 ? hd_status_name(status) : "done");
    return status < 0;
}
