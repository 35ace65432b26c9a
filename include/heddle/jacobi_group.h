/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi_group.h - Jacobi sweeps over one 2-D field cut over several devices of this process, with
   the bits of one device. docs/several-devices.md */
#ifndef HEDDLE_JACOBI_GROUP_H
#define HEDDLE_JACOBI_GROUP_H

#include <heddle/halo.h>
#include <heddle/laplace.h>

#ifdef __cplusplus
extern "C" {
#endif

/* X(name, text, what): how parts get what is around them. */
#define HD_JACOBI_VARIANT_LIST(X)                                                                  \
    X(HD_JACOBI_AUTO, "auto", "persistent, peer-store for eight sweeps; staged: copy-overlap")     \
    X(HD_JACOBI_COPY_BLOCKING, "copy-blocking", "the host waits for sweeps, then for copies")      \
    X(HD_JACOBI_COPY, "copy", "copies behind the sweeps, on the same streams")                     \
    X(HD_JACOBI_COPY_OVERLAP, "copy-overlap", "the outermost rows first, copies beside the rest")  \
    X(HD_JACOBI_EVENTS, "events", "kernels store at the neighbours, events order the devices")     \
    X(HD_JACOBI_PEER_STORE, "peer-store", "kernels store at the neighbours and wait for words")    \
    X(HD_JACOBI_PERSISTENT, "persistent", "the same, many sweeps in one launch")                   \
    X(HD_JACOBI_GRAPH, "graph", "events, or with staged pairs copy, many sweeps in one graph")     \
    X(HD_JACOBI_CCL, "ccl", "copy-overlap with hd_group_send_receive in the place of copies")

typedef enum hd_jacobi_variant {
#define HD_JACOBI_ENUM_(name, text, what) name,
    HD_JACOBI_VARIANT_LIST(HD_JACOBI_ENUM_)
#undef HD_JACOBI_ENUM_
        HD_JACOBI_VARIANT_COUNT_
} hd_jacobi_variant;
/* "peer-store"; "?" for no variant. */
const char *hd_jacobi_variant_name(hd_jacobi_variant variant);

/* A zero struct has the defaults. */
typedef struct hd_jacobi_group_options {
    hd_jacobi_variant variant;
    unsigned tiles_x, tiles_y; /* parts, as many as devices; 0: stripes of rows */
    int thread_per_device;     /* 1: a host thread for each part issues its work; 0: the caller's */
    hd_group_transport transport; /* of ccl: the group's own kernels, or the vendor's library */
} hd_jacobi_group_options;

typedef struct hd_jacobi_group hd_jacobi_group;

/* A field of problem->nx by ny cells in `count` parts, part i on devices[i]. Of *problem, type, nx,
   ny, sides (not halos) and depth count: a pass makes up to `depth` sweeps (0: what is fastest on
   one device), and neighbours exchange that many rows after each pass. Parts begin at bands of rows
   (docs/laplace.md) and at columns that are multiples of 4. Takes both fields on every device, two
   halos of 16 rows each, and for norms some 2 % of a field.
   options may be NULL. The caller destroys the group.
   HD_ERR_ARGUMENT (parts too small for the depth, more parts than bands, a device twice where
   kernels wait for each other), HD_ERR_NO_PEER (a variant that stores at the neighbours, and a pair
   without direct access: the detail names it), HD_ERR_UNSUPPORTED (tiles side by side with
   persistent, held cells, a library that cannot be had), HD_ERR_NO_MEMORY. */
hd_status hd_jacobi_group_create(const hd_jacobi *problem, const int *devices, unsigned count,
                                 const hd_jacobi_group_options *options, hd_jacobi_group **group);
hd_status hd_jacobi_group_destroy(hd_jacobi_group *group); /* waits; NULL is success */

/* Sets the field from host memory, or puts it there: row y begins at element y * pitch (0: nx).
   Wait for the devices. */
hd_status hd_jacobi_group_load(hd_jacobi_group *group, const void *field, size_t pitch);
hd_status hd_jacobi_group_store(hd_jacobi_group *group, void *field, size_t pitch);

/* Makes `sweeps` sweeps and waits for them. norm_every > 0: norms[i], in host memory, is the norm
   of sweep i * norm_every of this call (0 <= i < ceil(sweeps / norm_every)), with the bits that
   hd_jacobi2d has on one device, whatever the parts, their number and the variant.
   HD_ERR_ARGUMENT, HD_ERR_STATE without a field, and what kernels leave behind, with the part and
   the device. After a failure kernels that wait for others are let go, the work of every device has
   ended, and the field is lost until the next load. */
hd_status hd_jacobi_group_run(hd_jacobi_group *group, size_t sweeps, size_t norm_every,
                              double *norms);

/* What was decided. Outputs may be NULL. */
hd_status hd_jacobi_group_get(const hd_jacobi_group *group, hd_jacobi_variant *variant,
                              unsigned *depth, hd_domain *domain);
/* The path to the neighbour of part `part` that lies at dx, dy; HD_ERR_ARGUMENT where none does. */
hd_status hd_jacobi_group_path(const hd_jacobi_group *group, unsigned part, int dx, int dy,
                               hd_peer_path *path);

#ifdef __cplusplus
}
#endif
#endif
