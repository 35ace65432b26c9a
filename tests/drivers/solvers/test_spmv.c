/* SPDX-License-Identifier: Apache-2.0 */
/* labels: sanitizer lazy */
/* Products of sparse matrices: bits against a plain reference, for rows of every length around the
   edges of what is added how, both types and widths of offsets, and both ways that kernels run. */
#include "arrays.h"

#include <heddle/sparse.h>

#include "drivers/sparse/spmv_plan.h"

#include "devices.h"

/* A matrix on the host, and its arrays on the device. */
typedef struct rig {
    hd_csr host, device;
    int64_t *offsets64;
    int32_t *offsets32, *column;
    void *value, *x, *y;
    test_array on_offsets, on_column, on_value, on_x, on_y;
    hd_stream *stream;
} rig;

static double value_at(const rig *r, const void *values, size_t i)
{
    return r->host.type == HD_F32 ? (double)((const float *)values)[i]
                                  : ((const double *)values)[i];
}

/* Sums rounded to the matrix's type after every addition. */
static double rounded(const rig *r, double v)
{
    return r->host.type == HD_F32 ? (double)(float)v : v;
}

static double product(const rig *r, size_t i)
{
    return rounded(r, value_at(r, r->value, i) * value_at(r, r->x, (size_t)r->column[i]));
}

/* The n sums over values that come from `get`, then neighbours, 1, 2, 4, ... apart. */
static double sums_tree(const rig *r, double *sums, size_t n)
{
    for (size_t stride = 1; stride < n; stride *= 2)
        for (size_t c = 0; c < n; c += 2 * stride)
            sums[c] = rounded(r, sums[c] + sums[c + stride]);
    return sums[0];
}

static double slots_of_entries(const rig *r, size_t first, size_t end, size_t slots)
{
    double sums[256] = {0};

    for (size_t i = first; i < end; i++)
        sums[(i - first) % slots] = rounded(r, sums[(i - first) % slots] + product(r, i));
    return sums_tree(r, sums, slots);
}

/* As sparse.h says. */
static double reference(const rig *r, size_t first, size_t end)
{
    double sum = 0, sums[256] = {0};

    if (end - first <= 32) {
        for (size_t i = first; i < end; i++)
            sum = rounded(r, sum + product(r, i));
        return sum;
    }
    if (end - first <= 512)
        return slots_of_entries(r, first, end, 32);
    if (end - first <= 2048)
        return slots_of_entries(r, first, end, 256);
    for (size_t k = 0; first + k * 2048 < end; k++) {
        const size_t from = first + k * 2048, to = from + 2048 < end ? from + 2048 : end;
        sums[k % 256] = rounded(r, sums[k % 256] + slots_of_entries(r, from, to, 256));
    }
    return sums_tree(r, sums, 256);
}

static void to_device(test_array *a, const void *from, size_t bytes, hd_stream *stream)
{
    test_array_make(a, bytes, 0, stream);
    memcpy(a->host, from, bytes);
    test_array_upload(a, stream);
}

static void rig_free(rig *r)
{
    test_array_free(&r->on_offsets);
    test_array_free(&r->on_column);
    test_array_free(&r->on_value);
    test_array_free(&r->on_x);
    test_array_free(&r->on_y);
    free(r->offsets64);
    free(r->offsets32);
    free(r->column);
    free(r->value);
    free(r->x);
    free(r->y);
    CHECK_STATUS(hd_stream_destroy(r->stream), HD_OK);
}

static void rig_fill(rig *r, const size_t *lengths, uint64_t seed)
{
    r->offsets64[0] = 0;
    for (size_t i = 0; i < r->host.rows; i++)
        r->offsets64[i + 1] = r->offsets64[i] + (int64_t)lengths[i];
    for (size_t i = 0; i <= r->host.rows; i++)
        r->offsets32[i] = (int32_t)r->offsets64[i];
    for (size_t i = 0; i < r->host.entries; i++)
        r->column[i] = (int32_t)(test_next(&seed) % r->host.columns);
    test_fill(r->value, r->host.entries, r->host.type, VALUES_RANDOM, seed + 1);
    test_fill(r->x, r->host.columns, r->host.type, VALUES_RANDOM, seed + 2);
}

static void rig_upload(rig *r)
{
    const size_t element = hd_type_bytes(r->host.type);
    const void *offsets = r->host.offset_type == HD_I32 ? (void *)r->offsets32 : r->offsets64;

    to_device(&r->on_offsets, offsets, (r->host.rows + 1) * hd_type_bytes(r->host.offset_type),
              r->stream);
    to_device(&r->on_column, r->column, r->host.entries * 4, r->stream);
    to_device(&r->on_value, r->value, r->host.entries * element, r->stream);
    to_device(&r->on_x, r->x, r->host.columns * element, r->stream);
    test_array_make(&r->on_y, r->host.rows * element, 0, r->stream);
    r->host.offsets = offsets;
    r->host.column = r->column;
    r->host.value = r->value;
    r->device = r->host;
    r->device.offsets = r->on_offsets.device;
    r->device.column = (const int32_t *)(const void *)r->on_column.device;
    r->device.value = r->on_value.device;
}

static void rig_make(rig *r, const size_t *lengths, size_t rows, size_t columns, hd_type type,
                     hd_type offset_type, uint64_t seed)
{
    const size_t element = hd_type_bytes(type);

    memset(r, 0, sizeof *r);
    r->host.rows = rows;
    r->host.columns = columns;
    r->host.type = type;
    r->host.offset_type = offset_type;
    for (size_t i = 0; i < rows; i++)
        r->host.entries += lengths[i];
    r->offsets64 = calloc(rows + 1, sizeof *r->offsets64);
    r->offsets32 = calloc(rows + 1, sizeof *r->offsets32);
    r->column = calloc(r->host.entries + 1, sizeof *r->column);
    r->value = calloc(r->host.entries + 1, element);
    r->x = calloc(columns + 1, element);
    r->y = calloc(rows + 1, element);
    REQUIRE(hd_stream_create(0, &r->stream) == HD_OK);
    rig_fill(r, lengths, seed);
    rig_upload(r);
}

static void rig_expect(rig *r)
{
    for (size_t i = 0; i < r->host.rows; i++) {
        const double sum = reference(r, (size_t)r->offsets64[i], (size_t)r->offsets64[i + 1]);
        if (r->host.type == HD_F32)
            ((float *)r->y)[i] = (float)sum;
        else
            ((double *)r->y)[i] = sum;
    }
}

/* Twice: what a launch leaves behind must do for the next. */
static void check_lengths(const char *what, const size_t *lengths, size_t rows, size_t columns,
                          hd_type type, hd_type offset_type, uint64_t seed)
{
    hd_spmv_plan *plan = NULL;
    rig r;

    rig_make(&r, lengths, rows, columns, type, offset_type, seed);
    rig_expect(&r);
    CHECK_STATUS(hd_csr_check(&r.host), HD_OK);
    CHECK_STATUS(hd_spmv_plan_create(&r.device, r.stream, &plan), HD_OK);
    for (int turn = 0; turn < 4 && plan; turn++) {
        hd__spmv_forced.lanes = turn / 2;
        test_array_poison(&r.on_y, r.stream);
        CHECK_STATUS(hd_spmv(plan, r.on_x.device, r.on_y.device, r.stream), HD_OK);
        test_array_download(&r.on_y, r.stream);
        CHECK_BITS(what, r.on_y.host, r.y, rows, hd_type_bytes(type));
    }
    hd__spmv_forced.lanes = 0;
    CHECK_STATUS(hd_spmv_plan_destroy(plan), HD_OK);
    rig_free(&r);
}

static void check_kinds(const char *what, const size_t *lengths, size_t rows, size_t columns)
{
    check_lengths(what, lengths, rows, columns, HD_F64, HD_I32, 1);
    check_lengths(what, lengths, rows, columns, HD_F32, HD_I32, 2);
    check_lengths(what, lengths, rows, columns, HD_F32, HD_I64, 3);
    check_lengths(what, lengths, rows, columns, HD_F64, HD_I64, 4);
}

/* Every length around an edge, in the middle of others. */
TEST(lengths)
{
    static const size_t lengths[] = {0,   1,    2, 5,   31,   32,   33,   64,   5,    511,  512,
                                     513, 0,    3, 600, 2047, 2048, 2049, 1,    4096, 4097, 0,
                                     0,   6145, 7, 32,  33,   1000, 2100, 2050, 2049, 9};

    check_kinds("lengths", lengths, sizeof lengths / sizeof *lengths, 1000);
}

/* One row, alone, of every length about a chunk and a piece: where a piece begins at the last place
   of a chunk, or a row takes many chunks. */
TEST(one_row)
{
    static const size_t lengths[] = {0,    1,    32,   33,   2046, 2047, 2048,  2049,
                                     4094, 4095, 4096, 4097, 6143, 6144, 40000, 524289};

    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        if (lengths[i] < test_watched(SIZE_MAX, 10000))
            check_lengths("one row", lengths + i, 1, 777, HD_F64, HD_I32, i + 1);
}

TEST(empty)
{
    size_t lengths[5000] = {0};

    check_kinds("empty rows", lengths, 5000, 3);
    check_kinds("no rows", lengths, 0, 3);
    lengths[4999] = 3;
    lengths[2100] = 40;
    check_kinds("few rows", lengths, 5000, 3);
}

/* Rows of all kinds in random order, so that pieces begin everywhere in chunks. */
TEST(mixed)
{
    static const size_t bounds[] = {4, 4, 8, 40, 40, 600, 2100, 9000};
    const size_t rounds = test_watched(12, 2);
    size_t lengths[200];

    for (size_t round = 0; round < rounds; round++) {
        uint64_t seed = round + 1;
        for (size_t i = 0; i < 200; i++) {
            const size_t bound = bounds[test_next(&seed) % (round % 2 ? 8 : 6)];
            lengths[i] = (size_t)(test_next(&seed) % bound);
        }
        check_lengths("mixed", lengths, 200, 5000, round % 3 ? HD_F64 : HD_F32,
                      round % 2 ? HD_I64 : HD_I32, round + 1);
    }
}

/* What stencils give: 5, 7 and 27 entries. */
TEST(regular)
{
    static const size_t per_row[] = {1, 5, 7, 16, 27, 32};
    size_t *lengths = calloc(20000, sizeof *lengths);
    const size_t rows = test_watched(20000, 1000);

    REQUIRE(lengths != NULL);
    for (size_t k = 0; k < sizeof per_row / sizeof *per_row; k++) {
        for (size_t i = 0; i < rows; i++)
            lengths[i] = per_row[k];
        check_lengths("regular", lengths, rows, rows, k % 2 ? HD_F64 : HD_F32, HD_I32, k + 1);
    }
    free(lengths);
}

/* A plan that was made on one stream is ready for all. */
TEST(another_stream)
{
    static const size_t lengths[] = {3, 40, 0, 700, 2500, 1};
    hd_spmv_plan *plan = NULL;
    hd_stream *made_on;
    rig r;

    rig_make(&r, lengths, 6, 50, HD_F64, HD_I32, 8);
    rig_expect(&r);
    REQUIRE(hd_stream_create_with(0, HD_STREAM_NON_BLOCKING, 0, &made_on) == HD_OK);
    CHECK_STATUS(hd_stream_synchronize(r.stream), HD_OK);
    CHECK_STATUS(hd_spmv_plan_create(&r.device, made_on, &plan), HD_OK);
    CHECK_STATUS(hd_spmv(plan, r.on_x.device, r.on_y.device, r.stream), HD_OK);
    test_array_download(&r.on_y, r.stream);
    CHECK_BITS("another stream", r.on_y.host, r.y, 6, 8);
    CHECK_STATUS(hd_spmv_plan_destroy(plan), HD_OK);
    CHECK_STATUS(hd_stream_destroy(made_on), HD_OK);
    rig_free(&r);
}

/* Rows elsewhere in y, as drivers with parts of a matrix have them. */
TEST(placed)
{
    static const size_t lengths[] = {3, 40, 0, 700, 2500, 1};
    static const int32_t places[] = {8, 2, 0, 9, 5, 3};
    double expected[10];
    hd_spmv_plan *plan = NULL;
    test_array where;
    rig r;

    rig_make(&r, lengths, 6, 50, HD_F64, HD_I32, 7);
    rig_expect(&r);
    to_device(&where, places, sizeof places, r.stream);
    test_array_free(&r.on_y);
    test_array_make(&r.on_y, sizeof expected, 0, r.stream);
    memset(expected, ARRAY_POISON, sizeof expected);
    for (int i = 0; i < 6; i++)
        expected[places[i]] = ((double *)r.y)[i];
    CHECK_STATUS(hd__spmv_plan_make("test", &r.device, (const int32_t *)(void *)where.device, 10,
                                    r.stream, &plan),
                 HD_OK);
    CHECK_STATUS(hd_spmv(plan, r.on_x.device, r.on_y.device, r.stream), HD_OK);
    test_array_download(&r.on_y, r.stream);
    CHECK_BITS("placed", r.on_y.host, expected, 10, 8);
    CHECK_STATUS(hd_spmv_plan_destroy(plan), HD_OK);
    test_array_free(&where);
    rig_free(&r);
}

/* The last element of x, and of y, is not there. */
static void refuse_one_short(hd_spmv_plan *plan, rig *r)
{
    double *x = NULL, *y = NULL;

    REQUIRE(hd_alloc(&x, r->device.columns - 1, 0) == HD_OK);
    REQUIRE(hd_alloc(&y, r->device.rows - 1, 0) == HD_OK);
    CHECK_STATUS(hd_spmv(plan, x, r->on_y.device, r->stream), HD_ERR_POINTER);
    CHECK_STATUS(hd_spmv(plan, r->on_x.device, y, r->stream), HD_ERR_POINTER);
    CHECK_STATUS(hd_free(x), HD_OK);
    CHECK_STATUS(hd_free(y), HD_OK);
}

TEST(a_plan_gives_its_memory_back)
{
    static const size_t lengths[] = {3, 4000, 0, 7};
    hd_spmv_plan *plan = NULL;
    size_t before;
    rig r;

    if (!test_own_devices(1))
        SKIP("the device is not ours alone");
    rig_make(&r, lengths, 4, 50, HD_F64, HD_I32, 7);
    before = test_free_bytes(0);
    REQUIRE(hd_spmv_plan_create(&r.device, r.stream, &plan) == HD_OK);
    CHECK(test_free_bytes(0) < before);
    CHECK_STATUS(hd_spmv_plan_destroy(plan), HD_OK);
    CHECK_EQ_SIZE(test_free_bytes(0), before);
    rig_free(&r);
}

TEST(refused)
{
    static const size_t lengths[] = {3, 4};
    hd_spmv_plan *plan = NULL;
    hd_stream *elsewhere = NULL;
    int count = 0;
    hd_csr bad;
    rig r;

    rig_make(&r, lengths, 2, 5, HD_F64, HD_I32, 1);
    bad = r.device;
    bad.type = HD_I32;
    CHECK_STATUS(hd_spmv_plan_create(&bad, r.stream, &plan), HD_ERR_ARGUMENT);
    bad = r.device;
    bad.offset_type = HD_U32;
    CHECK_STATUS(hd_spmv_plan_create(&bad, r.stream, &plan), HD_ERR_ARGUMENT);
    bad = r.device;
    bad.entries = (size_t)1 << 31;
    CHECK_STATUS(hd_spmv_plan_create(&bad, r.stream, &plan), HD_ERR_OVERFLOW);
    bad = r.device;
    bad.column = r.column;
    CHECK_STATUS(hd_spmv_plan_create(&bad, r.stream, &plan), HD_ERR_POINTER);
    CHECK_STATUS(hd_spmv_plan_create(NULL, r.stream, &plan), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_spmv_plan_create(&r.device, NULL, &plan), HD_ERR_ARGUMENT);
    CHECK(plan == NULL);
    r.column[4] = 5;
    CHECK_STATUS(hd_csr_check(&r.host), HD_ERR_ARGUMENT);
    CHECK(strstr(hd_error_last()->message, "row 1 has column 5 of 5") != NULL);
    r.column[4] = 0;
    r.offsets32[1] = 9;
    CHECK_STATUS(hd_csr_check(&r.host), HD_ERR_ARGUMENT);
    REQUIRE(hd_spmv_plan_create(&r.device, r.stream, &plan) == HD_OK);
    CHECK_STATUS(hd_spmv(plan, r.on_x.device, NULL, r.stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_spmv(plan, r.x, r.on_y.device, r.stream), HD_ERR_POINTER);
    refuse_one_short(plan, &r);
    CHECK_STATUS(hd_spmv(NULL, r.on_x.device, r.on_y.device, r.stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_device_count(&count), HD_OK);
    if (count > 1) {
        REQUIRE(hd_stream_create(1, &elsewhere) == HD_OK);
        CHECK_STATUS(hd_spmv(plan, r.on_x.device, r.on_y.device, elsewhere), HD_ERR_ARGUMENT);
        CHECK_STATUS(hd_stream_destroy(elsewhere), HD_OK);
    }
    CHECK_STATUS(hd_spmv_plan_destroy(plan), HD_OK);
    CHECK_STATUS(hd_spmv_plan_destroy(NULL), HD_OK);
    rig_free(&r);
}

TEST_MAIN
