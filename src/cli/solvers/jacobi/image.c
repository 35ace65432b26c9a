/* SPDX-License-Identifier: Apache-2.0 */
/* image.c - the field of `heddle jacobi` as a picture: blue is negative, red positive. */
#include "jacobi.h"

#include <math.h>
#include <stdlib.h>

#include "io/png/png.h"

enum { MAX_PIXELS = 1024 };

static double value(const jacobi_run *run, size_t x, size_t y)
{
    const size_t at = y * run->problem.nx + x;

    return run->problem.type == HD_F32 ? (double)((const float *)run->field)[at]
                                       : ((const double *)run->field)[at];
}

/* -1 is blue, 0 white, 1 red; square-root scale, so that small values show. */
static void colour(double v, unsigned char pixel[3])
{
    const double size = sqrt(fmin(fabs(v), 1.0));
    const unsigned char faded = (unsigned char)lround(255.0 * (1.0 - size));

    pixel[0] = v < 0 ? faded : 255;
    pixel[1] = faded;
    pixel[2] = v < 0 ? 255 : faded;
}

int jacobi_image(const jacobi_run *run)
{
    const size_t nx = run->problem.nx, ny = run->problem.ny;
    char message[HD__IO_MESSAGE];
    unsigned char *pixels;
    hd__png picture = {.channels = 3, .depth = 8};
    int failed;

    picture.width = nx < MAX_PIXELS ? nx : MAX_PIXELS;
    picture.height = ny < MAX_PIXELS ? ny : MAX_PIXELS;
    picture.samples = pixels = malloc(picture.width * picture.height * 3);
    if (!pixels)
        return cli_failed(run->arguments->command, "no memory for a picture");
    for (size_t y = 0; y < picture.height; y++)
        for (size_t x = 0; x < picture.width; x++)
            colour(value(run, x * (nx - 1) / (picture.width > 1 ? picture.width - 1 : 1),
                         y * (ny - 1) / (picture.height > 1 ? picture.height - 1 : 1)),
                   pixels + 3 * (y * picture.width + x));
    failed = hd__png_write(run->png, &picture, message) != 0;
    free(pixels);
    return failed ? cli_failed(run->arguments->command, "%s", message) : CLI_DONE;
}
