// A picture made gray, then blurred: structs of bytes, 2D blocks, a device function with bounds.
#include <cstdio>
#include <vector>

struct Pixel {
    unsigned char r, g, b;
};

__global__ void colorToGray(const uchar3 *in, unsigned char *out, int width, int height)
{
    int col = threadIdx.x + blockIdx.x * blockDim.x, row = threadIdx.y + blockIdx.y * blockDim.y;
    if (col < width && row < height) {
        uchar3 p = in[row * width + col];
        out[row * width + col] = (unsigned char)((p.x * 54 + p.y * 183 + p.z * 19) >> 8);
    }
}
__host__ __device__ int blurred(const unsigned char *in, int width, int height, int row, int col)
{
    int sum = 0, pixels = 0;
    for (int y = max(row - 1, 0); y <= min(row + 1, height - 1); ++y)
        for (int x = max(col - 1, 0); x <= min(col + 1, width - 1); ++x) {
            sum += in[y * width + x];
            ++pixels;
        }
    return sum / pixels;
}
__global__ void blur(const unsigned char *in, unsigned char *out, int width, int height)
{
    int col = threadIdx.x + blockIdx.x * blockDim.x, row = threadIdx.y + blockIdx.y * blockDim.y;
    if (col < width && row < height)
        out[row * width + col] = (unsigned char)blurred(in, width, height, row, col);
}

int main()
{
    const int width = 45, height = 20, n = width * height;
    std::vector<Pixel> picture(n);
    std::vector<unsigned char> gray(n), soft(n);
    int wrong = 0;
    for (int i = 0; i < n; i++)
        picture[i] = Pixel{(unsigned char)i, (unsigned char)(i * 3), (unsigned char)(i / 7)};
    uchar3 *d_picture;
    unsigned char *d_gray, *d_soft;
    cudaMalloc(&d_picture, n * sizeof(Pixel));
    cudaMalloc(&d_gray, n);
    cudaMalloc(&d_soft, n);
    cudaMemcpy(d_picture, picture.data(), n * sizeof(Pixel), cudaMemcpyHostToDevice);
    dim3 dimBlock(16, 16, 1), dimGrid((width + 15) / 16, (height + 15) / 16, 1);
    colorToGray<<<dimGrid, dimBlock>>>(d_picture, d_gray, width, height);
    blur<<<dimGrid, dimBlock>>>(d_gray, d_soft, width, height);
    cudaMemcpy(soft.data(), d_soft, n, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        gray[i] = (unsigned char)((picture[i].r * 54 + picture[i].g * 183 + picture[i].b * 19) >> 8);
    for (int i = 0; i < n; i++)
        wrong += soft[i] != blurred(gray.data(), width, height, i / width, i % width);
    cudaFree(d_picture), cudaFree(d_gray), cudaFree(d_soft);
    printf("image %s\n", wrong ? "FAIL" : "PASS");
}
