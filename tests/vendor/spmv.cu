// SPDX-License-Identifier: Apache-2.0
// spmv.cu - the case "spmv": sizes[0] rows, sizes[1] columns, sizes[2] entries; in[0 .. 3] offsets,
// columns, values, x; out[0] y = A x.
#include "case.h"

#if VENDOR_HAS_CUSPARSE
#define DISABLE_CUSPARSE_DEPRECATED
#include <cusparse.h>

#include <memory>
#include <vector>

// What belongs to one copy of the arrays: the library looks at a matrix once, before its first
// product.
struct spmv_copy {
    const void *key = nullptr;
    cusparseSpMatDescr_t matrix = nullptr;
    cusparseDnVecDescr_t x = nullptr, y = nullptr;
    device_memory work;
    ~spmv_copy()
    {
        (void)cusparseDestroySpMat(matrix);
        (void)cusparseDestroyDnVec(x);
        (void)cusparseDestroyDnVec(y);
    }
};

template <class T> struct spmv_vendor final : heddle_vendor {
    static constexpr cudaDataType number = sizeof(T) == 4 ? CUDA_R_32F : CUDA_R_64F;
    int64_t rows = 0, columns = 0, entries = 0;
    cusparseHandle_t handle = nullptr;
    std::vector<std::unique_ptr<spmv_copy>> copies;
    const T one = 1, zero = 0;
    char name[40];

    ~spmv_vendor() override
    {
        copies.clear();
        (void)cusparseDestroy(handle);
    }
    const char *library() const override
    {
        return name;
    }

    static int status(cusparseStatus_t got)
    {
        return got == CUSPARSE_STATUS_SUCCESS ? HEDDLE_VENDOR_OK
                                              : vendor_fail("SpMV", cusparseGetErrorString(got));
    }

    int open(const heddle_vendor_arguments &a)
    {
        int version = 0, made = status(cusparseCreate(&handle));
        rows = static_cast<int64_t>(a.sizes[0]);
        columns = static_cast<int64_t>(a.sizes[1]);
        entries = static_cast<int64_t>(a.sizes[2]);
        if (made == HEDDLE_VENDOR_OK)
            made = status(cusparseGetVersion(handle, &version));
        (void)snprintf(name, sizeof name, "cuSPARSE %d.%d.%d", version / 1000, version / 100 % 10,
                       version % 100);
        return made;
    }

    int describe(spmv_copy &c, void *const *in, void *const *out)
    {
        size_t bytes = 0;
        c.key = in[0];
        int made = status(cusparseCreateCsr(&c.matrix, rows, columns, entries, in[0], in[1], in[2],
                                            CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                            CUSPARSE_INDEX_BASE_ZERO, number));
        if (made == HEDDLE_VENDOR_OK)
            made = status(cusparseCreateDnVec(&c.x, columns, in[3], number));
        if (made == HEDDLE_VENDOR_OK)
            made = status(cusparseCreateDnVec(&c.y, rows, out[0], number));
        if (made == HEDDLE_VENDOR_OK)
            made = status(cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one,
                                                  c.matrix, c.x, &zero, c.y, number,
                                                  CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
        if (made == HEDDLE_VENDOR_OK)
            made = c.work.make(bytes);
#if CUSPARSE_VERSION >= 12400
        if (made == HEDDLE_VENDOR_OK)
            made = status(cusparseSpMV_preprocess(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one,
                                                  c.matrix, c.x, &zero, c.y, number,
                                                  CUSPARSE_SPMV_ALG_DEFAULT, c.work.at));
#endif
        return made;
    }

    int copy_of(void *const *in, void *const *out, spmv_copy **found)
    {
        for (auto &c : copies)
            if (c->key == in[0]) {
                *found = c.get();
                return HEDDLE_VENDOR_OK;
            }
        copies.emplace_back(new spmv_copy);
        *found = copies.back().get();
        return describe(**found, in, out);
    }

    int run(void *const *in, void *const *out, gpu_stream stream) override
    {
        spmv_copy *c = nullptr;
        int done = status(cusparseSetStream(handle, stream));
        if (done == HEDDLE_VENDOR_OK)
            done = copy_of(in, out, &c);
        if (done == HEDDLE_VENDOR_OK)
            done = status(cusparseDnVecSetValues(c->y, out[0]));
        return done != HEDDLE_VENDOR_OK
                   ? done
                   : status(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, c->matrix,
                                         c->x, &zero, c->y, number, CUSPARSE_SPMV_ALG_DEFAULT,
                                         c->work.at));
    }
};

template <class T> static int open_typed(const heddle_vendor_arguments &a, heddle_vendor **vendor)
{
    spmv_vendor<T> *made = new spmv_vendor<T>;
    return vendor_made(made, made->open(a), vendor);
}

static int open_spmv(const heddle_vendor_arguments &a, heddle_vendor **vendor)
{
    return vendor_is(a.type, "f32")   ? open_typed<float>(a, vendor)
           : vendor_is(a.type, "f64") ? open_typed<double>(a, vendor)
                                    : HEDDLE_VENDOR_UNSUPPORTED;
}
VENDOR_CASE(spmv, open_spmv)
#endif
