// SPDX-License-Identifier: Apache-2.0
// peer_case.h - how a file of this folder adds cases to peers.h: C++17, NAME.cu for NVIDIA's
// libraries, NAME.hip for AMD's, shared bodies in NAME.inc with GPU(name) for the runtime's names.
// A case derives from heddle_peer and registers a function that opens it:
//
//     static int open_sum(const heddle_peer_arguments &a, heddle_peer **peer) { ... }
//     PEER_CASE(sum, open_sum)
#ifndef HEDDLE_TESTS_PEER_CASE_H
#define HEDDLE_TESTS_PEER_CASE_H

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

#include "cli/bench/peers.h"

using gpu_error = GPU(Error_t);
using gpu_stream = GPU(Stream_t);

// Sets the line of heddle_peer_error(); returns HEDDLE_PEER_FAILED.
int peer_fail(const char *call, const char *why);
inline int peer_fail(const char *call, gpu_error error)
{
    return peer_fail(call, GPU(GetErrorString)(error));
}
// 0, or the message and HEDDLE_PEER_FAILED.
inline int peer_status(const char *call, gpu_error error)
{
    return error == GPU(Success) ? HEDDLE_PEER_OK : peer_fail(call, error);
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
        return peer_status("temporary memory", GPU(Malloc)(&at, wanted ? wanted : 1));
    }
    template <class T> T *as() const
    {
        return static_cast<T *>(at);
    }
};

// What a case is. The device of the arguments is current in every call, `open` included.
struct heddle_peer {
    int ordinal = 0; // set by heddle_peer_open
    virtual ~heddle_peer() = default;
    virtual const char *library() const = 0;
    virtual int run(void *const *in, void *const *out, gpu_stream stream) = 0;
    virtual int values(void *const *, gpu_stream, double *, size_t)
    {
        return HEDDLE_PEER_UNSUPPORTED;
    }
};

using peer_open_call = int (*)(const heddle_peer_arguments &arguments, heddle_peer **peer);

// An entry of the list of cases, made before the library is used.
struct peer_entry {
    const char *name;
    peer_open_call open;
    const peer_entry *next;
    peer_entry(const char *case_name, peer_open_call case_open);
};
#define PEER_CASE(name, open) static const peer_entry peer_entry_##name(#name, open);

// Hands a new case over once `made` is 0; deletes it otherwise.
inline int peer_made(heddle_peer *peer, int made, heddle_peer **peer_out)
{
    if (made == HEDDLE_PEER_OK)
        *peer_out = peer;
    else
        delete peer;
    return made;
}

inline bool peer_is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

#endif
