/* SPDX-License-Identifier: Apache-2.0 */
/* library.c - the vendor's BLAS on a GPU, CBLAS on the CPU engine. BLAS stores by columns: a matrix
   stored by rows is to it the transposed one, and c' = b' a'. */
#include "library.h"

#include <time.h>

#if defined(LIBRARY_CUBLAS)
#include <cublas_v2.h>
#define BLAS_CREATE cublasCreate
#define BLAS_STREAM cublasSetStream
#define BLAS_SGEMM cublasSgemm
#define BLAS_DESTROY cublasDestroy
#define BLAS_AS_STORED CUBLAS_OP_N
typedef cublasHandle_t blas_handle;
typedef cudaStream_t blas_stream;
static const char *const name = "cuBLAS";
#elif defined(LIBRARY_HIPBLAS)
#include <hipblas/hipblas.h>
#define BLAS_CREATE hipblasCreate
#define BLAS_STREAM hipblasSetStream
#define BLAS_SGEMM hipblasSgemm
#define BLAS_DESTROY hipblasDestroy
#define BLAS_AS_STORED HIPBLAS_OP_N
typedef hipblasHandle_t blas_handle;
typedef hipStream_t blas_stream;
static const char *const name = "hipBLAS";
#elif defined(LIBRARY_CBLAS)
#include <cblas.h>
static const char *const name = "CBLAS";
#else
static const char *const name = NULL;
#endif

const char *library_name(void)
{
    return name;
}

static double now(void)
{
    struct timespec t;

    timespec_get(&t, TIME_UTC);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

#ifdef BLAS_CREATE
hd_status library_product(hd_stream *stream, sizes s, const float *a, const float *b, float *c,
                          double *milliseconds)
{
    const int m = (int)s.m, n = (int)s.n, k = (int)s.k;
    const float one = 1.0f, zero = 0.0f;
    hd_status status = HD_ERR_BACKEND;
    blas_handle blas;
    void *native;

    HD_TRY(hd_stream_native(stream, &native));
    if (BLAS_CREATE(&blas) != 0)
        return HD_ERR_BACKEND;
    if (BLAS_STREAM(blas, (blas_stream)native) == 0) {
        status = HD_OK;
        for (int call = 0; call < 2 && status >= 0; call++) {
            const double began = now();

            if (BLAS_SGEMM(blas, BLAS_AS_STORED, BLAS_AS_STORED, n, m, k, &one, b, n, a, k, &zero,
                           c, n) != 0)
                status = HD_ERR_BACKEND;
            else
                status = hd_stream_synchronize(stream);
            *milliseconds = now() - began;
        }
    }
    BLAS_DESTROY(blas);
    return status;
}
#elif defined(LIBRARY_CBLAS)
/* On copies in host memory: a CPU's BLAS knows no devices. */
static void multiply(sizes s, const float *a, const float *b, float *c, double *milliseconds)
{
    for (int call = 0; call < 2; call++) {
        const double began = now();

        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)s.m, (int)s.n, (int)s.k, 1.0f,
                    a, (int)s.k, b, (int)s.n, 0.0f, c, (int)s.n);
        *milliseconds = now() - began;
    }
}

hd_status library_product(hd_stream *stream, sizes s, const float *a, const float *b, float *c,
                          double *milliseconds)
{
    float *host[3] = {NULL, NULL, NULL}; /* a, b, c */
    hd_status status;

    HD_GOTO(status, end, hd_alloc_kind(&host[0], s.m * s.k, HD_MEM_PINNED, 0));
    HD_GOTO(status, end, hd_alloc_kind(&host[1], s.k * s.n, HD_MEM_PINNED, 0));
    HD_GOTO(status, end, hd_alloc_kind(&host[2], s.m * s.n, HD_MEM_PINNED, 0));
    HD_GOTO(status, end, hd_copy_blocking(host[0], a, s.m * s.k, stream));
    HD_GOTO(status, end, hd_copy_blocking(host[1], b, s.k * s.n, stream));
    multiply(s, host[0], host[1], host[2], milliseconds);
    HD_GOTO(status, end, hd_copy_blocking(c, host[2], s.m * s.n, stream));
end:
    for (int i = 0; i < 3; i++)
        hd_free(host[i]);
    return status;
}
#else
hd_status library_product(hd_stream *stream, sizes s, const float *a, const float *b, float *c,
                          double *milliseconds)
{
    (void)stream, (void)s, (void)a, (void)b, (void)c, (void)milliseconds, (void)now;
    return HD_ERR_UNSUPPORTED;
}
#endif
