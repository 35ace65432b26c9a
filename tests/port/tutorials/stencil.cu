// Heat on a plate: a two-dimensional stencil with pitched memory and two buffers in turn.
#include <cstdio>
#include <utility>

#define NX 50
#define NY 30
#define STEPS 20

__global__ void step(const float *in, float *out, size_t pitch, int nx, int ny)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= nx || y >= ny)
        return;
    const float *row = (const float *)((const char *)in + y * pitch);
    float *to = (float *)((char *)out + y * pitch);
    if (x == 0 || y == 0 || x == nx - 1 || y == ny - 1) {
        to[x] = row[x];
        return;
    }
    const float *above = (const float *)((const char *)row - pitch);
    const float *below = (const float *)((const char *)row + pitch);
    to[x] = 0.25f * (row[x - 1] + row[x + 1] + above[x] + below[x]);
}

static float plate[2][NY][NX], result[NY][NX];

int main()
{
    float *a, *b;
    size_t pitch;
    int wrong = 0;
    for (int x = 0; x < NX; x++)
        plate[0][0][x] = 100.0f;
    cudaMallocPitch(&a, &pitch, NX * sizeof(float), NY);
    cudaMallocPitch(&b, &pitch, NX * sizeof(float), NY);
    cudaMemcpy2D(a, pitch, plate[0], NX * sizeof(float), NX * sizeof(float), NY, cudaMemcpyHostToDevice);
    dim3 block(16, 8), grid((NX + block.x - 1) / block.x, (NY + block.y - 1) / block.y);
    for (int t = 0; t < STEPS; t++) {
        step<<<grid, block>>>(a, b, pitch, NX, NY);
        std::swap(a, b);
    }
    cudaMemcpy2D(result, NX * sizeof(float), a, pitch, NX * sizeof(float), NY, cudaMemcpyDeviceToHost);
    for (int t = 0; t < STEPS; t++)
        for (int y = 0; y < NY; y++)
            for (int x = 0; x < NX; x++) {
                auto &in = plate[t % 2];
                const bool edge = x == 0 || y == 0 || x == NX - 1 || y == NY - 1;
                plate[1 - t % 2][y][x] =
                    edge ? in[y][x] : 0.25f * (in[y][x - 1] + in[y][x + 1] + in[y - 1][x] + in[y + 1][x]);
            }
    for (int y = 0; y < NY; y++)
        for (int x = 0; x < NX; x++)
            wrong += result[y][x] != plate[STEPS % 2][y][x];
    cudaFree(a);
    cudaFree(b);
    printf("stencil %s\n", wrong ? "FAIL" : "PASS");
}
