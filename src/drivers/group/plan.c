/* SPDX-License-Identifier: Apache-2.0 */
/* plan.c - which way an operation of a group goes, and in how many blocks. Everything here is
   a function of the group and of the sizes alone, so that all ranks come to the same. */
#include "plan.h"

#include "runtime/backend.h"

enum {
    AREA = 96 << 20,        /* of a pair of ranks and a direction, at most */
    AREAS = 256 << 20,      /* of a rank, at most */
    STAGED_AREA = 16 << 20, /* where a pair of the group goes through pinned host memory */
    CHUNK = 32 << 10,
    CHUNK_MOST = 64 << 10,
    LEAST_CHUNK = 8 << 10,
    LEAST_CHANNELS = 8, /* are tried before chunks get shorter than that */
    UNITS = 1536,
    UNITS_BESIDE_LINES = 512,
    LINES = 192,
    SERIAL_CHANNELS = 4, /* where threads of a block run one after another */
    SERIAL_UNITS = 256,
    SERIAL_LINES = 32,
    SERIAL_CHUNK = 16 << 10,
    SERIAL_LEAST_CHUNK = 1 << 10,
    ONE_SHOT_OUT = 384 << 10, /* bytes of data that a rank sends, up to which one shot is faster */
    TWO_SHOT = 1 << 20,
    TWO_SHOT_LINES = 6 << 20,
    IN_LINES_MOST = 1 << 30, /* kernels count their bytes in 32 bits */
    IN_LINES = 512,          /* bytes from which on lines are faster than words */
    MOVE_WORDS = 128 << 10,  /* out of a rank */
    STAGED_PART = 8,         /* links through the host are so much slower for words */
    PIECES = 1536 << 10,     /* out of the root */
    COPY_LEAST = 1 << 20,
    SERIAL_COPY_LEAST = 4 << 10,
    COPY_PARTS = 2
};

static unsigned or_else(unsigned forced, unsigned usual)
{
    return forced ? forced : usual;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void set_defaults(hd_group *group, unsigned most_channels)
{
    hd__group_force *f = &group->force;
    const int serial = HD_SERIAL_THREADS;
    const unsigned others = group->count > 1 ? group->count - 1 : 1;
    const unsigned part = group->all_direct ? 1 : STAGED_PART;

    f->channels = or_else(f->channels, serial ? SERIAL_CHANNELS : HD__GROUP_CHANNELS);
    if (f->channels > most_channels)
        f->channels = most_channels;
    if (group->whole_lines)
        f->lines = or_else(f->lines, serial ? SERIAL_LINES : LINES);
    f->units = or_else(f->units, serial ? SERIAL_UNITS : f->lines ? UNITS_BESIDE_LINES : UNITS);
    f->word_threads = or_else(f->word_threads, serial ? 1 : HD__GROUP_WORD_THREADS);
    f->chunk_threads = or_else(f->chunk_threads, serial ? 1 : HD__GROUP_THREADS);
    f->least_chunk = or_else(f->least_chunk, serial ? SERIAL_LEAST_CHUNK : LEAST_CHUNK);
    f->one_shot_bytes = f->one_shot_bytes ? f->one_shot_bytes : ONE_SHOT_OUT / others / part;
    f->line_bytes = f->line_bytes ? f->line_bytes : IN_LINES;
    if (f->two_shot_bytes == 0)
        f->two_shot_bytes = (f->lines ? TWO_SHOT_LINES : TWO_SHOT) / part;
    f->move_word_bytes = f->move_word_bytes ? f->move_word_bytes : MOVE_WORDS / others / part;
    f->broadcast_pieces = f->broadcast_pieces ? f->broadcast_pieces : PIECES / others;
    if (f->copies_bytes == 0)
        f->copies_bytes = SIZE_MAX; /* when asked for alone */
    f->copy_least = f->copy_least ? f->copy_least : serial ? SERIAL_COPY_LEAST : COPY_LEAST;
    f->copy_parts = or_else(f->copy_parts, COPY_PARTS);
}

/* Ranks that have the device of rank r. */
static unsigned sharing(const hd_group *group, unsigned r)
{
    unsigned ranks = 0;

    for (unsigned p = 0; p < group->count; p++)
        ranks += group->rank[p].device == group->rank[r].device;
    return ranks;
}

/* As many blocks as the device with the least room holds at once: then those of a device do not
   wait for each other. Ranks that share a device leave half of it to kernels that they wait for.
   Virtual devices share one machine, and each counts the whole of it. */
static hd_status channels_of(const hd_group *group, unsigned *channels)
{
    const unsigned threads = or_else(group->force.chunk_threads, HD__GROUP_THREADS);

    *channels = HD__GROUP_CHANNELS;
    if (HD_SERIAL_THREADS || group->force.channels)
        return HD_OK;
    for (unsigned r = 0; r < group->count; r++) {
        const int device = group->rank[r].device;
        int64_t units = 1, shared = 0;
        unsigned blocks = 1;
        HD_TRY(hd_device_get(device, HD_ATTR_COMPUTE_UNITS, &units));
        HD_TRY(hd_device_get(device, HD_ATTR_INTEGRATED, &shared));
        if (!shared)
            HD_TRY(hd_occupancy(hd__group_kernel(HD_GROUP_DIRECT, 0, HD_F32), device, threads, 0,
                                &blocks));
        const unsigned ranks = sharing(group, r);
        const unsigned room = (unsigned)units * blocks / (ranks > 1 ? 2 * ranks : 1);
        if (room < *channels)
            *channels = room > 0 ? room : 1;
    }
    return HD_OK;
}

/* Bytes of an area at most. */
static uint64_t area_bytes(const hd_group *group, size_t others)
{
    const uint64_t part = (uint64_t)AREAS / others, most = group->all_direct ? AREA : STAGED_AREA;

    if (group->options.message_bytes)
        return group->options.message_bytes / others;
    if (group->force.chunk)
        return UINT64_MAX;
    return part < most ? part : most;
}

/* Puts slots of words and lines for so many channels into an area, and chunks as long as the rest
   allows; `chunks` is their number. */
static void place_channels(hd_group *group, uint64_t area, unsigned channels, uint64_t *chunks)
{
    hd__group_layout *l = &group->layout;
    uint64_t longest = or_else(group->force.chunk, HD_SERIAL_THREADS ? SERIAL_CHUNK : CHUNK), room;

    if (group->options.message_bytes && !group->force.chunk)
        longest = CHUNK_MOST;
    l->channels = channels;
    l->lanes = HD__GROUP_LANES;
    l->lines_at = (channels * (sizeof(hd__group_line) + (uint64_t)2 * l->units * 16) +
                   HD__GROUP_LINE_BYTES - 1) /
                  HD__GROUP_LINE_BYTES * HD__GROUP_LINE_BYTES;
    l->chunks_at = l->lines_at + (uint64_t)channels * 2 * l->lines * HD__GROUP_LINE_BYTES;
    *chunks = (uint64_t)channels * 2 * HD__GROUP_LANES * HD__GROUP_DEPTH;
    room = area > l->chunks_at ? (area - l->chunks_at) / *chunks / 256 * 256 : 0;
    l->stride = (uint32_t)(room < longest ? room : longest);
}

hd_status hd__group_arrange(const char *call, hd_group *group)
{
    hd__group_layout *l = &group->layout;
    const size_t others = group->count > 1 ? group->count - 1 : 1;
    const uint64_t area = area_bytes(group, others);
    unsigned channels = 0;
    uint64_t chunks;

    HD_TRY(channels_of(group, &channels));
    set_defaults(group, channels);
    l->units = group->force.units;
    l->lines = group->force.lines;
    place_channels(group, area, group->force.channels, &chunks);
    while (!group->force.chunk && l->stride < group->force.least_chunk &&
           l->channels > LEAST_CHANNELS)
        place_channels(group, area, l->channels / 2, &chunks);
    if (l->stride == 0)
        return hd__fail(HD_ERR_ARGUMENT, call, "message_bytes is %zu, %zu are needed",
                        group->options.message_bytes,
                        (size_t)(l->chunks_at + 256 * chunks) * others);
    l->chunk = l->stride;
    l->turn_at = (l->chunks_at + chunks * l->stride + 63) / 64 * 64;
    l->bytes = (l->turn_at + 64 + 255) / 256 * 256;
    return HD_OK;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

int hd__group_words_fit(const hd_group *group, size_t units, unsigned parts)
{
    const size_t threads = group->force.word_threads;
    const size_t each = group->layout.units / parts / threads * threads;
    return units <= each * group->layout.channels;
}

/* The last line of `bytes` is in a round that the channels have. */
static int lines_fit(const hd_group *group, size_t bytes, unsigned parts, unsigned threads)
{
    const size_t each = threads / HD_LINE_LANES,
                 wanted = (bytes + HD__GROUP_LINE_DATA - 1) / HD__GROUP_LINE_DATA;
    return wanted <= group->layout.lines / parts / each * each * group->layout.channels;
}

/* Half the threads as long as there are channels for the blocks: they spread over the device. Where
   there are several rounds all blocks have as many of them. */
int hd__group_line_shape(const hd_group *group, size_t bytes, unsigned parts, unsigned *blocks,
                         unsigned *threads)
{
    const size_t channels = group->layout.channels;
    const size_t lines = (bytes + HD__GROUP_LINE_DATA - 1) / HD__GROUP_LINE_DATA;
    const size_t lanes = (lines > 0 ? lines : 1) * HD_LINE_LANES;
    unsigned most = group->force.line_threads;

    if (most == 0)
        most = HD_SERIAL_THREADS                                ? HD_LINE_LANES
               : lanes <= channels * HD__GROUP_LINE_THREADS / 2 ? HD__GROUP_LINE_THREADS / 2
                                                                : HD__GROUP_LINE_THREADS;
    if (!group->force.line_threads && !HD_SERIAL_THREADS && !lines_fit(group, bytes, parts, most))
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
    const size_t most = group->force.word_threads;
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

    if (chunk < group->force.least_chunk)
        chunk = group->force.least_chunk;
    if (chunk > stride)
        chunk = stride;
    const size_t wanted = (bytes + chunk - 1) / chunk;
    place->layout.lanes = lanes;
    place->layout.stride = stride;
    place->layout.chunk = (uint32_t)chunk;
    *blocks = (unsigned)(wanted < 1 ? 1 : wanted < channels ? wanted : channels);
    *threads = group->force.chunk_threads;
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
    return group->layout.lines > 0 && bytes <= IN_LINES_MOST / group->count &&
           hd__group_line_shape(group, bytes, parts_of(how), &blocks, &threads);
}

int hd__group_in_lines(const hd_group *group, hd_group_algorithm how, size_t total, size_t bytes)
{
    return lines_hold(group, how, bytes) &&
           (total >= group->force.line_bytes || !words_hold(group, how, bytes));
}

static int holds(const hd_group *group, hd_group_algorithm how, size_t bytes)
{
    return words_hold(group, how, bytes) || lines_hold(group, how, bytes);
}

static int usable(const hd_group *group, hd_group_algorithm algorithm, hd__group_kind kind,
                  size_t bytes, hd_type type)
{
    const size_t piece = bytes / group->count + 16; /* at most */

    switch (algorithm) {
    case HD_GROUP_ONE_SHOT:
        return kind != HD__GROUP_REDUCE_SCATTER && holds(group, algorithm, bytes);
    case HD_GROUP_TWO_SHOT:
        return holds(group, algorithm, piece);
    case HD_GROUP_RING: /* sums between ranks are elements: f16 would be rounded at each */
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
    if (bytes <= group->force.one_shot_bytes && usable(group, HD_GROUP_ONE_SHOT, kind, bytes, type))
        return HD_GROUP_ONE_SHOT;
    if (bytes <= group->force.two_shot_bytes && usable(group, HD_GROUP_TWO_SHOT, kind, bytes, type))
        return HD_GROUP_TWO_SHOT;
    if (bytes >= group->force.copies_bytes && usable(group, HD_GROUP_COPIES, kind, bytes, type))
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
        return hd__fail(HD_ERR_ARGUMENT, call, "no type has the number %d", (int)type);
    *algorithm = hd__group_choose(group, HD__GROUP_ALL_REDUCE, hd_bytes(n, element), type);
    return HD_OK;
}
