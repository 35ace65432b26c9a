/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Jacobi sweeps over one 2-D field that is cut over several devices of this process, with the bits
 *  of one device. docs/several-devices.md
 */
#ifndef HEDDLE_JACOBI_GROUP_H
#define HEDDLE_JACOBI_GROUP_H

#include <heddle/halo.h>
#include <heddle/laplace.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup jacobi_group Jacobi sweeps on several devices
 *  @brief A 2-D field over the devices of this process; docs/several-devices.md.
 *  @{
 */

/** X(name, text, what): how parts receive the cells around them. */
#define HD_JACOBI_VARIANT_LIST(X)                                                                  \
    /** Persistent, peer-store for eight sweeps; with staged pairs copy-overlap. */                \
    X(HD_JACOBI_AUTO, "auto", "persistent, peer-store for eight sweeps; staged: copy-overlap")     \
    /** The host waits for sweeps, then for copies. */                                             \
    X(HD_JACOBI_COPY_BLOCKING, "copy-blocking", "the host waits for sweeps, then for copies")      \
    /** Copies after the sweeps, on the same streams. */                                           \
    X(HD_JACOBI_COPY, "copy", "copies behind the sweeps, on the same streams")                     \
    /** The outermost rows first; copies overlap the rest. */                                      \
    X(HD_JACOBI_COPY_OVERLAP, "copy-overlap", "the outermost rows first, copies beside the rest")  \
    /** Kernels store at the neighbours; events order the devices. */                              \
    X(HD_JACOBI_EVENTS, "events", "kernels store at the neighbours, events order the devices")     \
    /** Kernels store at the neighbours and wait for flags. */                                     \
    X(HD_JACOBI_PEER_STORE, "peer-store", "kernels store at the neighbours and wait for words")    \
    /** As #HD_JACOBI_PEER_STORE, with many sweeps per launch. */                                  \
    X(HD_JACOBI_PERSISTENT, "persistent", "the same, many sweeps in one launch")                   \
    /** Events, or with staged pairs copies, with many sweeps per graph. */                        \
    X(HD_JACOBI_GRAPH, "graph", "events, or with staged pairs copy, many sweeps in one graph")     \
    /** Copy-overlap with hd_group_send_receive() for the copies. */                               \
    X(HD_JACOBI_CCL, "ccl", "copy-overlap with hd_group_send_receive in the place of copies")

/** Variant; the values are those of #HD_JACOBI_VARIANT_LIST. */
typedef enum hd_jacobi_variant {
#define HD_JACOBI_ENUM_(name, text, what) name,
    HD_JACOBI_VARIANT_LIST(HD_JACOBI_ENUM_)
#undef HD_JACOBI_ENUM_
        HD_JACOBI_VARIANT_COUNT_
} hd_jacobi_variant;

/** Returns the name of a variant.
 *
 *  @param variant  The variant.
 *  @return Static text such as "peer-store"; "?" for other values.
 */
const char *hd_jacobi_variant_name(hd_jacobi_variant variant);

/** Options of hd_jacobi_group_create(). A zero struct has the defaults. */
typedef struct hd_jacobi_group_options {
    hd_jacobi_variant variant; /**< Variant. */
    unsigned tiles_x, /**< Parts along x; with tiles_y as many as devices. 0: stripes of rows. */
        tiles_y;      /**< Parts along y. */
    int thread_per_device; /**< 1: a host thread per part issues its work; 0: the caller's
                                thread. */
    /** #HD_JACOBI_CCL: the group's own kernels, or the vendor's library. */
    hd_group_transport transport;
} hd_jacobi_group_options;

/** A 2-D field cut over devices, and what is needed to sweep it. */
typedef struct hd_jacobi_group hd_jacobi_group;

/** Makes a field of problem->nx * problem->ny cells in count parts, part i on devices[i]. The
 *  caller destroys it.
 *
 *  A pass makes up to problem->depth sweeps (0: the fastest on one device), and neighbours exchange
 *  that many rows after each pass. Parts begin at bands of rows (docs/laplace.md) and at columns
 *  that are multiples of 4. Allocates both fields on every device, two halos of 16 rows each, and
 *  for norms about 2 % of a field.
 *
 *  @param problem  type, nx, ny, sides (no halos) and depth are used.
 *  @param devices  count devices.
 *  @param count    Number of parts.
 *  @param options  Options; NULL: the defaults.
 *  @param group    Receives the group.
 *  @retval HD_ERR_ARGUMENT     Parts too small for the depth, more parts than bands, or a device
 *                              twice with a variant whose kernels wait for each other.
 *  @retval HD_ERR_NO_PEER      The variant stores at the neighbours, and a pair has no direct
 *                              access: the message names it.
 *  @retval HD_ERR_UNSUPPORTED  Tiles side by side with #HD_JACOBI_PERSISTENT, held cells, or a
 *                              vendor library that cannot be loaded.
 *  @return Also HD_ERR_NO_MEMORY, and the errors of hd_jacobi2d() for the problem and of
 *          hd_peer_connect().
 */
hd_status hd_jacobi_group_create(const hd_jacobi *problem, const int *devices, unsigned count,
                                 const hd_jacobi_group_options *options, hd_jacobi_group **group);

/** Destroys a group; waits for its work.
 *
 *  @param group  The group; NULL is success.
 *  @return HD_OK, or HD_ERR_ARGUMENT if it was destroyed before.
 */
hd_status hd_jacobi_group_destroy(hd_jacobi_group *group);

/** Sets the field from host memory. Waits for the devices.
 *
 *  @param group  The group.
 *  @param field  ny rows of nx elements.
 *  @param pitch  Elements from a row to the next; 0: nx.
 *  @return HD_OK; HD_ERR_ARGUMENT, also for a pitch below nx; or as hd_copy_2d().
 */
hd_status hd_jacobi_group_load(hd_jacobi_group *group, const void *field, size_t pitch);

/** Copies the field to host memory. Waits for the devices.
 *
 *  @param group  The group.
 *  @param field  Receives ny rows of nx elements.
 *  @param pitch  Elements from a row to the next; 0: nx.
 *  @return As hd_jacobi_group_load(); HD_ERR_STATE if no field was loaded.
 */
hd_status hd_jacobi_group_store(hd_jacobi_group *group, void *field, size_t pitch);

/** Makes sweeps and waits for them.
 *
 *  Field and norms have the bits of hd_jacobi2d() on one device, whatever the parts, their number
 *  and the variant. After a failure kernels that wait for others are released, the work of every
 *  device has ended, and the field is lost until the next load.
 *
 *  @param group       The group.
 *  @param sweeps      Number of sweeps.
 *  @param norm_every  Above 0: norms of every norm_every-th sweep are wanted; 0: none.
 *  @param norms       Host memory: norms[i] receives the norm of sweep i * norm_every of this call,
 *                     for 0 <= i < ceil(sweeps / norm_every).
 *  @return HD_OK; HD_ERR_ARGUMENT; HD_ERR_STATE if no field was loaded; or a failure of kernels,
 *          whose message names part and device.
 */
hd_status hd_jacobi_group_run(hd_jacobi_group *group, size_t sweeps, size_t norm_every,
                              double *norms);

/** Returns what was decided.
 *
 *  @param group    The group.
 *  @param variant  Receives the variant; may be NULL.
 *  @param depth    Receives the sweeps per pass; may be NULL.
 *  @param domain   Receives the cut of the field; may be NULL.
 *  @return HD_OK or HD_ERR_ARGUMENT.
 */
hd_status hd_jacobi_group_get(const hd_jacobi_group *group, hd_jacobi_variant *variant,
                              unsigned *depth, hd_domain *domain);

/** Returns the path from a part to a neighbour.
 *
 *  @param group  The group.
 *  @param part   Number of the part.
 *  @param dx     Direction of the neighbour in x: -1, 0 or 1.
 *  @param dy     Direction of the neighbour in y: -1, 0 or 1.
 *  @param path   Receives the path.
 *  @return HD_OK, or HD_ERR_ARGUMENT if there is no such part or neighbour.
 */
hd_status hd_jacobi_group_path(const hd_jacobi_group *group, unsigned part, int dx, int dy,
                               hd_peer_path *path);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
