/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - running sums and a recurrence, compared with a loop on the host. Arithmetic modulo 2^32
   is exact: all ways of grouping the maps give the same numbers. */
#include "exercise.h"

#include "kernel.h"

enum { N = 9000 }; /* 36 blocks: more than 32 */

typedef struct arrays {
    size_t n, blocks;
    map *host_maps, *maps, *inside, *totals, *before; /* all but the first in device memory */
    uint32_t *host_v, *v;                             /* v in device memory */
} arrays;

static int run(const char *what, hd_stream *stream, uint32_t v0, const arrays *a)
{
    const hd_launch_config elements = hd_launch_1d(a->n, BLOCK, stream);
    const hd_launch_config one = hd_launch_1d(1, BLOCK, stream);
    uint32_t expected = v0;

    TRY(hd_copy(a->maps, a->host_maps, a->n, stream));
    TRY(hd_fill_zero(a->inside, a->n, stream));
    TRY(hd_fill_zero(a->totals, a->blocks, stream));
    TRY(hd_fill_zero(a->before, a->blocks, stream));
    TRY(hd_fill_zero(a->v, a->n, stream));
    TRY(hd_launch(scan_blocks, elements, a->n, a->maps, a->inside, a->totals));
    TRY(hd_launch(scan_totals, one, a->blocks, a->totals, a->before));
    TRY(hd_launch(apply_maps, elements, a->n, v0, a->inside, a->before, a->v));
    TRY(hd_copy_blocking(a->host_v, a->v, a->n, stream));
    for (size_t i = 0; i < a->n; i++) {
        expected = a->host_maps[i].s * expected + a->host_maps[i].u;
        if (a->host_v[i] != expected)
            return exercise_wrong("%s: v[%zu] of %zu (block %zu, thread %zu) is %u, expected %u",
                                  what, i, a->n, i / BLOCK, i % BLOCK, a->host_v[i], expected);
    }
    fprintf(stderr, "%s of %zu elements: the last one is %u\n", what, a->n, expected);
    return 0;
}

static int run_both(hd_stream *stream, const arrays *a)
{
    for (size_t i = 0; i < a->n; i++)
        a->host_maps[i] = (map){1, (uint32_t)i % 100 + 1};
    if (run("running sum", stream, 0, a))
        return 1;
    for (size_t i = 0; i < a->n; i++)
        a->host_maps[i] = (map){(uint32_t)(i + 3) * 2654435761u, (uint32_t)(i + 7) * 40503u};
    return run("recurrence", stream, 12345, a);
}

int main(int argc, char **argv)
{
    arrays a = {.n = exercise_size(argc, argv, N)};
    hd_stream *stream;
    int result = 2;

    a.blocks = (a.n + BLOCK - 1) / BLOCK;
    a.host_maps = malloc((a.n + 1) * sizeof *a.host_maps);
    a.host_v = malloc((a.n + 1) * sizeof *a.host_v);
    if (a.host_maps && a.host_v && a.n > 0 && a.blocks <= BLOCK) {
        TRY(hd_stream_create(0, &stream));
        TRY(hd_alloc(&a.maps, a.n, 0));
        TRY(hd_alloc(&a.inside, a.n, 0));
        TRY(hd_alloc(&a.totals, a.blocks, 0));
        TRY(hd_alloc(&a.before, a.blocks, 0));
        TRY(hd_alloc(&a.v, a.n, 0));
        result = run_both(stream, &a);
        TRY(hd_free(a.v));
        TRY(hd_free(a.before));
        TRY(hd_free(a.totals));
        TRY(hd_free(a.inside));
        TRY(hd_free(a.maps));
        TRY(hd_stream_destroy(stream));
    }
    if (!result)
        printf("running sum and recurrence: no wrong element\n");
    free(a.host_v);
    free(a.host_maps);
    return result;
}
