// Properties of all devices, peer access between them, and a kernel on each.
#include <cstdio>
#include <cstring>

__global__ void number(int *out, int device)
{
    *out = 100 + device;
}

int main()
{
    int nDevices, wrong = 0, attribute;
    cudaGetDeviceCount(&nDevices);
    for (int i = 0; i < nDevices; i++) {
        cudaDeviceProp prop;
        cudaGetDeviceProperties(&prop, i);
        fprintf(stderr, "Device %d: %s, compute %d.%d, %zu bytes, %d threads per block, %d SMs\n", i,
                prop.name, prop.major, prop.minor, prop.totalGlobalMem, prop.maxThreadsPerBlock,
                prop.multiProcessorCount);
        wrong += strlen(prop.name) == 0 || prop.totalGlobalMem == 0 || prop.warpSize != 32;
        wrong += prop.maxThreadsPerBlock < 1024 || prop.sharedMemPerBlock < 48 * 1024;
        cudaDeviceGetAttribute(&attribute, cudaDevAttrMultiProcessorCount, i);
        wrong += attribute != prop.multiProcessorCount;
        for (int j = 0; j < nDevices; j++) {
            int canAccess = -1;
            wrong += cudaDeviceCanAccessPeer(&canAccess, i, j) != cudaSuccess;
            wrong += canAccess != 0 && (canAccess != 1 || i == j);
        }
        int *d, host = 0;
        cudaSetDevice(i);
        cudaMalloc(&d, sizeof(int));
        number<<<1, 1>>>(d, i);
        cudaMemcpy(&host, d, sizeof(int), cudaMemcpyDeviceToHost);
        cudaFree(d);
        wrong += host != 100 + i;
    }
    printf("devices %s\n", wrong || nDevices < 1 ? "FAIL" : "PASS");
}
