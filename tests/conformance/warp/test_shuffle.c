/* SPDX-License-Identifier: Apache-2.0 */
/* test_shuffle.c - every shuffle kind x type x width x lane x operand against the rule of its
   source lane. */
#include "rig.h"
#include "shuffle.h"

typedef struct shuffle_type {
    const char *name;
    size_t size;
    hd_status (*plain)(hd_launch_config, const void *, void *, unsigned, unsigned, unsigned,
                       unsigned);
    hd_status (*among)(hd_launch_config, const void *, void *, const uint64_t *, unsigned, unsigned,
                       unsigned, unsigned);
    hd_status (*broadcast)(hd_launch_config, const void *, void *, unsigned);
    hd_status (*constant)(hd_launch_config, const void *, void *);
} shuffle_type;

#define LAUNCHERS(suffix, type)                                                                    \
    static hd_status plain_##suffix(hd_launch_config c, const void *in, void *out, unsigned kind,  \
                                    unsigned width, unsigned first, unsigned count)                \
    {                                                                                              \
        return hd_launch(shuffle_##suffix, c, (const type *)in, (type *)out, kind, width, first,   \
                         count);                                                                   \
    }                                                                                              \
    static hd_status among_##suffix(hd_launch_config c, const void *in, void *out,                 \
                                    const uint64_t *masks, unsigned kind, unsigned width,          \
                                    unsigned first, unsigned count)                                \
    {                                                                                              \
        return hd_launch(shuffle_in_##suffix, c, (const type *)in, (type *)out, masks, kind,       \
                         width, first, count);                                                     \
    }                                                                                              \
    static hd_status cast_##suffix(hd_launch_config c, const void *in, void *out, unsigned lanes)  \
    {                                                                                              \
        return hd_launch(broadcast_##suffix, c, (const type *)in, (type *)out, lanes);             \
    }
#define LAUNCHERS_CONSTANT(suffix, type)                                                           \
    static hd_status constant_##suffix(hd_launch_config c, const void *in, void *out)              \
    {                                                                                              \
        return hd_launch(shuffle_constant_##suffix, c, (const type *)in, (type *)out);             \
    }
TYPED_LIST(LAUNCHERS)
TYPED_LIST(LAUNCHERS_CONSTANT)
SHUFFLE_LIST(LAUNCHERS)

#define ROW(suffix, type)                                                                          \
    {#suffix, sizeof(type), plain_##suffix, among_##suffix, cast_##suffix, constant_##suffix},
#define ROW_OF_MORE(suffix, type)                                                                  \
    {#suffix, sizeof(type), plain_##suffix, among_##suffix, cast_##suffix, NULL},
static const shuffle_type types[] = {TYPED_LIST(ROW) SHUFFLE_LIST(ROW_OF_MORE)};
enum { TYPES = sizeof types / sizeof types[0] };

static unsigned char random_byte(const shuffle_type *type, uint64_t *seed)
{
    const unsigned char byte = (unsigned char)rig_random(seed);

    return strcmp(type->name, "flag") == 0 ? byte & 1 : byte;
}

/* The rules of docs/dialect.md: which lane the calling lane reads. 64-bit, so nothing wraps. */
static unsigned source(unsigned kind, unsigned lane, uint64_t arg, unsigned width)
{
    uint64_t group = lane / width * width, place = lane - group;

    switch (kind) {
    case SHUFFLE_INDEX:
        return (unsigned)(group + (7u * lane + arg) % width);
    case SHUFFLE_LANE:
        return (unsigned)(group + arg % width);
    case SHUFFLE_UP:
        return arg > place ? lane : (unsigned)(lane - arg);
    case SHUFFLE_DOWN:
        return place + arg >= width ? lane : (unsigned)(lane + arg);
    default:
        return (lane ^ arg) >= group + width ? lane : (unsigned)(lane ^ arg);
    }
}

/* masks NULL: every lane that exists takes part. Reads of absent lanes are not compared. */
static void compare(const shuffle_type *type, unsigned kind, unsigned width, unsigned first,
                    unsigned count, unsigned threads, const uint64_t *masks,
                    const unsigned char *in, const unsigned char *out)
{
    unsigned r, t, wrong = 0;

    for (r = 0; r < count; r++) {
        for (t = 0; t < threads; t++) {
            unsigned lane = t % rig_warp, from = source(kind, lane, first + r, width);
            unsigned warp_first = t - lane;

            if (warp_first + from >= threads)
                continue;
            if (masks != NULL) {
                uint64_t a = masks[2 * (t / rig_warp)];
                if ((a >> lane & 1) != (a >> from & 1))
                    continue;
            }
            if (memcmp(out + ((size_t)r * threads + t) * type->size,
                       in + (size_t)(warp_first + from) * type->size, type->size) != 0) {
                if (wrong++ == 0)
                    test_fail(__FILE__, __LINE__,
                              "%s kind %u width %u operand %u threads %u lane %u should read %u",
                              type->name, kind, width, first + r, threads, lane, from);
            }
        }
    }
}

static const unsigned far_operands[] = {0x7fffffffu, 0xfffffff0u};

static void run_type(const shuffle_type *type, unsigned threads, int use_masks)
{
    unsigned rows = rig_warp + 4, kind, width, part;
    size_t bytes = threads * type->size;
    unsigned char *in = rig_host(bytes), *out = rig_host(bytes * rows);
    uint64_t masks[2 * 32] = {0}, seed = threads;
    void *d_in, *d_out, *d_masks;
    size_t i;

    for (i = 0; i < bytes; i++)
        in[i] = random_byte(type, &seed);
    for (i = 0; i < threads; i++)
        masks[2 * (i / rig_warp) + (rig_random(&seed) & 1)] |= (uint64_t)1 << i % rig_warp;
    d_in = rig_upload(in, bytes);
    d_out = rig_zeroed(bytes * rows);
    d_masks = rig_upload(masks, sizeof masks);
    for (kind = 0; kind < SHUFFLE_KINDS; kind++) {
        for (width = 1; width <= rig_warp; width *= 2) {
            for (part = 0; part < 3; part++) {
                unsigned first = part == 0 ? 0 : far_operands[part - 1];
                unsigned count = part == 0 ? rows : 2;

                if (use_masks)
                    MUST(type->among(rig_flat(1, threads), d_in, d_out, d_masks, kind, width, first,
                                     count));
                else
                    MUST(type->plain(rig_flat(1, threads), d_in, d_out, kind, width, first, count));
                rig_download(out, d_out, bytes * count);
                compare(type, kind, width, first, count, threads, use_masks ? masks : NULL, in,
                        out);
            }
        }
    }
    rig_drop(d_masks);
    rig_drop(d_out);
    rig_drop(d_in);
    free(out);
    free(in);
}

TEST(every_shuffle_in_whole_warps)
{
    int i;

    rig_open();
    for (i = 0; i < TYPES; i++)
        run_type(&types[i], 2 * rig_warp, 0);
}

TEST(every_shuffle_in_a_partial_warp)
{
    int i;

    rig_open();
    for (i = 0; i < TYPES; i++) {
        run_type(&types[i], rig_warp + 5, 0);
        run_type(&types[i], 1, 0);
    }
}

TEST(every_shuffle_among_the_lanes_of_a_mask)
{
    int i;

    rig_open();
    for (i = 0; i < TYPES; i++) {
        run_type(&types[i], 3 * rig_warp, 1);
        run_type(&types[i], rig_warp + 11, 1);
    }
}

static void run_constants(const shuffle_type *type, unsigned threads)
{
    const size_t bytes = threads * type->size, row = bytes * SHUFFLE_KINDS;
    unsigned char *in = rig_host(bytes);
    unsigned char *out = rig_host(row * SHUFFLE_WIDTHS * SHUFFLE_CONSTANTS);
    void *d_in, *d_out = rig_zeroed(row * SHUFFLE_WIDTHS * SHUFFLE_CONSTANTS);
    uint64_t seed = threads;

    for (size_t i = 0; i < bytes; i++)
        in[i] = random_byte(type, &seed);
    d_in = rig_upload(in, bytes);
    MUST(type->constant(rig_flat(1, threads), d_in, d_out));
    rig_download(out, d_out, row * SHUFFLE_WIDTHS * SHUFFLE_CONSTANTS);
    for (unsigned k = 0; k < SHUFFLE_WIDTHS && 2u << k <= rig_warp; k++)
        for (unsigned arg = 0; arg < SHUFFLE_CONSTANTS; arg++)
            for (unsigned kind = 0; kind < SHUFFLE_KINDS; kind++)
                compare(type, kind == SHUFFLE_INDEX ? SHUFFLE_LANE : kind, 2u << k, arg, 1, threads,
                        NULL, in, out + row * (k * SHUFFLE_CONSTANTS + arg) + bytes * kind);
    rig_drop(d_out);
    rig_drop(d_in);
    free(out);
    free(in);
}

TEST(constant_operands)
{
    rig_open();
    for (int i = 0; i < TYPES && types[i].constant != NULL; i++) {
        run_constants(&types[i], 2 * rig_warp);
        run_constants(&types[i], rig_warp + 13);
    }
}

TEST(broadcast_from_every_lane)
{
    unsigned threads, lane, t, wrong = 0;
    int i;

    rig_open();
    threads = 2 * rig_warp;
    for (i = 0; i < TYPES; i++) {
        size_t size = types[i].size, bytes = threads * size, b;
        unsigned char *in = rig_host(bytes), *out = rig_host(bytes * rig_warp);
        uint64_t seed = 99;
        void *d_in, *d_out = rig_zeroed(bytes * rig_warp);

        for (b = 0; b < bytes; b++)
            in[b] = random_byte(&types[i], &seed);
        d_in = rig_upload(in, bytes);
        MUST(types[i].broadcast(rig_flat(1, threads), d_in, d_out, rig_warp));
        rig_download(out, d_out, bytes * rig_warp);
        for (lane = 0; lane < rig_warp; lane++)
            for (t = 0; t < threads; t++)
                wrong += memcmp(out + ((size_t)lane * threads + t) * size,
                                in + (t / rig_warp * rig_warp + lane) * size, size) != 0;
        CHECK_EQ_U64(wrong, 0);
        rig_drop(d_in);
        rig_drop(d_out);
        free(in);
        free(out);
    }
}

TEST_MAIN
