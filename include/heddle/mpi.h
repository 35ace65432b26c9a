/* SPDX-License-Identifier: Apache-2.0 */
/* mpi.h - one process per device: ranks of MPI with a device each, transfers of device memory
   between them, and an end of the job that names the rank where one of them fails or dies.

   Library heddle::mpi (find_package(heddle COMPONENTS mpi)), which alone links MPI. Calls marked
   "collective" are made by every rank, in the same order. The caller initialises MPI (any thread
   level) and finalises it; every call to MPI is made by the thread that called heddle, except
   MPI_Abort, which the watch makes from a thread of its own. */
#ifndef HEDDLE_MPI_H
#define HEDDLE_MPI_H

#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1 /* C++ has the C interface, whatever MPI this is */
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

#include <heddle/halo.h>
#include <heddle/laplace.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A communicator whose ranks have a device each. */
typedef struct hd_mpi hd_mpi;

/* How device memory travels. With PEER ranks of a node write to each other's devices, which each
   pair has tried with a pattern; ranks that do not reach each other talk as with AUTO where there
   are no peers. It takes 32 MiB of device memory for each rank of the node. Where all ranks reach
   each other hd_mpi_jacobi puts its rows where they belong. With SHMEM it does so by NVSHMEM, where
   every rank has a GPU of its own, or on the CPU engine in memory that the ranks of a node share;
   all else travels as with AUTO where there are no peers. A process joins NVSHMEM once, with all
   ranks of its first communicator on this path, until MPI_Finalize. */
typedef enum hd_mpi_path {
    HD_MPI_AUTO,    /* DEVICE where MPI says that it can, else on GPUs PEER where ranks have devices
                       of their own, and some reach each other; else STAGED */
    HD_MPI_STAGED,  /* through page-locked host memory; works with every MPI */
    HD_MPI_DEVICE,  /* MPI is given device pointers */
    HD_MPI_LIBRARY, /* NCCL or RCCL, when asked for; every rank has a device of its own */
    HD_MPI_SHMEM,   /* one-sided puts, when asked for */
    HD_MPI_PEER     /* straight between devices of a node */
} hd_mpi_path;

/* Zero the struct, then set what is not 0. */
typedef struct hd_mpi_options {
    /* Device of this rank as hd_device_select has it; NULL: HEDDLE_DEVICE, else node-local rank
       modulo the number of devices that this process sees. */
    const char *device;
    /* Refuse a device that two ranks share; a virtual one of the CPU engine too, so that a job can
       be tried without GPUs (HEDDLE_CPU_DEVICES: how many there are). */
    int exclusive;
    /* AUTO: HEDDLE_MPI_DEVICE (auto, on, off) from the environment, else as MPI answers. */
    hd_mpi_path path;
    /* File of the library that LIBRARY or SHMEM asks for; NULL: its usual name. */
    const char *library;
    /* Seconds that a rank waits for others before the job is ended, HEDDLE_MPI_TIMEOUT or 60 if 0;
       below 0: for ever. */
    double timeout;
} hd_mpi_options;

enum { HD_MPI_NAME = 64 };

/* A rank as every other one knows it. */
typedef struct hd_mpi_place {
    int rank;
    int node;      /* nodes are numbered in order of their lowest rank */
    int node_rank; /* among the ranks of the node, */
    int node_ranks;
    int device; /* as this rank counts its devices, */
    int devices;
    int shared_by; /* ranks of the node that have this device, itself included */
    int warp;
    int device_path; /* 1: its MPI takes device pointers */
    int64_t pid;
    char host[HD_MPI_NAME];
    char backend[8];
    char bus_id[32];
    char device_name[HD_MPI_NAME];
} hd_mpi_place;

/* Gives every rank of `comm` its device and starts the watch. `comm` is duplicated. Collective:
   when it fails on one rank it fails on all of them, and hd_error_last names the rank.
   HD_ERR_ARGUMENT, HD_ERR_STATE (MPI is not initialised), HD_ERR_NO_DEVICE, HD_ERR_DEVICE_BUSY
   (`exclusive`; the message lists the node), HD_ERR_UNSUPPORTED (HD_MPI_DEVICE on a rank whose MPI
   says that it cannot, unless HEDDLE_MPI_DEVICE=on; HD_MPI_LIBRARY or _SHMEM where there is none,
   or where ranks share a GPU; HD_MPI_SHMEM with other ranks than before, or on the CPU engine of
   several nodes; HD_MPI_PEER where no two ranks reach each other, or with HEDDLE_P2P=off on one of
   them), HD_ERR_NO_MEMORY, HD_ERR_BACKEND. */
hd_status hd_mpi_create(MPI_Comm comm, const hd_mpi_options *options /* NULL: zeros */,
                        hd_mpi **mpi);
/* Collective. NULL is success. */
hd_status hd_mpi_destroy(hd_mpi *mpi);

int hd_mpi_rank(const hd_mpi *mpi);
int hd_mpi_size(const hd_mpi *mpi);
/* Device of this rank. */
int hd_mpi_device(const hd_mpi *mpi);
/* The duplicate that heddle talks over; borrowed. */
MPI_Comm hd_mpi_comm(const hd_mpi *mpi);
/* hd_mpi_size places, by rank; the same on every rank. Borrowed. */
const hd_mpi_place *hd_mpi_places(const hd_mpi *mpi);
/* The path in use (never AUTO; the same on every rank) and, unless NULL, why. */
hd_mpi_path hd_mpi_path_used(const hd_mpi *mpi, const char **reason);

/* Makes a failure of one rank known to all. Collective: every rank gives its own status; all return
   that of the lowest rank that failed (of such as did not fail through another one's silence), and
   hd_error_last of every rank names the rank and has its message. HD_OK when all gave none below 0.
   Cost: one all-reduce of 8 bytes. */
hd_status hd_mpi_agree(hd_mpi *mpi, hd_status mine);

/* Changes the seconds that this rank waits for others; below 0: for ever; 0: as when it was
   created. Dead ranks are found all the same. For times in which one rank alone has work to do. */
void hd_mpi_set_timeout(hd_mpi *mpi, double seconds);

/* ---- transfers ------------------------------------------------------------------------------ */

/* What goes to one rank and comes from it. Memory of this rank's device; 0 bytes: nothing. Where
   two messages go between the same two ranks their tags (0 to 1023) differ. */
typedef struct hd_mpi_message {
    int peer;
    int send_tag, receive_tag;
    const void *send;
    size_t send_bytes;
    void *receive;
    size_t receive_bytes;
} hd_mpi_message;

/* Sends and receives all messages: what was enqueued on `stream` before is done when data leaves,
   and later work of the stream sees what came. Returns once all sends have left their memory and
   all receives are there or on their way in stream order. No rank need call it at the same time as
   all others, but what one sends another one receives. In heddle's own staging large messages are
   cut into chunks, so that copies and network overlap. Cost: alpha + bytes * beta per message, and
   two copies between host and device where it is staged. With HD_MPI_LIBRARY and _PEER, which AUTO
   may be, the two ranks of a message first tell each other its size through MPI, so that neither
   enqueues what the other one does not: then the messages between two ranks are of one exchange on
   either side, and none is of 0 bytes on one side alone; and by the library exchanges of several
   ranks do not wait for parts of one another.
   HD_ERR_ARGUMENT, HD_ERR_OVERFLOW, HD_ERR_NO_MEMORY, HD_ERR_BACKEND (MPI's own text),
   HD_ERR_STATE (a message is shorter or longer than what was to come). */
hd_status hd_mpi_exchange(hd_mpi *mpi, const hd_mpi_message *messages, size_t count,
                          hd_stream *stream);
/* The same in two halves, so that the device can do other work on other streams between them.
   Messages stay valid between the two; one exchange at a time. */
hd_status hd_mpi_exchange_begin(hd_mpi *mpi, const hd_mpi_message *messages, size_t count,
                                hd_stream *stream);
hd_status hd_mpi_exchange_end(hd_mpi *mpi);

/* How an all-to-all is done. */
typedef enum hd_mpi_way {
    HD_MPI_PAIRS,     /* heddle's: rank r and r + k, r - k in turn, on the path in use */
    HD_MPI_COLLECTIVE /* MPI_Alltoall: of device memory on path DEVICE where all MPIs say that they
                         take it, else of one staging buffer */
} hd_mpi_way;

/* Block p of `in` goes to rank p and becomes block `rank` of its `out`; `bytes` each. Memory of
   this rank's device, not overlapping. Collective; stream order and errors as hd_mpi_exchange. */
hd_status hd_mpi_all_to_all(hd_mpi *mpi, const void *in, void *out, size_t bytes, hd_mpi_way way,
                            hd_stream *stream);

/* ---- halos between ranks --------------------------------------------------------------------- */

/* What hd_halo (heddle/halo.h) is to the devices of one process: an exchange between ranks, each of
   which has one part of a field, in stripes or tiles. */
typedef struct hd_mpi_halo hd_mpi_halo;

/* Rank i has part i of `domain`, whose cells have `element` bytes; halos are `depth` cells wide,
   with the cells beyond corners if `corners` is not 0. All of these are the same on every rank.
   Takes device memory of twice what the part sends to other ranks, but for single rows. `mpi`
   outlives what is made. Collective: when it fails on one rank it fails on all of them.
   HD_ERR_ARGUMENT (another number of parts than of ranks; a part that has neighbours and is smaller
   than `depth`; arguments that differ, the message names both ranks and values), HD_ERR_NO_MEMORY,
   HD_ERR_OVERFLOW. */
hd_status hd_mpi_halo_create(hd_mpi *mpi, const hd_domain *domain, size_t element, size_t depth,
                             int corners, hd_mpi_halo **halo);
/* Ends an exchange that has begun; waits for device work with the buffers. NULL is success. */
hd_status hd_mpi_halo_destroy(hd_mpi_halo *halo);

/* Fills the halo of the rank's part, on the path of `mpi`: later work of `stream`, which is of the
   rank's device, sees it, and earlier work is done when cells leave; cells around the halo are not
   touched. Every rank calls it as often as the others do; none waits for more than its neighbours.
   Ranks may have different pitches. Messages whose cells lie in one run of bytes (a row; rows as
   long as the pitch) travel as they lie, others are packed and unpacked, in stream order. What a
   part is to itself is copied on the device. Returns and costs as hd_mpi_exchange: one message each
   way for every place where another rank is a neighbour, of element * cells bytes.

   A rank that fails before its cells go tells its neighbours, whose exchanges fail with
   HD_ERR_STATE and name it; whoever fails otherwise or hears of a failure tells its own neighbours
   when it next calls. So after a failure ranks go on calling as often as they would, or call
   hd_mpi_halo_farewell once in the place of the next exchange, and then hd_mpi_agree says on all of
   them who it was. After its first failure an hd_mpi_halo returns that failure, and moves nothing;
   halos of a part are then undefined.
   HD_ERR_ARGUMENT (no field or stream; a stream of another device; a pitch that is less than a row
   and its halos), HD_ERR_STATE, and what hd_mpi_exchange returns. */
hd_status hd_mpi_halo_exchange(hd_mpi_halo *halo, hd_halo_field field, hd_stream *stream);
/* The same in two halves, so that the device can work on what needs no halo, on other streams,
   between them. One exchange of an hd_mpi at a time: to begin another one is HD_ERR_STATE, of
   which no other rank hears. */
hd_status hd_mpi_halo_exchange_begin(hd_mpi_halo *halo, hd_halo_field field, hd_stream *stream);
hd_status hd_mpi_halo_exchange_end(hd_mpi_halo *halo);
/* In the place of an exchange, by a rank that has failed, also where it was in work of its own: its
   neighbours hear of it. Waits until they have come so far. A rank that has told them before sends
   nothing. HD_ERR_ARGUMENT, HD_ERR_STATE (an exchange has begun). */
hd_status hd_mpi_halo_farewell(hd_mpi_halo *halo);

/* ---- Jacobi sweeps over ranks ---------------------------------------------------------------- */

/* A 2-D field cut into stripes of rows, one for each rank. */
typedef struct hd_mpi_jacobi hd_mpi_jacobi;

/* A field of problem->nx by ny cells in as many stripes as there are ranks; they begin at bands of
   rows (docs/laplace.md). Of *problem, type, nx, ny, sides (not halos) and depth count, and are the
   same on every rank: a pass makes up to `depth` sweeps (0: what is fastest on the slowest rank),
   and neighbours exchange that many rows behind each pass, beside the sweeps of the rows between.
   Takes both fields of the stripe, 16 rows more on each side, and for norms some 2 % of a field.
   `mpi` outlives what is made. Where rows are put both fields lie in symmetric memory, as large on
   every rank as on the one that has most rows. Collective.
   HD_ERR_ARGUMENT (problems that differ, the message names both ranks and values; more ranks than
   bands of rows; sides that are halos), HD_ERR_UNSUPPORTED (held cells), HD_ERR_NO_MEMORY,
   HD_ERR_OVERFLOW. */
hd_status hd_mpi_jacobi_create(hd_mpi *mpi, const hd_jacobi *problem, hd_mpi_jacobi **jacobi);
/* Waits; NULL is success. Collective. */
hd_status hd_mpi_jacobi_destroy(hd_mpi_jacobi *jacobi);
/* What was decided; outputs may be NULL. */
hd_status hd_mpi_jacobi_get(const hd_mpi_jacobi *jacobi, hd_part *part, unsigned *depth);

/* Sets the rank's rows of the field from host memory, or puts them there: its row y begins at
   element y * pitch (0: nx). load is collective. Both wait for the device. */
hd_status hd_mpi_jacobi_load(hd_mpi_jacobi *jacobi, const void *rows, size_t pitch);
hd_status hd_mpi_jacobi_store(hd_mpi_jacobi *jacobi, void *rows, size_t pitch);

/* Makes `sweeps` sweeps and waits for them. norm_every > 0: norms[i], in host memory of every rank,
   is the norm of sweep i * norm_every of this call (0 <= i < ceil(sweeps / norm_every)). Field and
   norms have the bits that hd_jacobi2d has on one device, whatever the number of ranks, their
   backends, warp sizes and paths. Collective; a failure of one rank is a failure of all, within a
   pass per rank between them, or where rows are put within 64 passes, and the field is lost.
   HD_ERR_ARGUMENT, HD_ERR_STATE without a field, and what kernels leave behind. */
hd_status hd_mpi_jacobi_run(hd_mpi_jacobi *jacobi, size_t sweeps, size_t norm_every, double *norms);

#ifdef __cplusplus
}
#endif
#endif
