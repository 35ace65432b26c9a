/* SPDX-License-Identifier: Apache-2.0 */
/* vendor_interface.h - the C interface of libheddle_vendor, the optional library that wraps what
   heddle is compared with: the vendor's primitives, each a named case, and a kernel launched
   without heddle. `heddle bench` loads it with dlopen: from HEDDLE_VENDOR, otherwise
   libheddle_vendor.so next to the tool.

   Every function returns 0, HEDDLE_VENDOR_UNSUPPORTED if the library has no such operation, or
   HEDDLE_VENDOR_FAILED, after which heddle_vendor_error() returns the reason in one line. `stream`
   is the vendor's own stream (hd_stream_native). Objects belong to one thread at a time. */
#ifndef HEDDLE_CLI_BENCH_VENDOR_INTERFACE_H
#define HEDDLE_CLI_BENCH_VENDOR_INTERFACE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    HEDDLE_VENDOR_OK = 0,
    HEDDLE_VENDOR_UNSUPPORTED = 1,
    HEDDLE_VENDOR_FAILED = -1,
    HEDDLE_VENDOR_INTERFACE = 4, /* incremented whenever this header changes */
    HEDDLE_VENDOR_NUMBERS = 4
};

/* HEDDLE_VENDOR_INTERFACE when the library was compiled. */
int heddle_vendor_interface(void);
/* Why the calling thread's last call failed; never NULL. */
const char *heddle_vendor_error(void);

/* ---- cases ---------------------------------------------------------------------------------- */

typedef struct heddle_vendor_arguments {
    int ordinal;         /* the vendor's number of the device */
    const char *type;    /* hd_type_name(): "f32" */
    const char *variant; /* interpreted by the case, such as "sum"; "": none */
    size_t n;
    size_t sizes[HEDDLE_VENDOR_NUMBERS]; /* interpreted by the case, such as rows and columns */
    double numbers[HEDDLE_VENDOR_NUMBERS];
} heddle_vendor_arguments;

typedef struct heddle_vendor heddle_vendor;

/* Prepares everything that a run of the case `name` needs, including temporary memory, so that a
   run only launches. */
int heddle_vendor_open(const char *name, const heddle_vendor_arguments *arguments,
                       heddle_vendor **vendor_out);
/* Name and version of the library behind the case, as tables print it. */
const char *heddle_vendor_library(const heddle_vendor *vendor);
/* Enqueues one run from the arrays at `in` to those at `out`, all device memory; does not wait. */
int heddle_vendor_run(heddle_vendor *vendor, void *const *in, void *const *out, void *stream);
/* The outputs of a run at `out` as doubles, as many as the case defines and at most `count`. Waits.
   HEDDLE_VENDOR_UNSUPPORTED if a case has no such numbers. */
int heddle_vendor_values(heddle_vendor *vendor, void *const *out, void *stream, double *values,
                         size_t count);
void heddle_vendor_close(heddle_vendor *vendor); /* NULL is allowed */

/* ---- launches ------------------------------------------------------------------------------- */

/* Launches y[i] = a * x[i] + y[i], one thread per element of n, with the vendor's own launch call,
   `blocks` blocks of `threads` threads; same kernel as kernels/launch.c. Does not wait. */
int heddle_vendor_launch_axpy(unsigned blocks, unsigned threads, size_t n, float a, const float *x,
                              float *y, void *stream);

#ifdef __cplusplus
}
#endif
#endif
