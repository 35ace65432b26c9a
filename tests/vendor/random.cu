// SPDX-License-Identifier: Apache-2.0
// random.cu - cuRAND behind vendor_interface.h: arrays by its host calls, arrays and Monte Carlo paths by its
// device functions.
#include "case.h"

#if VENDOR_HAS_CURAND
#include <curand.h>
#include <curand_kernel.h>

static const char *curand_name()
{
    static char text[32];
    int version = 0;
    (void)curandGetVersion(&version);
    snprintf(text, sizeof text, "cuRAND %d.%d.%d", version / 1000, version / 100 % 10,
             version % 100);
    return text;
}

static int made(const char *call, curandStatus_t status)
{
    char why[32];
    if (status == CURAND_STATUS_SUCCESS)
        return HEDDLE_VENDOR_OK;
    snprintf(why, sizeof why, "status %d", (int)status);
    return vendor_fail(call, why);
}

struct random_vendor final : heddle_vendor {
    size_t n = 0;
    bool wide = false;
    const char *variant = "";
    double mean = 0;
    curandGenerator_t generator = nullptr;
    ~random_vendor() override
    {
        if (generator)
            (void)curandDestroyGenerator(generator);
    }
    const char *library() const override
    {
        return curand_name();
    }
    int run(void *const *, void *const *out, gpu_stream stream) override
    {
        float *f = static_cast<float *>(out[0]);
        double *d = static_cast<double *>(out[0]);
        unsigned *u = static_cast<unsigned *>(out[0]);
        if (int failed = made("curandSetStream", curandSetStream(generator, stream)))
            return failed;
        switch (variant[0]) {
        case 'b':
            return made("curandGenerate", curandGenerate(generator, u, n));
        case 'n':
            return made("curandGenerateNormal",
                        wide ? curandGenerateNormalDouble(generator, d, n, 0, 1)
                             : curandGenerateNormal(generator, f, n, 0, 1));
        case 'l':
            return made("curandGenerateLogNormal",
                        curandGenerateLogNormal(generator, f, n, 0, 1));
        case 'p':
            return made("curandGeneratePoisson", curandGeneratePoisson(generator, u, n, mean));
        default:
            return made("curandGenerateUniform", wide ? curandGenerateUniformDouble(generator, d, n)
                                                      : curandGenerateUniform(generator, f, n));
        }
    }
};

// One state per thread, four numbers at a time, as cuRAND's guide does it.
template <bool normal> __global__ void device_fill(size_t fours, float4 *out)
{
    curandStatePhilox4_32_10_t state;
    const size_t thread = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    curand_init(1, thread, 0, &state);
    for (size_t i = thread; i < fours; i += gridDim.x * (size_t)blockDim.x)
        out[i] = normal ? curand_normal4(&state) : curand_uniform4(&state);
}

struct device_vendor final : heddle_vendor {
    size_t n = 0;
    bool normal = false;
    unsigned blocks = 0;
    const char *library() const override
    {
        return curand_name();
    }
    int run(void *const *, void *const *out, gpu_stream stream) override
    {
        if (normal)
            device_fill<true><<<blocks, 256, 0, stream>>>(n / 4, static_cast<float4 *>(out[0]));
        else
            device_fill<false><<<blocks, 256, 0, stream>>>(n / 4, static_cast<float4 *>(out[0]));
        return vendor_status("device_fill", cudaGetLastError());
    }
};

static int open_device(const heddle_vendor_arguments &a, heddle_vendor **vendor)
{
    device_vendor *p = new device_vendor;
    int units = 0, resident = 0;
    (void)cudaDeviceGetAttribute(&units, cudaDevAttrMultiProcessorCount, a.ordinal);
    p->n = a.n;
    p->normal = a.variant[0] == 'n';
    (void)cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &resident, p->normal ? device_fill<true> : device_fill<false>, 256, 0);
    p->blocks = static_cast<unsigned>(units * resident);
    return vendor_made(p, HEDDLE_VENDOR_OK, vendor);
}

static int open_random(const heddle_vendor_arguments &a, heddle_vendor **vendor)
{
    static const curandRngType_t types[] = {CURAND_RNG_PSEUDO_PHILOX4_32_10,
                                            CURAND_RNG_PSEUDO_MRG32K3A, CURAND_RNG_PSEUDO_XORWOW,
                                            CURAND_RNG_PSEUDO_MT19937};
    const bool sobol = a.variant[0] == 's';
    if (strstr(a.variant, "device"))
        return open_device(a, vendor);
    random_vendor *p = new random_vendor;
    p->n = a.n;
    p->wide = vendor_is(a.type, "f64");
    p->variant = a.variant;
    p->mean = a.numbers[0];
    int failed = made("curandCreateGenerator",
                      curandCreateGenerator(&p->generator,
                                            sobol ? CURAND_RNG_QUASI_SCRAMBLED_SOBOL32
                                                  : types[a.sizes[0]]));
    if (!failed && sobol)
        failed = made("curandSetQuasiRandomGeneratorDimensions",
                      curandSetQuasiRandomGeneratorDimensions(p->generator,
                                                              static_cast<unsigned>(a.sizes[1])));
    if (!failed && !sobol)
        failed = made("curandSetPseudoRandomGeneratorSeed",
                      curandSetPseudoRandomGeneratorSeed(p->generator, 1));
    return vendor_made(p, failed, vendor);
}
VENDOR_CASE(random, open_random)

// The digital option of heddle's model: spot 1, rate 0.05, volatility 0.1, correlation 0.5, 1 year.
__global__ void paths_digital(size_t paths, unsigned steps, float drift, float volatility,
                              unsigned long long *count)
{
    const size_t path = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    float a = 1.0f, b = 1.0f;
    curandStatePhilox4_32_10_t state;
    if (path < paths) {
        curand_init(1, path, 0, &state);
        for (unsigned k = 0; k < steps; k += 2) {
            const float4 z = curand_normal4(&state);
            a *= fmaf(volatility, z.x, drift);
            b *= fmaf(volatility, fmaf(0.5f, z.x, 0.8660254f * z.y), drift);
            a *= fmaf(volatility, z.z, drift);
            b *= fmaf(volatility, fmaf(0.5f, z.z, 0.8660254f * z.w), drift);
        }
    }
    const int inside = path < paths && a >= 0.9f && a <= 1.1f && b >= 0.9f && b <= 1.1f;
    const int block = __syncthreads_count(inside);
    if (threadIdx.x == 0)
        atomicAdd(count, static_cast<unsigned long long>(block));
}

struct paths_vendor final : heddle_vendor {
    size_t n = 0;
    unsigned steps = 0;
    const char *library() const override
    {
        return curand_name();
    }
    int run(void *const *, void *const *out, gpu_stream stream) override
    {
        const float dt = 1.0f / static_cast<float>(steps);
        if (int failed = vendor_status("cudaMemsetAsync", cudaMemsetAsync(out[0], 0, 8, stream)))
            return failed;
        paths_digital<<<static_cast<unsigned>((n + 255) / 256), 256, 0, stream>>>(
            n, steps, 1.0f + 0.05f * dt, 0.1f * sqrtf(dt),
            static_cast<unsigned long long *>(out[0]));
        return vendor_status("paths_digital", cudaGetLastError());
    }
    int values(void *const *out, gpu_stream stream, double *values, size_t count) override
    {
        unsigned long long inside = 0;
        int failed = vendor_status("cudaMemcpyAsync", cudaMemcpyAsync(&inside, out[0], sizeof inside,
                                                                    cudaMemcpyDefault, stream));
        if (!failed)
            failed = vendor_status("cudaStreamSynchronize", cudaStreamSynchronize(stream));
        if (!failed && count > 0)
            values[0] = static_cast<double>(inside);
        return failed;
    }
};

static int open_paths(const heddle_vendor_arguments &a, heddle_vendor **vendor)
{
    paths_vendor *p = new paths_vendor;
    p->n = a.n;
    p->steps = static_cast<unsigned>(a.sizes[0]);
    return vendor_made(p, HEDDLE_VENDOR_OK, vendor);
}
VENDOR_CASE(montecarlo, open_paths)
#endif
