/* SPDX-License-Identifier: Apache-2.0 */
/* test_vector.c - vectors element by element against arithmetic of single numbers, by functions and
   (if the kernels are compiled as C++) by operators; sizes, alignments and places of members. */
#include <math.h>

#include "rig.h"
#include "vector_kernels.h"

enum { N = 700, ELEMENTS_MAX = 4 };
enum kind {
    IS_float,
    IS_double,
    IS_int8_t,
    IS_uint8_t,
    IS_int16_t,
    IS_uint16_t,
    IS_int32_t,
    IS_uint32_t,
    IS_int64_t,
    IS_uint64_t
};

typedef struct vector_type {
    const char *name;
    enum kind kind, sum_kind;
    unsigned elements;
    size_t size, sum_size; /* of an element, of a sum */
    hd_status (*run)(hd_launch_config, const void *, const void *, void *, void *);
} vector_type;

#define LAUNCHER(V, element, elements, sum, alignment)                                             \
    static hd_status run_##V(hd_launch_config c, const void *a, const void *b, void *out,          \
                             void *numbers)                                                        \
    {                                                                                              \
        return hd_launch(vector_##V, c, (size_t)N, (const hd_##V *)a, (const hd_##V *)b,           \
                         (hd_##V *)out, (sum *)numbers);                                           \
    }
VECTOR_LIST(LAUNCHER)
#define ROW(V, element, elements, sum, alignment)                                                  \
    {#V, IS_##element, IS_##sum, elements, sizeof(element), sizeof(sum), run_##V},
static const vector_type types[] = {VECTOR_LIST(ROW)};

/* One number of any kind: integers in `whole` (wrapped to 64 bits), others in `real`. */
typedef struct number {
    uint64_t whole;
    double real;
} number;

#define LOAD(type, field)                                                                          \
    case IS_##type: {                                                                              \
        type v;                                                                                    \
        memcpy(&v, (const char *)from + i * sizeof v, sizeof v);                                   \
        x.field = (__typeof__(x.field))v;                                                          \
        break;                                                                                     \
    }
static number load(enum kind kind, const void *from, size_t i)
{
    number x = {0, 0};

    switch (kind) {
        LOAD(float, real)
        LOAD(double, real)
        LOAD(int8_t, whole)
        LOAD(uint8_t, whole)
        LOAD(int16_t, whole)
        LOAD(uint16_t, whole)
        LOAD(int32_t, whole)
        LOAD(uint32_t, whole)
        LOAD(int64_t, whole)
        LOAD(uint64_t, whole)
    }
    return x;
}

static int is_real(enum kind kind)
{
    return kind == IS_float || kind == IS_double;
}

static int is_signed(enum kind kind)
{
    return kind == IS_int8_t || kind == IS_int16_t || kind == IS_int32_t || kind == IS_int64_t;
}

/* Stores x as a number of the kind: integers modulo 2^bits. */
#define STORE(type, field)                                                                         \
    case IS_##type: {                                                                              \
        type v = (type)x.field;                                                                    \
        memcpy(to, &v, sizeof v);                                                                  \
        break;                                                                                     \
    }
static void store(enum kind kind, void *to, number x)
{
    switch (kind) {
        STORE(float, real)
        STORE(double, real)
        STORE(int8_t, whole)
        STORE(uint8_t, whole)
        STORE(int16_t, whole)
        STORE(uint16_t, whole)
        STORE(int32_t, whole)
        STORE(uint32_t, whole)
        STORE(int64_t, whole)
        STORE(uint64_t, whole)
    }
}

/* Sums, differences, products and quotients of binary32 numbers, rounded to binary64 first and then
   to binary32, are correctly rounded (53 >= 2 * 24 + 2); fma is computed as float. */
static number rounded(enum kind kind, double real)
{
    number x = {0, kind == IS_float ? (double)(float)real : real};

    return x;
}

static number whole(uint64_t value)
{
    number x = {value, 0};

    return x;
}

static number add(enum kind kind, number a, number b)
{
    return is_real(kind) ? rounded(kind, a.real + b.real) : whole(a.whole + b.whole);
}

static number multiply(enum kind kind, number a, number b)
{
    return is_real(kind) ? rounded(kind, a.real * b.real) : whole(a.whole * b.whole);
}

static number negate(enum kind kind, number a)
{
    return is_real(kind) ? rounded(kind, -a.real) : whole(0 - a.whole);
}

static number divide(enum kind kind, number a, number b)
{
    if (is_real(kind))
        return rounded(kind, a.real / b.real);
    if (is_signed(kind))
        return whole((uint64_t)((int64_t)a.whole / (int64_t)b.whole));
    return whole(a.whole / b.whole);
}

static int less(enum kind kind, number a, number b)
{
    if (is_real(kind))
        return a.real < b.real;
    return is_signed(kind) ? (int64_t)a.whole < (int64_t)b.whole : a.whole < b.whole;
}

static number multiply_add(enum kind kind, number a, number b, number c)
{
    if (kind == IS_float)
        return rounded(kind, (double)fmaf((float)a.real, (float)b.real, (float)c.real));
    if (kind == IS_double)
        return rounded(kind, fma(a.real, b.real, c.real));
    return whole(a.whole * b.whole + c.whole);
}

/* The result of an operation for elements a and b, first: the first element of b's vector. */
static number model(enum kind kind, int op, number a, number b, number first)
{
    switch (op) {
    case VECTOR_ADD:
    case VECTOR_OP_ADD:
        return add(kind, a, b);
    case VECTOR_SUB:
    case VECTOR_OP_SUB:
        return add(kind, a, negate(kind, b));
    case VECTOR_MUL:
    case VECTOR_OP_MUL:
    case VECTOR_OP_MUL_ASSIGN:
        return multiply(kind, a, b);
    case VECTOR_DIV:
    case VECTOR_OP_DIV:
        return divide(kind, a, b);
    case VECTOR_NEG:
    case VECTOR_OP_NEG:
        return negate(kind, a);
    case VECTOR_MIN:
        return less(kind, b, a) ? b : a;
    case VECTOR_MAX:
        return less(kind, a, b) ? b : a;
    case VECTOR_FMA:
        return multiply_add(kind, a, b, a);
    case VECTOR_OP_ADD_SCALAR:
        return add(kind, a, first);
    case VECTOR_OP_SCALAR_SUB:
        return add(kind, first, negate(kind, a));
    default:
        return divide(kind, a, first);
    }
}

static void check_vectors(const vector_type *type, const void *a, const void *b, const char *out)
{
    const size_t size = type->size, count = (size_t)N * type->elements;
    char expected[8];
    int wrong = 0;

    for (int op = 0; op < VECTOR_OPS; op++) {
        for (size_t i = 0; i < count; i++) {
            const number first = load(type->kind, b, i / type->elements * type->elements);
            store(type->kind, expected,
                  model(type->kind, op, load(type->kind, a, i), load(type->kind, b, i), first));
            if (memcmp(out + ((size_t)op * count + i) * size, expected, size) != 0 && wrong++ == 0)
                test_fail(__FILE__, __LINE__, "%s: operation %d, element %zu", type->name, op, i);
        }
    }
}

/* Sums of the elements: from left to right, but four elements pairwise. */
static number fold(enum kind kind, unsigned elements, const number *terms)
{
    const number pair = add(kind, terms[0], terms[1]);

    if (elements == 2)
        return pair;
    if (elements == 3)
        return add(kind, pair, terms[2]);
    return add(kind, pair, add(kind, terms[2], terms[3]));
}

static void check_numbers(const vector_type *type, const void *a, const void *b, const char *got)
{
    const unsigned elements = type->elements;
    int wrong = 0;

    for (size_t i = 0; i < N; i++) {
        number x[ELEMENTS_MAX], product[ELEMENTS_MAX], expected[VECTOR_NUMBERS];
        char bytes[8];
        int equal = 1;

        for (unsigned e = 0; e < elements; e++) {
            const number y = load(type->kind, b, i * elements + e);
            x[e] = load(type->kind, a, i * elements + e);
            product[e] = multiply(type->kind, x[e], y);
            equal &= !less(type->kind, x[e], y) && !less(type->kind, y, x[e]);
        }
        expected[VECTOR_SUM] = fold(type->sum_kind, elements, x);
        expected[VECTOR_DOT] = fold(type->sum_kind, elements, product);
        for (int op = VECTOR_EQUAL; op < VECTOR_NUMBERS; op++) {
            const int value = op == VECTOR_EQUAL ? equal : op == VECTOR_OP_DIFFER ? !equal : 1;
            expected[op].whole = (uint64_t)value;
            expected[op].real = value;
        }
        for (int op = 0; op < VECTOR_NUMBERS; op++) {
            store(type->sum_kind, bytes, expected[op]);
            if (memcmp(got + ((size_t)op * N + i) * type->sum_size, bytes, type->sum_size) != 0 &&
                wrong++ == 0)
                test_fail(__FILE__, __LINE__, "%s: number %d of vector %zu", type->name, op, i);
        }
    }
}

/* Every third vector of b differs from a's in one element at most; no element of b is 0, and none
   is -1, which would overflow in the quotient of the smallest integer. */
static void fill(const vector_type *type, char *a, char *b, uint64_t *seed)
{
    for (size_t i = 0; i < (size_t)N * type->elements; i++) {
        const size_t vector = i / type->elements, at = i * type->size;
        const uint64_t bits = rig_random(seed);
        number x = {bits, ldexp((double)(int64_t)bits, (int)(bits % 40) - 80)};
        store(type->kind, a + at, x);
        x.whole = (rig_random(seed) >> (bits % 64)) | 2;
        x.real = ldexp((double)(int64_t)(rig_random(seed) | 1), (int)(bits % 37) - 80);
        store(type->kind, b + at, x);
        if (vector % 3 == 0 && (vector % 2 == 0 || i % type->elements != vector % type->elements)) {
            b[at] |= 2;
            memcpy(a + at, b + at, type->size);
        }
        x = load(type->kind, b, i);
        if (!is_real(type->kind) && is_signed(type->kind) && x.whole + 1 == 0)
            b[at] = a[at] = 3;
    }
}

static void run_type(const vector_type *type)
{
    const size_t bytes = (size_t)N * type->elements * type->size;
    const size_t number_bytes = VECTOR_NUMBERS * N * type->sum_size;
    char *a = rig_host(bytes), *b = rig_host(bytes), *out = rig_host(VECTOR_OPS * bytes);
    char *numbers = rig_host(number_bytes);
    void *d_a, *d_b, *d_out = rig_zeroed(VECTOR_OPS * bytes), *d_numbers = rig_zeroed(number_bytes);
    uint64_t seed = bytes + (uint64_t)type->kind;

    fill(type, a, b, &seed);
    d_a = rig_upload(a, bytes);
    d_b = rig_upload(b, bytes);
    MUST(type->run(hd_launch_loop(N, 128, rig_stream), d_a, d_b, d_out, d_numbers));
    rig_download(out, d_out, VECTOR_OPS * bytes);
    rig_download(numbers, d_numbers, number_bytes);
    check_vectors(type, a, b, out);
    check_numbers(type, a, b, numbers);
    rig_drop(d_a);
    rig_drop(d_b);
    rig_drop(d_out);
    rig_drop(d_numbers);
    free(a);
    free(b);
    free(out);
    free(numbers);
}

TEST(every_element_is_computed_by_itself)
{
    rig_open();
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        run_type(&types[i]);
}

#define AT_2(V, element)                                                                           \
    CHECK_EQ_SIZE(offsetof(hd_##V, x), 0);                                                         \
    CHECK_EQ_SIZE(offsetof(hd_##V, y), sizeof(element));
#define AT_3(V, element)                                                                           \
    AT_2(V, element)                                                                               \
    CHECK_EQ_SIZE(offsetof(hd_##V, z), 2 * sizeof(element));
#define AT_4(V, element)                                                                           \
    AT_3(V, element)                                                                               \
    CHECK_EQ_SIZE(offsetof(hd_##V, w), 3 * sizeof(element));
#define LAYOUT(V, element, elements, sum, alignment)                                               \
    CHECK_EQ_SIZE(sizeof(hd_##V), (elements) * sizeof(element));                                   \
    CHECK_EQ_SIZE(_Alignof(hd_##V), alignment);                                                    \
    AT_##elements(V, element)
TEST(layout){VECTOR_LIST(LAYOUT)}

/* Small integers, so that products and differences are exact. */
#define CROSS_TEST(S, type)                                                                        \
    TEST(cross_product_##S)                                                                        \
    {                                                                                              \
        hd_##S##x3 a[N], b[N], out[N];                                                             \
        void *d_a, *d_b, *d_out = (rig_open(), rig_zeroed(sizeof out));                            \
        uint64_t seed = 5;                                                                         \
        for (int i = 0; i < N; i++) {                                                              \
            a[i] = hd_##S##x3_make((type)(rig_random(&seed) % 900), (type)i, (type)(i % 7));       \
            b[i] = hd_##S##x3_make((type)(i % 5) - 2, (type)(rig_random(&seed) % 999), 3);         \
        }                                                                                          \
        d_a = rig_upload(a, sizeof a);                                                             \
        d_b = rig_upload(b, sizeof b);                                                             \
        MUST(hd_launch(cross_##S, hd_launch_loop(N, 128, rig_stream), (size_t)N,                   \
                       (const hd_##S##x3 *)d_a, (const hd_##S##x3 *)d_b, (hd_##S##x3 *)d_out));    \
        rig_download(out, d_out, sizeof out);                                                      \
        for (int i = 0; i < N; i++) {                                                              \
            CHECK_EQ_F64_BITS((double)out[i].x, (double)(a[i].y * b[i].z - a[i].z * b[i].y));      \
            CHECK_EQ_F64_BITS((double)out[i].y, (double)(a[i].z * b[i].x - a[i].x * b[i].z));      \
            CHECK_EQ_F64_BITS((double)out[i].z, (double)(a[i].x * b[i].y - a[i].y * b[i].x));      \
        }                                                                                          \
        rig_drop(d_a);                                                                             \
        rig_drop(d_b);                                                                             \
        rig_drop(d_out);                                                                           \
    }
CROSS_TEST(f32, float) CROSS_TEST(f64, double)

    TEST_MAIN
