/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - runs the parts of this practical one after the other and checks each. */
#include "exercise.h"

#include "host.h"
#include "kernel.h"

enum { N = 1000, SPEAKER_BLOCK = 2, SPEAKER = 77, GRID = 4 };

/* Sums of small integers are exact in float, so that they can be compared for equality. */
static int check_sums(const char *what, size_t n, const float *x, const float *y, const float *sum)
{
    for (size_t i = 0; i < n; i++)
        if (sum[i] != x[i] + y[i])
            return exercise_wrong("%s: element %zu of %zu is %g, expected %g", what, i, n,
                                  (double)sum[i], (double)(x[i] + y[i]));
    return 0;
}

/* Launches `hello` and returns the index that the speaking thread stored. */
static uint32_t listen(hd_stream *stream)
{
    uint32_t *index = NULL, heard = 0;

    TRY(hd_alloc(&index, 1, 0));
    TRY(hd_fill_zero(index, 1, stream));
    TRY(hd_launch(hello, hd_launch_1d(GRID * BLOCK, BLOCK, stream), SPEAKER_BLOCK, SPEAKER, index));
    TRY(hd_copy_blocking(&heard, index, 1, stream));
    TRY(hd_free(index));
    return heard;
}

static int check_hello(hd_stream *stream)
{
    const uint32_t heard = listen(stream);

    if (heard != SPEAKER_BLOCK * BLOCK + SPEAKER)
        return exercise_wrong("hello: the index in the grid is %u, expected %u", heard,
                              SPEAKER_BLOCK * BLOCK + SPEAKER);
    return 0;
}

static int check_error(hd_stream *stream)
{
    char text[HD_ERROR_TEXT_MAX] = "";
    const hd_status status = provoke(stream, text);

    if (status != HD_ERR_LAUNCH_CONFIG)
        return exercise_wrong("provoke: the status is %s, expected HD_ERR_LAUNCH_CONFIG",
                              hd_status_name(status));
    if (!strstr(text, "2048"))
        return exercise_wrong("provoke: the text is \"%s\", which does not name the 2048 threads",
                              text);
    fprintf(stderr, "provoked: %s\n", text);
    return 0;
}

static int run(hd_stream *stream, size_t n, const float *x, const float *y, float *sum)
{
    float milliseconds = -1.0f;

    TRY(add_with_copies(stream, n, x, y, sum, &milliseconds));
    if (check_sums("add_with_copies", n, x, y, sum))
        return 1;
    if (milliseconds < 0.0f)
        return exercise_wrong("add_with_copies: no time was measured (%g ms)",
                              (double)milliseconds);
    fprintf(stderr, "the kernel took %.4f ms\n", (double)milliseconds);

    memset(sum, 0xff, n * sizeof *sum); /* not a number: nothing is left of the first sums */
    TRY(add_managed(stream, n, x, y, sum));
    if (check_sums("add_managed", n, x, y, sum) || check_hello(stream) || check_error(stream))
        return 1;
    printf("no wrong sum with copies, none in managed memory\n");
    return 0;
}

int main(int argc, char **argv)
{
    const size_t n = exercise_size(argc, argv, N);
    float *x = malloc((n + 1) * sizeof *x), *y = malloc((n + 1) * sizeof *y),
          *sum = malloc((n + 1) * sizeof *sum);
    hd_stream *stream = NULL;
    int result = 2;

    if (x && y && sum && n > 0) {
        for (size_t i = 0; i < n; i++) {
            x[i] = (float)(i + 1);
            y[i] = (float)(2 * i);
        }
        TRY(hd_stream_create(0, &stream));
        result = run(stream, n, x, y, sum);
        TRY(hd_stream_destroy(stream));
    }
    free(sum);
    free(y);
    free(x);
    return result;
}
