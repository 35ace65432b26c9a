/* SPDX-License-Identifier: Apache-2.0 */
/* halo_store.h - messages of a halo exchange that a kernel stores at their destinations. */
#ifndef HEDDLE_DRIVERS_STENCIL_HALO_STORE_H
#define HEDDLE_DRIVERS_STENCIL_HALO_STORE_H

#include <heddle/heddle.h>

#include "kernels/stencil/halo.h"

/* Adds a rectangle of rows; addresses, pitches, row_bytes and rows are given. At most HD__HALO_MAX
   rectangles; HD_ERR_OVERFLOW for more than 2^31 tiles. */
hd_status hd__halo_messages_add(const char *call, hd__halo_messages *messages, hd__halo_rows rows);
/* Stores all of them in one launch; none if there are no messages. */
hd_status hd__halo_messages_store(const hd__halo_messages *messages, hd_stream *stream);

#endif
