/* SPDX-License-Identifier: Apache-2.0 */
/* bug_image.c - images that are read too early, too late, or never written. */
#include <heddle/image.h>

#include "kern_image.h"
#include "zoo.h"

enum { N = 256, ROWS = 3, ALL = ROWS * N };

static uint32_t element(size_t i)
{
    return x(i);
}

static uint32_t mirrored(size_t i)
{
    return x(i / N * N + N - 1 - i % N);
}

static hd_launch_config block_per_row(void)
{
    return hd_launch_with(hd_dim(ROWS, 1, 1), hd_dim(N, 1, 1), 0, zoo_stream);
}

static hd_image make_image(void)
{
    const hd_image_config config = hd_image_2d(HD_U32, 1, N, ROWS);
    hd_image image;

    MUST(hd_image_create(&image, &config, 0));
    return image;
}

void run_image_race(void)
{
    uint32_t *in = zoo_input(ALL), *out = zoo_zeroed(ALL);
    hd_image image = make_image();

    MUST(hd_launch(image_exchange, block_per_row(), zoo_bug, image, (const uint32_t *)in, out));
    zoo_expect(out, ALL, mirrored);
    MUST(hd_image_destroy(&image));
    zoo_drop(in);
    zoo_drop(out);
}

void run_image_uninit(void)
{
    uint32_t *in = zoo_input(ALL), *out = zoo_zeroed(ALL);
    hd_image image = make_image();

    if (!zoo_bug)
        MUST(hd_image_copy_from(&image, in, zoo_stream));
    MUST(hd_launch(image_copy, block_per_row(), image, out));
    zoo_expect(out, ALL, element);
    MUST(hd_image_destroy(&image));
    zoo_drop(in);
    zoo_drop(out);
}

void run_image_freed(void)
{
    uint32_t *in = zoo_input(ALL), *out = zoo_zeroed(ALL);
    hd_image image = make_image();
    const hd_image copy = image;

    MUST(hd_image_copy_from(&image, in, zoo_stream));
    if (zoo_bug)
        MUST(hd_image_destroy(&image)); /* BUG image_freed */
    MUST(hd_launch(image_copy, block_per_row(), copy, out));
    zoo_expect(out, ALL, element);
    MUST(hd_image_destroy(&image));
    zoo_drop(in);
    zoo_drop(out);
}
