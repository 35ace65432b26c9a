/* SPDX-License-Identifier: Apache-2.0 */
/* labels: once */
/* Arrays written as .npy and read back, byte by byte, and what cannot be written. */
#define _POSIX_C_SOURCE 200809L

#include "../test.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "../../src/io/npy_write.h"
#include "../../src/io/source.h"
#include "scratch.h"

static char message[HD__IO_MESSAGE];

/* Writes an array and reads it again. */
static void check_round_trip(hd__io_type type, size_t axes, const uint64_t *shape,
                             const char *shape_text)
{
    const char *path = scratch_path("written.npy");
    hd__source_options options = {.path = path};
    unsigned char data[480], back[480];
    size_t got, read_axes, count = 1;
    hd__source *source;

    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (unsigned char)(i * 37 + 11);
    for (size_t i = 0; i < axes; i++)
        count *= (size_t)shape[i];
    REQUIRE(count * hd__io_type_size(type) <= sizeof data);
    if (!CHECK_STATUS(hd__npy_write(path, type, axes, shape, data, message), 0))
        return;
    REQUIRE(CHECK_STATUS(hd__source_open(&options, &source, message), 0));
    CHECK_EQ_I64(hd__source_format(source), HD__IO_NPY);
    CHECK_EQ_I64(hd__source_type(source), type);
    CHECK_EQ_SIZE(hd__source_count(source), count);
    CHECK_EQ_STR(hd__source_shape_text(source), shape_text);
    CHECK(!hd__source_fortran_order(source));
    hd__source_shape(source, &read_axes);
    CHECK_EQ_SIZE(read_axes, axes);
    CHECK_STATUS(hd__source_read(source, back, count, &got, message), 0);
    CHECK_EQ_SIZE(got, count);
    CHECK(memcmp(back, data, count * hd__io_type_size(type)) == 0);
    hd__source_close(source);
}

TEST(every_type_comes_back)
{
    const uint64_t shape[1] = {60};

    for (int type = HD__IO_U8; type <= HD__IO_F64; type++)
        check_round_trip((hd__io_type)type, 1, shape, "(60,)");
}

TEST(every_number_of_axes)
{
    const uint64_t shape[4] = {2, 3, 1, 5}, empty[2] = {0, 3};

    check_round_trip(HD__IO_F32, 0, shape, "()");
    check_round_trip(HD__IO_F32, 2, shape, "(2, 3)");
    check_round_trip(HD__IO_I16, 4, shape, "(2, 3, 1, 5)");
    check_round_trip(HD__IO_U64, 2, empty, "(0, 3)");
}

/* The header is a multiple of 64 bytes whatever the shape's length. */
TEST(data_is_aligned)
{
    const uint64_t shape[HD__IO_MAX_AXES] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                             1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    const unsigned char data = 7;
    const char *path = scratch_path("aligned.npy");
    struct stat status;

    for (size_t axes = 0; axes <= 30; axes++) {
        CHECK_STATUS(hd__npy_write(path, HD__IO_U8, axes, shape, &data, message), 0);
        REQUIRE(stat(path, &status) == 0);
        CHECK_EQ_I64(status.st_size % 64, 1);
    }
}

/* Whose length does not fit one byte. */
TEST(long_headers)
{
    const char *path = scratch_path("long.npy");
    static const unsigned char data[1000] = {7};
    unsigned char head[10] = {0}, first = 0;
    uint64_t shape[HD__IO_MAX_AXES];
    FILE *file;

    for (size_t i = 0; i < HD__IO_MAX_AXES; i++)
        shape[i] = i ? 1 : sizeof data;
    CHECK_STATUS(hd__npy_write(path, HD__IO_U8, HD__IO_MAX_AXES, shape, data, message), 0);
    file = fopen(path, "rb");
    REQUIRE(file != NULL && fread(head, 1, sizeof head, file) == sizeof head);
    CHECK(head[9] > 0);
    CHECK(fseek(file, head[8] + 256L * head[9], SEEK_CUR) == 0);
    CHECK(fread(&first, 1, 1, file) == 1 && first == 7);
    CHECK(fseek(file, 999, SEEK_CUR) == 0 && fgetc(file) == EOF);
    fclose(file);
}

TEST(a_file_is_replaced_whole_or_not_at_all)
{
    const uint64_t shape[1] = {3}, huge[2] = {UINT64_MAX, 16};
    const char *path = scratch_write("old.npy", "old", 3);
    struct stat status;

    CHECK_STATUS(hd__npy_write(path, HD__IO_F64, 2, huge, NULL, message), HD__IO_ERR_ARGUMENT);
    REQUIRE(stat(path, &status) == 0);
    CHECK_EQ_I64(status.st_size, 3);
    CHECK_STATUS(hd__npy_write(path, HD__IO_U8, 1, shape, "new", message), 0);
    REQUIRE(stat(path, &status) == 0);
    CHECK_EQ_I64(status.st_size, 128 + 3);
}

TEST(places_that_cannot_be_written)
{
    const uint64_t shape[1] = {1};
    char path[400], folder[8] = "folder/";

    CHECK_STATUS(hd__npy_write("/nonexistent/a.npy", HD__IO_U8, 1, shape, "x", message),
                 HD__IO_ERR_FILE);
    CHECK(strstr(message, "No such file") != NULL);
    CHECK_STATUS(hd__npy_write("/dev/full", HD__IO_U8, 1, shape, "x", message), HD__IO_ERR_FILE);
    CHECK_STATUS(hd__npy_write("/dev/null", HD__IO_U8, 1, shape, "x", message), 0);
    memset(path, 'a', sizeof path);
    memcpy(path, folder, sizeof folder - 1);
    path[sizeof path - 1] = '\0';
    CHECK_STATUS(hd__npy_write(path, HD__IO_U8, 1, shape, "x", message), HD__IO_ERR_FILE);
}

TEST_MAIN
