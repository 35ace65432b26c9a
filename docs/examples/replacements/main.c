/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - runs each replacement and compares its results with plain C. Every value is exact in
   binary32, so the order of the additions does not matter and all bits are equal. */
#include <stdio.h>
#include <string.h>

#include <heddle/heddle.h>
#include <heddle/image.h>
#include <heddle/scan.h>

#include "replacements.h"

enum { N = 1000, WIDTH = 50, HEIGHT = 20, TILES = 3, BLOCKS = 8, BLOCK = 64, SIDE = 48, ROOM = 10 };

static float numbers[WIDTH * HEIGHT]; /* -8 to 8 in steps of 1/8 */
static uint32_t words[N];

/* Device memory with a copy of `bytes` bytes, or with zeros if there is nothing to copy. */
static hd_status upload(void *pointer, const void *from, size_t bytes, hd_stream *stream)
{
    void *memory;

    HD_TRY(hd_alloc_bytes(&memory, bytes, 1, HD_MEM_DEVICE, 0));
    memcpy(pointer, &memory, sizeof memory);
    return from ? hd_copy_bytes(memory, from, bytes, 1, stream)
                : hd_fill_bytes(memory, 0, 1, bytes, stream);
}

static hd_status refined_cells(hd_stream *stream, int *right)
{
    static float fine[N * FINE];
    float *error, *device_fine;
    uint32_t *list;
    unsigned *count;

    HD_TRY(upload(&error, numbers, sizeof numbers, stream));
    HD_TRY(upload(&device_fine, NULL, sizeof fine, stream));
    HD_TRY(upload(&list, NULL, N * sizeof *list, stream));
    HD_TRY(upload(&count, NULL, sizeof *count, stream));
    HD_TRY(hd_launch(list_cells, hd_launch_1d(N, 256, stream), N, error, 4.0f, list, count));
    HD_TRY(hd_launch(refine_cells, hd_launch_with(hd_dim(16, 1, 1), hd_dim(FINE, 1, 1), 0, stream),
                     list, count, error, device_fine));
    HD_TRY(hd_copy_blocking(fine, device_fine, N * FINE, stream));
    for (int i = 0; i < N * FINE; i++) {
        float cell = numbers[i / FINE];
        float expected = cell > 4.0f ? cell * ((float)(i % FINE) + 0.5f) / FINE : 0.0f;

        *right &= fine[i] == expected;
    }
    HD_TRY(hd_free(count));
    HD_TRY(hd_free(list));
    HD_TRY(hd_free(device_fine));
    return hd_free(error);
}

/* Lists whose lengths are only known on the device: count, scan, fill. */
static hd_status lists_of_divisors(hd_stream *stream, int *right)
{
    static uint32_t lists[N * N];
    uint32_t *x, *starts, *device_lists, *at = lists, total;

    HD_TRY(upload(&x, words, sizeof words, stream));
    HD_TRY(upload(&starts, NULL, (N + 1) * sizeof *starts, stream));
    HD_TRY(hd_launch(count_divisors, hd_launch_1d(N, 256, stream), N, x, starts));
    HD_TRY(hd_scan(starts, N + 1, HD_U32, HD_SUM, HD_SCAN_EXCLUSIVE, NULL, starts, NULL, stream));
    HD_TRY(hd_copy_blocking(&total, starts + N, 1, stream)); /* the host allocates what is needed */
    HD_TRY(hd_alloc(&device_lists, total, 0));
    HD_TRY(hd_launch(list_divisors, hd_launch_1d(N, 256, stream), N, x, starts, device_lists));
    HD_TRY(hd_copy_blocking(lists, device_lists, total, stream));
    for (int i = 0; i < N; i++)
        for (uint32_t d = 1; d <= words[i]; d++)
            if (words[i] % d == 0)
                *right &= *at++ == d;
    *right &= (size_t)(at - lists) == total;
    HD_TRY(hd_free(device_lists));
    HD_TRY(hd_free(starts));
    return hd_free(x);
}

/* The records that fit, in any order, and how many there are. */
static hd_status records_of_a_kernel(hd_stream *stream, int *right)
{
    record got[ROOM], *records;
    float *x;
    unsigned *count, found, expected = 0;

    HD_TRY(upload(&x, numbers, sizeof numbers, stream));
    HD_TRY(upload(&records, NULL, sizeof got, stream));
    HD_TRY(upload(&count, NULL, sizeof *count, stream));
    HD_TRY(hd_launch(report_negative, hd_launch_1d(N, 256, stream), N, x, records, ROOM, count));
    HD_TRY(hd_copy_blocking(&found, count, 1, stream));
    HD_TRY(hd_copy_blocking(got, records, ROOM, stream));
    for (int i = 0; i < N; i++)
        expected += numbers[i] < 0.0f;
    *right &= found == expected;
    for (int r = 0; r < ROOM; r++) /* the host prints them, as many as it likes */
        *right &= got[r].index < N && numbers[got[r].index] == got[r].value && got[r].value < 0.0f;
    HD_TRY(hd_free(count));
    HD_TRY(hd_free(records));
    return hd_free(x);
}

static hd_status sums_of_groups(hd_stream *stream, int *right)
{
    float sums[BLOCKS / GROUP], *x, *partial, *device_sums;
    unsigned *tickets;
    const hd_launch_config config = hd_launch_with(hd_dim(BLOCKS, 1, 1), hd_dim(BLOCK, 1, 1), 0,
                                                   stream);

    HD_TRY(upload(&x, numbers, sizeof numbers, stream));
    HD_TRY(upload(&partial, NULL, BLOCKS * sizeof *partial, stream));
    HD_TRY(upload(&device_sums, NULL, sizeof sums, stream));
    HD_TRY(upload(&tickets, NULL, BLOCKS / GROUP * sizeof *tickets, stream));
    for (int i = 0; i < 2; i++) /* twice: the tickets have been set back */
        HD_TRY(hd_launch(group_sums, config, x, partial, tickets, device_sums));
    HD_TRY(hd_copy_blocking(sums, device_sums, BLOCKS / GROUP, stream));
    for (int g = 0; g < BLOCKS / GROUP; g++) {
        float expected = 0.0f;

        for (int i = 0; i < BLOCK * GROUP; i++)
            expected += numbers[g * BLOCK * GROUP + i];
        *right &= sums[g] == expected;
    }
    HD_TRY(hd_free(tickets));
    HD_TRY(hd_free(device_sums));
    HD_TRY(hd_free(partial));
    return hd_free(x);
}

static hd_status products_of_tiles(hd_stream *stream, int *right)
{
    static float values[2 * TILES * TILE];
    float out[2], *x, *device_out;

    for (int i = 0; i < 2 * TILES * TILE; i++)
        values[i] = numbers[i % N];
    HD_TRY(upload(&x, values, sizeof values, stream));
    HD_TRY(upload(&device_out, NULL, sizeof out, stream));
    HD_TRY(hd_launch(tile_products, hd_launch_with(hd_dim(2, 1, 1), hd_dim(TILE, 1, 1), 0, stream),
                     TILES, x, device_out));
    HD_TRY(hd_copy_blocking(out, device_out, 2, stream));
    for (int b = 0; b < 2; b++) {
        float expected = 0.0f;

        for (int i = 0; i < TILES * TILE; i++) {
            const float *tile = values + (b * TILES + i / TILE) * TILE;
            expected += tile[i % TILE] * tile[TILE - 1 - i % TILE];
        }
        *right &= out[b] == expected;
    }
    HD_TRY(hd_free(device_out));
    return hd_free(x);
}

static hd_status product_of_matrices(hd_stream *stream, int *right)
{
    static hd_f16 a[SIDE * SIDE], b[SIDE * SIDE];
    static float c[SIDE * SIDE];
    hd_f16 *device_a, *device_b;
    float *device_c;

    for (int i = 0; i < SIDE * SIDE; i++) {
        a[i] = hd_f16_from_f32(numbers[i % N]);
        b[i] = hd_f16_from_f32(numbers[i * 7 % N]);
    }
    HD_TRY(upload(&device_a, a, sizeof a, stream));
    HD_TRY(upload(&device_b, b, sizeof b, stream));
    HD_TRY(upload(&device_c, NULL, sizeof c, stream));
    HD_TRY(hd_launch(multiply, hd_launch_3d(SIDE, SIDE, 1, hd_dim(EDGE, EDGE, 1), stream), SIDE,
                     device_a, device_b, device_c));
    HD_TRY(hd_copy_blocking(c, device_c, SIDE * SIDE, stream));
    for (int i = 0; i < SIDE * SIDE; i++) {
        float expected = 0.0f;

        for (int k = 0; k < SIDE; k++)
            expected += numbers[(i / SIDE * SIDE + k) % N] * numbers[(k * SIDE + i % SIDE) * 7 % N];
        *right &= c[i] == expected;
    }
    HD_TRY(hd_free(device_c));
    HD_TRY(hd_free(device_b));
    return hd_free(device_a);
}

/* Twice as many pixels in each direction: the weights are 1/4 and 3/4. */
static hd_status larger_picture(hd_stream *stream, int *inverted, int *enlarged)
{
    static float out[4 * WIDTH * HEIGHT], back[WIDTH * HEIGHT];
    float *larger;
    hd_image_config config = hd_image_2d(HD_F32, 1, WIDTH, HEIGHT);
    hd_image picture;

    config.filter = HD_IMAGE_LINEAR; /* address modes are HD_IMAGE_CLAMP unless set */
    HD_TRY(hd_image_create(&picture, &config, 0));
    HD_TRY(hd_image_copy_from(&picture, numbers, stream));
    HD_TRY(upload(&larger, NULL, sizeof out, stream));
    HD_TRY(hd_launch(enlarge, hd_launch_3d(2 * WIDTH, 2 * HEIGHT, 1, hd_dim(32, 8, 1), stream),
                     picture, 2 * WIDTH, 2 * HEIGHT, larger));
    HD_TRY(hd_launch(invert, hd_launch_3d(WIDTH, HEIGHT, 1, hd_dim(32, 8, 1), stream), picture));
    HD_TRY(hd_copy_blocking(out, larger, 4 * WIDTH * HEIGHT, stream));
    HD_TRY(hd_image_copy_to(back, &picture, stream));
    HD_TRY(hd_stream_synchronize(stream));
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        *inverted &= back[i] == 1.0f - numbers[i];
    for (int y = 0; y < 2 * HEIGHT; y++)
        for (int x = 0; x < 2 * WIDTH; x++) {
            /* The nearest pixel has 3/4 in each direction; beyond the border it is repeated. */
            int i = x / 2, j = y / 2, k = x % 2 ? i + 1 : i - 1, l = y % 2 ? j + 1 : j - 1;

            k = k < 0 ? 0 : k < WIDTH ? k : WIDTH - 1;
            l = l < 0 ? 0 : l < HEIGHT ? l : HEIGHT - 1;
            *enlarged &= out[y * 2 * WIDTH + x] ==
                         (9 * numbers[j * WIDTH + i] + 3 * numbers[j * WIDTH + k] +
                          3 * numbers[l * WIDTH + i] + numbers[l * WIDTH + k]) /
                             16;
        }
    HD_TRY(hd_free(larger));
    return hd_image_destroy(&picture);
}

static hd_status fields_of_words(hd_stream *stream, int *right)
{
    uint32_t low[N], high[N], *x, *device_low, *device_high;

    HD_TRY(upload(&x, words, sizeof words, stream));
    HD_TRY(upload(&device_low, NULL, sizeof low, stream));
    HD_TRY(upload(&device_high, NULL, sizeof high, stream));
    HD_TRY(hd_launch(unpack, hd_launch_1d(N, 256, stream), N, x, device_low, device_high));
    HD_TRY(hd_copy_blocking(low, device_low, N, stream));
    HD_TRY(hd_copy_blocking(high, device_high, N, stream));
    for (int i = 0; i < N; i++)
        *right &= low[i] == words[i] % 4096 && high[i] == words[i] / 4096;
    HD_TRY(hd_free(device_high));
    HD_TRY(hd_free(device_low));
    return hd_free(x);
}

enum { CASES = 9 };

static hd_status run(int *right)
{
    hd_stream *stream;

    HD_TRY(hd_stream_create(0, &stream));
    HD_TRY(refined_cells(stream, &right[0]));
    HD_TRY(lists_of_divisors(stream, &right[1]));
    HD_TRY(records_of_a_kernel(stream, &right[2]));
    HD_TRY(sums_of_groups(stream, &right[3]));
    HD_TRY(products_of_tiles(stream, &right[4]));
    HD_TRY(product_of_matrices(stream, &right[5]));
    HD_TRY(larger_picture(stream, &right[6], &right[7]));
    HD_TRY(fields_of_words(stream, &right[8]));
    return hd_stream_destroy(stream);
}

int main(void)
{
    static const char *const names[CASES] = {
        "dynamic parallelism", "malloc in kernels", "printf",   "clusters",  "asynchronous copies",
        "matrix instructions", "surfaces",          "textures", "inline PTX"};
    char text[HD_ERROR_TEXT_MAX];
    int right[CASES], all = 1;

    for (int i = 0; i < N; i++) {
        numbers[i] = (float)(i * 37 % 129 - 64) / 8;
        words[i] = (uint32_t)(i * 7919 % 1000 + 1) + (i % 64 ? 0u : 5000u);
    }
    for (int i = 0; i < CASES; i++)
        right[i] = 1;
    if (run(right) != HD_OK) {
        fprintf(stderr, "replacements: %s\n", hd_error_format(text, sizeof text));
        return 1;
    }
    for (int i = 0; i < CASES; i++) {
        printf("%-21s %s\n", names[i], right[i] ? "right" : "WRONG");
        all &= right[i];
    }
    return !all;
}
