/* SPDX-License-Identifier: Apache-2.0 */
/* input.c - memory and numbers for the inputs and results of primitives that are tuned. */
#include <stdlib.h>

#include <heddle/memory.h>
#include <heddle/random.h>

#include "base/error.h"
#include "problem.h"

static hd_status renew(void **memory, size_t bytes, int device)
{
    void *old = *memory;
    *memory = NULL;
    HD_TRY(hd_free(old));
    return hd_alloc_bytes(memory, bytes ? bytes : 1, 1, HD_MEM_DEVICE, device);
}

hd_status hd__tune_input(hd__tune_problem *p, unsigned index, size_t bytes)
{
    return renew(&p->in[index], bytes, p->device);
}

hd_status hd__tune_output(hd__tune_problem *p, size_t bytes)
{
    p->out_bytes = bytes;
    return renew(&p->out, bytes, p->device);
}

/* Half-precision numbers in [0.5, 1), from the host. */
static hd_status halves(void *to, size_t n, uint64_t seed, hd_stream *stream)
{
    uint16_t *numbers = malloc(n * sizeof *numbers);
    if (!numbers)
        return hd__fail(HD_ERR_NO_MEMORY, "hd_tune_measure", "no memory for %zu numbers", n);
    for (size_t i = 0; i < n; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        numbers[i] = (uint16_t)(0x3800u | (unsigned)(seed >> 54));
    }
    const hd_status status = hd_copy_blocking_bytes(to, numbers, n, sizeof *numbers, stream);
    free(numbers);
    return status;
}

hd_status hd__tune_numbers(void *to, size_t n, hd_type type, uint64_t seed, hd_stream *stream)
{
    const hd_random from = {.generator = HD_PHILOX, .seed = seed};
    if (type == HD_F16)
        return halves(to, n, seed, stream);
    if (type == HD_F32 || type == HD_F64)
        return hd_random_fill_uniform(to, n, type, &from, stream);
    if (hd_type_bytes(type) == 8)
        return hd_random_fill_bits(to, n, HD_U64, &from, stream);
    return hd_random_fill_bits(to, n * hd_type_bytes(type) / 4, HD_U32, &from, stream);
}
