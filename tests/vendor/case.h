// SPDX-License-Identifier: Apache-2.0
// case.h - how a file of this folder adds cases to vendor_interface.h: C++17, NAME.cu for NVIDIA's
// libraries, NAME.hip for AMD's, shared bodies in NAME.inc with GPU(name) for the runtime's names.
// A case derives from heddle_vendor and registers a function that opens it:
//
//     static int open_sum(const heddle_vendor_arguments &a, heddle_vendor **vendor) { ... }
//     VENDOR_CASE(sum, open_sum)
#ifndef HEDDLE_TESTS_VENDOR_CASE_H
#define HEDDLE_TESTS_VENDOR_CASE_H

#if defined(__HIP__) || defined(__HIPCC__)
#include <hip/hip_runtime.h>
#define GPU(name) hip##name
#else
#include <cuda_runtime.h>
#define GPU(name) cuda##name
#endif

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>

#include "cli/bench/vendor_interface.h"

using gpu_error = GPU(Error_t);
using gpu_stream = GPU(Stream_t);

// Sets the line of heddle_vendor_error(); returns HEDDLE_VENDOR_FAILED.
int vendor_fail(const char *call, const char *why);
inline int vendor_fail(const char *call, gpu_error error)
{
    return vendor_fail(call, GPU(GetErrorString)(error));
}
// 0, or the message and HEDDLE_VENDOR_FAILED.
inline int vendor_status(const char *call, gpu_error error)
{
    return error == GPU(Success) ? HEDDLE_VENDOR_OK : vendor_fail(call, error);
}

// Makes `ordinal` the current device and the caller's device current again.
struct device_scope {
    int before = 0;
    explicit device_scope(int ordinal)
    {
        (void)GPU(GetDevice)(&before);
        (void)GPU(SetDevice)(ordinal);
    }
    ~device_scope()
    {
        (void)GPU(SetDevice)(before);
    }
};

// Temporary memory of a case; freed with it.
struct device_memory {
    void *at = nullptr;
    size_t bytes = 0;
    device_memory() = default;
    device_memory(const device_memory &) = delete;
    device_memory &operator=(const device_memory &) = delete;
    ~device_memory()
    {
        (void)GPU(Free)(at);
    }
    int make(size_t wanted)
    {
        bytes = wanted;
        return vendor_status("temporary memory", GPU(Malloc)(&at, wanted ? wanted : 1));
    }
    template <class T> T *as() const
    {
        return static_cast<T *>(at);
    }
};

// What a case is. The device of the arguments is current in every call, `open` included.
struct heddle_vendor {
    int ordinal = 0; // set by heddle_vendor_open
    virtual ~heddle_vendor() = default;
    virtual const char *library() const = 0;
    virtual int run(void *const *in, void *const *out, gpu_stream stream) = 0;
    virtual int values(void *const *, gpu_stream, double *, size_t)
    {
        return HEDDLE_VENDOR_UNSUPPORTED;
    }
};

using vendor_open_call = int (*)(const heddle_vendor_arguments &arguments, heddle_vendor **vendor);

// An entry of the list of cases, made before the library is used.
struct vendor_entry {
    const char *name;
    vendor_open_call open;
    const vendor_entry *next;
    vendor_entry(const char *case_name, vendor_open_call case_open);
};
#define VENDOR_CASE(name, open) static const vendor_entry vendor_entry_##name(#name, open);

// Hands a new case over once `made` is 0; deletes it otherwise.
inline int vendor_made(heddle_vendor *vendor, int made, heddle_vendor **vendor_out)
{
    if (made == HEDDLE_VENDOR_OK)
        *vendor_out = vendor;
    else
        delete vendor;
    return made;
}

inline bool vendor_is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

#endif
