/* SPDX-License-Identifier: Apache-2.0 */
/* test_packed.c - packed integers part by part in 64-bit arithmetic, over special and random
   words. */
#include "packed_kernels.h"
#include "rig.h"

#define NAME_PARTS(name) #name "2", #name "4",
#define NAME(name) #name,
static const char *const names[PACKED_OPS] = {PACKED_BINARY(NAME_PARTS) PACKED_UNARY(NAME_PARTS)
                                                  PACKED_WORDS(NAME)};

/* Part i of a word, as an unsigned or signed number. */
static int64_t part(uint32_t word, unsigned i, unsigned bits, int is_signed)
{
    const int64_t value = word >> i * bits & ((1u << bits) - 1);

    return is_signed && value >> (bits - 1) ? value - ((int64_t)1 << bits) : value;
}

static int64_t clamp(int64_t x, int64_t low, int64_t high)
{
    return x < low ? low : x > high ? high : x;
}

/* x, y: signed or unsigned, according to the name of the operation without the number of parts. */
static int64_t compare_parts(const char *relation, int64_t x, int64_t y)
{
    if (strncmp(relation, "eq", 2) == 0)
        return x == y;
    if (strncmp(relation, "ne", 2) == 0)
        return x != y;
    if (strncmp(relation, "lt", 2) == 0)
        return x < y;
    if (strncmp(relation, "le", 2) == 0)
        return x <= y;
    return strncmp(relation, "gt", 2) == 0 ? x > y : x >= y;
}

static int is(const char *name, const char *other)
{
    return strcmp(name, other) == 0;
}

static int64_t model_part(const char *name, int64_t x, int64_t y, unsigned bits, int is_signed)
{
    const int64_t low = is_signed ? -((int64_t)1 << (bits - 1)) : 0;
    const int64_t high = is_signed ? ((int64_t)1 << (bits - 1)) - 1 : ((int64_t)1 << bits) - 1;

    if (strncmp(name, "vcmp", 4) == 0)
        return -compare_parts(name + 4, x, y);
    if (strncmp(name, "vset", 4) == 0)
        return compare_parts(name + 4, x, y);
    if (is(name, "vadd"))
        return x + y;
    if (is(name, "vsub"))
        return x - y;
    if (is(name, "vaddss") || is(name, "vaddus"))
        return clamp(x + y, low, high);
    if (is(name, "vsubss") || is(name, "vsubus"))
        return clamp(x - y, low, high);
    if (strncmp(name, "vmax", 4) == 0)
        return x < y ? y : x;
    if (strncmp(name, "vmin", 4) == 0)
        return x < y ? x : y;
    if (strncmp(name, "vabsdiff", 8) == 0 || strncmp(name, "vsad", 4) == 0)
        return x < y ? y - x : x - y;
    if (is(name, "vavgu"))
        return (x + y + 1) / 2;
    if (is(name, "vhaddu"))
        return (x + y) / 2;
    if (is(name, "vavgs")) /* C rounds towards zero */
        return (x + y < 0 ? x + y - 1 : x + y + 1) / 2;
    if (is(name, "vabs") || is(name, "vabsss"))
        x = x < 0 ? -x : x;
    else
        x = -x;
    return name[strlen(name) - 1] == 's' && name[strlen(name) - 2] == 's' ? clamp(x, low, high) : x;
}

static uint32_t model_parts(const char *full, uint32_t a, uint32_t b)
{
    const unsigned parts = full[strlen(full) - 1] == '2' ? 2 : 4, bits = 32 / parts;
    char name[32] = {0};
    uint32_t word = 0, sum = 0;
    int is_signed;

    memcpy(name, full, strlen(full) - 1);
    is_signed = !(name[strlen(name) - 1] == 'u' || is(name, "vaddus") || is(name, "vsubus"));
    for (unsigned i = 0; i < parts; i++) {
        const int64_t result = model_part(name, part(a, i, bits, is_signed),
                                          part(b, i, bits, is_signed), bits, is_signed);
        word |= ((uint32_t)result & ((1u << bits) - 1)) << i * bits;
        sum += (uint32_t)result;
    }
    return strncmp(name, "vsad", 4) == 0 ? sum : word;
}

static uint32_t model_words(int op, uint32_t a, uint32_t b, uint32_t c)
{
    const unsigned shift = op == PACKED_funnel_shift_left || op == PACKED_funnel_shift_right
                               ? c % 32
                           : c < 32 ? c
                                    : 32;
    int64_t sum = op == PACKED_dp4a_i32 ? (int64_t)(int32_t)c : (int64_t)c;
    uint32_t word = 0;

    switch (op) {
    case PACKED_dp4a_i32:
    case PACKED_dp4a_u32:
        for (unsigned i = 0; i < 4; i++)
            sum += part(a, i, 8, op == PACKED_dp4a_i32) * part(b, i, 8, op == PACKED_dp4a_i32);
        return (uint32_t)sum;
    case PACKED_byte_perm:
        for (unsigned i = 0; i < 4; i++) {
            const unsigned from = c >> 4 * i & 7;
            word |= (uint32_t)part(from < 4 ? a : b, from % 4, 8, 0) << 8 * i;
        }
        return word;
    case PACKED_funnel_shift_left:
    case PACKED_funnel_shift_left_clamp:
        for (unsigned i = 0; i < 32; i++) { /* bit i comes from bit 32 + i - shift */
            const unsigned from = 32 + i - shift;
            word |= (from < 32 ? a >> from & 1 : b >> (from - 32) & 1) << i;
        }
        return word;
    default:
        for (unsigned i = 0; i < 32; i++) {
            const unsigned from = i + shift;
            word |= (from < 32 ? a >> from & 1 : b >> (from - 32) & 1) << i;
        }
        return word;
    }
}

/* Words of parts at the limits, then random ones. */
static void fill(uint32_t *a, uint32_t *b, uint32_t *c, size_t n)
{
    static const uint8_t limits[] = {0, 1, 0x7f, 0x80, 0x81, 0xfe, 0xff, 0x55};
    uint64_t seed = 9;

    for (size_t i = 0; i < n; i++) {
        const uint64_t bits = rig_random(&seed), more = rig_random(&seed);

        a[i] = (uint32_t)bits;
        b[i] = (uint32_t)(bits >> 32);
        c[i] = i % 3 == 0 ? (uint32_t)more % 70 : (uint32_t)more;
        for (unsigned k = 0; i % 2 == 0 && k < 4; k++) {
            a[i] = a[i] << 8 | limits[more >> (8 + 3 * k) & 7];
            b[i] = b[i] << 8 | limits[more >> (24 + 3 * k) & 7];
        }
        if (i % 5 == 0)
            b[i] = a[i] ^ (uint32_t)(more >> 40 & 0xff);
    }
}

TEST(every_part_is_computed_by_itself)
{
    const size_t n = rig_size(30000, 2000), bytes = n * sizeof(uint32_t);
    uint32_t *a = rig_host(bytes), *b = rig_host(bytes), *c = rig_host(bytes);
    uint32_t *out = rig_host(PACKED_OPS * bytes);
    void *d_a, *d_b, *d_c, *d_out;

    rig_open();
    fill(a, b, c, n);
    d_a = rig_upload(a, bytes);
    d_b = rig_upload(b, bytes);
    d_c = rig_upload(c, bytes);
    d_out = rig_zeroed(PACKED_OPS * bytes);
    MUST(hd_launch(packed_operations, hd_launch_loop(n, 128, rig_stream), n, (const uint32_t *)d_a,
                   (const uint32_t *)d_b, (const uint32_t *)d_c, (uint32_t *)d_out));
    rig_download(out, d_out, PACKED_OPS * bytes);
    for (int op = 0; op < PACKED_OPS; op++) {
        unsigned wrong = 0;

        for (size_t i = 0; i < n; i++) {
            const uint32_t got = out[(size_t)op * n + i];
            const uint32_t expected = op < PACKED_dp4a_i32 ? model_parts(names[op], a[i], b[i])
                                                           : model_words(op, a[i], b[i], c[i]);
            if (got != expected && wrong++ == 0)
                test_fail(__FILE__, __LINE__, "%s of 0x%08x 0x%08x 0x%08x: 0x%08x, not 0x%08x",
                          names[op], a[i], b[i], c[i], got, expected);
        }
    }
    rig_drop(d_a);
    rig_drop(d_b);
    rig_drop(d_c);
    rig_drop(d_out);
    free(a);
    free(b);
    free(c);
    free(out);
}

TEST_MAIN
