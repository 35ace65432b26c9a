// SPDX-License-Identifier: Apache-2.0
// tridiag.cu - the case "tridiag" (variant "contiguous" or "interleaved"): sizes[0] rows of sizes[1]
// systems, in[0 .. 3] lower, diagonal, upper, right; out[0] the solution.
#include "case.h"

#if VENDOR_HAS_CUSPARSE
#define DISABLE_CUSPARSE_DEPRECATED
#include <cusparse.h>

template <class T> struct tridiag_calls;

template <> struct tridiag_calls<float> {
    static constexpr auto strided_bytes = cusparseSgtsv2StridedBatch_bufferSizeExt;
    static constexpr auto strided = cusparseSgtsv2StridedBatch;
    static constexpr auto interleaved_bytes = cusparseSgtsvInterleavedBatch_bufferSizeExt;
    static constexpr auto interleaved = cusparseSgtsvInterleavedBatch;
};

template <> struct tridiag_calls<double> {
    static constexpr auto strided_bytes = cusparseDgtsv2StridedBatch_bufferSizeExt;
    static constexpr auto strided = cusparseDgtsv2StridedBatch;
    static constexpr auto interleaved_bytes = cusparseDgtsvInterleavedBatch_bufferSizeExt;
    static constexpr auto interleaved = cusparseDgtsvInterleavedBatch;
};

// The library writes over its inputs. The arrays it works on are the case's own; the first run
// takes the inputs over and hands the solution out, later ones only solve what is there.
template <class T> struct tridiag_vendor final : heddle_vendor {
    using calls = tridiag_calls<T>;
    int rows = 0, systems = 0;
    bool interleaved = false;
    cusparseHandle_t handle = nullptr;
    device_memory array[4], work;
    bool first = true;
    char name[40];

    ~tridiag_vendor() override
    {
        (void)cusparseDestroy(handle);
    }
    const char *library() const override
    {
        return name;
    }

    T *at(int k) const
    {
        return array[k].as<T>();
    }

    int status(cusparseStatus_t got) const
    {
        return got == CUSPARSE_STATUS_SUCCESS ? HEDDLE_VENDOR_OK
                                              : vendor_fail("gtsv", cusparseGetErrorString(got));
    }

    int open(const heddle_vendor_arguments &a)
    {
        const size_t bytes = a.sizes[0] * a.sizes[1] * sizeof(T);
        int version = 0, made = status(cusparseCreate(&handle));
        size_t needed = 0;
        rows = static_cast<int>(a.sizes[0]);
        systems = static_cast<int>(a.sizes[1]);
        interleaved = vendor_is(a.variant, "interleaved");
        for (int k = 0; k < 4 && made == HEDDLE_VENDOR_OK; k++)
            made = array[k].make(bytes);
        if (made == HEDDLE_VENDOR_OK)
            made = status(interleaved ? calls::interleaved_bytes(handle, 0, rows, at(0), at(1),
                                                                 at(2), at(3), systems, &needed)
                                      : calls::strided_bytes(handle, rows, at(0), at(1), at(2),
                                                             at(3), systems, rows, &needed));
        if (made == HEDDLE_VENDOR_OK)
            made = work.make(needed);
        if (made == HEDDLE_VENDOR_OK)
            made = status(cusparseGetVersion(handle, &version));
        (void)snprintf(name, sizeof name, "cuSPARSE %d.%d.%d", version / 1000, version / 100 % 10,
                       version % 100);
        return made;
    }

    int solve()
    {
        return status(
            interleaved
                ? calls::interleaved(handle, 0, rows, at(0), at(1), at(2), at(3), systems, work.at)
                : calls::strided(handle, rows, at(0), at(1), at(2), at(3), systems, rows, work.at));
    }

    int run(void *const *in, void *const *out, gpu_stream stream) override
    {
        const size_t bytes = array[0].bytes;
        int done = status(cusparseSetStream(handle, stream));
        for (int k = 0; k < 4 && first && done == HEDDLE_VENDOR_OK; k++)
            done = vendor_status("copy", GPU(MemcpyAsync)(array[k].at, in[k], bytes,
                                                        GPU(MemcpyDeviceToDevice), stream));
        if (done == HEDDLE_VENDOR_OK)
            done = solve();
        if (first && done == HEDDLE_VENDOR_OK)
            done = vendor_status(
                "copy", GPU(MemcpyAsync)(out[0], at(3), bytes, GPU(MemcpyDeviceToDevice), stream));
        first = false;
        return done;
    }
};

template <class T> static int open_typed(const heddle_vendor_arguments &a, heddle_vendor **vendor)
{
    tridiag_vendor<T> *made = new tridiag_vendor<T>;
    return vendor_made(made, made->open(a), vendor);
}

static int open_tridiag(const heddle_vendor_arguments &a, heddle_vendor **vendor)
{
    // The library takes at least three rows.
    if (a.sizes[0] < 3 || a.sizes[0] > INT32_MAX || a.sizes[1] > INT32_MAX)
        return HEDDLE_VENDOR_UNSUPPORTED;
    return vendor_is(a.type, "f32")   ? open_typed<float>(a, vendor)
           : vendor_is(a.type, "f64") ? open_typed<double>(a, vendor)
                                    : HEDDLE_VENDOR_UNSUPPORTED;
}
VENDOR_CASE(tridiag, open_tridiag)
#endif
