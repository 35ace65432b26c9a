// SPDX-License-Identifier: Apache-2.0
// transpose.cu - transposition by cuBLAS: geam with a factor of 1, for elements of 4, 8 and 16 bytes.
#include "case.h"

#if VENDOR_HAS_CUBLAS
#include <cublas_v2.h>

static int blas_status(cublasStatus_t status)
{
    return status == CUBLAS_STATUS_SUCCESS ? HEDDLE_VENDOR_OK
                                           : vendor_fail("geam", cublasGetStatusString(status));
}

// sizes: rows, columns, bytes of an element.
struct transpose_vendor final : heddle_vendor {
    cublasHandle_t handle = nullptr;
    int rows = 0, columns = 0;
    size_t size = 0;
    ~transpose_vendor() override
    {
        if (handle)
            (void)cublasDestroy(handle);
    }
    const char *library() const override
    {
        static char text[32];
        int version = 0;
        (void)cublasGetVersion(handle, &version);
        snprintf(text, sizeof text, "cuBLAS %d geam", version);
        return text;
    }
    // Column by column ours is a matrix of `columns` rows.
    template <class T, class Call> int geam(Call call, const void *in, void *out)
    {
        T one{}, zero{};
        reinterpret_cast<decltype(real_of(one)) *>(&one)[0] = 1;
        T *to = static_cast<T *>(out);
        return blas_status(call(handle, CUBLAS_OP_T, CUBLAS_OP_N, rows, columns, &one,
                                static_cast<const T *>(in), columns, &zero, to, rows, to, rows));
    }
    static float real_of(float);
    static double real_of(double);
    static double real_of(cuDoubleComplex);
    int run(void *const *in, void *const *out, gpu_stream stream) override
    {
        int status = blas_status(cublasSetStream(handle, stream));
        if (status != HEDDLE_VENDOR_OK)
            return status;
        if (size == 4)
            return geam<float>(cublasSgeam, in[0], out[0]);
        if (size == 8)
            return geam<double>(cublasDgeam, in[0], out[0]);
        return geam<cuDoubleComplex>(cublasZgeam, in[0], out[0]);
    }
};

static int open_transpose(const heddle_vendor_arguments &a, heddle_vendor **vendor)
{
    if (a.sizes[2] < 4 || a.sizes[0] > INT32_MAX || a.sizes[1] > INT32_MAX)
        return HEDDLE_VENDOR_UNSUPPORTED;
    transpose_vendor *made = new transpose_vendor;
    made->rows = static_cast<int>(a.sizes[0]);
    made->columns = static_cast<int>(a.sizes[1]);
    made->size = a.sizes[2];
    return vendor_made(made, blas_status(cublasCreate(&made->handle)), vendor);
}
VENDOR_CASE(transpose, open_transpose)
#endif
