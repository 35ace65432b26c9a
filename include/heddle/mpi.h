/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  One process per device: MPI ranks with a device each, transfers of device memory between them,
 *  and an orderly end of the job, with the name of the rank, if one of them fails or dies.
 */
#ifndef HEDDLE_MPI_H
#define HEDDLE_MPI_H

/* C++ uses the C interface of MPI too, whatever MPI this is. */
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1 /**< Leaves out the C++ bindings of Open MPI. */
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1 /**< Leaves out the C++ bindings of MPICH. */
#endif
#include <mpi.h>

#include <heddle/halo.h>
#include <heddle/laplace.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup mpi MPI
 *  @brief Ranks with a device each; docs/mpi.md.
 *
 *  Library heddle::mpi (find_package(heddle COMPONENTS mpi)), the only one that links MPI. Calls
 *  marked "collective" are made by every rank, in the same order. The caller initialises MPI (any
 *  thread level) and finalises it. Every call of MPI is made by the thread that called heddle,
 *  except MPI_Abort, which the watch thread calls.
 *  @{
 */

/** A communicator whose ranks have a device each. */
typedef struct hd_mpi hd_mpi;

/** Path of device memory between ranks. */
typedef enum hd_mpi_path {
    /** #HD_MPI_DEVICE if MPI reports that it can; otherwise on GPUs #HD_MPI_PEER if ranks have
     *  devices of their own and some reach each other; otherwise #HD_MPI_STAGED. */
    HD_MPI_AUTO,
    /** Through page-locked host memory; works with every MPI. */
    HD_MPI_STAGED,
    /** MPI is given device pointers. */
    HD_MPI_DEVICE,
    /** NCCL or RCCL, only on request; every rank has a device of its own. */
    HD_MPI_LIBRARY,
    /** One-sided puts, only on request: hd_mpi_jacobi puts rows where they belong by NVSHMEM, where
     *  every rank has a GPU of its own, or on the CPU engine in memory that the ranks of a node
     *  share; other data travels as with #HD_MPI_AUTO without peers. A process joins NVSHMEM once,
     *  with all ranks of its first communicator on this path, until MPI_Finalize. */
    HD_MPI_SHMEM,
    /** Directly between devices of a node: ranks write to each other's devices, after each pair
     *  passed a data-integrity check; ranks that do not reach each other communicate as with
     *  #HD_MPI_AUTO without peers. Takes 32 MiB of device memory per rank of the node. If all ranks
     *  reach each other, hd_mpi_jacobi puts its rows where they belong. */
    HD_MPI_PEER
} hd_mpi_path;

/** Options of hd_mpi_create(). Zero the struct, then set what is not 0. */
typedef struct hd_mpi_options {
    /** Device of this rank, as in hd_device_select(); NULL: HEDDLE_DEVICE, otherwise the node-local
     *  rank modulo the number of devices that this process sees. */
    const char *device;
    /** Not 0: refuse a device that two ranks share, also a virtual one of the CPU engine, so that a
     *  job can be tried without GPUs (HEDDLE_CPU_DEVICES is their number). */
    int exclusive;
    /** Path; #HD_MPI_AUTO: HEDDLE_MPI_DEVICE (auto, on, off) from the environment, otherwise as MPI
     *  reports. */
    hd_mpi_path path;
    /** File of the library of #HD_MPI_LIBRARY or #HD_MPI_SHMEM; NULL: its usual name. */
    const char *library;
    /** Seconds that a rank waits for others before the job is ended; 0: HEDDLE_MPI_TIMEOUT or 60;
     *  below 0: no limit. */
    double timeout;
} hd_mpi_options;

/** Sizes of texts. */
enum {
    HD_MPI_NAME = 64 /**< Bytes of a name in hd_mpi_place. */
};

/** A rank as every other one knows it. */
typedef struct hd_mpi_place {
    int rank;               /**< The rank. */
    int node;               /**< Its node; nodes are numbered in order of their lowest rank. */
    int node_rank;          /**< Its position among the ranks of the node. */
    int node_ranks;         /**< Number of ranks of the node. */
    int device;             /**< Its device, as the rank counts devices. */
    int devices;            /**< Number of devices that the rank sees. */
    int shared_by;          /**< Ranks of the node that have this device, including itself. */
    int warp;               /**< Warp size of the device. */
    int device_path;        /**< 1: its MPI takes device pointers. */
    int64_t pid;            /**< Process id. */
    char host[HD_MPI_NAME]; /**< Name of the host. */
    char backend[8];        /**< Backend: "cpu", "cuda" or "hip". */
    char bus_id[32];        /**< PCI bus id of the device. */
    char device_name[HD_MPI_NAME]; /**< Product name of the device. */
} hd_mpi_place;

/** Assigns a device to every rank of a communicator and starts the watch thread. Collective: if it
 *  fails on one rank it fails on all of them, and hd_error_last() names the rank.
 *
 *  @param comm     The communicator; duplicated.
 *  @param options  Options; NULL: zeros.
 *  @param mpi      Receives the handle; the caller destroys it.
 *  @retval HD_ERR_ARGUMENT     comm is MPI_COMM_NULL, or HEDDLE_MPI_DEVICE or HEDDLE_MPI_TIMEOUT is
 *                              malformed.
 *  @retval HD_ERR_STATE        MPI is not initialised, or was finalised.
 *  @retval HD_ERR_NO_DEVICE    A rank sees no device.
 *  @retval HD_ERR_DEVICE_BUSY  Ranks share a device and options->exclusive is set; the message
 *                              lists the ranks of the node.
 *  @retval HD_ERR_UNSUPPORTED  #HD_MPI_DEVICE on a rank whose MPI reports that it cannot (unless
 *                              HEDDLE_MPI_DEVICE=on); #HD_MPI_LIBRARY or #HD_MPI_SHMEM without the
 *                              library, or with ranks that share a GPU; #HD_MPI_SHMEM with other
 *                              ranks than before, or on the CPU engine of several nodes;
 *                              #HD_MPI_PEER if no two ranks reach each other, or with
 *                              HEDDLE_P2P=off on one of them; ranks with different backends.
 *  @return Also HD_ERR_NO_MEMORY and HD_ERR_BACKEND.
 */
hd_status hd_mpi_create(MPI_Comm comm, const hd_mpi_options *options, hd_mpi **mpi);

/** Destroys the handle. Collective.
 *
 *  @param mpi  The handle; NULL is success.
 *  @return HD_OK, or HD_ERR_ARGUMENT if it was destroyed before.
 */
hd_status hd_mpi_destroy(hd_mpi *mpi);

/** Returns the calling rank.
 *
 *  @param mpi  The handle.
 *  @return 0 to hd_mpi_size() - 1.
 */
int hd_mpi_rank(const hd_mpi *mpi);

/** Returns the number of ranks.
 *
 *  @param mpi  The handle.
 *  @return The number.
 */
int hd_mpi_size(const hd_mpi *mpi);

/** Returns the device of this rank.
 *
 *  @param mpi  The handle.
 *  @return Index of the device.
 */
int hd_mpi_device(const hd_mpi *mpi);

/** Returns the duplicate of the communicator that heddle uses.
 *
 *  @param mpi  The handle.
 *  @return The communicator, borrowed.
 */
MPI_Comm hd_mpi_comm(const hd_mpi *mpi);

/** Returns the places of all ranks, the same on every rank.
 *
 *  @param mpi  The handle.
 *  @return hd_mpi_size() places, by rank; borrowed.
 */
const hd_mpi_place *hd_mpi_places(const hd_mpi *mpi);

/** Returns the path in use, the same on every rank.
 *
 *  @param mpi     The handle.
 *  @param reason  Receives why, a borrowed text; may be NULL.
 *  @return The path, never #HD_MPI_AUTO.
 */
hd_mpi_path hd_mpi_path_used(const hd_mpi *mpi, const char **reason);

/** Makes a failure of one rank known to all. Collective. Cost: one all-reduce of 8 bytes.
 *
 *  @param mpi   The handle.
 *  @param mine  Status of this rank.
 *  @return On all ranks HD_OK if no rank gave an error. Otherwise the status of the lowest rank
 *          that failed (of those that did not fail because another one was silent), and
 *          hd_error_last() of every rank has its rank and message.
 */
hd_status hd_mpi_agree(hd_mpi *mpi, hd_status mine);

/** Changes the time limit of this rank, for phases in which one rank only has work to do. Dead
 *  ranks are detected all the same.
 *
 *  @param mpi      The handle.
 *  @param seconds  Seconds that this rank waits for others; below 0: no limit; 0: as when the
 *                  handle was created.
 */
void hd_mpi_set_timeout(hd_mpi *mpi, double seconds);

/** What is sent to one rank and received from it. Memory of this rank's device. */
typedef struct hd_mpi_message {
    int peer;             /**< The other rank. */
    int send_tag,         /**< Tag of what is sent, 0 to 1023; several messages between the same two
                               ranks have different tags. */
        receive_tag;      /**< Tag of what is received, 0 to 1023. */
    const void *send;     /**< What is sent. */
    size_t send_bytes;    /**< Bytes to send; 0: nothing. */
    void *receive;        /**< Where it is received. */
    size_t receive_bytes; /**< Bytes to receive; 0: nothing. */
} hd_mpi_message;

/** Sends and receives all messages, in stream order.
 *
 *  Earlier work of the stream is done when data is sent, and later work of the stream sees what was
 *  received. Returns once all sends have left their memory and all receives are complete or under
 *  way in stream order. Ranks need not call it at the same time, but what one sends another one
 *  receives. Staged messages that are large are cut into chunks, so that copies and network
 *  overlap. Cost: alpha + bytes * beta per message, and two copies between host and device if it is
 *  staged.
 *
 *  With #HD_MPI_LIBRARY and #HD_MPI_PEER, which #HD_MPI_AUTO may be, the two ranks of a message
 *  first exchange its size through MPI, so that neither enqueues what the other one does not:
 *  messages between two ranks then belong to one exchange on either side, none has 0 bytes on one
 *  side only, and by the library exchanges of several ranks do not wait for parts of one another.
 *
 *  @param mpi       The handle.
 *  @param messages  count messages.
 *  @param count     Number of messages.
 *  @param stream    A stream of the rank's device.
 *  @retval HD_ERR_ARGUMENT  There is no such rank, a tag is not 0 to 1023, memory is NULL, or the
 *                           stream belongs to another device.
 *  @retval HD_ERR_STATE     A message is shorter or longer than expected, the other rank failed, or
 *                           another exchange has begun.
 *  @retval HD_ERR_BACKEND   MPI failed; the message has its text.
 *  @return Also HD_ERR_OVERFLOW, HD_ERR_NO_MEMORY and the @ref common_errors.
 */
hd_status hd_mpi_exchange(hd_mpi *mpi, const hd_mpi_message *messages, size_t count,
                          hd_stream *stream);

/** Begins an exchange, as hd_mpi_exchange(), so that the device can do other work on other streams
 *  until hd_mpi_exchange_end(). One exchange at a time.
 *
 *  @param mpi       The handle.
 *  @param messages  count messages; their memory must stay valid until the end.
 *  @param count     Number of messages.
 *  @param stream    A stream of the rank's device.
 *  @return As hd_mpi_exchange().
 */
hd_status hd_mpi_exchange_begin(hd_mpi *mpi, const hd_mpi_message *messages, size_t count,
                                hd_stream *stream);

/** Ends the exchange that has begun.
 *
 *  @param mpi  The handle.
 *  @return As hd_mpi_exchange(); HD_ERR_STATE also if no exchange has begun.
 */
hd_status hd_mpi_exchange_end(hd_mpi *mpi);

/** How an all-to-all is executed. */
typedef enum hd_mpi_algorithm {
    HD_MPI_PAIRS,     /**< By heddle: ranks r + k and r - k in turn, on the path in use. */
    HD_MPI_COLLECTIVE /**< By MPI_Alltoall: of device memory on #HD_MPI_DEVICE if every MPI reports
                           that it takes it, otherwise of one staging buffer. */
} hd_mpi_algorithm;

/** Sends block p of in to rank p, where it becomes block `rank` of out. Collective.
 *
 *  @param mpi        The handle.
 *  @param in         hd_mpi_size() blocks, in memory of this rank's device.
 *  @param out        Receives hd_mpi_size() blocks; must not overlap in.
 *  @param bytes      Bytes per block.
 *  @param algorithm  How it is executed.
 *  @param stream     A stream of the rank's device; order as in hd_mpi_exchange().
 *  @return As hd_mpi_exchange(); HD_ERR_OVERFLOW if MPI cannot count a block.
 */
hd_status hd_mpi_all_to_all(hd_mpi *mpi, const void *in, void *out, size_t bytes,
                            hd_mpi_algorithm algorithm, hd_stream *stream);

/** A halo exchange between ranks, each of which has one part of a field, in stripes or tiles: what
 *  hd_halo (halo.h) is to the devices of one process. */
typedef struct hd_mpi_halo hd_mpi_halo;

/** Makes a halo exchange: rank i has part i of the field. Collective: if it fails on one rank it
 *  fails on all of them. The caller destroys it.
 *
 *  Takes device memory of twice what the part sends to other ranks, except single rows.
 *
 *  @param mpi      The handle; must outlive the exchange.
 *  @param domain   The field. All arguments from here on are the same on every rank.
 *  @param element  Bytes per cell.
 *  @param depth    Width of the halo in cells.
 *  @param corners  Not 0: with the cells beyond corners.
 *  @param halo     Receives the exchange.
 *  @retval HD_ERR_ARGUMENT  Parts and ranks differ in number, a part with neighbours is smaller
 *                           than depth, or arguments differ between ranks (the message names both
 *                           ranks and values).
 *  @return Also HD_ERR_NO_MEMORY and HD_ERR_OVERFLOW.
 */
hd_status hd_mpi_halo_create(hd_mpi *mpi, const hd_domain *domain, size_t element, size_t depth,
                             int corners, hd_mpi_halo **halo);

/** Destroys a halo exchange. Ends an exchange that has begun and waits for device work with the
 *  buffers.
 *
 *  @param halo  The exchange; NULL is success.
 *  @return HD_OK, or an error of what it waits for.
 */
hd_status hd_mpi_halo_destroy(hd_mpi_halo *halo);

/** Fills the halo of the rank's part, in stream order, on the path of the hd_mpi.
 *
 *  Later work of the stream sees the halo, and earlier work is done when cells are sent; cells
 *  around the halo are not touched. Every rank calls it as often as the others; none waits for more
 *  than its neighbours. Ranks may have different pitches. Messages whose cells are contiguous (a
 *  row; rows as long as the pitch) travel directly, others are packed and unpacked in stream order.
 *  What a part sends to itself is copied on the device. Returns and costs as hd_mpi_exchange(): one
 *  message each way, of element * cells bytes, per position in which another rank is a neighbour.
 *
 *  A rank that fails before its cells are sent tells its neighbours, whose exchanges return
 *  HD_ERR_STATE and name it; a rank that fails otherwise, or learns of a failure, tells its own
 *  neighbours in its next call. So after a failure ranks either call as often as they would, or
 *  call hd_mpi_halo_farewell() once instead of the next exchange; hd_mpi_agree() then says on all
 *  of them which rank it was. After its first failure an hd_mpi_halo returns that failure and moves
 *  nothing; halos are then undefined.
 *
 *  @param halo    The exchange.
 *  @param field   The rank's field.
 *  @param stream  A stream of the rank's device.
 *  @return As hd_mpi_exchange(); HD_ERR_ARGUMENT also for a missing field, or a pitch that is less
 *          than a row with its halos.
 */
hd_status hd_mpi_halo_exchange(hd_mpi_halo *halo, hd_halo_field field, hd_stream *stream);

/** Begins hd_mpi_halo_exchange(), so that the device can work on what needs no halo, on other
 *  streams, until hd_mpi_halo_exchange_end(). One exchange of an hd_mpi at a time.
 *
 *  @param halo    The exchange.
 *  @param field   The rank's field.
 *  @param stream  A stream of the rank's device.
 *  @return As hd_mpi_halo_exchange(); HD_ERR_STATE if another exchange has begun, of which no other
 *          rank is notified.
 */
hd_status hd_mpi_halo_exchange_begin(hd_mpi_halo *halo, hd_halo_field field, hd_stream *stream);

/** Ends the exchange that has begun.
 *
 *  @param halo  The exchange.
 *  @return As hd_mpi_halo_exchange(); HD_ERR_STATE also if no exchange has begun.
 */
hd_status hd_mpi_halo_exchange_end(hd_mpi_halo *halo);

/** Tells the neighbours that this rank has failed, instead of an exchange; also for a failure in
 *  the rank's own work. Waits until the neighbours have reached that exchange. A rank that has
 *  notified them before sends nothing.
 *
 *  @param halo  The exchange.
 *  @return HD_OK, HD_ERR_ARGUMENT, or HD_ERR_STATE if an exchange has begun.
 */
hd_status hd_mpi_halo_farewell(hd_mpi_halo *halo);

/** A 2-D field cut into stripes of rows, one per rank. */
typedef struct hd_mpi_jacobi hd_mpi_jacobi;

/** Makes a field of problem->nx * problem->ny cells, cut into a stripe per rank. Collective. The
 *  caller destroys it.
 *
 *  Stripes begin at bands of rows (docs/laplace.md). A pass makes up to depth sweeps (0: the
 *  fastest on the slowest rank), and neighbours exchange that many rows after each pass, while the
 *  rows between are swept. Allocates both fields of the stripe, 16 rows more on each side, and for
 *  norms about 2 % of a field. If rows are put by one-sided writes, both fields are in symmetric
 *  memory, as large on every rank as on the one with the most rows.
 *
 *  @param mpi      The handle; must outlive the field.
 *  @param problem  type, nx, ny, sides (no halos) and depth are used, the same on every rank.
 *  @param jacobi   Receives the field.
 *  @retval HD_ERR_ARGUMENT     Problems differ (the message names both ranks and values), there are
 *                              more ranks than bands of rows, or sides are halos.
 *  @retval HD_ERR_UNSUPPORTED  There are held cells.
 *  @return Also HD_ERR_NO_MEMORY and HD_ERR_OVERFLOW.
 */
hd_status hd_mpi_jacobi_create(hd_mpi *mpi, const hd_jacobi *problem, hd_mpi_jacobi **jacobi);

/** Destroys a field; waits for its work. Collective.
 *
 *  @param jacobi  The field; NULL is success.
 *  @return HD_OK, or HD_ERR_ARGUMENT if it was destroyed before.
 */
hd_status hd_mpi_jacobi_destroy(hd_mpi_jacobi *jacobi);

/** Returns what was decided.
 *
 *  @param jacobi  The field.
 *  @param part    Receives the rank's part; may be NULL.
 *  @param depth   Receives the sweeps per pass; may be NULL.
 *  @return HD_OK or HD_ERR_ARGUMENT.
 */
hd_status hd_mpi_jacobi_get(const hd_mpi_jacobi *jacobi, hd_part *part, unsigned *depth);

/** Sets the rank's rows of the field from host memory. Collective. Waits for the device.
 *
 *  @param jacobi  The field.
 *  @param rows    The rank's rows.
 *  @param pitch   Elements from a row to the next; 0: nx.
 *  @return HD_OK; HD_ERR_ARGUMENT, also for a pitch below nx; or a failure of a rank.
 */
hd_status hd_mpi_jacobi_load(hd_mpi_jacobi *jacobi, const void *rows, size_t pitch);

/** Copies the rank's rows of the field to host memory. Waits for the device.
 *
 *  @param jacobi  The field.
 *  @param rows    Receives the rank's rows.
 *  @param pitch   Elements from a row to the next; 0: nx.
 *  @return HD_OK; HD_ERR_ARGUMENT, also for a pitch below nx; HD_ERR_STATE if no field was loaded.
 */
hd_status hd_mpi_jacobi_store(hd_mpi_jacobi *jacobi, void *rows, size_t pitch);

/** Makes sweeps and waits for them. Collective.
 *
 *  Field and norms have the bits of hd_jacobi2d() on one device, whatever the number of ranks,
 *  their backends, warp sizes and paths. A failure of one rank is a failure of all, within a pass
 *  per rank between them, or within 64 passes if rows are put; the field is then lost.
 *
 *  @param jacobi      The field.
 *  @param sweeps      Number of sweeps.
 *  @param norm_every  Above 0: norms of every norm_every-th sweep are wanted; 0: none.
 *  @param norms       Host memory of every rank: norms[i] receives the norm of sweep i * norm_every
 *                     of this call, for 0 <= i < ceil(sweeps / norm_every).
 *  @return HD_OK; HD_ERR_ARGUMENT; HD_ERR_STATE if no field was loaded; or a failure of a rank.
 */
hd_status hd_mpi_jacobi_run(hd_mpi_jacobi *jacobi, size_t sweeps, size_t norm_every, double *norms);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
