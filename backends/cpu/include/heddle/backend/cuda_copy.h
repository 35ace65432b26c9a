/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_copy.h (CPU) - a copy for translated programs. */
#ifndef HEDDLE_BACKEND_CUDA_COPY_H
#define HEDDLE_BACKEND_CUDA_COPY_H

#include <heddle/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Copies rows in stream order. Unlike hd_copy_2d, it may be captured with pageable memory, whose
   address is used when the graph runs. No argument is null or 0, and the pitches hold a row. */
hd_status hd_cpu_copy_captured(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                               size_t row_bytes, size_t rows, hd_stream *stream);

#ifdef __cplusplus
}
#endif

#endif
