/* SPDX-License-Identifier: Apache-2.0 */
/* scratch.h - scratch memory of drivers. */
#ifndef HEDDLE_DRIVERS_SCRATCH_H
#define HEDDLE_DRIVERS_SCRATCH_H

#include <heddle/data.h>

/* At least `bytes` of device memory, 256-byte aligned: the caller's workspace, or the stream's
   scratch if that is NULL. Its first `header_bytes` are 0 when this driver first uses the memory;
   after that they are as its last launch left them, so kernels restore the zeros they need. `mark`
   is any address that identifies the driver. The caller holds stream->scratch_lock until the work
   that uses the memory is enqueued. HD_ERR_WORKSPACE: too small, or larger than its allocation. */
hd_status hd__scratch(const char *call, size_t bytes, size_t header_bytes, const void *mark,
                      hd_workspace *workspace, hd_stream *stream, void **memory);
/* The same for headers of several sizes: memory counts as prepared if any of the marks marks[0 ..
   count-1] prepared it; marks[0] stands for this header, the others for longer ones. */
hd_status hd__scratch_sized(const char *call, size_t bytes, size_t header_bytes, const char *marks,
                            unsigned count, hd_workspace *workspace, hd_stream *stream,
                            void **memory);

#endif
