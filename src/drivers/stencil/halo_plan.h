/* SPDX-License-Identifier: Apache-2.0 */
/* halo_plan.h - the layout of a plan's messages in a part's memory. */
#ifndef HEDDLE_DRIVERS_STENCIL_HALO_PLAN_H
#define HEDDLE_DRIVERS_STENCIL_HALO_PLAN_H

#include <heddle/halo.h>

static inline void *hd__halo_cell(hd_halo_field field, ptrdiff_t x, ptrdiff_t y, size_t element)
{
    return (char *)field.first + (y * (ptrdiff_t)field.pitch + x) * (ptrdiff_t)element;
}

/* The message's cells are one contiguous range of bytes. */
static inline int hd__halo_is_run(const hd_halo_message *message, hd_halo_field field)
{
    return message->ny == 1 || message->nx == field.pitch;
}

/* Cells from the first to the last one of a row that messages touch. */
size_t hd__halo_width(const hd_halo_message *messages, unsigned count);

#endif
