/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Halo exchange between the parts of a field (domain.h): the plan of messages, which depends on
 *  the domain only and serves every transport, and an exchange between the devices of this process.
 *  docs/several-devices.md
 */
#ifndef HEDDLE_HALO_H
#define HEDDLE_HALO_H

#include <heddle/domain.h>
#include <heddle/group.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup halo Halo exchange
 *  @brief Messages between the parts of a field; docs/several-devices.md.
 *  @{
 */

/** Limits of halos. */
enum {
    HD_HALO_MESSAGES = 8 /**< Maximum number of messages of a part. */
};

/** The message to one neighbour of a part, and that from it: nx columns and ny rows each way.
 *
 *  Positions are cells of the part, counted from its first one; those of what is received lie
 *  beyond it.
 */
typedef struct hd_halo_message {
    unsigned part;       /**< The neighbour; may be the part itself. */
    int dx,              /**< Its direction in x: -1, 0 or 1. */
        dy;              /**< Its direction in y: -1, 0 or 1. */
    size_t nx,           /**< Columns of the message. */
        ny;              /**< Rows of the message. */
    ptrdiff_t send_x,    /**< First column that is sent. */
        send_y;          /**< First row that is sent. */
    ptrdiff_t receive_x, /**< First column that is received. */
        receive_y;       /**< First row that is received. */
    unsigned tag;        /**< Tag, 0 to 7, of what is sent: two parts may be neighbours in several
                              positions. */
    unsigned opposite;   /**< Tag of what is received. */
} hd_halo_message;

/** Returns the messages of a part, in ascending order of their tags. Host arithmetic only.
 *
 *  What a part sends to (dx, dy) is as large as what that neighbour receives from (-dx, -dy). Along
 *  a periodic axis that is not cut a part sends to itself.
 *
 *  @param domain    The field.
 *  @param index     Number of the part.
 *  @param depth     Width of the halo in cells, at least 1.
 *  @param corners   1: with the cells beyond corners (several sweeps, nine-point stencils).
 *  @param messages  Receives the messages.
 *  @param count     Receives their number.
 *  @return HD_OK; HD_ERR_ARGUMENT if a part with neighbours is smaller than depth; or as
 *          hd_domain_part().
 */
hd_status hd_halo_plan(const hd_domain *domain, unsigned index, size_t depth, int corners,
                       hd_halo_message messages[HD_HALO_MESSAGES], unsigned *count);

/** The field of a part, in device memory.
 *
 *  Around the part's own cells lie, in the same allocation, `depth` cells on each side from which
 *  messages come; other cells around it are not touched.
 */
typedef struct hd_halo_field {
    void *first;  /**< The part's first own cell. */
    size_t pitch; /**< Elements from a row to the next; at least a row with its halos. */
} hd_halo_field;

/** Copies the cells that a message sends to a buffer, row after row. Asynchronous.
 *
 *  @param message  The message.
 *  @param field    The part's field, in memory of the stream's device.
 *  @param element  Bytes per cell.
 *  @param buffer   Receives nx * ny cells; memory of the stream's device.
 *  @param stream   Stream.
 *  @return As hd_copy_2d().
 */
hd_status hd_halo_pack(const hd_halo_message *message, hd_halo_field field, size_t element,
                       void *buffer, hd_stream *stream);

/** Copies the cells that a message receives from a buffer, row after row. Asynchronous.
 *
 *  @param message  The message.
 *  @param field    The part's field, in memory of the stream's device.
 *  @param element  Bytes per cell.
 *  @param buffer   nx * ny cells; memory of the stream's device.
 *  @param stream   Stream.
 *  @return As hd_copy_2d().
 */
hd_status hd_halo_unpack(const hd_halo_message *message, hd_halo_field field, size_t element,
                         const void *buffer, hd_stream *stream);

/** An exchange between parts on devices of this process. */
typedef struct hd_halo hd_halo;

/** Makes an exchange between parts. The caller destroys it.
 *
 *  Connects the pairs of neighbours (hd_peer_connect()), and allocates buffers for columns.
 *
 *  @param domain   The field.
 *  @param devices  devices[i] has part i; a device may have several.
 *  @param element  Bytes per cell, at least 1.
 *  @param depth    Width of the halo in cells.
 *  @param corners  1: with the cells beyond corners.
 *  @param halo     Receives the exchange.
 *  @return HD_OK; an error of hd_halo_plan() or hd_peer_connect(); HD_ERR_NO_MEMORY.
 */
hd_status hd_halo_create(const hd_domain *domain, const int *devices, size_t element, size_t depth,
                         int corners, hd_halo **halo);

/** Destroys an exchange. No exchange may be under way.
 *
 *  @param halo  The exchange; NULL is success.
 *  @return HD_OK, or HD_ERR_ARGUMENT if it was destroyed before.
 */
hd_status hd_halo_destroy(hd_halo *halo);

/** Returns the path of a message.
 *
 *  @param halo     The exchange.
 *  @param part     Number of the part.
 *  @param message  Number of the message in the part's plan.
 *  @param path     Receives the path.
 *  @return HD_OK, or HD_ERR_ARGUMENT if there is no such message.
 */
hd_status hd_halo_path(const hd_halo *halo, unsigned part, unsigned message, hd_peer_path *path);

/** What transports the messages of hd_halo_exchange(). */
typedef enum hd_halo_carrier {
    HD_HALO_COPIES, /**< Transfers (hd_transfer()). */
    HD_HALO_STORES  /**< Kernels that store in the neighbours' halos. */
} hd_halo_carrier;

/** Chooses what transports the messages of later exchanges; initially #HD_HALO_COPIES.
 *
 *  #HD_HALO_STORES: a kernel on the device of a part reads the cells that the part sends and stores
 *  them in the neighbours' halos, without buffers, in one launch for all its messages: 16 bytes per
 *  store if rows have the same alignment modulo 16 on both sides, otherwise by elements or divisors
 *  of them. Messages of a pair without direct access (#HD_PATH_STAGED) travel as with
 *  #HD_HALO_COPIES.
 *
 *  @param halo     The exchange; none may be under way in another thread.
 *  @param carrier  The transport.
 *  @return HD_OK or HD_ERR_ARGUMENT.
 */
hd_status hd_halo_carry(hd_halo *halo, hd_halo_carrier carrier);

/** Fills the halos of all parts. Asynchronous.
 *
 *  Each part's cells are sent after the earlier work of its stream and of the stream of the
 *  receiving part; later work of a stream comes after all that its part receives. May be captured
 *  from a stream that the others have joined. Moves element * cells of the messages bytes. Copies
 *  are hd_transfer(); a message that is contiguous (whole adjacent rows) travels directly, others
 *  through a buffer. Equal to the phases of hd_halo_exchange_phase() one after another, for all
 *  parts.
 *
 *  @param halo     The exchange.
 *  @param fields   fields[i] is that of part i.
 *  @param streams  streams[i] is a stream of its device, not NULL.
 *  @return HD_OK; HD_ERR_ARGUMENT for a missing field or a pitch that is too small, before anything
 *          moves; HD_ERR_OVERFLOW if what a part stores is too much for one launch (256 GiB and
 *          more); or as hd_transfer().
 */
hd_status hd_halo_exchange(hd_halo *halo, const hd_halo_field *fields, hd_stream *const *streams);

/** Phases of hd_halo_exchange_phase(). */
enum {
    HD_HALO_PHASES = 3 /**< Number of phases: 0 marks the part's stream, 1 sends, 2 waits. */
};

/** Issues one phase of one part of hd_halo_exchange(), for several host threads with parts of their
 *  own. No thread may begin a phase before all have ended the previous one.
 *
 *  @param halo     The exchange.
 *  @param phase    0 to #HD_HALO_PHASES - 1.
 *  @param part     Number of the part.
 *  @param fields   Fields of all parts.
 *  @param streams  Streams of all parts.
 *  @return As hd_halo_exchange().
 */
hd_status hd_halo_exchange_phase(hd_halo *halo, unsigned phase, unsigned part,
                                 const hd_halo_field *fields, hd_stream *const *streams);

/** As hd_halo_exchange(), by hd_group_send_receive() (group.h): by the group's own kernels or the
 *  vendor's library. Asynchronous.
 *
 *  Makes as many calls as two parts are neighbours in positions: one, or for two devices with
 *  periodic rows two.
 *
 *  @param halo     The exchange.
 *  @param group    A group whose rank i is on the device of part i.
 *  @param fields   fields[i] is that of part i.
 *  @param streams  streams[i] is a stream of its device.
 *  @return HD_OK; HD_ERR_ARGUMENT also if ranks and parts do not correspond; or as
 *          hd_group_send_receive().
 */
hd_status hd_halo_exchange_group(hd_halo *halo, hd_group *group, const hd_halo_field *fields,
                                 hd_stream *const *streams);

/** The part of one rank of hd_halo_exchange_group(), for a host thread per part.
 *
 *  @param halo    The exchange.
 *  @param group   The group.
 *  @param part    Number of the part, and its rank.
 *  @param fields  Fields of all parts.
 *  @param stream  A stream of the part's device.
 *  @return As hd_halo_exchange_group().
 */
hd_status hd_halo_exchange_group_rank(hd_halo *halo, hd_group *group, unsigned part,
                                      const hd_halo_field *fields, hd_stream *stream);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
