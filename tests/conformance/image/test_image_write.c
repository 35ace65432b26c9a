/* SPDX-License-Identifier: Apache-2.0 */
/* test_image_write.c - writes to images of every type and shape against the model of image_model.h;
   writes outside of an image and between its rows. */
#include "image_model.h"

enum { N = 200, GUARD = 0xa5 };

static uint64_t random_state = 43;

static unsigned draw(unsigned n)
{
    return (unsigned)(rig_random(&random_state) >> 33) % n;
}

#define WRITER(S, T)                                                                               \
    static void write_##S(hd_image image, int shape, const hd_i32x4 *at, const void *values)       \
    {                                                                                              \
        MUST(hd_launch(image_write_##S, hd_launch_loop(N, 128, rig_stream), image, shape,          \
                       (size_t)N, at, (const T *)values));                                         \
    }
IMAGE_LIST(WRITER)

typedef struct writer {
    const char *name;
    unsigned channels;
    int floats;
    void (*run)(hd_image image, int shape, const hd_i32x4 *at, const void *values);
} writer;

static const writer writers[] = {
    {"f32", 1, 1, write_f32},     {"f32x4", 4, 1, write_f32x4}, {"u32", 1, 0, write_u32},
    {"u32x4", 4, 0, write_u32x4}, {"i32", 1, 0, write_i32},     {"i32x4", 4, 0, write_i32x4},
};

/* Values near what rounding, clamping and saturation change. */
static float draw_float(void)
{
    const float special[] = {0,       -0.0f,    1,           -1,         2,       -2,
                             NAN,     INFINITY, -INFINITY,   0.5f,       1.5f,    2.5f,
                             -0.5f,   -2.5f,    1e10f,       -1e10f,     0x1p31f, -0x1p31f,
                             0x1p32f, 1e-30f,   2147483520,  8388607.5f, 8388608, 0x1p-149f,
                             65504,   65520,    0.99999994f, 1e38f};

    if (draw(3) == 0)
        return special[draw(sizeof special / sizeof *special)];
    if (draw(2) == 0) /* halves of the steps of integers */
        return ((float)draw(512) + 0.5f) / (draw(2) ? 255.0f : 127.0f) - 1;
    return ((float)draw(1 << 24) - (float)(1 << 23)) / (float)(1 << draw(24));
}

/* Places inside and just outside, each at most once inside: writes of two threads to one element
   would race. */
static void draw_indices(const hd_image_config *c, int shape, hd_i32x4 *at)
{
    const int w = (int)c->width + 2, h = has_y(shape) ? (int)c->height + 2 : 1;
    const int d = (int)c->depth > 1 ? (int)c->depth + 2 : 1;
    const int step = w * h * d > N ? w * h * d / N : 1;

    for (int i = 0, place = 0; i < N; i++, place += step) {
        const int x = place % w - 1, y = h > 1 ? place / w % h - 1 : 0;
        const int z = d > 1 ? place / w / h - 1 : place / w / h;
        const int inside = place / w / h < d;

        at[i] = hd_i32x4_make(x, y, z, z);
        if (!inside) /* past all places: far outside */
            at[i].x = draw(2) ? INT32_MIN : (int)c->width + (int)draw(1000);
    }
}

static void store_element(const model_image *m, unsigned char *element, const writer *by,
                          const unsigned char *value)
{
    const hd_type type = m->config.type;

    for (unsigned channel = 0; channel < m->config.channels; channel++) {
        uint32_t code = 0;
        float x = 0;

        if (channel < by->channels) {
            memcpy(&code, value + 4 * channel, sizeof code);
            memcpy(&x, value + 4 * channel, sizeof x);
        }
        if (by->floats)
            code = model_code(type, x);
        memcpy(element + channel * hd_type_bytes(type), &code, hd_type_bytes(type));
    }
}

static void model_writes(const model_image *m, const writer *by, const hd_i32x4 *at,
                         const unsigned char *values)
{
    const hd_image_config *c = &m->config;
    const size_t bytes = c->channels * hd_type_bytes(c->type);

    for (int i = 0; i < N; i++) {
        const int64_t x = at[i].x, y = has_y(m->shape) ? at[i].y : 0;
        const int64_t z = c->layered ? at[i].w : m->shape == SHAPE_3D ? at[i].z : 0;

        if (x < 0 || y < 0 || z < 0 || x >= (int64_t)c->width || y >= (int64_t)c->height ||
            z >= (int64_t)c->depth)
            continue;
        store_element(
            m, m->elements + (((size_t)z * c->height + (size_t)y) * c->width + (size_t)x) * bytes,
            by, values + (size_t)i * by->channels * 4);
    }
}

/* In memory of the caller with gaps between rows and around: these keep their bytes. */
static void check_writes(hd_image_config config, int shape, const writer *by)
{
    model_image m;
    const size_t bytes = config.channels * hd_type_bytes(config.type);
    const size_t row = config.width * bytes, rows = config.height * config.depth;
    const size_t pitch = row + 3 * bytes, before = 5 * bytes, total = before + rows * pitch + 64;
    unsigned char *back = (unsigned char *)rig_host(total), *memory;
    hd_i32x4 at[N], *d_at;
    uint32_t values[4 * N];
    void *d_values;
    hd_image image;

    memset(&m, 0, sizeof m);
    m.config = config;
    m.shape = shape;
    m.elements = (unsigned char *)rig_host(model_bytes(&config));
    memset(m.elements, GUARD, model_bytes(&config));
    draw_indices(&config, shape, at);
    for (int i = 0; i < 4 * N; i++) {
        const float x = draw_float();
        if (by->floats)
            memcpy(&values[i], &x, sizeof x);
        else
            values[i] = (uint32_t)rig_random(&random_state);
    }
    memory = (unsigned char *)rig_filled(total, GUARD);
    config.memory = memory + before;
    config.row_pitch = pitch;
    MUST(hd_image_create(&image, &config, 0));
    CHECK(image.data == memory + before && image.row_pitch == pitch);
    d_at = (hd_i32x4 *)rig_upload(at, sizeof at);
    d_values = rig_upload(values, sizeof values);
    by->run(image, shape, d_at, d_values);
    model_writes(&m, by, at, (const unsigned char *)values);
    rig_download(back, memory, total);
    for (size_t i = 0, place; i < total; i++) {
        unsigned char expected = GUARD;
        place = i < before ? 0 : i - before;
        if (i >= before && place / pitch < rows && place % pitch < row)
            expected = m.elements[place / pitch * row + place % pitch];
        if (back[i] != expected) {
            test_fail(__FILE__, __LINE__, "%s %s x %u by %s: byte %zu of row %zu is 0x%x, not 0x%x",
                      shape_names[shape], hd_type_name(config.type), config.channels, by->name,
                      place % pitch, place / pitch, back[i], expected);
            break;
        }
    }
    MUST(hd_image_destroy(&image));
    rig_drop(memory);
    rig_drop(d_at);
    rig_drop(d_values);
    free(m.elements);
    free(back);
}

TEST(writes)
{
    static const hd_type types[] = {HD_U8, HD_I8, HD_U16, HD_I16, HD_U32, HD_I32, HD_F16, HD_F32};
    static const size_t extents[3] = {17, 5, 3};

    rig_open();
    for (unsigned t = 0; t < sizeof types / sizeof *types; t++)
        for (unsigned channels = 1; channels <= 4; channels *= 2)
            for (int shape = 0; shape < SHAPES; shape++)
                for (unsigned w = 0; w < sizeof writers / sizeof *writers; w++)
                    check_writes(model_config(shape, types[t], channels, extents), shape,
                                 &writers[w]);
}

/* Many values for each type: one row that is written once. */
TEST(rounding)
{
    static const hd_type types[] = {HD_U8, HD_I8, HD_U16, HD_I16, HD_U32, HD_I32, HD_F16, HD_F32};
    static const size_t extents[3] = {7 * N, 1, 1};

    rig_open();
    for (unsigned t = 0; t < sizeof types / sizeof *types; t++)
        for (unsigned round = 0; round < 8; round++)
            check_writes(model_config(SHAPE_1D, types[t], 4, extents), SHAPE_1D, &writers[1]);
}

TEST_MAIN
