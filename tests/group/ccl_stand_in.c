/* SPDX-License-Identifier: Apache-2.0 */
/* ccl_stand_in.c - stands in for the vendor's library of collectives where there is none. What one
   group call has for a communicator is a launch: on its stream a host function that says that the
   rank has come, and a kernel that waits until its work is done. Who comes last does the work of
   all. The library's rules are checked: misuse that it would not notice is an error here, or ends
   the program where ranks turn out not to agree. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/device/half.h>

#include "runtime/backend.h"

#include "wait_kernels.h"

enum { MAX_RANKS = 8, MAX_WORKS = 2 * MAX_RANKS };

typedef struct ccl_world ccl_world;

typedef struct ccl_member { /* a communicator */
    ccl_world *world;
    unsigned rank;
    int ordinal;
} ccl_member;

typedef struct ccl_launch {
    ccl_member *member;
    hd__ccl_work works[MAX_WORKS];
    int done[MAX_WORKS];
    unsigned count, left;
    struct ccl_launch *next;
} ccl_launch;

struct ccl_world {
    pthread_mutex_t lock;
    unsigned count, closed;
    int stopped;
    ccl_member member[MAX_RANKS];
    ccl_launch *now[MAX_RANKS]; /* that a rank has come to and waits in */
    ccl_launch *all;            /* a graph may run each of them again */
    uint32_t *busy;             /* of each rank, in mapped memory: it waits */
    ccl_world *next;
};

static ccl_world *stopped_worlds;

static void complain(const char *what, unsigned a, unsigned b)
{
    fprintf(stderr, "stand-in for the library: %s, ranks %u and %u\n", what, a, b);
    abort();
}

/* ---- what the library does with numbers ------------------------------------------------------ */

/* Not the types that a group has and the library has not. */
int hdb_ccl_has(hd_type type)
{
    return type != HD_I16 && type != HD_U16;
}

static double real_of(const unsigned char *p, hd_type type)
{
    uint16_t half;
    float single;
    double whole;

    memcpy(&half, p, sizeof half);
    if (type == HD_F16)
        return (double)hd_f16_to_f32(hd_f16_from_bits(half));
    if (type == HD_BF16)
        return (double)hd_bf16_to_f32(hd_bf16_from_bits(half));
    if (type == HD_F32) {
        memcpy(&single, p, sizeof single);
        return (double)single;
    }
    memcpy(&whole, p, sizeof whole);
    return whole;
}

static void put_real(unsigned char *p, hd_type type, double value)
{
    const float single = (float)value;
    const uint16_t half = type == HD_F16 ? hd_f16_bits(hd_f16_from_f32(single))
                                         : hd_bf16_bits(hd_bf16_from_f32(single));

    if (type == HD_F64)
        memcpy(p, &value, sizeof value);
    else if (type == HD_F32)
        memcpy(p, &single, sizeof single);
    else
        memcpy(p, &half, sizeof half);
}

static double combine_reals(double a, double b, hd_reduce_op op)
{
    return op == HD_SUM ? a + b : op == HD_PROD ? a * b : (a < b) == (op == HD_MIN) ? a : b;
}

/* Signed numbers are extended to 64 bits. */
static int64_t integer_of(const unsigned char *p, hd_type type)
{
    const int is_signed = type == HD_I8 || type == HD_I32 || type == HD_I64;
    const size_t size = hd_type_bytes(type);
    uint64_t bits = 0;

    memcpy(&bits, p, size);
    if (is_signed && size < 8 && bits >> (8 * size - 1))
        bits |= ~(uint64_t)0 << 8 * size;
    return (int64_t)bits;
}

static int64_t combine_integers(int64_t a, int64_t b, hd_type type, hd_reduce_op op)
{
    const int below = type == HD_U64 ? (uint64_t)a < (uint64_t)b : a < b;

    if (op == HD_SUM)
        return (int64_t)((uint64_t)a + (uint64_t)b);
    if (op == HD_PROD)
        return (int64_t)((uint64_t)a * (uint64_t)b);
    return below == (op == HD_MIN) ? a : b;
}

static void combine(unsigned char *to, const unsigned char *with, const hd__ccl_work *w)
{
    const size_t size = hd_type_bytes(w->type);
    const int is_real = w->type == HD_F16 || w->type == HD_BF16 || w->type == HD_F32 ||
                        w->type == HD_F64;

    for (size_t i = 0; i < w->n; i++, to += size, with += size) {
        if (is_real) {
            put_real(to, w->type,
                     combine_reals(real_of(to, w->type), real_of(with, w->type), w->op));
        } else {
            const int64_t v = combine_integers(integer_of(to, w->type), integer_of(with, w->type),
                                               w->type, w->op);
            memcpy(to, &v, size);
        }
    }
}

/* ---- collectives ----------------------------------------------------------------------------- */

static int is_move(const hd__ccl_work *w)
{
    return w->kind == HD__CCL_SEND || w->kind == HD__CCL_RECEIVE;
}

static const hd__ccl_work *front(const ccl_world *world, unsigned rank)
{
    return &world->now[rank]->works[0];
}

static size_t in_bytes(const hd__ccl_work *w, unsigned ranks)
{
    return w->kind == HD__CCL_RECEIVE
               ? 0
               : w->n * hd_type_bytes(w->type) * (w->kind == HD__CCL_REDUCE_SCATTER ? ranks : 1);
}

static size_t out_bytes(const hd__ccl_work *w, unsigned rank, unsigned ranks)
{
    if (w->kind == HD__CCL_SEND || (w->kind == HD__CCL_REDUCE && w->peer != (int)rank))
        return 0;
    return w->n * hd_type_bytes(w->type) * (w->kind == HD__CCL_ALL_GATHER ? ranks : 1);
}

/* All of it in an order that is not that of the ranks. */
static unsigned char *result_of(const ccl_world *world, unsigned rank)
{
    const hd__ccl_work *w = front(world, rank);
    const size_t bytes = w->n * hd_type_bytes(w->type);
    const size_t at = w->kind == HD__CCL_REDUCE_SCATTER ? rank * bytes : 0;
    unsigned char *result = malloc(out_bytes(w, rank, world->count) + 1);

    if (!result)
        abort();
    for (unsigned p = world->count; p-- > 0;) {
        const unsigned char *in = (const unsigned char *)front(world, p)->in + at;
        if (w->kind == HD__CCL_ALL_GATHER)
            memcpy(result + p * bytes, in, bytes);
        else if (w->kind == HD__CCL_BROADCAST ? (int)p == w->peer : p == world->count - 1)
            memcpy(result, in, bytes);
        else if (w->kind != HD__CCL_BROADCAST)
            combine(result, in, w);
    }
    return result;
}

static void agree(const ccl_world *world, unsigned rank)
{
    const hd__ccl_work *a = front(world, 0), *b = front(world, rank);
    const int roots = a->kind == HD__CCL_BROADCAST || a->kind == HD__CCL_REDUCE;
    const int moves = a->kind == HD__CCL_BROADCAST || a->kind == HD__CCL_ALL_GATHER;

    if (a->kind != b->kind || a->n != b->n || a->type != b->type || (roots && a->peer != b->peer) ||
        (!moves && a->op != b->op))
        complain("collectives that differ", 0, rank);
}

static void do_collective(ccl_world *world)
{
    unsigned char *result[MAX_RANKS] = {NULL};

    for (unsigned r = 0; r < world->count; r++) {
        agree(world, r);
        if (out_bytes(front(world, r), r, world->count))
            result[r] = result_of(world, r);
    }
    for (unsigned r = 0; r < world->count; r++) {
        if (result[r])
            memcpy(front(world, r)->out, result[r], out_bytes(front(world, r), r, world->count));
        free(result[r]);
        world->now[r]->done[0] = 1;
        world->now[r]->left--;
    }
}

/* ---- messages -------------------------------------------------------------------------------- */

/* The first one that is left, or NULL. */
static const hd__ccl_work *first_left(const ccl_launch *l, hd__ccl_kind kind, unsigned peer,
                                      unsigned *index)
{
    for (unsigned i = 0; l && i < l->count; i++)
        if (!l->done[i] && l->works[i].kind == kind && l->works[i].peer == (int)peer) {
            *index = i;
            return &l->works[i];
        }
    return NULL;
}

static void match(ccl_world *world, unsigned from, unsigned to)
{
    ccl_launch *sender = world->now[from], *receiver = world->now[to];
    unsigned s = 0, r = 0;
    const hd__ccl_work *send, *receive;

    while ((send = first_left(sender, HD__CCL_SEND, to, &s)) != NULL &&
           (receive = first_left(receiver, HD__CCL_RECEIVE, from, &r)) != NULL) {
        if (send->n != receive->n || send->type != receive->type)
            complain("a message that is not what is received", from, to);
        memcpy(receive->out, send->in, send->n * hd_type_bytes(send->type));
        sender->done[s] = receiver->done[r] = 1;
        sender->left--;
        receiver->left--;
    }
}

/* ---- a rank comes ---------------------------------------------------------------------------- */

static int all_have_come_to_a_collective(const ccl_world *world)
{
    for (unsigned r = 0; r < world->count; r++)
        if (!world->now[r] || is_move(front(world, r)))
            return 0;
    return 1;
}

/* Its work may be done now, and that of others. */
static void release(ccl_world *world)
{
    for (unsigned r = 0; r < world->count; r++)
        if (world->now[r] && (world->stopped || world->now[r]->left == 0)) {
            world->now[r] = NULL;
            __atomic_store_n(&world->busy[r], 0, __ATOMIC_RELEASE);
        }
}

static void come(void *argument)
{
    ccl_launch *l = argument;
    ccl_world *world = l->member->world;
    const unsigned rank = l->member->rank;

    (void)pthread_mutex_lock(&world->lock);
    if (world->now[rank])
        complain("two launches of a rank at once", rank, rank);
    world->now[rank] = l;
    world->busy[rank] = 1;
    l->left = l->count;
    memset(l->done, 0, sizeof l->done);
    for (unsigned p = 0; p < world->count; p++) {
        match(world, rank, p);
        match(world, p, rank);
    }
    if (all_have_come_to_a_collective(world))
        do_collective(world);
    release(world);
    (void)pthread_mutex_unlock(&world->lock);
}

/* ---- what may be asked for ------------------------------------------------------------------- */

static int overlap(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
    const char *p = a, *q = b;

    return a_bytes && b_bytes && p < q + b_bytes && q < p + a_bytes;
}

/* In place is: the same array, or a rank's own part of the longer one. */
static int collective_is_allowed(const hd__ccl_work *w, unsigned rank, unsigned ranks)
{
    const size_t in = in_bytes(w, ranks), out = out_bytes(w, rank, ranks);
    const size_t part = rank * w->n * hd_type_bytes(w->type);
    const char *to = w->out, *from = w->in;

    if (!overlap(from, in, to, out))
        return 1;
    return w->kind == HD__CCL_ALL_GATHER       ? from == to + part
           : w->kind == HD__CCL_REDUCE_SCATTER ? to == from + part
                                               : to == from;
}

/* What is received lies over nothing else of the launch. */
static int move_is_allowed(const ccl_launch *l, unsigned i)
{
    const hd__ccl_work *w = &l->works[i];

    if (!is_move(w) || w->stream != l->works[0].stream)
        return 0;
    for (unsigned k = 0; k < l->count && w->kind == HD__CCL_RECEIVE; k++) {
        const hd__ccl_work *v = &l->works[k];
        const int sends = v->kind == HD__CCL_SEND;
        if (k != i && overlap(w->out, w->n * hd_type_bytes(w->type), sends ? v->in : v->out,
                              v->n * hd_type_bytes(v->type)))
            return 0;
    }
    return 1;
}

static int is_allowed(const ccl_launch *l)
{
    int allowed = 1;

    if (l->count == 1 && !is_move(&l->works[0]))
        return collective_is_allowed(&l->works[0], l->member->rank, l->member->world->count);
    for (unsigned i = 0; i < l->count; i++)
        allowed &= move_is_allowed(l, i);
    return allowed;
}

/* ---- group calls ----------------------------------------------------------------------------- */

static _Thread_local struct {
    unsigned depth, count;
    ccl_launch *launch[MAX_RANKS];
} pending;

static ccl_launch *pending_of(ccl_member *member)
{
    ccl_launch *l;

    for (unsigned i = 0; i < pending.count; i++)
        if (pending.launch[i]->member == member)
            return pending.launch[i];
    l = pending.count < MAX_RANKS ? calloc(1, sizeof *l) : NULL;
    if (l) {
        l->member = member;
        pending.launch[pending.count++] = l;
    }
    return l;
}

static void keep(ccl_launch *l)
{
    ccl_world *world = l->member->world;

    (void)pthread_mutex_lock(&world->lock);
    l->next = world->all;
    world->all = l;
    (void)pthread_mutex_unlock(&world->lock);
}

static hd_status enqueue(const char *call, ccl_launch *l)
{
    hd_stream *stream = l->works[0].stream;
    const uint32_t *busy = &l->member->world->busy[l->member->rank];

    keep(l);
    if (!is_allowed(l))
        return hd__fail(HD_ERR_ARGUMENT, call, "the library does not allow this: rank %u",
                        l->member->rank);
    HD_TRY(hd_stream_host_function(stream, come, l));
    return hd_launch(group_wait, hd_launch_1d(1, 1, stream), busy);
}

hd_status hdb_ccl_together(const char *call, int begin)
{
    hd_status status = HD_OK;

    if (!begin && pending.depth == 0)
        return hd__fail(HD_ERR_STATE, call, "no group call to end");
    pending.depth += begin ? 1u : -1u;
    if (pending.depth > 0)
        return HD_OK;
    for (unsigned i = 0; i < pending.count; i++) {
        const hd_status next = enqueue(call, pending.launch[i]);
        status = status < 0 ? status : next;
    }
    pending.count = 0;
    return status;
}

static hd_status add(const char *call, const hd__ccl_work *work)
{
    ccl_member *member = work->communicator;
    ccl_launch *l;

    if (!member || member->ordinal != work->stream->ordinal)
        return hd__fail(HD_ERR_ARGUMENT, call, "no communicator of the stream's device");
    if (!hdb_ccl_has(work->type) || work->n == 0 || work->peer < 0 ||
        work->peer >= (int)member->world->count)
        return hd__fail(HD_ERR_UNSUPPORTED, call, "%zu elements of type %s, rank %d", work->n,
                        hd_type_name(work->type), work->peer);
    l = pending_of(member);
    if (!l || l->count == MAX_WORKS)
        return hd__fail(HD_ERR_NO_MEMORY, call, "too much for one group call");
    l->works[l->count++] = *work;
    return HD_OK;
}

hd_status hdb_ccl_run(const char *call, const hd__ccl_work *work)
{
    HD_TRY(hdb_ccl_together(call, 1));
    const hd_status status = add(call, work), end = hdb_ccl_together(call, 0);
    return status < 0 ? status : end;
}

/* ---- life ------------------------------------------------------------------------------------ */

hd_status hdb_ccl_open(const char *call, const char *file, const int *ordinals, unsigned count,
                       void **communicators)
{
    ccl_world *world;

    (void)file;
    for (unsigned r = 0; r < count; r++)
        for (unsigned p = 0; p < r; p++)
            if (ordinals[r] == ordinals[p])
                return hd__fail(HD_ERR_BACKEND, call, "two ranks on a device");
    world = count <= MAX_RANKS ? calloc(1, sizeof *world) : NULL;
    if (!world)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for communicators");
    const hd_status status = hd_alloc_kind(&world->busy, MAX_RANKS, HD_MEM_MAPPED, 0);
    if (status < 0) {
        free(world);
        return status;
    }
    (void)pthread_mutex_init(&world->lock, NULL);
    world->count = count;
    for (unsigned r = 0; r < count; r++) {
        world->member[r] = (ccl_member){world, r, ordinals[r]};
        communicators[r] = &world->member[r];
    }
    return HD_OK;
}

static void free_world(ccl_world *world)
{
    ccl_launch *next;

    for (ccl_launch *l = world->all; l; l = next) {
        next = l->next;
        free(l);
    }
    (void)hd_free(world->busy);
    (void)pthread_mutex_destroy(&world->lock);
    free(world);
}

/* At the program's end: streams may look at them until then. */
static void free_stopped(void)
{
    while (stopped_worlds) {
        ccl_world *world = stopped_worlds;
        stopped_worlds = world->next;
        free_world(world);
    }
}

static void keep_stopped(ccl_world *world)
{
    if (!stopped_worlds)
        (void)atexit(free_stopped);
    world->next = stopped_worlds;
    stopped_worlds = world;
}

void hdb_ccl_close(void *communicator, int aborted)
{
    ccl_member *member = communicator;
    ccl_world *world = member ? member->world : NULL;

    if (!world)
        return;
    (void)pthread_mutex_lock(&world->lock);
    world->stopped |= aborted;
    if (aborted)
        release(world);
    (void)pthread_mutex_unlock(&world->lock);
    if (++world->closed < world->count)
        return;
    if (world->stopped)
        keep_stopped(world);
    else
        free_world(world);
}

hd_status hdb_ccl_identify(const char *call, const char *file, void *id)
{
    (void)file;
    (void)id;
    return hd__fail(HD_ERR_UNSUPPORTED, call, "one process alone");
}

hd_status hdb_ccl_join(const char *call, const void *id, int ordinal, unsigned count, unsigned rank,
                       void **communicator)
{
    (void)id;
    (void)ordinal;
    (void)count;
    (void)rank;
    (void)communicator;
    return hd__fail(HD_ERR_UNSUPPORTED, call, "one process alone");
}
