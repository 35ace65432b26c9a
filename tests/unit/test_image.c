/* SPDX-License-Identifier: Apache-2.0 */
/* test_image.c - creating, destroying and copying images, and the errors of these calls. What
   kernels read and write is in conformance/test_image.c. */
#include <heddle/image.h>

#include "conformance/rig.h"

/* The call is refused with the status and a text that contains `text`; the image is not touched. */
static void refused(int line, hd_image_config config, hd_status status, const char *text)
{
    hd_image image, before;
    hd_status got;

    memset(&image, 0x5a, sizeof image);
    before = image;
    got = hd_image_create(&image, &config, 0);
    if (got != status || !strstr(hd_error_last()->message, text))
        test_fail(__FILE__, line, "%s \"%s\", not %s \"%s\"", hd_status_name(got),
                  hd_error_last()->message, hd_status_name(status), text);
    if (memcmp(&image, &before, sizeof image) != 0)
        test_fail(__FILE__, line, "a refused call has written to the image");
    if (got == HD_OK)
        hd_image_destroy(&image);
}
#define REFUSED(config, status, text) refused(__LINE__, config, status, text)

TEST(extents)
{
    const size_t most = (size_t)1 << 27;

    rig_open();
    REFUSED(hd_image_1d(HD_F32, 1, 0), HD_ERR_ARGUMENT, "the width is 0; 1 to 134217728");
    REFUSED(hd_image_2d(HD_F32, 1, 4, 0), HD_ERR_ARGUMENT, "the height is 0");
    REFUSED(hd_image_3d(HD_F32, 1, 4, 4, 0), HD_ERR_ARGUMENT, "the depth is 0");
    REFUSED(hd_image_2d_layered(HD_F32, 1, 4, 4, 0), HD_ERR_ARGUMENT, "number of layers is 0");
    REFUSED(hd_image_1d(HD_U8, 1, most + 1), HD_ERR_ARGUMENT, "the width is 134217729");
    REFUSED(hd_image_1d_layered(HD_U8, 1, 1, SIZE_MAX), HD_ERR_ARGUMENT, "number of layers is");
    REFUSED(hd_image_3d(HD_F32, 4, most, most, most), HD_ERR_OVERFLOW, "do not fit in memory");
    REFUSED(hd_image_2d(HD_F32, 4, most, most), HD_ERR_NO_MEMORY, "");
}

TEST(elements)
{
    hd_image_config c;

    rig_open();
    REFUSED(hd_image_1d(HD_F64, 1, 4), HD_ERR_UNSUPPORTED,
            "images of f64 are not supported; use u8, i8, u16, i16, u32, i32, f16 or f32");
    REFUSED(hd_image_1d(HD_U64, 1, 4), HD_ERR_UNSUPPORTED, "images of u64");
    REFUSED(hd_image_1d(HD_I64, 1, 4), HD_ERR_UNSUPPORTED, "images of i64");
    REFUSED(hd_image_1d(HD_BF16, 1, 4), HD_ERR_UNSUPPORTED, "images of bf16");
    REFUSED(hd_image_1d((hd_type)-1, 1, 4), HD_ERR_ARGUMENT, "unknown element type -1");
    REFUSED(hd_image_1d((hd_type)99, 1, 4), HD_ERR_ARGUMENT, "unknown element type 99");
    REFUSED(hd_image_1d(HD_F32, 0, 4), HD_ERR_ARGUMENT, "0 channels; 1, 2 and 4");
    REFUSED(hd_image_1d(HD_F32, 3, 4), HD_ERR_ARGUMENT, "3 channels; 1, 2 and 4");
    REFUSED(hd_image_1d(HD_F32, 256, 4), HD_ERR_ARGUMENT, "256 channels");
    c = hd_image_1d(HD_U32, 1, 4);
    c.filter = HD_IMAGE_LINEAR;
    REFUSED(c, HD_ERR_UNSUPPORTED, "the linear filter does not support u32");
    c.type = HD_I32;
    REFUSED(c, HD_ERR_UNSUPPORTED, "the linear filter does not support i32");
}

TEST(modes)
{
    hd_image_config c = hd_image_2d(HD_F32, 1, 4, 4);

    rig_open();
    c.filter = (hd_image_filter)2;
    REFUSED(c, HD_ERR_ARGUMENT, "unknown filter 2");
    c = hd_image_2d(HD_F32, 1, 4, 4);
    c.address[1] = (hd_image_address)4;
    REFUSED(c, HD_ERR_ARGUMENT, "unknown address mode 4");
    c.address[1] = (hd_image_address)-1;
    REFUSED(c, HD_ERR_ARGUMENT, "unknown address mode -1");
    c = hd_image_2d(HD_F32, 1, 4, 4);
    c.flags = 4;
    REFUSED(c, HD_ERR_ARGUMENT, "unknown flags 0x4");
    c = hd_image_2d(HD_F32, 1, 4, 4);
    c.dimensions = 0;
    REFUSED(c, HD_ERR_ARGUMENT, "0 dimensions; 1, 2 and 3");
    c.dimensions = 4;
    REFUSED(c, HD_ERR_ARGUMENT, "4 dimensions");
    c.dimensions = 1;
    REFUSED(c, HD_ERR_ARGUMENT, "the height of an image of 1 dimensions is 4; it has to be 1");
    c = hd_image_3d(HD_F32, 1, 4, 4, 4);
    c.layered = 1;
    REFUSED(c, HD_ERR_ARGUMENT, "layers have 1 or 2 dimensions, not 3");
}

TEST(null_and_devices)
{
    const hd_image_config c = hd_image_1d(HD_F32, 1, 4);
    float numbers[4] = {0};
    hd_image image, none;
    int devices = 0;

    rig_open();
    MUST(hd_device_count(&devices));
    memset(&none, 0, sizeof none);
    CHECK_EQ_I64(hd_image_create(NULL, &c, 0), HD_ERR_ARGUMENT);
    CHECK_EQ_I64(hd_image_create(&image, NULL, 0), HD_ERR_ARGUMENT);
    CHECK_EQ_I64(hd_image_create(&image, &c, -1), HD_ERR_DEVICE_INDEX);
    CHECK_EQ_I64(hd_image_create(&image, &c, devices), HD_ERR_DEVICE_INDEX);
    CHECK_EQ_I64(hd_image_destroy(NULL), HD_OK);
    CHECK_EQ_I64(hd_image_destroy(&none), HD_OK);
    CHECK_EQ_I64(hd_image_copy_from(NULL, numbers, rig_stream), HD_ERR_ARGUMENT);
    CHECK_EQ_I64(hd_image_copy_from(&none, numbers, rig_stream), HD_ERR_ARGUMENT);
    CHECK(strstr(hd_error_last()->message, "not created, or is destroyed") != NULL);
    CHECK_EQ_I64(hd_image_copy_to(numbers, NULL, rig_stream), HD_ERR_ARGUMENT);
    CHECK_EQ_I64(hd_image_copy_to(numbers, &none, rig_stream), HD_ERR_ARGUMENT);
    CHECK_EQ_I64(hd_image_create(&image, &c, 0), HD_OK);
    CHECK_EQ_I64(hd_image_copy_from(&image, NULL, rig_stream), HD_ERR_ARGUMENT);
    CHECK_EQ_I64(hd_image_copy_to(NULL, &image, rig_stream), HD_ERR_ARGUMENT);
    CHECK_EQ_I64(hd_image_copy_from(&image, numbers, NULL), HD_ERR_ARGUMENT);
    CHECK_EQ_I64(hd_image_copy_to(numbers, &image, NULL), HD_ERR_ARGUMENT);
    if (devices > 1) {
        hd_stream *other;
        CHECK_EQ_I64(hd_stream_create(1, &other), HD_OK);
        CHECK_EQ_I64(hd_image_copy_from(&image, numbers, other), HD_ERR_ARGUMENT);
        CHECK(strstr(hd_error_last()->message, "of device 1, the image of device 0") != NULL);
        CHECK_EQ_I64(hd_stream_destroy(other), HD_OK);
    }
    CHECK_EQ_I64(hd_image_destroy(&image), HD_OK);
    CHECK(memcmp(&image, &none, sizeof image) == 0);
    CHECK_EQ_I64(hd_image_destroy(&image), HD_OK);
}

TEST(given_memory)
{
    hd_image_config c = hd_image_2d(HD_F32, 4, 5, 3);
    hd_image image, same;
    float plain[60];
    char *memory = NULL;
    int devices = 0;

    rig_open();
    MUST(hd_device_count(&devices));
    REQUIRE(hd_alloc(&memory, 512, 0) == HD_OK);
    c.memory = memory + 8;
    REFUSED(c, HD_ERR_ARGUMENT, "multiples of an element of 16 bytes");
    c.memory = memory;
    c.row_pitch = 88;
    REFUSED(c, HD_ERR_ARGUMENT, "multiples of an element of 16 bytes");
    c.row_pitch = 64;
    REFUSED(c, HD_ERR_ARGUMENT, "a pitch of 64 is less than a row of 80 bytes");
    c.row_pitch = SIZE_MAX / 16 * 16;
    REFUSED(c, HD_ERR_OVERFLOW, "do not fit in memory");
    c.row_pitch = 224; /* 2 * 224 + 80 = 528 */
    REFUSED(c, HD_ERR_POINTER, "needs 528 bytes; its allocation has 512 left");
    c.row_pitch = 208;
    c.memory = memory + 32; /* 2 * 208 + 80 = 496 */
    REFUSED(c, HD_ERR_POINTER, "needs 496 bytes; its allocation has 480 left");
    c.memory = plain;
    c.row_pitch = 0;
    if ((uintptr_t)plain % 16 == 0)
        REFUSED(c, HD_ERR_POINTER, "plain host memory");
    c.memory = memory + 16;
    c.row_pitch = 208;
    CHECK_EQ_I64(hd_image_create(&image, &c, 0), HD_OK); /* ends where the allocation ends */
    c.filter = HD_IMAGE_LINEAR;
    CHECK_EQ_I64(hd_image_create(&same, &c, 0), HD_OK);
    CHECK(image.data == memory + 16 && same.data == image.data);
    CHECK_EQ_U64(image.row_pitch, 208);
    CHECK_EQ_I64(hd_image_destroy(&image), HD_OK);
    CHECK_EQ_I64(hd_image_destroy(&same), HD_OK);
    if (devices > 1) {
        CHECK_EQ_I64(hd_image_create(&image, &c, 1), HD_ERR_POINTER);
        CHECK(strstr(hd_error_last()->message, "memory of device 0 for an image of device 1"));
    }
    CHECK_EQ_I64(hd_free(memory), HD_OK); /* neither destroy has freed it */
}

/* Elements in host memory, in the image's rows, and back; from and to device memory too. */
static void round_trip(hd_image_config c)
{
    const size_t element = c.channels * hd_type_bytes(c.type), row = c.width * element;
    const size_t rows = c.height * c.depth, bytes = rows * row;
    unsigned char *from = malloc(bytes), *to = calloc(bytes, 1), *rest = calloc(bytes, 1);
    unsigned char *array = NULL;
    hd_image image;

    REQUIRE(from && to && rest);
    for (size_t i = 0; i < bytes; i++)
        from[i] = (unsigned char)(i * 37 + i / 251);
    REQUIRE(hd_image_create(&image, &c, 0) == HD_OK);
    CHECK_EQ_U64(image.width, c.width);
    CHECK_EQ_U64(image.height, c.height);
    CHECK_EQ_U64(image.depth, c.depth);
    CHECK_EQ_U64(image.element_bytes, element);
    CHECK(image.row_pitch >= row && image.row_pitch % 256 == 0);
    CHECK_EQ_I64(hd_image_copy_from(&image, from, rig_stream), HD_OK);
    CHECK_EQ_I64(hd_image_copy_to(to, &image, rig_stream), HD_OK);
    CHECK_EQ_I64(hd_stream_synchronize(rig_stream), HD_OK);
    CHECK(memcmp(from, to, bytes) == 0);
    for (size_t i = 0; i < rows; i++) { /* as documented, row by row */
        const char *const line = (const char *)image.data + i * image.row_pitch;
        CHECK_EQ_I64(hd_copy_blocking_bytes(rest + i * row, line, row, 1, rig_stream), HD_OK);
    }
    CHECK(memcmp(from, rest, bytes) == 0);
    REQUIRE(hd_alloc(&array, bytes, 0) == HD_OK);
    memset(to, 0, bytes);
    CHECK_EQ_I64(hd_image_copy_to(array, &image, rig_stream), HD_OK);
    CHECK_EQ_I64(hd_fill_bytes(image.data, 0, 1, rows * image.row_pitch, rig_stream), HD_OK);
    CHECK_EQ_I64(hd_image_copy_from(&image, array, rig_stream), HD_OK);
    CHECK_EQ_I64(hd_image_copy_to(to, &image, rig_stream), HD_OK);
    CHECK_EQ_I64(hd_stream_synchronize(rig_stream), HD_OK);
    CHECK(memcmp(from, to, bytes) == 0);
    CHECK_EQ_I64(hd_image_destroy(&image), HD_OK);
    CHECK_EQ_I64(hd_free(array), HD_OK);
    free(from);
    free(to);
    free(rest);
}

TEST(copies)
{
    rig_open();
    round_trip(hd_image_1d(HD_U8, 1, 1));
    round_trip(hd_image_1d(HD_F32, 4, 1000));
    round_trip(hd_image_2d(HD_U8, 1, 17, 3));
    round_trip(hd_image_2d(HD_I16, 2, 64, 5)); /* rows of 256 bytes */
    round_trip(hd_image_2d(HD_I16, 4, 1, 70));
    round_trip(hd_image_3d(HD_F16, 4, 5, 3, 2));
    round_trip(hd_image_1d_layered(HD_U32, 2, 33, 4));
    round_trip(hd_image_2d_layered(HD_I8, 4, 7, 2, 3));
}

TEST_MAIN
