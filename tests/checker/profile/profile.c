/* SPDX-License-Identifier: Apache-2.0 */
/* profile.c - launches the kernels of kern_profile.c once each; for test_profile.sh. */
#include <heddle/heddle.h>

#include <stdio.h>

#include "kern_profile.h"

enum { N = 256, ROWS = 8 };

int main(void)
{
    hd_stream *stream = NULL;
    float *in = NULL, *out = NULL;
    hd_status status = hd_stream_create(0, &stream);
    hd_launch_config config = hd_launch_1d(N, N, stream);

    if (status >= 0)
        status = hd_alloc(&in, ROWS * N, 0);
    if (status >= 0)
        status = hd_alloc(&out, ROWS * N, 0);
    if (status >= 0)
        status = hd_fill_zero(in, ROWS * N, stream);
#define LAUNCH(name)                                                                               \
    if (status >= 0)                                                                               \
        status = hd_launch(name, config, (const float *)in, out);
    LAUNCH(profile_row)
    LAUNCH(profile_stride)
    LAUNCH(profile_turns)
    LAUNCH(profile_rows)
    LAUNCH(profile_vector)
    LAUNCH(profile_column)
    LAUNCH(profile_barrier)
    if (status >= 0)
        status = hd_stream_synchronize(stream);
    (void)hd_free(in);
    (void)hd_free(out);
    (void)hd_stream_destroy(stream);
    if (status < 0)
        printf("%s\n", hd_status_name(status));
    return status < 0;
}
