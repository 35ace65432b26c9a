/* SPDX-License-Identifier: Apache-2.0 */
/* arrange.c - the memory layout of a group: channels, their slots and chunks; and the sizes at
   which operations switch algorithms. All of it depends only on the group, so all ranks agree. */
#include "plan.h"

#include "runtime/backend.h"

enum {
    AREA = 96 << 20,        /* limit for one direction of a pair of ranks */
    AREAS = 256 << 20,      /* limit for one rank */
    STAGED_AREA = 16 << 20, /* limit if a pair of the group goes through pinned host memory */
    CHUNK = 32 << 10,
    CHUNK_MAX = 64 << 10,
    LEAST_CHUNK = 8 << 10,
    LEAST_CHANNELS = 8, /* with more, channels are halved before chunks get shorter */
    UNITS = 1536,
    UNITS_BESIDE_LINES = 512,
    LINES = 192,
    SERIAL_CHANNELS = 4, /* if the threads of a block run one after another */
    SERIAL_UNITS = 256,
    SERIAL_LINES = 32,
    SERIAL_CHUNK = 16 << 10,
    SERIAL_LEAST_CHUNK = 1 << 10,
    ONE_SHOT_OUT = 384 << 10, /* one-shot algorithm: maximum bytes sent per rank */
    TWO_SHOT = 1 << 20,
    TWO_SHOT_LINES = 6 << 20,
    IN_LINES = 512,         /* minimum bytes for which lines are faster than words */
    MOVE_WORDS = 128 << 10, /* maximum bytes sent per rank in words */
    STAGED_PART = 8,        /* divides the one-shot, two-shot and word limits if a link is staged */
    PIECES = 1536 << 10,    /* broadcast in pieces: minimum bytes sent by the root */
    COPY_LEAST = 1 << 20,
    SERIAL_COPY_LEAST = 4 << 10,
    COPY_PARTS = 2
};

static unsigned or_else(unsigned forced, unsigned usual)
{
    return forced ? forced : usual;
}

static void set_defaults(hd_group *group, unsigned max_channels)
{
    hd__group_tuning *f = &group->tuning;
    const int serial = HD_SERIAL_THREADS;
    const unsigned others = group->count > 1 ? group->count - 1 : 1;
    const unsigned part = group->all_direct ? 1 : STAGED_PART;

    f->channels = or_else(f->channels, serial ? SERIAL_CHANNELS : HD__GROUP_CHANNELS);
    if (f->channels > max_channels)
        f->channels = max_channels;
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
        f->copies_bytes = SIZE_MAX; /* only if HD_GROUP_COPIES is requested */
    f->copy_least = f->copy_least ? f->copy_least : serial ? SERIAL_COPY_LEAST : COPY_LEAST;
    f->copy_parts = or_else(f->copy_parts, COPY_PARTS);
}

/* The number of ranks on the device of rank r. */
static unsigned sharing(const hd_group *group, unsigned r)
{
    unsigned ranks = 0;

    for (unsigned p = 0; p < group->count; p++)
        ranks += group->rank[p].device == group->rank[r].device;
    return ranks;
}

/* As many channels as blocks are resident on the smallest device, so that the blocks of one device
   never wait for each other. Ranks that share a device leave half of it to the kernels that they
   wait for. Virtual devices share one machine, and each reports all of it. */
static hd_status channels_of(const hd_group *group, unsigned *channels)
{
    const unsigned threads = or_else(group->tuning.chunk_threads, HD__GROUP_THREADS);

    *channels = HD__GROUP_CHANNELS;
    if (HD_SERIAL_THREADS || group->tuning.channels)
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

/* The limit for an area. */
static uint64_t area_bytes(const hd_group *group, size_t others)
{
    const uint64_t part = (uint64_t)AREAS / others, most = group->all_direct ? AREA : STAGED_AREA;

    if (group->options.message_bytes)
        return group->options.message_bytes / others;
    if (group->tuning.chunk)
        return UINT64_MAX;
    return part < most ? part : most;
}

/* Lays out an area: slots of words and lines for `channels` channels, then chunks as long as the
   remaining space allows. *chunks: number of chunks. */
static void place_channels(hd_group *group, uint64_t area, unsigned channels, uint64_t *chunks)
{
    hd__group_layout *l = &group->layout;
    uint64_t longest = or_else(group->tuning.chunk, HD_SERIAL_THREADS ? SERIAL_CHUNK : CHUNK), room;

    if (group->options.message_bytes && !group->tuning.chunk)
        longest = CHUNK_MAX;
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
    l->units = group->tuning.units;
    l->lines = group->tuning.lines;
    place_channels(group, area, group->tuning.channels, &chunks);
    while (!group->tuning.chunk && l->stride < group->tuning.least_chunk &&
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
