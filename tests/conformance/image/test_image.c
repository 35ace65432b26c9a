/* SPDX-License-Identifier: Apache-2.0 */
/* test_image.c - images of every type, shape, filter and address mode against the model of
   image_model.h, against exact interpolation, and against integer arithmetic; writes. Host calls
   and their errors are in unit/test_image.c. */
#include "image_model.h"

enum { N = 150 };

typedef struct device_arrays {
    hd_f32x4 at[N];
    hd_i32x4 index[N];
    hd_f32x4 *d_at;
    hd_i32x4 *d_index;
    void *d_out;
    unsigned char out[N * 16];
} device_arrays;

static uint64_t random_state = 34;
static device_arrays arrays;

static unsigned draw(unsigned n)
{
    return (unsigned)(rig_random(&random_state) >> 33) % n;
}

/* ---- inputs ---- */

static void fill_elements(hd_type type, unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        bytes[i] = (unsigned char)rig_random(&random_state);
    for (size_t i = 0; type == HD_F32 && i < count; i += 4) {
        const float x = (float)((int)draw(1u << 24) - (1 << 23)) / (float)(1 << (10 + draw(12)));
        memcpy(bytes + i, &x, sizeof x);
    }
    for (size_t i = 1; type == HD_F16 && i < count; i += 2) /* few that are not finite */
        if (draw(20) != 0)
            bytes[i] &= 0xbf;
}

static model_image make_model(hd_image_config config, int shape)
{
    model_image m;

    memset(&m, 0, sizeof m);
    m.config = config;
    m.shape = shape;
    m.elements = (unsigned char *)rig_host(model_bytes(&config));
    fill_elements(config.type, m.elements, model_bytes(&config));
    fill_elements(config.type, m.border, sizeof m.border);
    return m;
}

static hd_image upload_model(const model_image *m)
{
    hd_image_config config = m->config;
    hd_image image;

    config.border = m->border;
    MUST(hd_image_create(&image, &config, 0));
    MUST(hd_image_copy_from(&image, m->elements, rig_stream));
    return image;
}

/* A coordinate in elements: centres, edges, places between them, far away, not finite. */
static float draw_place(size_t extent)
{
    const float n = (float)extent;
    const float special[] = {0,
                             -0.0f,
                             0.5f,
                             1,
                             n,
                             n - 0.5f,
                             n + 0.5f,
                             -0.5f,
                             -1,
                             0.25f,
                             -n,
                             -n - 0.5f,
                             2 * n,
                             3 * n,
                             -2 * n,
                             1e30f,
                             -1e30f,
                             INFINITY,
                             -INFINITY,
                             NAN,
                             0x1p30f,
                             -0x1p30f,
                             0x1p24f,
                             1e-30f,
                             -1e-30f,
                             16777218,
                             0.49999997f,
                             3.5f * n,
                             4.0f * n - 0.25f,
                             1.5f};

    switch (draw(4)) {
    case 0:
        return special[draw(sizeof special / sizeof *special)];
    case 1: /* multiples of 1/2 */
        return ((float)draw((unsigned)(8 * extent)) - 4 * n) / 2;
    default:
        return ((float)draw(1 << 20) / (float)(1 << 20) * 7 - 3) * n;
    }
}

static void draw_places(const model_image *m)
{
    const hd_image_config *c = &m->config;
    const int normalized = (c->flags & HD_IMAGE_NORMALIZED) != 0;
    const size_t extents[3] = {c->width, c->height, c->depth};

    for (size_t i = 0; i < N; i++) {
        float at[3];
        for (int axis = 0; axis < 3; axis++) {
            at[axis] = draw_place(extents[axis]);
            if (normalized)
                at[axis] /= (float)extents[axis];
        }
        arrays.at[i] = hd_f32x4_make(at[0], at[1], at[2], (float)((int)draw(12) - 4));
        arrays.index[i] = hd_i32x4_make((int)draw(40) - 15, (int)draw(20) - 8, (int)draw(12) - 4,
                                        (int)draw(12) - 4);
        if (draw(20) == 0)
            arrays.index[i].x = draw(2) ? INT32_MAX : INT32_MIN;
    }
    MUST(hd_copy(arrays.d_at, arrays.at, N, rig_stream));
    MUST(hd_copy(arrays.d_index, arrays.index, N, rig_stream));
}

static void make_arrays(void)
{
    rig_open();
    arrays.d_at = (hd_f32x4 *)rig_zeroed(sizeof arrays.at);
    arrays.d_index = (hd_i32x4 *)rig_zeroed(sizeof arrays.index);
    arrays.d_out = rig_zeroed(sizeof arrays.out);
}

static void drop_arrays(void)
{
    rig_drop(arrays.d_at);
    rig_drop(arrays.d_index);
    rig_drop(arrays.d_out);
}

/* ---- reads and samples against the model ---- */

#define RUN_SAMPLE(S, T)                                                                           \
    static void run_sample_##S(hd_image image, int shape)                                          \
    {                                                                                              \
        MUST(hd_launch(image_sample_##S, hd_launch_loop(N, 128, rig_stream), image, shape,         \
                       (size_t)N, (const hd_f32x4 *)arrays.d_at, (T *)arrays.d_out));              \
        rig_download(arrays.out, arrays.d_out, N * sizeof(T));                                     \
    }                                                                                              \
    static void run_read_##S(hd_image image, int shape)                                            \
    {                                                                                              \
        MUST(hd_launch(image_read_##S, hd_launch_loop(N, 128, rig_stream), image, shape,           \
                       (size_t)N, (const hd_i32x4 *)arrays.d_index, (T *)arrays.d_out));           \
        rig_download(arrays.out, arrays.d_out, N * sizeof(T));                                     \
    }
IMAGE_LIST(RUN_SAMPLE)

static const char *describe(const model_image *m)
{
    static char text[200];
    const hd_image_config *c = &m->config;

    snprintf(
        text, sizeof text, "%s %s x %u, %zu x %zu x %zu, filter %d, address %d %d %d, flags %u",
        shape_names[m->shape], hd_type_name(c->type), c->channels, c->width, c->height, c->depth,
        (int)c->filter, (int)c->address[0], (int)c->address[1], (int)c->address[2], c->flags);
    return text;
}

static int same_float(float a, float b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}

/* Result i of the launch has `count` channels. */
static void check_floats(const model_image *m, unsigned count, int line)
{
    for (unsigned i = 0; i < N * count; i++) {
        const hd_f32x4 at = arrays.at[i / count];
        double exact, largest;
        const float expected = model_sample(m, at, i % count, &exact, &largest);
        float got;

        memcpy(&got, arrays.out + i * sizeof got, sizeof got);
        if (!same_float(got, expected)) {
            test_fail(__FILE__, line, "%s: at %.9g %.9g %.9g layer %g channel %u: %.9g, not %.9g",
                      describe(m), (double)at.x, (double)at.y, (double)at.z, (double)at.w,
                      i % count, (double)got, (double)expected);
            return;
        }
        if (isfinite(exact) && isfinite(largest) && isfinite(expected) &&
            fabs((double)got - exact) > 32 * 0x1p-24 * largest) {
            test_fail(__FILE__, line, "%s: at %.9g %.9g %.9g: %.9g is not close to %.17g",
                      describe(m), (double)at.x, (double)at.y, (double)at.z, (double)got, exact);
            return;
        }
    }
}

static void check_channels(const model_image *m, unsigned count, int line)
{
    for (unsigned i = 0; i < N * count; i++) {
        const hd_f32x4 at = arrays.at[i / count];
        const uint32_t expected = (uint32_t)model_sample_channel(m, at, i % count);
        uint32_t got;

        memcpy(&got, arrays.out + i * sizeof got, sizeof got);
        if (got != expected) {
            test_fail(__FILE__, line, "%s: at %.9g %.9g %.9g layer %g channel %u: 0x%x, not 0x%x",
                      describe(m), (double)at.x, (double)at.y, (double)at.z, (double)at.w,
                      i % count, got, expected);
            return;
        }
    }
}

static void check_reads(const model_image *m, unsigned count, int floats, int line)
{
    for (unsigned i = 0; i < N * count; i++) {
        const hd_i32x4 at = arrays.index[i / count];
        const int64_t index[3] = {at.x, has_y(m->shape) ? at.y : 0,
                                  m->config.layered      ? at.w
                                  : m->shape == SHAPE_3D ? at.z
                                                         : 0};
        const unsigned char *element = model_element(m, index);
        const int absent = i % count >= m->config.channels;
        const float number = absent ? 0
                                    : rounded(number_of(m->config.type, element, i % count) /
                                              unit_of(m->config.type));
        const uint32_t bits = absent ? 0 : (uint32_t)channel_of(m->config.type, element, i % count);
        uint32_t got;
        float got_float;

        memcpy(&got, arrays.out + i * sizeof got, sizeof got);
        memcpy(&got_float, &got, sizeof got);
        if (floats ? !same_float(got_float, number) : got != bits) {
            test_fail(__FILE__, line, "%s: read %d %d %d layer %d channel %u: 0x%x (%.9g)",
                      describe(m), at.x, at.y, at.z, at.w, i % count, got, (double)got_float);
            return;
        }
    }
}

/* All calls of one image. */
static void check_image(hd_image_config config, int shape)
{
    model_image m = make_model(config, shape);
    hd_image image = upload_model(&m);

    draw_places(&m);
    run_sample_f32x4(image, shape);
    check_floats(&m, 4, __LINE__);
    run_sample_f32(image, shape);
    check_floats(&m, 1, __LINE__);
    if (config.filter == HD_IMAGE_NEAREST) {
        run_sample_u32x4(image, shape);
        check_channels(&m, 4, __LINE__);
        run_sample_i32x4(image, shape);
        check_channels(&m, 4, __LINE__);
        run_sample_u32(image, shape);
        check_channels(&m, 1, __LINE__);
        run_sample_i32(image, shape);
        check_channels(&m, 1, __LINE__);
        run_read_f32(image, shape);
        check_reads(&m, 1, 1, __LINE__);
        run_read_f32x4(image, shape);
        check_reads(&m, 4, 1, __LINE__);
        run_read_u32(image, shape);
        check_reads(&m, 1, 0, __LINE__);
        run_read_u32x4(image, shape);
        check_reads(&m, 4, 0, __LINE__);
        run_read_i32(image, shape);
        check_reads(&m, 1, 0, __LINE__);
        run_read_i32x4(image, shape);
        check_reads(&m, 4, 0, __LINE__);
    }
    MUST(hd_image_destroy(&image));
    free(m.elements);
}

static const hd_type all_types[] = {HD_U8, HD_I8, HD_U16, HD_I16, HD_U32, HD_I32, HD_F16, HD_F32};
enum { TYPES = sizeof all_types / sizeof *all_types };

static int filters(hd_type type, hd_image_filter filter)
{
    return filter == HD_IMAGE_NEAREST || (type != HD_U32 && type != HD_I32);
}

TEST(types)
{
    static const size_t extents[3] = {17, 3, 2};

    make_arrays();
    for (unsigned t = 0; t < TYPES; t++)
        for (unsigned channels = 1; channels <= 4; channels *= 2)
            for (int shape = 0; shape < SHAPES; shape++)
                for (int filter = HD_IMAGE_NEAREST; filter <= HD_IMAGE_LINEAR; filter++) {
                    hd_image_config c = model_config(shape, all_types[t], channels, extents);

                    c.filter = (hd_image_filter)filter;
                    for (int axis = 0; axis < 3; axis++)
                        c.address[axis] = (hd_image_address)draw(4);
                    c.flags = draw(2) ? HD_IMAGE_NORMALIZED : 0;
                    if (filters(all_types[t], c.filter))
                        check_image(c, shape);
                }
    drop_arrays();
}

TEST(sizes_and_address_modes)
{
    static const size_t sizes[] = {1, 2, 3, 17, 64};
    const size_t combinations = rig_size(16, 4);

    make_arrays();
    for (int shape = 0; shape < SHAPES; shape++)
        for (size_t k = 0; k < 5 * combinations; k++)
            for (unsigned flags = 0; flags <= HD_IMAGE_NORMALIZED; flags++)
                for (int filter = HD_IMAGE_NEAREST; filter <= HD_IMAGE_LINEAR; filter++) {
                    const size_t extents[3] = {sizes[k % 5], sizes[draw(4)], sizes[draw(3)]};
                    hd_image_config c = model_config(shape, draw(2) ? HD_F32 : HD_U8, 1, extents);

                    c.filter = (hd_image_filter)filter;
                    c.flags = flags;
                    c.address[0] = (hd_image_address)(k / 5 % 4);
                    c.address[1] = (hd_image_address)(k / 20 % 4);
                    c.address[2] = (hd_image_address)draw(4);
                    check_image(c, shape);
                }
    drop_arrays();
}

/* With weights of 1/16 every step is exact for bytes: the result is an integer divided once. */
TEST(integer_arithmetic)
{
    enum { W = 5, H = 4 };
    model_image m;
    hd_image image;

    make_arrays();
    m = make_model(hd_image_2d(HD_U8, 1, W, H), SHAPE_2D);
    m.config.filter = HD_IMAGE_LINEAR;
    image = upload_model(&m);
    for (int i = 0; i < N; i++)
        arrays.at[i] = hd_f32x4_make((float)(i % 64) / 16 + 0.5f, (float)(i / 3) / 16 + 0.5f, 0, 0);
    MUST(hd_copy(arrays.d_at, arrays.at, N, rig_stream));
    run_sample_f32(image, SHAPE_2D);
    for (int i = 0; i < N; i++) {
        const int x = i % 64 / 16, u = i % 16, y = i / 3 / 16, v = i / 3 % 16;
        const int right = x + 1 < W ? x + 1 : W - 1, below = y + 1 < H ? y + 1 : H - 1;
        const int sum =
            (16 - v) * ((16 - u) * m.elements[y * W + x] + u * m.elements[y * W + right]) +
            v * ((16 - u) * m.elements[below * W + x] + u * m.elements[below * W + right]);
        float got;

        memcpy(&got, arrays.out + (size_t)i * sizeof got, sizeof got);
        if (!same_float(got, (float)(sum / (256.0 * 255.0))))
            test_fail(__FILE__, __LINE__, "at %d/16, %d/16: %.9g, not %d / 65280", i % 64, i / 3,
                      (double)got, sum);
    }
    MUST(hd_image_destroy(&image));
    free(m.elements);
    drop_arrays();
}

/* A constant image is constant, and centres give the elements, next to infinity and NaN too. */
TEST(constants_and_centres)
{
    const float values[] = {-0.0f, INFINITY, 0.1f, NAN, 1e38f, -1e38f, 0x1p-149f, 3.0f};
    hd_image_config c = hd_image_2d(HD_F32, 1, 8, 1);
    float same[8], got[N];
    hd_image image;

    make_arrays();
    c.filter = HD_IMAGE_LINEAR;
    MUST(hd_image_create(&image, &c, 0));
    MUST(hd_image_copy_from(&image, values, rig_stream));
    for (int i = 0; i < N; i++)
        arrays.at[i] = hd_f32x4_make((float)(i % 8) + 0.5f, 0.5f, 0, 0);
    MUST(hd_copy(arrays.d_at, arrays.at, N, rig_stream));
    run_sample_f32(image, SHAPE_2D);
    memcpy(got, arrays.out, sizeof got);
    for (int i = 0; i < N; i++)
        CHECK(same_float(got[i], values[i % 8]));
    for (int i = 0; i < 8; i++)
        same[i] = 0.1f;
    MUST(hd_image_copy_from(&image, same, rig_stream));
    for (int i = 0; i < N; i++)
        arrays.at[i] = hd_f32x4_make((float)draw(1 << 20) * 0x1p-16f - 4, (float)i * 0.37f, 0, 0);
    MUST(hd_copy(arrays.d_at, arrays.at, N, rig_stream));
    run_sample_f32(image, SHAPE_2D);
    memcpy(got, arrays.out, sizeof got);
    for (int i = 0; i < N; i++)
        CHECK_EQ_F32_BITS(got[i], 0.1f);
    MUST(hd_image_destroy(&image));
    drop_arrays();
}

/* Without a texture unit the flag changes nothing; with one, results differ by its weights of 8
   bits at most. Shapes and types that units do not have are as without the flag. */
static void check_hardware(hd_image_config config, int shape, int possible)
{
    model_image m;
    hd_image image;

    config.filter = HD_IMAGE_LINEAR;
    config.flags |= HD_IMAGE_HARDWARE;
    m = make_model(config, shape);
    image = upload_model(&m);
    if (rig_on_cpu() || !possible)
        CHECK_EQ_U64(image.texture, 0);
    for (int i = 0; i < N; i++)
        arrays.at[i] = hd_f32x4_make((float)draw(1 << 16) * 0x1p-11f,
                                     (float)draw(1 << 16) * 0x1p-12f, (float)draw(5), 1);
    MUST(hd_copy(arrays.d_at, arrays.at, N, rig_stream));
    run_sample_f32(image, shape);
    if (image.texture == 0)
        check_floats(&m, 1, __LINE__);
    for (size_t i = 0; i < N; i++) {
        double exact, largest;
        float got;

        memcpy(&got, arrays.out + i * sizeof got, sizeof got);
        (void)model_sample(&m, arrays.at[i], 0, &exact, &largest);
        CHECK(fabs((double)got - exact) <= 2 * 2 * largest / 256);
    }
    MUST(hd_image_destroy(&image));
    free(m.elements);
}

TEST(hardware_flag)
{
    hd_image_config wrapped = hd_image_2d(HD_U8, 1, 17, 9);

    make_arrays();
    check_hardware(hd_image_2d(HD_F32, 1, 17, 9), SHAPE_2D, 1);
    check_hardware(hd_image_2d(HD_U8, 4, 17, 9), SHAPE_2D, 1);
    check_hardware(hd_image_1d(HD_I16, 2, 30), SHAPE_1D, 1);
    check_hardware(hd_image_3d(HD_F32, 1, 17, 9, 4), SHAPE_3D, 0);
    check_hardware(hd_image_2d_layered(HD_F32, 1, 17, 9, 4), SHAPE_2D_LAYERED, 0);
    wrapped.address[0] = HD_IMAGE_WRAP;
    check_hardware(wrapped, SHAPE_2D, 0); /* units repeat normalised coordinates only */
    drop_arrays();
}

TEST_MAIN
