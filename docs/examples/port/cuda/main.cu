// SPDX-License-Identifier: Apache-2.0
// main.cu - finds the stars of a series of frames: smooths a frame, chooses a threshold that one
// pixel in a hundred exceeds, and lists these pixels. The next frame is copied meanwhile.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "stars.cuh"

constexpr int FRAMES = 4, STARS = 12;

#define TRY(call)                                                                                  \
    do {                                                                                           \
        cudaError_t error_ = (call);                                                               \
        if (error_ != cudaSuccess) {                                                               \
            fprintf(stderr, "stars: %s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error_)); \
            exit(2);                                                                               \
        }                                                                                          \
    } while (0)

// A camera: noise around 20, and stars that drift to the right.
static void expose(int frame, float *pixels)
{
    unsigned seed = 12345u + (unsigned)frame;

    for (int i = 0; i < N; i++) {
        seed = seed * 1664525u + 1013904223u;
        pixels[i] = 12.0f + (float)(seed >> 20) / 256.0f;
    }
    seed = 99;
    for (int s = 0; s < STARS; s++) {
        seed = seed * 1664525u + 1013904223u;
        int x = (int)((seed >> 8) % (WIDTH - 40)) + 4 + 2 * frame;
        int y = (int)((seed >> 20) % (HEIGHT - 8)) + 4;
        for (int dy = -3; dy <= 3; dy++)
            for (int dx = -3; dx <= 3; dx++)
                pixels[(y + dy) * WIDTH + x + dx] += 150.0f / (float)(1 + dx * dx + dy * dy);
    }
}

struct device {
    cudaStream_t copies;
    float *host[2], *in[2]; // page-locked; on the device
    float *smoothed, *level, *partial, *total;
    unsigned *bins, *ticket;
    int *found, *count;
};

static void create(device *d)
{
    TRY(cudaStreamCreate(&d->copies));
    for (int b = 0; b < 2; b++) {
        TRY(cudaMallocHost(&d->host[b], N * sizeof(float)));
        TRY(cudaMalloc(&d->in[b], N * sizeof(float)));
    }
    TRY(cudaMalloc(&d->smoothed, N * sizeof(float)));
    TRY(cudaMalloc(&d->level, sizeof(float)));
    TRY(cudaMalloc(&d->partial, BLOCKS * sizeof(float)));
    TRY(cudaMalloc(&d->total, sizeof(float)));
    TRY(cudaMalloc(&d->bins, BINS * sizeof(unsigned)));
    TRY(cudaMalloc(&d->ticket, sizeof(unsigned)));
    TRY(cudaMalloc(&d->found, N * sizeof(int)));
    TRY(cudaMalloc(&d->count, sizeof(int)));
    TRY(cudaMemset(d->ticket, 0, sizeof(unsigned)));
}

static void destroy(device *d)
{
    TRY(cudaFree(d->count));
    TRY(cudaFree(d->found));
    TRY(cudaFree(d->ticket));
    TRY(cudaFree(d->bins));
    TRY(cudaFree(d->total));
    TRY(cudaFree(d->partial));
    TRY(cudaFree(d->level));
    TRY(cudaFree(d->smoothed));
    for (int b = 0; b < 2; b++) {
        TRY(cudaFree(d->in[b]));
        TRY(cudaFreeHost(d->host[b]));
    }
    TRY(cudaStreamDestroy(d->copies));
}

// Starts the copy of a frame to the device.
static void send(device *d, int frame)
{
    int b = frame % 2;

    expose(frame, d->host[b]);
    TRY(cudaMemcpyAsync(d->in[b], d->host[b], N * sizeof(float), cudaMemcpyHostToDevice,
                        d->copies));
}

static void launch(device *d, int frame)
{
    dim3 tiles((WIDTH + TILE_X - 1) / TILE_X, (HEIGHT + TILE_Y - 1) / TILE_Y);

    TRY(cudaMemsetAsync(d->bins, 0, BINS * sizeof(unsigned)));
    TRY(cudaMemsetAsync(d->count, 0, sizeof(int)));
    smooth<<<tiles, dim3(TILE_X, TILE_Y)>>>(d->in[frame % 2], d->smoothed);
    histogram<<<BLOCKS, BLOCK>>>(d->smoothed, d->bins);
    threshold<<<1, BINS>>>(d->bins, N - N / 100, d->level);
    find<<<BLOCKS, BLOCK>>>(d->smoothed, d->level, d->found, d->count);
    flux<<<BLOCKS, BLOCK>>>(d->smoothed, d->level, d->partial, d->ticket, d->total);
    TRY(cudaGetLastError());
}

// Fetches what was found in a frame and prints it.
static void report(device *d, int frame)
{
    static int found[N];
    float total;
    int count;

    TRY(cudaMemcpyAsync(&total, d->total, sizeof total, cudaMemcpyDeviceToHost));
    TRY(cudaMemcpyAsync(&count, d->count, sizeof count, cudaMemcpyDeviceToHost));
    TRY(cudaMemcpy(found, d->found, count * sizeof(int), cudaMemcpyDeviceToHost));
    std::sort(found, found + count);
    unsigned hash = 0;
    for (int i = 0; i < count; i++)
        hash = hash * 31 + (unsigned)found[i];
    printf("frame %d: %d pixels, hash %08x, flux %.3f\n", frame, count, hash, total);
}

int main()
{
    device d;

    create(&d);
    send(&d, 0);
    for (int frame = 0; frame < FRAMES; frame++) {
        launch(&d, frame);
        if (frame + 1 < FRAMES)
            send(&d, frame + 1);
        report(&d, frame);
    }
    destroy(&d);
    return 0;
}
