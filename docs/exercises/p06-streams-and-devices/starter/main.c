/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - runs the parts of this practical and checks each. Products and sums of small integers
   are exact. */
#include "exercise.h"

#include "host.h"

enum { N = 2000 };

static int check(const char *what, size_t n, const float *got, const float *in, float factor)
{
    for (size_t i = 0; i < n; i++)
        if (got[i] != factor * in[i])
            return exercise_wrong("%s: element %zu of %zu is %g, expected %g", what, i, n,
                                  (double)got[i], (double)(factor * in[i]));
    return 0;
}

static int run_fork_join(const float *in, float *out)
{
    fork_work f = {.n = N / ROUNDS, .in = in, .out = out};
    int result;

    TRY(hd_stream_create_with(0, HD_STREAM_NON_BLOCKING, 0, &f.left));
    TRY(hd_stream_create_with(0, HD_STREAM_NON_BLOCKING, 0, &f.right));
    TRY(hd_event_create(0, 0, &f.arrived));
    TRY(hd_event_create(0, 0, &f.finished));
    TRY(hd_alloc(&f.x, f.n, 0));
    TRY(hd_alloc(&f.y, f.n, 0));
    TRY(hd_alloc(&f.z, f.n, 0));
    memset(out, 0, N * sizeof *out);
    TRY(fork_join(&f));
    result = check("fork_join", ROUNDS * f.n, out, in, 5.0f);
    TRY(hd_device_synchronize(0));
    TRY(hd_free(f.z));
    TRY(hd_free(f.y));
    TRY(hd_free(f.x));
    TRY(hd_event_destroy(f.finished));
    TRY(hd_event_destroy(f.arrived));
    TRY(hd_stream_destroy(f.right));
    TRY(hd_stream_destroy(f.left));
    return result;
}

static int check_part(const part *p)
{
    const char *const names[] = {"x", "y", "received"};
    const void *const memory[] = {p->x, p->y, p->received};
    hd_pointer_info info;
    int device = -1;

    if (!p->stream || !p->arrived)
        return exercise_wrong("part_create: the part of device %d has no %s", p->device,
                              p->stream ? "event" : "stream");
    TRY(hd_stream_device(p->stream, &device));
    if (device != p->device)
        return exercise_wrong("part_create: the stream of device %d belongs to device %d",
                              p->device, device);
    for (int i = 0; i < 3; i++) {
        TRY(hd_pointer_get(memory[i], &info));
        if (info.kind != HD_MEM_DEVICE || info.bytes < p->n * sizeof(float))
            return exercise_wrong("part_create: %s of the part of device %d is not %zu bytes of "
                                  "device memory",
                                  names[i], p->device, p->n * sizeof(float));
    }
    return 0;
}

static int run_devices(const float *in, float *out)
{
    part parts[2];
    int result = 0;

    for (int d = 0; d < 2 && !result; d++) {
        TRY(part_create(&parts[d], d, N / 2));
        result = check_part(&parts[d]);
    }
    if (result)
        return result;
    memset(out, 0, N * sizeof *out);
    TRY(split(parts, in, out));
    result = check("split", N, out, in, 2.0f);
    if (!result) {
        memset(out, 0, N * sizeof *out);
        TRY(combine(parts, out));
        for (size_t i = 0; i < N / 2 && !result; i++)
            if (out[i] != 2.0f * (in[i] + in[i + N / 2]))
                result = exercise_wrong("combine: element %zu is %g, expected %g", i,
                                        (double)out[i], 2.0 * ((double)in[i] + in[i + N / 2]));
    }
    TRY(hd_device_synchronize(0));
    TRY(hd_device_synchronize(1));
    for (int d = 0; d < 2; d++) {
        TRY(hd_free(parts[d].received));
        TRY(hd_free(parts[d].y));
        TRY(hd_free(parts[d].x));
        TRY(hd_event_destroy(parts[d].arrived));
        TRY(hd_stream_destroy(parts[d].stream));
    }
    return result;
}

int main(void)
{
    float *in, *out;
    int count, result;

    TRY(hd_device_count(&count));
    if (count < 2) {
        fputs("error: this practical needs two devices: set HEDDLE_CPU_DEVICES=2\n", stderr);
        return 2;
    }
    TRY(hd_alloc_kind(&in, N, HD_MEM_PINNED, 0));
    TRY(hd_alloc_kind(&out, N, HD_MEM_PINNED, 0));
    for (size_t i = 0; i < N; i++)
        in[i] = (float)(i % 1000 + 1);
    result = run_fork_join(in, out) || run_devices(in, out);
    if (!result)
        printf("two streams, two devices: no wrong element\n");
    TRY(hd_free(out));
    TRY(hd_free(in));
    return result;
}
