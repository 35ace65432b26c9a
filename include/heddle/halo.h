/* SPDX-License-Identifier: Apache-2.0 */
/* halo.h - what parts of a field (heddle/domain.h) send each other so that every part has the cells
   around it: the plan, which depends on the domain alone and serves every carrier, and an exchange
   between the devices of this process. docs/several-devices.md */
#ifndef HEDDLE_HALO_H
#define HEDDLE_HALO_H

#include <heddle/domain.h>
#include <heddle/group.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { HD_HALO_MESSAGES = 8 };

/* One neighbour of a part: nx columns and ny rows that go to it and as many that come from it.
   Positions are cells of the part, counted from its first one; those that come lie beyond it. */
typedef struct hd_halo_message {
    unsigned part; /* the neighbour; may be the part itself */
    int dx, dy;    /* where it lies */
    size_t nx, ny;
    ptrdiff_t send_x, send_y;
    ptrdiff_t receive_x, receive_y;
    unsigned tag;      /* 0 to 7, of what is sent: two parts may be neighbours in several places */
    unsigned opposite; /* the tag of what is received */
} hd_halo_message;

/* The messages of part `index` for a halo of `depth` cells, in ascending order of `tag`. corners: 1
   where cells beyond a corner are wanted too (several sweeps, nine-point stencils). What a part
   sends to (dx, dy) is as large as what that neighbour receives from (-dx, -dy), and the other way
   round. Along a periodic axis that is not cut a part sends to itself. HD_ERR_ARGUMENT where a part
   that has neighbours is smaller than `depth`. */
hd_status hd_halo_plan(const hd_domain *domain, unsigned index, size_t depth, int corners,
                       hd_halo_message messages[HD_HALO_MESSAGES], unsigned *count);

/* A part's field: device memory, `first` its first own cell, rows `pitch` elements apart. Around
   the part's own cells lie, in the same allocation, `depth` cells on each side from which messages
   come; other cells around it are not touched. pitch: at least a row's cells with those. */
typedef struct hd_halo_field {
    void *first;
    size_t pitch;
} hd_halo_field;

/* Copies the cells that a message sends (receives) to (from) `buffer`, rows one after another,
   element bytes each, in stream order. All three are memory of the stream's device. */
hd_status hd_halo_pack(const hd_halo_message *message, hd_halo_field field, size_t element,
                       void *buffer, hd_stream *stream);
hd_status hd_halo_unpack(const hd_halo_message *message, hd_halo_field field, size_t element,
                         const void *buffer, hd_stream *stream);

typedef struct hd_halo hd_halo;

/* An exchange between parts on devices of this process: part i is on devices[i] (a device may have
   several). Connects the pairs of neighbours (hd_peer_connect), and has buffers for columns.
   HD_ERR_ARGUMENT, HD_ERR_NO_MEMORY, and what hd_peer_connect returns. The caller destroys it. */
hd_status hd_halo_create(const hd_domain *domain, const int *devices, size_t element, size_t depth,
                         int corners, hd_halo **halo);
hd_status hd_halo_destroy(hd_halo *halo); /* NULL is success; waits for nothing */
/* How the part's message number `message` of its plan travels. */
hd_status hd_halo_path(const hd_halo *halo, unsigned part, unsigned message, hd_peer_path *path);

/* What carries the messages of hd_halo_exchange. */
typedef enum hd_halo_carrier {
    HD_HALO_COPIES, /* transfers */
    HD_HALO_STORES  /* kernels */
} hd_halo_carrier;

/* Chooses the carrier of the exchanges issued from now on; none may be under way in another thread.
   A new halo has HD_HALO_COPIES.
   HD_HALO_STORES: a kernel on the device of a part reads the cells that the part sends and stores
   them in the neighbours' halos, without buffers, in one launch for all its messages: 16 bytes a
   store where rows lie alike modulo 16 here and there, else by elements or what divides them.
   Messages of a pair without direct access (HD_PATH_STAGED of hd_halo_path) travel as with
   HD_HALO_COPIES. HD_ERR_ARGUMENT. */
hd_status hd_halo_carry(hd_halo *halo, hd_halo_carrier carrier);

/* Fills the halos of all parts: fields[i] is part i's, streams[i] a stream of its device, not NULL.
   Each part's cells go after the earlier work of its stream and of the stream of the part they go
   to; later work of a stream comes after all that its part receives. Asynchronous; capturable from
   a stream that the others have joined. Moves element * cells of the messages bytes, by the carrier
   of hd_halo_carry. Copies are hd_transfer: rows travel as they lie where a message is whole rows
   next to each other, else through a buffer. The phases of hd_halo_exchange_phase one after
   another, for all parts. HD_ERR_ARGUMENT for a field that is missing, or too small a pitch, before
   anything moves; HD_ERR_OVERFLOW where what a part stores is too much for one launch (256 GiB and
   more). */
hd_status hd_halo_exchange(hd_halo *halo, const hd_halo_field *fields, hd_stream *const *streams);

/* The same in three phases for several host threads, each with parts of its own: nobody begins a
   phase before all have ended the last one. Phase 0 marks the part's stream, 1 sends, 2 waits. */
enum { HD_HALO_PHASES = 3 };
hd_status hd_halo_exchange_phase(hd_halo *halo, unsigned phase, unsigned part,
                                 const hd_halo_field *fields, hd_stream *const *streams);

/* The same by hd_group_send_receive (heddle/group.h), by the group's own kernels or the vendor's
   library: rank i of `group` is part i, on its device. As many calls as two parts are neighbours in
   places: one, or for two devices with periodic rows two. Asynchronous; fails as the group does.
   _rank: one part's share, for a host thread per part; fields of all parts are given. */
hd_status hd_halo_exchange_group(hd_halo *halo, hd_group *group, const hd_halo_field *fields,
                                 hd_stream *const *streams);
hd_status hd_halo_exchange_group_rank(hd_halo *halo, hd_group *group, unsigned part,
                                      const hd_halo_field *fields, hd_stream *stream);

#ifdef __cplusplus
}
#endif
#endif
