/* SPDX-License-Identifier: Apache-2.0 */
/* arguments.c - launches the kernels of kern_arguments.c; for test_arguments.sh. */
#include <heddle/heddle.h>

#include <stdio.h>

#include "kern_arguments.h"

enum { N = 64 };

static hd_status run(void)
{
    hd_launch_config one;
    hd_stream *stream;
    unsigned *out;

    HD_TRY(hd_stream_create(0, &stream));
    HD_TRY(hd_alloc(&out, N, 0));
    one = hd_launch_1d(N, N, stream);
    HD_TRY(hd_launch(arguments_width, one, out));
    HD_TRY(hd_launch(arguments_distance, one, out));
    HD_TRY(hd_launch(arguments_lane, one, out));
    HD_TRY(hd_launch(arguments_legal, one, out));
    HD_TRY(hd_free(out));
    return hd_stream_destroy(stream);
}

int main(void)
{
    hd_status status = run();

    printf("%s\n", status < 0 ? hd_status_name(status) : "done");
    return status < 0;
}
