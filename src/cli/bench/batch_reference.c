/* SPDX-License-Identifier: Apache-2.0 */
/* batch_reference.c - the steps of hd_batch_heat in plain C, and whether two results are equal. */
#include "batch_reference.h"

#include <stdlib.h>
#include <string.h>

#include "cli/bench/plain/plain.h"

void batch_plain(const hd_heat_batch *batch, hd_type type, const void *in, void *out, void *spare)
{
    size_t rows = batch->ny ? batch->ny : 1, bytes = batch->nx * rows * hd_type_bytes(type);

    for (size_t p = 0; p < batch->problems; p++) {
        const unsigned char *from = (const unsigned char *)in + p * bytes;
        unsigned char *to = (unsigned char *)out + p * bytes;

        memcpy(to, from, bytes);
        memcpy(spare, from, bytes);
        if (type == HD_F32)
            plain_heat_f32(batch->nx, batch->ny, batch->steps, (float)batch->coefficient,
                           (float *)(void *)to, spare);
        else
            plain_heat_f64(batch->nx, batch->ny, batch->steps, batch->coefficient,
                           (double *)(void *)to, spare);
    }
}

static int equal(hd_type type, const void *a, const void *b, size_t points)
{
    const float *x = a, *y = b;
    const double *v = a, *w = b;

    if (memcmp(a, b, points * hd_type_bytes(type)) == 0)
        return 1;
    for (size_t i = 0; i < points; i++) {
        size_t size = hd_type_bytes(type);
        int both = type == HD_F32 ? x[i] != x[i] && y[i] != y[i] : v[i] != v[i] && w[i] != w[i];

        if (!both && memcmp((const char *)a + i * size, (const char *)b + i * size, size) != 0)
            return 0;
    }
    return 1;
}

size_t batch_reference(const hd_heat_batch *batch, hd_type type, const void *in, const void *result)
{
    size_t points = batch->nx * (batch->ny ? batch->ny : 1), bytes = points * hd_type_bytes(type);
    unsigned char *memory = malloc(2 * bytes);
    hd_heat_batch one = *batch;
    size_t p = 0;

    if (!memory)
        return SIZE_MAX;
    one.problems = 1;
    for (; p < batch->problems; p++) {
        batch_plain(&one, type, (const unsigned char *)in + p * bytes, memory, memory + bytes);
        if (!equal(type, memory, (const unsigned char *)result + p * bytes, points))
            break;
    }
    free(memory);
    return p;
}
