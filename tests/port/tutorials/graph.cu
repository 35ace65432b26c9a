// A graph captured from a stream: many short kernels, launched as one.
#include <cstdio>

#define NSTEP 5
#define NKERNEL 8
#define N 300

__global__ void shortKernel(float *out_d, float *in_d)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < N)
        out_d[idx] = 1.5f * in_d[idx] - out_d[idx];
}

int main()
{
    float *in_d, *out_d, in[N], out[N], expected[N];
    int wrong = 0;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMalloc(&in_d, sizeof in);
    cudaMalloc(&out_d, sizeof out);
    for (int i = 0; i < N; i++) {
        in[i] = i;
        expected[i] = 0;
    }
    cudaMemcpy(in_d, in, sizeof in, cudaMemcpyHostToDevice);
    cudaMemset(out_d, 0, sizeof out);
    bool graphCreated = false;
    cudaGraph_t graph;
    cudaGraphExec_t instance;
    for (int istep = 0; istep < NSTEP; istep++) {
        if (!graphCreated) {
            cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
            for (int ikrnl = 0; ikrnl < NKERNEL; ikrnl++)
                shortKernel<<<(N + 127) / 128, 128, 0, stream>>>(out_d, in_d);
            cudaStreamEndCapture(stream, &graph);
            cudaGraphInstantiate(&instance, graph, NULL, NULL, 0);
            graphCreated = true;
        }
        cudaGraphLaunch(instance, stream);
        cudaStreamSynchronize(stream);
    }
    cudaMemcpy(out, out_d, sizeof out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < NSTEP * NKERNEL; k++)
            expected[i] = 1.5f * in[i] - expected[i];
        wrong += out[i] != expected[i];
    }
    cudaFree(in_d);
    cudaFree(out_d);
    cudaGraphExecDestroy(instance);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    printf("graph %s\n", wrong ? "FAIL" : "PASS");
}
