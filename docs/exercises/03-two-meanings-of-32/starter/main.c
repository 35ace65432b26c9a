/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - makes a bitmap of a matrix and counts the bits of its rows on the device, and compares
   both with the host. */
#include "exercise.h"

#include "kernel.h"

enum { ROWS = 24, WORDS = 70, BITS = 32, CELLS = ROWS * WORDS * BITS, LIMIT = 60, BLOCKS = 2 };

static uint32_t cell(size_t i)
{
    return (uint32_t)((i * 37 + i / 100) % 101);
}

/* Bit by bit on the host. */
static uint32_t expected_word(size_t k)
{
    uint32_t word = 0;

    for (size_t bit = 0; bit < BITS; bit++)
        word |= (uint32_t)(cell(k * BITS + bit) >= LIMIT) << bit;
    return word;
}

static int check(const uint32_t *bits, const uint32_t *counts)
{
    for (size_t k = 0; k < ROWS * WORDS; k++)
        if (bits[k] != expected_word(k))
            return exercise_wrong("word %zu of the bitmap is %08x, expected %08x", k, bits[k],
                                  expected_word(k));
    for (size_t r = 0; r < ROWS; r++) {
        uint32_t count = 0;

        for (size_t c = 0; c < WORDS * BITS; c++)
            count += cell(r * WORDS * BITS + c) >= LIMIT;
        if (counts[r] != count)
            return exercise_wrong("row %zu has %u bits, expected %u", r, counts[r], count);
    }
    return 0;
}

int main(void)
{
    static uint32_t cells[CELLS], bits[ROWS * WORDS], counts[ROWS];
    uint32_t *device_cells, *device_bits, *device_counts;
    hd_stream *stream;

    for (size_t i = 0; i < CELLS; i++)
        cells[i] = cell(i);
    TRY(hd_stream_create(0, &stream));
    TRY(hd_alloc(&device_cells, CELLS, 0));
    TRY(hd_alloc(&device_bits, ROWS * WORDS, 0));
    TRY(hd_alloc(&device_counts, ROWS, 0));
    TRY(hd_copy(device_cells, cells, CELLS, stream));
    TRY(hd_fill_zero(device_bits, ROWS * WORDS, stream));
    TRY(hd_fill_zero(device_counts, ROWS, stream));
    TRY(hd_launch(make_bitmap, hd_launch_1d(CELLS, BLOCK, stream), LIMIT, device_cells,
                  device_bits));
    TRY(hd_launch(count_rows, hd_launch_1d(BLOCKS * BLOCK, BLOCK, stream), ROWS, WORDS, device_bits,
                  device_counts));
    TRY(hd_copy_blocking(bits, device_bits, ROWS * WORDS, stream));
    TRY(hd_copy_blocking(counts, device_counts, ROWS, stream));

    hd_free(device_counts);
    hd_free(device_bits);
    hd_free(device_cells);
    hd_stream_destroy(stream);
    return check(bits, counts);
}
