/* SPDX-License-Identifier: Apache-2.0 */
/* array.h - checks of the arrays that drivers are given. */
#ifndef HEDDLE_DRIVERS_ARRAY_H
#define HEDDLE_DRIVERS_ARRAY_H

#include <heddle/data.h>

/* Checks that `pointer` is aligned to `alignment` and that the stream's device can use it, and
   returns the device's address of it. *room: bytes from there to the end of the allocation,
   SIZE_MAX if the backend does not know the end. */
hd_status hd__array_room(const char *call, const char *what, const void *pointer, size_t alignment,
                         hd_stream *stream, void **usable, size_t *room);
/* Also returns HD_ERR_POINTER if `bytes` bytes from there leave the allocation. */
hd_status hd__array_usable(const char *call, const char *what, const void *pointer, size_t bytes,
                           size_t alignment, hd_stream *stream, void **usable);

#endif
