/* SPDX-License-Identifier: Apache-2.0 */
/* labels: worker small
   test_sort.c - hd_sort_keys and hd_sort_pairs against qsort of keys with their places, as bits:
   every type and value, sizes around every edge, adversarial keys, bit ranges, both directions, in
   place, parts, launch shapes, bad input. */
#include "arrays.h"

#include <heddle/sort.h>

#include "drivers/sort/plan.h"

static const hd_type types[] = {HD_U32, HD_I32, HD_F32, HD_U64, HD_I64, HD_F64};
enum { TYPES = sizeof types / sizeof *types };

typedef struct rig {
    hd_stream *stream;
    test_array keys, values, keys_out, values_out;
} rig;

static void setup(rig *r, size_t most)
{
    memset(r, 0, sizeof *r);
    REQUIRE(hd_stream_create(0, &r->stream) == HD_OK);
    test_array_make(&r->keys, 8 * most, 8, r->stream);
    test_array_make(&r->values, 8 * most, 8, r->stream);
    test_array_make(&r->keys_out, 8 * most, 8, r->stream);
    test_array_make(&r->values_out, 8 * most, 8, r->stream);
}

static void teardown(rig *r)
{
    test_array_free(&r->keys);
    test_array_free(&r->values);
    test_array_free(&r->keys_out);
    test_array_free(&r->values_out);
    CHECK_STATUS(hd_stream_destroy(r->stream), HD_OK);
}

/* ---- the reference --------------------------------------------------------------------------- */

typedef struct item {
    uint64_t key; /* sign extended, or the bits */
    size_t place;
} item;

static hd_type compared_type;
static int compared_down;
static unsigned compared_first, compared_end;

/* Sign and magnitude: of two negative ones the larger magnitude comes first. */
static int compare_floats(uint64_t a, uint64_t b, unsigned bits)
{
    const uint64_t a_sign = a >> (bits - 1), b_sign = b >> (bits - 1);
    if (a_sign != b_sign)
        return a_sign ? -1 : 1;
    return a == b ? 0 : (a < b) != (a_sign != 0) ? -1 : 1;
}

static int compare_part(uint64_t a, uint64_t b)
{
    const uint64_t width = compared_end - compared_first;
    const uint64_t mask = width < 64 ? ((uint64_t)1 << width) - 1 : UINT64_MAX;
    a = a >> compared_first & mask;
    b = b >> compared_first & mask;
    return a < b ? -1 : a > b;
}

static int compare(const void *left, const void *right)
{
    const item *a = left, *b = right;
    const unsigned bits = 8 * (unsigned)hd_type_bytes(compared_type);
    int order;
    if (compared_end != 0)
        order = compare_part(a->key, b->key);
    else if (compared_type == HD_F32 || compared_type == HD_F64)
        order = compare_floats(a->key, b->key, bits);
    else if (compared_type == HD_I32 || compared_type == HD_I64)
        order = (int64_t)a->key < (int64_t)b->key ? -1 : a->key != b->key;
    else
        order = a->key < b->key ? -1 : a->key > b->key;
    if (order == 0)
        return a->place < b->place ? -1 : 1;
    return compared_down ? -order : order;
}

static uint64_t key_at(const unsigned char *keys, hd_type type, size_t i)
{
    const size_t size = hd_type_bytes(type);
    uint64_t key = 0;
    memcpy(&key, keys + i * size, size);
    return type == HD_I32 ? (uint64_t)(int64_t)(int32_t)(uint32_t)key : key;
}

static item *reference(const unsigned char *keys, hd_type type, size_t n,
                       const hd_sort_options *options)
{
    item *items = malloc((n + 1) * sizeof *items);
    for (size_t i = 0; items && i < n; i++) {
        items[i].key = key_at(keys, type, i);
        items[i].place = i;
    }
    compared_type = type;
    compared_down = options ? options->descending : 0;
    compared_first = options ? options->first_bit : 0;
    compared_end = options ? options->end_bit : 0;
    if (items)
        qsort(items, n, sizeof *items, compare);
    return items;
}

/* ---- checks ---------------------------------------------------------------------------------- */

/* What came out at *a are the elements of `from` in the order of the items. */
static void expect(rig *r, const item *items, const unsigned char *from, size_t n, size_t size,
                   test_array *a, const char *what)
{
    unsigned char *sorted = malloc(size * n + 1);
    REQUIRE(sorted != NULL);
    for (size_t i = 0; i < n; i++)
        memcpy(sorted + i * size, from + items[i].place * size, size);
    if (test_array_download(a, r->stream))
        CHECK_BITS(what, a->host, sorted, n, size);
    free(sorted);
}

static hd_status sort(rig *r, hd_type type, size_t n, size_t value_bytes,
                      const hd_sort_options *options, test_array *keys, test_array *values)
{
    return value_bytes
               ? hd_sort_pairs(r->keys.device, r->values.device, keys->device, values->device, n,
                               type, value_bytes, options, NULL, r->stream)
               : hd_sort_keys(r->keys.device, keys->device, n, type, options, NULL, r->stream);
}

/* The keys that r->keys.host holds, into other memory and in place. */
static void check_sort(rig *r, hd_type type, size_t n, size_t value_bytes,
                       const hd_sort_options *options, int in_place)
{
    item *items = reference(r->keys.host, type, n, options);
    char what[80];
    snprintf(what, sizeof what, "%zu %s, values of %zu%s%s", n, hd_type_name(type), value_bytes,
             options && options->descending ? ", descending" : "", in_place ? ", in place" : "");
    REQUIRE(items != NULL);
    test_fill(r->values.host, n, value_bytes == 8 ? HD_U64 : HD_U32, VALUES_RANDOM, n + 1);
    test_array_upload(&r->keys, r->stream);
    test_array_upload(&r->values, r->stream);
    test_array_poison(&r->keys_out, r->stream);
    test_array_poison(&r->values_out, r->stream);
    test_array *keys = in_place ? &r->keys : &r->keys_out;
    test_array *values = in_place ? &r->values : &r->values_out;
    if (CHECK_STATUS(sort(r, type, n, value_bytes, options, keys, values), HD_OK)) {
        expect(r, items, r->keys.host, n, hd_type_bytes(type), keys, what);
        if (value_bytes)
            expect(r, items, r->values.host, n, value_bytes, values, what);
    }
    free(items);
}

static void check_kind(rig *r, hd_type type, size_t n, test_values kind, size_t value_bytes)
{
    const hd_sort_options down = {1, 0, 0};
    test_fill(r->keys.host, n, type, kind, n + (size_t)type);
    check_sort(r, type, n, value_bytes, n % 2 ? &down : NULL, n % 3 == 0);
}

static const size_t value_sizes[] = {0, 4, 8};

/* Every type with every kind of values, for a few sizes. */
static void check_matrix(rig *r, const size_t *sizes, size_t count)
{
    for (size_t t = 0; t < TYPES; t++)
        for (size_t v = 0; v < 3; v++)
            for (size_t i = 0; i < count; i++)
                check_kind(r, types[t], sizes[i], i % 2 ? VALUES_SMALL : VALUES_SPECIAL,
                           value_sizes[v]);
}

TEST(sizes)
{
    size_t most = 20000;
    rig r;
    setup(&r, most);
    for (size_t i = 0; i < test_size_count(); i++) {
        if (test_sizes[i] > most) {
            teardown(&r);
            setup(&r, most = test_sizes[i]);
        }
        check_kind(&r, types[i % TYPES], test_sizes[i], VALUES_RANDOM, value_sizes[i / 2 % 3]);
    }
    teardown(&r);
}

TEST(types_and_values)
{
    const size_t sizes[] = {1, 100, 5001, test_watched(70001, 20001)};
    rig r;
    setup(&r, 70001);
    check_matrix(&r, sizes, test_watched(4, 3));
    teardown(&r);
}

TEST(every_kind_of_keys)
{
    rig r;
    setup(&r, 20000 + VALUES_COUNT);
    for (size_t t = 0; t < TYPES; t++)
        for (int kind = 0; kind < VALUES_COUNT; kind++)
            check_kind(&r, types[t], test_watched(20000, 6000) + (size_t)kind, (test_values)kind,
                       4);
    teardown(&r);
}

TEST(ranges_of_bits)
{
    static const unsigned ranges[][2] = {{0, 8}, {3, 14}, {5, 6}, {12, 29}, {24, 32}, {7, 7}};
    rig r;
    setup(&r, 70000);
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        const hd_sort_options options = {(int)(i % 2), ranges[i][0], ranges[i][1]};
        for (int in_place = 0; in_place < 2; in_place++) {
            const size_t n = in_place ? 3000 : test_watched(70000, 9000);
            test_fill(r.keys.host, n, HD_U32, VALUES_RANDOM, i);
            check_sort(&r, HD_U32, n, 4, &options, in_place);
            test_fill(r.keys.host, n, HD_U64, VALUES_RANDOM, i);
            check_sort(&r, HD_U64, n, 0, &options, in_place);
        }
    }
    teardown(&r);
}

/* Kernels of blocks with threads, also where the driver would take others; both ways for few keys;
   parts of one and of two tiles. */
TEST(launch_shapes)
{
    const size_t few[] = {1, 63, 4096, 4095}, some[] = {0, 5, 9001, 40000};
    rig r;
    setup(&r, 200000);
    hd__sort_force_threads = 1;
    check_matrix(&r, few, test_watched(4, 2));
    hd__sort_force_passes = 1;
    check_matrix(&r, some, test_watched(4, 3));
    for (hd__sort_force_part = 1; hd__sort_force_part < 3; hd__sort_force_part++) {
        check_kind(&r, HD_U32, test_watched(60000, 20000), VALUES_RANDOM, 4);
        check_kind(&r, HD_F64, test_watched(30001, 10001), VALUES_RANDOM, 0);
    }
    hd__sort_force_threads = 0;
    hd__sort_force_part = 1;
    check_kind(&r, HD_I32, test_watched(200000, 70000), VALUES_RANDOM, 8);
    hd__sort_force_passes = hd__sort_force_part = 0;
    teardown(&r);
}

/* Few keys, as devices sort them: numbers of warps that are and are no power of two, one run and
   several, a last one that is full or has one key; codes that are keys, with their places in one
   word, and beside them. */
TEST(few_keys)
{
    static const size_t sizes[] = {2,    255,  257,  513,  770,  1024, 1025, 1537,
                                   2048, 3583, 4096, 4097, 5121, 8192, 8193};
    static const unsigned ranges[][2] = {{0, 32}, {31, 32}, {1, 31}, {0, 53},
                                         {9, 63}, {9, 64},  {12, 64}};
    enum { SIZES = sizeof sizes / sizeof *sizes, RANGES = sizeof ranges / sizeof *ranges };
    size_t turn = 0;
    rig r;
    setup(&r, 8193);
    hd__sort_force_threads = 1;
    for (size_t t = 0; t < TYPES; t++)
        for (size_t v = 0; v < 3; v++)
            for (int kind = 0; kind < VALUES_COUNT; kind += (int)test_watched(1, 5))
                check_kind(&r, types[t], sizes[turn++ % SIZES], (test_values)kind, value_sizes[v]);
    for (size_t v = 0; v < 3; v++)
        for (size_t i = 0; i < RANGES; i++) {
            const hd_sort_options options = {(int)((i + v) % 2), ranges[i][0], ranges[i][1]};
            const hd_type type = ranges[i][1] > 32 ? HD_U64 : HD_U32;
            const size_t n[] = {sizes[turn++ % SIZES], 1537};
            hd__sort_force_team = 1u << turn % 4;
            for (size_t k = 0; k < 2; k++) {
                test_fill(r.keys.host, n[k], type, VALUES_RANDOM, turn);
                check_sort(&r, type, n[k], value_sizes[v], &options, (int)(turn % 2));
            }
        }
    hd__sort_force_threads = hd__sort_force_team = 0;
    teardown(&r);
}

/* As many keys as a block may have in shared memory, on devices that allow 128 KB, and one more. */
TEST(where_comparing_ends)
{
    static const struct {
        hd_type type;
        size_t n;
    } ends[] = {{HD_U64, 16384}, {HD_U64, 16385}, {HD_U32, 32768}, {HD_U32, 32769}};
    rig r;
    setup(&r, 32769);
    hd__sort_force_threads = 1;
    for (size_t i = 0; i < test_watched(4, 2); i++)
        for (size_t v = 0; v < 3; v++)
            check_kind(&r, ends[i].type, ends[i].n, v ? VALUES_RANDOM : VALUES_SMALL,
                       value_sizes[v]);
    hd__sort_force_threads = 0;
    teardown(&r);
}

/* Equal digits in all, some or none of a warp's keys. */
TEST(kinds_in_blocks)
{
    rig r;
    setup(&r, 15001);
    hd__sort_force_threads = hd__sort_force_passes = 1;
    for (size_t t = 0; t < TYPES; t += test_watched(1, 2))
        for (int kind = 0; kind < VALUES_COUNT; kind++)
            check_kind(&r, types[t], 15001, (test_values)kind, kind % 2 ? 4 : 0);
    hd__sort_force_threads = hd__sort_force_passes = 0;
    teardown(&r);
}

/* Used, left alone by others, used again; other kernels use the stream's scratch in between. */
TEST(workspace)
{
    enum { N = 9000 };
    hd_workspace workspace = {0};
    size_t bytes = 1;
    rig r;
    item *items;
    setup(&r, N);
    hd__sort_force_threads = hd__sort_force_passes = 1;
    CHECK_STATUS(hd_sort_workspace(N, HD_U32, 0, &bytes), HD_OK);
    REQUIRE(hd_alloc_bytes(&workspace.memory, bytes, 1, HD_MEM_DEVICE, 0) == HD_OK);
    test_fill(r.keys.host, N, HD_U32, VALUES_RANDOM, 3);
    items = reference(r.keys.host, HD_U32, N, NULL);
    test_array_upload(&r.keys, r.stream);
    for (int turn = 0; turn < 3; turn++) {
        workspace.bytes = bytes - 1;
        CHECK_STATUS(
            hd_sort_keys(r.keys.device, r.keys_out.device, N, HD_U32, NULL, &workspace, r.stream),
            HD_ERR_WORKSPACE);
        workspace.bytes = bytes;
        test_array_poison(&r.keys_out, r.stream);
        CHECK_STATUS(
            hd_sort_keys(r.keys.device, r.keys_out.device, N, HD_U32, NULL, &workspace, r.stream),
            HD_OK);
        expect(&r, items, r.keys.host, N, 4, &r.keys_out, "workspace");
    }
    hd__sort_force_threads = hd__sort_force_passes = 0;
    CHECK_STATUS(hd_free(workspace.memory), HD_OK);
    free(items);
    teardown(&r);
}

TEST(bad_input)
{
    const hd_sort_options beyond = {0, 0, 33}, backwards = {0, 9, 8};
    size_t bytes;
    rig r;
    setup(&r, 100);
    unsigned char *in = r.keys.device, *out = r.keys_out.device;
    unsigned char *values = r.values.device, *values_out = r.values_out.device;
#define KEYS(status, ...) CHECK_STATUS(hd_sort_keys(__VA_ARGS__), status)
    KEYS(HD_OK, NULL, NULL, 0, HD_U32, NULL, NULL, r.stream);
    KEYS(HD_ERR_ARGUMENT, in, out, 9, HD_U32, NULL, NULL, NULL);
    KEYS(HD_ERR_ARGUMENT, NULL, out, 9, HD_U32, NULL, NULL, r.stream);
    KEYS(HD_ERR_ARGUMENT, in, NULL, 9, HD_U32, NULL, NULL, r.stream);
    KEYS(HD_ERR_ARGUMENT, in, out, 9, (hd_type)77, NULL, NULL, r.stream);
    KEYS(HD_ERR_UNSUPPORTED, in, out, 9, HD_F16, NULL, NULL, r.stream);
    KEYS(HD_ERR_ARGUMENT, in, out, 9, HD_U32, &beyond, NULL, r.stream);
    KEYS(HD_ERR_ARGUMENT, in, out, 9, HD_U32, &backwards, NULL, r.stream);
    KEYS(HD_ERR_ARGUMENT, in + 2, out, 9, HD_U32, NULL, NULL, r.stream);
    KEYS(HD_ERR_ARGUMENT, in, in + 32, 9, HD_U32, NULL, NULL, r.stream);
    KEYS(HD_ERR_ARGUMENT, in + 32, in, 9, HD_U32, NULL, NULL, r.stream);
    KEYS(HD_OK, in, in + 36, 9, HD_U32, NULL, NULL, r.stream);
    KEYS(HD_OK, in + 36, in, 9, HD_U32, NULL, NULL, r.stream);
    KEYS(HD_ERR_OVERFLOW, in, out, SIZE_MAX / 4, HD_U32, NULL, NULL, r.stream);
    KEYS(HD_ERR_POINTER, in, out, 1 << 20, HD_U32, NULL, NULL, r.stream);
    KEYS(HD_ERR_POINTER, r.keys.host, out, 9, HD_U32, NULL, NULL, r.stream);
#undef KEYS
#define PAIRS(status, ...) CHECK_STATUS(hd_sort_pairs(__VA_ARGS__), status)
    PAIRS(HD_ERR_ARGUMENT, in, values, out, values_out, 9, HD_U32, 2, NULL, NULL, r.stream);
    PAIRS(HD_ERR_ARGUMENT, in, values, out, values_out, 9, HD_U32, 0, NULL, NULL, r.stream);
    PAIRS(HD_ERR_ARGUMENT, in, values, out, out, 9, HD_U32, 4, NULL, NULL, r.stream);
    PAIRS(HD_ERR_ARGUMENT, in, values, values, values_out, 9, HD_U32, 4, NULL, NULL, r.stream);
    PAIRS(HD_ERR_ARGUMENT, in, in, in, values_out, 9, HD_U32, 4, NULL, NULL, r.stream);
    PAIRS(HD_OK, in, in, out, values_out, 9, HD_U32, 4, NULL, NULL, r.stream);
    PAIRS(HD_ERR_ARGUMENT, in, in, out, out, 9, HD_U32, 4, NULL, NULL, r.stream);
    PAIRS(HD_ERR_ARGUMENT, in, in, out, out + 32, 9, HD_U32, 4, NULL, NULL, r.stream);
    PAIRS(HD_ERR_ARGUMENT, in, in + 32, out, in, 9, HD_U32, 4, NULL, NULL, r.stream);
    PAIRS(HD_ERR_ARGUMENT, in, in + 32, in + 64, out, 9, HD_U32, 4, NULL, NULL, r.stream);
#undef PAIRS
    CHECK_STATUS(hd_sort_workspace(9, HD_U32, 0, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_sort_workspace(9, HD_U32, 5, &bytes), HD_ERR_ARGUMENT);
    teardown(&r);
}

TEST_MAIN
