/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - runs the kernel twice and compares its sum with hd_reduce's and with the host's. Sums of
   integers are exact, so all of them are equal, whatever the order of the additions. */
#include <inttypes.h>
#include <stdio.h>

#include <heddle/reduce.h>

#include "sum.h"

enum { N = 1000003, BLOCKS = 120 };

typedef struct sums {
    uint64_t kernel[2], library;
} sums;

static hd_status sum_on_device(const uint32_t *x, sums *s)
{
    hd_stream *stream = NULL;
    uint32_t *device_x = NULL;
    uint64_t *partial = NULL, *total = NULL;
    unsigned *ticket = NULL;
    hd_status status;

    HD_GOTO(status, end, hd_stream_create(0, &stream));
    HD_GOTO(status, end, hd_alloc(&device_x, N, 0));
    HD_GOTO(status, end, hd_alloc(&partial, BLOCKS, 0));
    HD_GOTO(status, end, hd_alloc(&total, 1, 0));
    HD_GOTO(status, end, hd_alloc(&ticket, 1, 0));
    HD_GOTO(status, end, hd_copy(device_x, x, N, stream));
    HD_GOTO(status, end, hd_fill_zero(ticket, 1, stream));
    for (int i = 0; i < 2; i++) { /* twice: the last block has set the ticket back */
        hd_launch_config config = hd_launch_with(hd_dim(BLOCKS, 1, 1), hd_dim(SUM_BLOCK, 1, 1), 0,
                                                 stream);
        HD_GOTO(status, end, hd_launch(sum_u32, config, N, device_x, partial, ticket, total));
        HD_GOTO(status, end, hd_copy_blocking(&s->kernel[i], total, 1, stream));
    }
    /* The library's: in the same stream, with scratch memory that the stream keeps (NULL). */
    HD_GOTO(status, end, hd_reduce(device_x, N, HD_U32, HD_SUM, total, NULL, stream));
    HD_GOTO(status, end, hd_copy_blocking(&s->library, total, 1, stream));
end:
    hd_free(ticket); /* NULL is allowed: one cleanup for every path */
    hd_free(total);
    hd_free(partial);
    hd_free(device_x);
    hd_stream_destroy(stream);
    return status;
}

int main(void)
{
    static uint32_t x[N];
    char text[HD_ERROR_TEXT_MAX];
    uint64_t expected = 0;
    sums s;

    for (uint32_t i = 0; i < N; i++) {
        x[i] = i * 2654435761u;
        expected += x[i];
    }
    if (sum_on_device(x, &s) < 0) {
        fprintf(stderr, "reduction: %s\n", hd_error_format(text, sizeof text));
        return 1;
    }
    printf("kernel:    %" PRIu64 "\n", s.kernel[0]);
    printf("again:     %" PRIu64 "\n", s.kernel[1]);
    printf("hd_reduce: %" PRIu64 "\n", s.library);
    printf("host:      %" PRIu64 "\n", expected);
    return s.kernel[0] != expected || s.kernel[1] != expected || s.library != expected;
}
