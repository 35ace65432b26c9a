// SPDX-License-Identifier: Apache-2.0
// stars.cuh - what main.cu and kernels.cu share.
#pragma once

constexpr int WIDTH = 200, HEIGHT = 120, N = WIDTH * HEIGHT;
constexpr int BINS = 256, BLOCK = 256, TILE_X = 32, TILE_Y = 8;
constexpr int BLOCKS = (N + BLOCK - 1) / BLOCK;

__global__ void smooth(const float *in, float *out);
__global__ void histogram(const float *x, unsigned *bins);
__global__ void threshold(const unsigned *bins, unsigned below, float *level);
__global__ void find(const float *x, const float *level, int *found, int *count);
__global__ void flux(const float *x, const float *level, float *partial, unsigned *ticket,
                     float *total);
