/* SPDX-License-Identifier: Apache-2.0 */
/* stars.h - what main.c and kernels.c share. */
#ifndef STARS_H
#define STARS_H

#include <heddle/kernel_decl.h>

enum { WIDTH = 200, HEIGHT = 120, N = WIDTH * HEIGHT };
enum { BINS = 256, BLOCK = 256, TILE_X = 32, TILE_Y = 8 };
enum { BLOCKS = (N + BLOCK - 1) / BLOCK };

HD_DECLARE(smooth, const float *, float *)
HD_DECLARE(histogram, const float *, unsigned *)
HD_DECLARE(threshold, const unsigned *, unsigned, float *)
HD_DECLARE(find, const float *, const float *, int *, int *)
HD_DECLARE(flux, const float *, const float *, float *, unsigned *, float *)

#endif
