/* SPDX-License-Identifier: Apache-2.0 */
/* test_select.c - select, partition, unique and run lengths against plain C, as bits: every type
   and comparison, sizes around every edge, values of every kind, launch shapes, bad input. */
#include "arrays.h"

#include <heddle/select.h>

#include "drivers/scan/look_back.h"
#include "drivers/select/plan.h"

/* Launch shapes: what the driver chooses (on the CPU a thread for each tile), a block for each
   tile, three blocks that take tile after tile. */
enum { CHOSEN, BLOCKS, FEW_BLOCKS, WAYS };
static const char *const way_text[] = {"", ", blocks", ", few blocks"};
static int forced;

static void force(int way)
{
    forced = way;
    hd__select_force_blocks = way != CHOSEN;
    hd__look_back_force_blocks = way == BLOCKS ? UINT32_MAX : way == FEW_BLOCKS ? 3 : 0;
}

enum { SELECT, PARTITION, ONE_ARRAY, UNIQUE, RUNS, MODES };
static const char *const mode_names[] = {"select", "partition", "partition into one array",
                                         "unique", "run lengths"};
static const hd_type types[] = {HD_U8, HD_I32, HD_U32, HD_I64, HD_U64, HD_F32, HD_F64};
enum { TYPES = sizeof types / sizeof *types };

/* ---- reference ------------------------------------------------------------------------------- */

/* -1, 0, 1: below, equal, above; 2: unordered. */
static int ref_compare(const void *a, const void *b, hd_type type)
{
#define COMPARE(T)                                                                                 \
    do {                                                                                           \
        T x, y;                                                                                    \
        memcpy(&x, a, sizeof x);                                                                   \
        memcpy(&y, b, sizeof y);                                                                   \
        return x < y ? -1 : x > y ? 1 : x == y ? 0 : 2;                                            \
    } while (0)
    switch (type) {
    case HD_U8:
        COMPARE(uint8_t);
    case HD_I32:
        COMPARE(int32_t);
    case HD_U32:
        COMPARE(uint32_t);
    case HD_I64:
        COMPARE(int64_t);
    case HD_U64:
        COMPARE(uint64_t);
    case HD_F32:
        COMPARE(float);
    default:
        COMPARE(double);
    }
#undef COMPARE
}

static int ref_chosen(const unsigned char *x, size_t i, hd_type type, const hd_where *where,
                      const unsigned char *flags, int heads)
{
    const size_t size = hd_type_bytes(type);
    if (heads)
        return i == 0 || ref_compare(x + i * size, x + (i - 1) * size, type) != 0;
    if (where->kind == HD_WHERE_FLAGS)
        return flags[i] != 0;
    const int order = ref_compare(x + i * size, &where->value, type);
    return where->kind == HD_WHERE_LT   ? order == -1
           : where->kind == HD_WHERE_LE ? order == -1 || order == 0
           : where->kind == HD_WHERE_GT ? order == 1
           : where->kind == HD_WHERE_GE ? order == 1 || order == 0
           : where->kind == HD_WHERE_EQ ? order == 0
                                        : order != 0;
}

/* ---- one comparison -------------------------------------------------------------------------- */

typedef struct rig {
    hd_stream *stream;
    test_array in, flags, out, rejected, lengths, count;
    unsigned char *chosen, *others;
    uint64_t *starts;
} rig;

/* Room for n elements of `size` bytes. */
static void setup(rig *r, size_t n, size_t size, size_t shift)
{
    const size_t bytes = n * size;
    memset(r, 0, sizeof *r);
    REQUIRE(hd_stream_create(0, &r->stream) == HD_OK);
    test_array_make(&r->in, bytes, shift, r->stream);
    test_array_make(&r->flags, bytes, shift % 7, r->stream);
    test_array_make(&r->out, bytes, 8, r->stream);
    test_array_make(&r->rejected, bytes, 16, r->stream);
    test_array_make(&r->lengths, n * sizeof(uint64_t), 8, r->stream);
    test_array_make(&r->count, sizeof(uint64_t), 0, r->stream);
    r->chosen = malloc(bytes + 1);
    r->others = malloc(bytes + 1);
    r->starts = malloc((n + 2) * sizeof *r->starts);
    REQUIRE(r->chosen && r->others && r->starts);
}

static void teardown(rig *r)
{
    CHECK_STATUS(hd_stream_synchronize(r->stream), HD_OK);
    test_array_free(&r->in);
    test_array_free(&r->flags);
    test_array_free(&r->out);
    test_array_free(&r->rejected);
    test_array_free(&r->lengths);
    test_array_free(&r->count);
    free(r->chosen);
    free(r->others);
    free(r->starts);
    CHECK_STATUS(hd_stream_destroy(r->stream), HD_OK);
}

static hd_status call(rig *r, int mode, size_t n, hd_type type, const hd_where *where,
                      hd_type length_type, void *out, hd_workspace *workspace)
{
    uint64_t *count = (uint64_t *)(void *)r->count.device;
    switch (mode) {
    case SELECT:
        return hd_select(r->in.device, n, type, where, out, count, workspace, r->stream);
    case PARTITION:
        return hd_partition(r->in.device, n, type, where, out, r->rejected.device, count, workspace,
                            r->stream);
    case ONE_ARRAY:
        return hd_partition(r->in.device, n, type, where, out, NULL, count, workspace, r->stream);
    case UNIQUE:
        return hd_unique(r->in.device, n, type, out, count, workspace, r->stream);
    default:
        return hd_run_lengths(r->in.device, n, type, out, length_type, r->lengths.device, count,
                              workspace, r->stream);
    }
}

/* The lists that are expected; the number selected. */
static size_t reference(rig *r, int mode, size_t n, hd_type type, const hd_where *where)
{
    const size_t size = hd_type_bytes(type);
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        if (ref_chosen(r->in.host, i, type, where, r->flags.host, mode >= UNIQUE)) {
            r->starts[count] = i;
            memcpy(r->chosen + count++ * size, r->in.host + i * size, size);
        } else {
            memcpy(r->others + (i - count) * size, r->in.host + i * size, size);
        }
    }
    r->starts[count] = n;
    return count;
}

/* Nothing is written behind `bytes` bytes. */
static void check_rest(const char *what, const test_array *a, size_t bytes)
{
    for (size_t i = bytes; i < a->bytes && i < bytes + 64; i++)
        if (a->host[i] != ARRAY_POISON) {
            test_fail(__FILE__, __LINE__, "%s: byte %zu behind the last is written", what,
                      i - bytes);
            return;
        }
}

static void check_lengths(rig *r, const char *what, size_t count, hd_type length_type)
{
    size_t wrong = 0;
    test_array_download(&r->lengths, r->stream);
    for (size_t i = 0; i < count; i++) {
        uint64_t wide;
        uint32_t narrow;
        memcpy(&wide, r->lengths.host + 8 * i, 8);
        memcpy(&narrow, r->lengths.host + 4 * i, 4);
        const uint64_t got = length_type == HD_U64 ? wide : narrow;
        if (got != r->starts[i + 1] - r->starts[i] && wrong++ == 0)
            test_fail(__FILE__, __LINE__, "%s: run %zu has %" PRIu64 ", expected %" PRIu64, what, i,
                      got, r->starts[i + 1] - r->starts[i]);
    }
    check_rest(what, &r->lengths, count * hd_type_bytes(length_type));
}

static void compare_with(rig *r, int mode, size_t n, hd_type type, const hd_where *where,
                         hd_type length_type, hd_workspace *workspace)
{
    const size_t size = hd_type_bytes(type);
    const size_t count = reference(r, mode, n, type, where);
    char what[160];
    uint64_t got;
    snprintf(what, sizeof what, "%s of %zu %s, %s%s", mode_names[mode], n, hd_type_name(type),
             where ? hd_where_name(where->kind) : "heads", way_text[forced]);
    test_array_poison(&r->out, r->stream);
    test_array_poison(&r->rejected, r->stream);
    test_array_poison(&r->lengths, r->stream);
    test_array_poison(&r->count, r->stream);
    if (!CHECK_STATUS(call(r, mode, n, type, where, length_type, r->out.device, workspace), HD_OK))
        return;
    test_array_download(&r->count, r->stream);
    memcpy(&got, r->count.host, sizeof got);
    if (got != count) {
        test_fail(__FILE__, __LINE__, "%s: %" PRIu64 " selected, expected %zu", what, got, count);
        return;
    }
    test_array_download(&r->out, r->stream);
    test_array_download(&r->rejected, r->stream);
    CHECK_BITS(what, r->out.host, r->chosen, count, size);
    if (mode == PARTITION)
        CHECK_BITS(what, r->rejected.host, r->others, n - count, size);
    if (mode == ONE_ARRAY)
        CHECK_BITS(what, r->out.host + count * size, r->others, n - count, size);
    check_rest(what, &r->out, (mode == ONE_ARRAY ? n : count) * size);
    check_rest(what, &r->rejected, (mode == PARTITION ? n - count : 0) * size);
    if (mode == RUNS)
        check_lengths(r, what, count, length_type);
}

/* The element `index` as what the others are compared with. */
static hd_where where_of(hd_where_kind kind, const rig *r, hd_type type, size_t index)
{
    hd_where where;
    memset(&where, 0, sizeof where);
    where.kind = kind;
    where.flags = r->flags.device;
    memcpy(&where.value, r->in.host + index * hd_type_bytes(type), hd_type_bytes(type));
    return where;
}

static void compare(rig *r, int mode, size_t n, hd_type type, const hd_where *where)
{
    compare_with(r, mode, n, type, mode >= UNIQUE ? NULL : where, n % 2 ? HD_U32 : HD_U64, NULL);
}

/* Flags that are set in runs and alone. */
static void fill(rig *r, hd_type type, test_values values, uint64_t seed)
{
    test_array_fill(&r->in, type, values, seed, r->stream);
    for (size_t i = 0; i < r->flags.bytes; i++) {
        const uint64_t chance = test_next(&seed) % (i / 700 % 4 + 1);
        r->flags.host[i] = (unsigned char)(chance == 0 ? 0 : 1 << (i & 7));
    }
    test_array_upload(&r->flags, r->stream);
}

/* ---- sizes ----------------------------------------------------------------------------------- */

/* With a little more room than elements: every comparison fills and reads all of it. */
static void sizes_of(hd_type type, size_t first, size_t step)
{
    for (size_t i = first; i < test_size_count(); i += step) {
        rig r;
        setup(&r, test_sizes[i] + 100, hd_type_bytes(type), 16);
        fill(&r, type, VALUES_RANDOM, 9);
        const hd_where where = where_of(i % 2 ? HD_WHERE_LT : HD_WHERE_FLAGS, &r, type, 5);
        for (int mode = 0; mode < MODES; mode++)
            compare(&r, mode, test_sizes[i], type, &where);
        teardown(&r);
    }
}

TEST(sizes)
{
    sizes_of(HD_F32, 0, test_watched(1, 4));
    sizes_of(HD_U8, 0, test_watched(3, 9));
    sizes_of(HD_F64, 1, test_watched(3, 9));
}

TEST(sizes_in_blocks)
{
    for (int way = BLOCKS; way < WAYS; way++) {
        force(way);
        sizes_of(HD_F32, 0, test_watched(1, 5));
        sizes_of(HD_U8, 0, test_watched(2, 9));
        sizes_of(HD_I64, 1, test_watched(2, 9));
    }
    force(CHOSEN);
}

/* Just around tiles. */
TEST(tile_edges)
{
    int64_t warp = 0;
    REQUIRE(hd_device_get(0, HD_ATTR_WARP_SIZE, &warp) == HD_OK);
    for (int way = 0; way < WAYS; way++)
        for (size_t t = 0; t < TYPES; t += test_watched(2, 3)) {
            const unsigned threads = way == BLOCKS && HD__SELECT_ONCE_THREADS % warp == 0
                                         ? HD__SELECT_ONCE_THREADS
                                         : HD__SELECT_THREADS;
            const size_t tile = way != CHOSEN ? hd__select_tile(hd_type_bytes(types[t]), 0,
                                                                (unsigned)warp, threads)
                                              : HD__SELECT_SERIAL_TILE;
            rig r;
            force(way);
            setup(&r, 3 * tile + 1, hd_type_bytes(types[t]), 0);
            fill(&r, types[t], VALUES_SMALL, 3);
            const hd_where where = where_of(HD_WHERE_GE, &r, types[t], 0);
            for (size_t n = tile - 1; n <= 3 * tile + 1; n += n % tile == 1 ? tile - 2 : 1)
                for (int mode = 0; mode < MODES; mode += (int)test_watched(1, 2))
                    compare(&r, mode, n, types[t], &where);
            teardown(&r);
        }
    force(CHOSEN);
}

TEST(unaligned)
{
    for (int way = 0; way < WAYS; way++)
        for (size_t t = 0; t < TYPES; t++)
            for (size_t shift = 1; shift < 4; shift += test_watched(1, 2)) {
                rig r;
                force(way);
                setup(&r, 9000, hd_type_bytes(types[t]), shift * hd_type_bytes(types[t]));
                fill(&r, types[t], VALUES_SMALL, shift);
                const hd_where where = where_of(HD_WHERE_LE, &r, types[t], 77);
                for (int mode = 0; mode < MODES; mode++)
                    compare(&r, mode, 9000 - shift, types[t], &where);
                teardown(&r);
            }
    force(CHOSEN);
}

/* ---- values ---------------------------------------------------------------------------------- */

TEST(every_type_comparison_and_kind_of_value)
{
    const size_t n = test_watched(20011, 4200);
    for (int way = 0; way < WAYS; way++)
        for (size_t t = 0; t < TYPES; t++) {
            rig r;
            force(way);
            setup(&r, n, hd_type_bytes(types[t]), 0);
            for (int values = 0; values < VALUES_COUNT; values += (int)test_watched(1, 3)) {
                fill(&r, types[t], (test_values)values, 21);
                for (int kind = 0; kind < HD_WHERE_COUNT_; kind++) {
                    const hd_where where = where_of((hd_where_kind)kind, &r, types[t],
                                                    (size_t)(7 * kind));
                    compare(&r, kind % 2 ? PARTITION : SELECT, n, types[t], &where);
                }
                compare(&r, UNIQUE, n, types[t], NULL);
                compare(&r, RUNS, n, types[t], NULL);
            }
            teardown(&r);
        }
    force(CHOSEN);
}

/* NaN differs from itself, the zeros are equal, and what is compared with may be NaN. */
TEST(special_floats)
{
    static const float special[] = {NAN, NAN, 0.0f, -0.0f, 1.0f, NAN, -0.0f, INFINITY, INFINITY};
    const size_t n = sizeof special / sizeof *special;
    rig r;
    setup(&r, n, sizeof *special, 0);
    memcpy(r.in.host, special, sizeof special);
    test_array_upload(&r.in, r.stream);
    for (int way = 0; way < WAYS; way++)
        for (int kind = 0; kind < HD_WHERE_FLAGS; kind++)
            for (size_t i = 0; i < n; i++) {
                const hd_where where = where_of((hd_where_kind)kind, &r, HD_F32, i);
                force(way);
                compare(&r, SELECT, n, HD_F32, &where);
                compare(&r, RUNS, n, HD_F32, NULL);
            }
    force(CHOSEN);
    CHECK_EQ_SIZE(reference(&r, UNIQUE, n, HD_F32, NULL), 7);
    teardown(&r);
}

/* Runs longer than tiles, whose ends lie in tiles without a beginning. */
TEST(long_runs)
{
    const size_t n = test_watched(300007, 50007);
    for (int way = 0; way < WAYS; way++)
        for (size_t length = 1; length <= n; length = length * 5 + 3) {
            rig r;
            force(way);
            setup(&r, n, 4, 0);
            for (size_t i = 0; i < n; i++) {
                const uint32_t v = (uint32_t)(i / length);
                memcpy(r.in.host + 4 * i, &v, 4);
            }
            test_array_upload(&r.in, r.stream);
            compare(&r, RUNS, n, HD_U32, NULL);
            compare(&r, UNIQUE, n, HD_U32, NULL);
            hd__select_force_many = 1;
            compare(&r, RUNS, n, HD_U32, NULL);
            hd__select_force_many = 0;
            teardown(&r);
        }
    force(CHOSEN);
}

/* ---- in place, counting, workspaces ---------------------------------------------------------- */

TEST(in_place)
{
    const size_t n = test_watched(200003, 30011);
    for (int way = 0; way < WAYS; way++) {
        uint64_t got;
        rig r;
        force(way);
        setup(&r, n, 4, 4);
        fill(&r, HD_I32, VALUES_RANDOM, 13);
        const hd_where where = where_of(HD_WHERE_NE + (hd_where_kind)(way > 0), &r, HD_I32, 9);
        const size_t count = reference(&r, SELECT, n, HD_I32, &where);
        CHECK_STATUS(call(&r, SELECT, n, HD_I32, &where, HD_U64, r.in.device, NULL), HD_OK);
        test_array_download(&r.in, r.stream);
        test_array_download(&r.count, r.stream);
        memcpy(&got, r.count.host, sizeof got);
        CHECK_EQ_U64(got, count);
        CHECK_BITS("in place", r.in.host, r.chosen, count, 4);
        fill(&r, HD_I32, VALUES_RANDOM, 14);
        CHECK_STATUS(call(&r, SELECT, n, HD_I32, &where, HD_U64, NULL, NULL), HD_OK);
        test_array_download(&r.count, r.stream);
        memcpy(&got, r.count.host, sizeof got);
        CHECK_EQ_U64(got, reference(&r, SELECT, n, HD_I32, &where));
        teardown(&r);
    }
    force(CHOSEN);
}

/* One workspace for sizes that rise and fall, so that words of earlier launches lie about. */
TEST(workspace)
{
    static const size_t sizes[] = {100000, 5000, 90000, 100000, 1, 65537, 20000, 100000};
    for (int way = 0; way < WAYS; way++) {
        hd_workspace workspace = {NULL, 0, 0};
        size_t bytes = 0;
        rig r;
        force(way);
        setup(&r, 100000, 4, 0);
        fill(&r, HD_F32, VALUES_SMALL, 4);
        const hd_where where = where_of(HD_WHERE_LT, &r, HD_F32, 2);
        CHECK_STATUS(hd_select_workspace(100000, HD_F32, &bytes), HD_OK);
        REQUIRE(hd_alloc_bytes(&workspace.memory, bytes, 1, HD_MEM_DEVICE, 0) == HD_OK);
        CHECK_STATUS(hd_fill_bytes(workspace.memory, 0xff, 1, bytes, r.stream), HD_OK);
        workspace.bytes = bytes;
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i += test_watched(1, 2))
            for (int mode = 0; mode < MODES; mode++)
                compare_with(&r, mode, sizes[i], HD_F32, mode >= UNIQUE ? NULL : &where, HD_U64,
                             &workspace);
        workspace.bytes = 2048;
        CHECK_STATUS(call(&r, SELECT, 100000, HD_F32, &where, HD_U64, r.out.device, &workspace),
                     HD_ERR_WORKSPACE);
        CHECK_STATUS(hd_free(workspace.memory), HD_OK);
        teardown(&r);
    }
    force(CHOSEN);
}

/* ---- bad input ------------------------------------------------------------------------------- */

/* The last element, and the last flag, is not there. */
static void refuse_one_short(rig *r, uint64_t *count)
{
    hd_where where = {.kind = HD_WHERE_FLAGS};
    uint8_t *few = NULL, *enough = NULL;
    float *in = NULL;

    REQUIRE(hd_alloc(&few, 8, 0) == HD_OK);
    REQUIRE(hd_alloc(&enough, 9, 0) == HD_OK);
    REQUIRE(hd_alloc(&in, 8, 0) == HD_OK);
    CHECK_STATUS(hd_fill_zero(enough, 9, r->stream), HD_OK);
    where.flags = few;
    CHECK_STATUS(hd_select(r->in.device, 9, HD_F32, &where, r->out.device, count, NULL, r->stream),
                 HD_ERR_POINTER);
    where.flags = enough;
    CHECK_STATUS(hd_select(in, 9, HD_F32, &where, r->out.device, count, NULL, r->stream),
                 HD_ERR_POINTER);
    CHECK_STATUS(hd_select(r->in.device, 9, HD_F32, &where, r->out.device, count, NULL, r->stream),
                 HD_OK);
    CHECK_STATUS(hd_stream_synchronize(r->stream), HD_OK);
    CHECK_STATUS(hd_free(few), HD_OK);
    CHECK_STATUS(hd_free(enough), HD_OK);
    CHECK_STATUS(hd_free(in), HD_OK);
}

TEST(bad_input)
{
    size_t bytes;
    rig r;
    setup(&r, 1024, 4, 0);
    fill(&r, HD_F32, VALUES_SMALL, 1);
    hd_where where = where_of(HD_WHERE_LT, &r, HD_F32, 0);
    unsigned char *in = r.in.device, *out = r.out.device;
    uint64_t *count = (uint64_t *)(void *)r.count.device;
    CHECK_STATUS(hd_select(in, 9, HD_F32, &where, out, count, NULL, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_select(in, 9, HD_F32, NULL, out, count, NULL, r.stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_select(in, 9, HD_F32, &where, out, NULL, NULL, r.stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_select(NULL, 9, HD_F32, &where, out, count, NULL, r.stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_select(in, 9, HD_F16, &where, out, count, NULL, r.stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_select(in + 1, 9, HD_F32, &where, out, count, NULL, r.stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_select(in, 100, HD_F32, &where, in + 4, count, NULL, r.stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_select(in, 100, HD_F32, &where, in + 396, count, NULL, r.stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_select(in, 100, HD_F32, &where, in + 400, count, NULL, r.stream), HD_OK);
    CHECK_STATUS(hd_unique(in, 100, HD_F32, in, count, NULL, r.stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_unique(in, 100, HD_F32, NULL, count, NULL, r.stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_partition(in, 100, HD_F32, &where, out, out, count, NULL, r.stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_select(in, 9, HD_F32, &where, count, count, NULL, r.stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_select(in, 9, HD_F32, &where, (char *)count + 4, count, NULL, r.stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_partition(in, 9, HD_F32, &where, out, count, count, NULL, r.stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_partition(in, 9, HD_F32, &where, out, NULL, (uint64_t *)(void *)(out + 32),
                              NULL, r.stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_partition(in, 10, HD_F32, &where, out, NULL, (uint64_t *)(void *)(out + 40),
                              NULL, r.stream),
                 HD_OK);
    CHECK_STATUS(hd_run_lengths(in, 9, HD_F32, out, HD_U32, count, count, NULL, r.stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_partition(in, 1000, HD_F32, &where, out + 3096, NULL, count, NULL, r.stream),
                 HD_ERR_POINTER);
    CHECK_STATUS(
        hd_run_lengths(in, 9, HD_F32, out, HD_I32, r.lengths.device, count, NULL, r.stream),
        HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_run_lengths(in, (size_t)1 << 32, HD_F32, out, HD_U32, r.lengths.device, count,
                                NULL, r.stream),
                 HD_ERR_OVERFLOW);
    CHECK_STATUS(hd_run_lengths(in, UINT32_MAX, HD_F32, out, HD_U32, r.lengths.device, count, NULL,
                                r.stream),
                 HD_ERR_POINTER); /* which lengths of u32 can hold */
    CHECK_STATUS(hd_select(in, 2000, HD_F32, &where, out, count, NULL, r.stream), HD_ERR_POINTER);
    CHECK_STATUS(hd_select(in, SIZE_MAX / 2, HD_F32, &where, out, count, NULL, r.stream),
                 HD_ERR_OVERFLOW);
    refuse_one_short(&r, count);
    where.kind = HD_WHERE_COUNT_;
    CHECK_STATUS(hd_select(in, 9, HD_F32, &where, out, count, NULL, r.stream), HD_ERR_ARGUMENT);
    where.kind = HD_WHERE_FLAGS;
    where.flags = NULL;
    CHECK_STATUS(hd_select(in, 9, HD_F32, &where, out, count, NULL, r.stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_select_workspace(9, HD_I8, &bytes), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_select_workspace(9, HD_F32, NULL), HD_ERR_ARGUMENT);
    CHECK_EQ_STR(hd_where_name(HD_WHERE_FLAGS), "flags");
    teardown(&r);
}

TEST_MAIN
