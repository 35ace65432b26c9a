/* SPDX-License-Identifier: Apache-2.0 */
/* plan.c - chooses the algorithm of an operation and its number of blocks. Everything depends only
   on the group and on sizes, so all ranks decide alike. */
#include "plan.h"

#include "runtime/backend.h"

enum { IN_LINES_MAX = 1 << 30 /* kernels count their bytes in 32 bits */ };

/* ---- shapes ---------------------------------------------------------------------------------- */

int hd__group_words_fit(const hd_group *group, size_t units, unsigned parts)
{
    const size_t threads = group->tuning.word_threads;
    const size_t each = group->layout.units / parts / threads * threads;
    return units <= each * group->layout.channels;
}

/* The channels' slots hold all lines of `bytes` bytes. */
static int lines_fit(const hd_group *group, size_t bytes, unsigned parts, unsigned threads)
{
    const size_t each = threads / HD_LINE_LANES,
                 wanted = (bytes + HD__GROUP_LINE_DATA - 1) / HD__GROUP_LINE_DATA;
    return wanted <= group->layout.lines / parts / each * each * group->layout.channels;
}

/* Halves the number of threads while there are channels for more blocks, to spread over the device.
   With several rounds, all blocks have the same number. */
int hd__group_line_shape(const hd_group *group, size_t bytes, unsigned parts, unsigned *blocks,
                         unsigned *threads)
{
    const size_t channels = group->layout.channels;
    const size_t lines = (bytes + HD__GROUP_LINE_DATA - 1) / HD__GROUP_LINE_DATA;
    const size_t lanes = (lines > 0 ? lines : 1) * HD_LINE_LANES;
    unsigned most = group->tuning.line_threads;

    if (most == 0)
        most = HD_SERIAL_THREADS                                ? HD_LINE_LANES
               : lanes <= channels * HD__GROUP_LINE_THREADS / 2 ? HD__GROUP_LINE_THREADS / 2
                                                                : HD__GROUP_LINE_THREADS;
    if (!group->tuning.line_threads && !HD_SERIAL_THREADS && !lines_fit(group, bytes, parts, most))
        most = HD__GROUP_LINE_THREADS / 2;
    if (!lines_fit(group, bytes, parts, most))
        return 0;
    while (most > 64 && most / 2 >= lanes)
        most /= 2;
    const size_t rounds = (lanes + most * channels - 1) / (most * channels);
    const size_t wanted = (lanes + most * rounds - 1) / (most * rounds);
    *threads = most;
    *blocks = (unsigned)wanted;
    return 1;
}

void hd__group_word_shape(const hd_group *group, size_t units, unsigned *blocks, unsigned *threads)
{
    const size_t most = group->tuning.word_threads;
    const size_t wanted = (units + most - 1) / most;

    *threads = (unsigned)most;
    while (*threads > 64 && *threads / 2 >= units)
        *threads /= 2;
    *blocks = (unsigned)(wanted < 1                        ? 1
                         : wanted < group->layout.channels ? wanted
                                                           : group->layout.channels);
}

void hd__group_chunk_shape(const hd_group *group, size_t bytes, unsigned lanes,
                           hd__group_place *place, unsigned *blocks, unsigned *threads)
{
    const size_t channels = group->layout.channels;
    const uint32_t stride = group->layout.stride * (HD__GROUP_LANES / lanes);
    size_t chunk = (bytes / channels + 15) / 16 * 16;

    if (chunk < group->tuning.least_chunk)
        chunk = group->tuning.least_chunk;
    if (chunk > stride)
        chunk = stride;
    const size_t wanted = (bytes + chunk - 1) / chunk;
    place->layout.lanes = lanes;
    place->layout.stride = stride;
    place->layout.chunk = (uint32_t)chunk;
    *blocks = (unsigned)(wanted < 1 ? 1 : wanted < channels ? wanted : channels);
    *threads = group->tuning.chunk_threads;
}

/* ---- pieces ---------------------------------------------------------------------------------- */

uint64_t hd__group_piece(uint64_t bytes, unsigned parts)
{
    return ((bytes + parts - 1) / parts + 15) / 16 * 16;
}

int hd__group_broadcast_in_pieces(const hd_group *group, uint64_t bytes)
{
    return group->count > 2 && bytes >= group->tuning.broadcast_pieces;
}

/* ---- copies ---------------------------------------------------------------------------------- */

uint64_t hd__group_copy_slot(const hd__group_layout *l)
{
    const uint64_t slots = HD__GROUP_LANES * HD__GROUP_COPY_DEPTH;
    return (l->turn_at - l->chunks_at) / slots / 256 * 256;
}

/* A piece has at least a few chunks, so that copies and kernels overlap, but as few as that and the
   slots allow: each costs several launches. */
uint64_t hd__group_copy_chunk(const hd_group *group, uint64_t piece)
{
    const hd__group_tuning *f = &group->tuning;
    const uint64_t most = hd__group_copy_slot(&group->layout);
    uint64_t chunk = (piece / f->copy_parts + 255) / 256 * 256;

    if (chunk < f->copy_least)
        chunk = f->copy_least;
    return chunk < most ? chunk : most;
}

/* One host thread may enqueue all ranks one after another: what it enqueues for one rank before
   that rank waits for others has to fit in a stream's queue (1024 launches), or the thread would
   block. */
int hd__group_copies_fit(const hd_group *group, uint64_t piece)
{
    enum { QUEUE = 960 };
    const uint64_t chunk = group->copies ? hd__group_copy_chunk(group, piece) : 0;
    const uint64_t each = 2 * (uint64_t)(group->count - 1) + 6;

    return chunk != 0 && (piece + chunk - 1) / chunk <= QUEUE / each;
}

int hd__group_request_empty(const hd__group_request *q)
{
    return q->n == 0 && q->kind != HD__GROUP_BARRIER && q->kind != HD__GROUP_SEND_RECEIVE;
}

/* ---- algorithms ------------------------------------------------------------------------------ */

static unsigned parts_of(hd_group_algorithm how)
{
    return how == HD_GROUP_ONE_SHOT ? 1 : 2;
}

static int words_hold(const hd_group *group, hd_group_algorithm how, size_t bytes)
{
    return hd__group_words_fit(group, (bytes + HD__GROUP_UNIT - 1) / HD__GROUP_UNIT, parts_of(how));
}

static int lines_hold(const hd_group *group, hd_group_algorithm how, size_t bytes)
{
    unsigned blocks, threads;
    return group->layout.lines > 0 && bytes <= IN_LINES_MAX / group->count &&
           hd__group_line_shape(group, bytes, parts_of(how), &blocks, &threads);
}

int hd__group_in_lines(const hd_group *group, hd_group_algorithm how, size_t total, size_t bytes)
{
    return lines_hold(group, how, bytes) &&
           (total >= group->tuning.line_bytes || !words_hold(group, how, bytes));
}

static int holds(const hd_group *group, hd_group_algorithm how, size_t bytes)
{
    return words_hold(group, how, bytes) || lines_hold(group, how, bytes);
}

static int usable(const hd_group *group, hd_group_algorithm algorithm, hd__group_kind kind,
                  size_t bytes, hd_type type)
{
    const size_t piece = bytes / group->count + 16; /* upper bound */

    switch (algorithm) {
    case HD_GROUP_ONE_SHOT:
        return kind != HD__GROUP_REDUCE_SCATTER && holds(group, algorithm, bytes);
    case HD_GROUP_TWO_SHOT:
        return holds(group, algorithm, piece);
    case HD_GROUP_RING: /* sums are sent as elements: f16 would be rounded at each rank */
        return kind == HD__GROUP_ALL_REDUCE && hd_type_bytes(type) != 2;
    case HD_GROUP_COPIES:
        return kind != HD__GROUP_REDUCE &&
               hd__group_copies_fit(group, (bytes + group->count - 1) / group->count + 15);
    case HD_GROUP_DIRECT:
        return 1;
    default:
        return 0;
    }
}

hd_group_algorithm hd__group_choose(const hd_group *group, hd__group_kind kind, size_t bytes,
                                    hd_type type)
{
    if (usable(group, group->options.algorithm, kind, bytes, type))
        return group->options.algorithm;
    if (bytes <= group->tuning.one_shot_bytes &&
        usable(group, HD_GROUP_ONE_SHOT, kind, bytes, type))
        return HD_GROUP_ONE_SHOT;
    if (bytes <= group->tuning.two_shot_bytes &&
        usable(group, HD_GROUP_TWO_SHOT, kind, bytes, type))
        return HD_GROUP_TWO_SHOT;
    if (bytes >= group->tuning.copies_bytes && usable(group, HD_GROUP_COPIES, kind, bytes, type))
        return HD_GROUP_COPIES;
    return HD_GROUP_DIRECT;
}

unsigned hd__group_op(hd_type type, hd_reduce_op op)
{
    const int is_signed = type == HD_I8 || type == HD_I16 || type == HD_I32 || type == HD_I64;

    switch (op) {
    case HD_SUM:
        return HD__GROUP_SUM;
    case HD_PROD:
        return HD__GROUP_PROD;
    case HD_MIN:
        return is_signed ? HD__GROUP_MIN_S : HD__GROUP_MIN;
    default:
        return is_signed ? HD__GROUP_MAX_S : HD__GROUP_MAX;
    }
}

enum { U8, U16, U32, U64, F16, BF16, F32, F64, TYPES };

const hd_kernel *hd__group_kernel(hd_group_algorithm algorithm, int in_lines, hd_type type)
{
#define ALL(kernel)                                                                                \
    {                                                                                              \
        hd_kernel_of(kernel##_u8), hd_kernel_of(kernel##_u16), hd_kernel_of(kernel##_u32),         \
            hd_kernel_of(kernel##_u64), hd_kernel_of(kernel##_f16), hd_kernel_of(kernel##_bf16),   \
            hd_kernel_of(kernel##_f32), hd_kernel_of(kernel##_f64)                                 \
    }
    static const hd_kernel *const kernels[][TYPES] = {
        ALL(hd__group_one_shot), ALL(hd__group_two_shot), ALL(hd__group_direct),
        ALL(hd__group_chain), ALL(hd__group_step)};
    static const hd_kernel *const of_lines[][TYPES] = {ALL(hd__group_one_shot_lines),
                                                       ALL(hd__group_two_shot_lines)};
#undef ALL
    static const unsigned char kinds[HD_TYPE_COUNT_] = {
        [HD_U8] = U8,   [HD_I8] = U8,   [HD_U16] = U16, [HD_I16] = U16,
        [HD_U32] = U32, [HD_I32] = U32, [HD_U64] = U64, [HD_I64] = U64,
        [HD_F16] = F16, [HD_F32] = F32, [HD_F64] = F64, [HD_BF16] = BF16};

    return (in_lines ? of_lines : kernels)[algorithm - HD_GROUP_ONE_SHOT][kinds[type]];
}

const char *hd_group_algorithm_name(hd_group_algorithm algorithm)
{
#define NAME(name, text, what) text,
    static const char *const names[] = {HD_GROUP_ALGORITHM_LIST(NAME)};
#undef NAME
    return (int)algorithm >= 0 && algorithm < HD_GROUP_ALGORITHM_COUNT_ ? names[algorithm]
                                                                        : "unknown algorithm";
}

hd_status hd_group_algorithm_of(const hd_group *group, size_t n, hd_type type,
                                hd_group_algorithm *algorithm)
{
    static const char call[] = "hd_group_algorithm_of";
    const size_t element = hd_type_bytes(type);

    if (!group || !algorithm)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s is NULL", group ? "algorithm" : "group");
    if (element == 0)
        return hd__fail(HD_ERR_ARGUMENT, call, "%d is not an hd_type", (int)type);
    *algorithm = hd__group_choose(group, HD__GROUP_ALL_REDUCE, hd_bytes(n, element), type);
    return HD_OK;
}
