/* SPDX-License-Identifier: Apache-2.0 */
/* replay.c - one launch for test_replay.sh: `replay say|same|width|fails|waits`. */
#include <heddle/heddle.h>

#include <stdio.h>
#include <string.h>

#include "kern_replay.h"

enum { N = 256 };

static hd_status run(const char *what, float *out, hd_stream *stream)
{
    hd_launch_config config = hd_launch_1d(N, 128, stream), small = hd_launch_1d(64, 64, stream);

    if (strcmp(what, "say") == 0)
        return hd_launch(replay_say, config, out);
    if (strcmp(what, "same") == 0)
        return hd_launch(replay_same, config, out);
    if (strcmp(what, "width") == 0)
        return hd_launch(replay_width, config, out); /* LAUNCH */
    return hd_launch(replay_fails, small, out);
}

static hd_status run_waiting(float *out, hd_stream *stream)
{
    unsigned *flag = NULL;
    void *seen = NULL;
    hd_status status = hd_alloc_kind(&flag, 1, HD_MEM_MAPPED, 0);

    if (status < 0)
        return status;
    *flag = 0;
    status = hd_host_device_pointer(&seen, flag, 0);
    if (status >= 0)
        status = hd_launch(replay_waits, hd_launch_1d(64, 64, stream), out, (const unsigned *)seen);
    __atomic_store_n(flag, 1u, __ATOMIC_RELEASE);
    if (status >= 0)
        status = hd_stream_synchronize(stream);
    (void)hd_free(flag);
    return status;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "same";
    hd_stream *stream = NULL;
    float *out = NULL;
    hd_status status = hd_stream_create(0, &stream);

    printf("once\n"); /* stays in the buffer while the process is copied */
    if (status >= 0)
        status = hd_alloc(&out, N, 0);
    if (status >= 0)
        status = strcmp(what, "waits") == 0 ? run_waiting(out, stream) : run(what, out, stream);
    if (status >= 0)
        status = hd_stream_synchronize(stream);
    (void)hd_free(out);
    (void)hd_stream_destroy(stream);
    printf("%s\n", status < 0 ? hd_status_name(status) : "done");
    return 0;
}
