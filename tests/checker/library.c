/* SPDX-License-Identifier: Apache-2.0 */
/* library.c - launches a kernel of kern_library.c: `library heddle|program [wrong|odd]`; for
   test_library.sh. */
#include <heddle/heddle.h>

#include <stdio.h>
#include <string.h>

#include "kern_library.h"

enum { GRID = 8, N = GRID * LIBRARY_BLOCK };

/* odd: so many threads fewer in each block. */
static hd_status run(int heddle, int wrong, unsigned odd)
{
    hd_launch_config blocks;
    hd_stream *stream;
    unsigned *in, *out;

    HD_TRY(hd_stream_create(0, &stream));
    HD_TRY(hd_alloc(&in, N * LIBRARY_STRIDE, 0));
    HD_TRY(hd_alloc(&out, N, 0));
    HD_TRY(hd_fill_zero(in, N * LIBRARY_STRIDE, stream));
    blocks = hd_launch_1d(N, LIBRARY_BLOCK, stream);
    blocks.block.x = LIBRARY_BLOCK - odd;
    if (heddle)
        HD_TRY(hd_launch(hd__library_slow, blocks, wrong, in, out));
    else
        HD_TRY(hd_launch(library_slow, blocks, wrong, in, out));
    HD_TRY(hd_free(out));
    HD_TRY(hd_free(in));
    return hd_stream_destroy(stream);
}

int main(int argc, char **argv)
{
    const char *how = argc > 2 ? argv[2] : "";
    hd_status status = run(argc > 1 && strcmp(argv[1], "heddle") == 0, strcmp(how, "wrong") == 0,
                           strcmp(how, "odd") == 0 ? 40 : 0);

    printf("%s\n", status < 0 ? hd_status_name(status) : "done");
    return status < 0 ? 2 : 0;
}
