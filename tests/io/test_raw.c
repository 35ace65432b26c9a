/* SPDX-License-Identifier: Apache-2.0 */
/* Raw binary files and pipes, and what every format shares: paths, messages, detection. */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include "../test.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "../../src/io/message.h"
#include "../../src/io/source.h"
#include "scratch.h"

static char message[HD__IO_MESSAGE];

TEST(raw_bytes)
{
    hd__source_options options = {.path = scratch_write("bytes.bin", "\0\1\xff\n", 4)};
    unsigned char back[8];
    hd__source *source;
    char text[HD__IO_INDEX];
    size_t got, axes = 9;

    REQUIRE(CHECK_STATUS(hd__source_open(&options, &source, message), 0));
    CHECK_EQ_I64(hd__source_format(source), HD__IO_RAW);
    CHECK_EQ_I64(hd__source_type(source), HD__IO_U8);
    CHECK_EQ_SIZE(hd__source_count(source), 4);
    CHECK_EQ_STR(hd__source_shape_text(source), "(4,)");
    CHECK(hd__source_shape(source, &axes) == NULL);
    CHECK_EQ_SIZE(axes, 0);
    CHECK_STATUS(hd__source_read(source, back, 3, &got, message), 0);
    CHECK_EQ_SIZE(got, 3);
    CHECK_EQ_U64(back[2], 255);
    CHECK_STATUS(hd__source_rewind(source, message), 0);
    CHECK_STATUS(hd__source_read(source, back, 8, &got, message), 0);
    CHECK_EQ_SIZE(got, 4);
    CHECK_EQ_U64(back[3], 10);
    CHECK_STATUS(hd__source_unravel(source, 2, text), 0);
    CHECK_EQ_STR(text, "(2,)");
    hd__source_close(source);
}

TEST(raw_types)
{
    static const unsigned char one[8] = {0, 0, 0, 0, 0, 0, 0xf0, 0x3f};
    hd__source_options options = {.path = scratch_write("one.bin", one, 8), .type = HD__IO_F64};
    hd__source *source;
    double value = 0;
    size_t got;

    REQUIRE(CHECK_STATUS(hd__source_open(&options, &source, message), 0));
    CHECK_EQ_SIZE(hd__source_count(source), 1);
    CHECK_STATUS(hd__source_read(source, &value, 1, &got, message), 0);
    CHECK_EQ_F64_BITS(value, 1.0);
    hd__source_close(source);
}

TEST(raw_size_no_multiple)
{
    hd__source_options options = {.path = "odd.bin", .type = HD__IO_F32};
    hd__source *source;

    CHECK_STATUS(hd__source_open_memory("1234567", 7, &options, &source, message),
                 HD__IO_ERR_CONTENT);
    CHECK_EQ_STR(message, "odd.bin: 7 bytes are not a whole number of f32 (4 bytes each)");
}

TEST(raw_empty)
{
    hd__source_options options = {.path = scratch_write("empty.bin", "", 0), .type = HD__IO_F64};
    hd__source *source;
    size_t got = 9;
    double value;

    REQUIRE(CHECK_STATUS(hd__source_open(&options, &source, message), 0));
    CHECK_EQ_SIZE(hd__source_count(source), 0);
    CHECK_STATUS(hd__source_read(source, &value, 1, &got, message), 0);
    CHECK_EQ_SIZE(got, 0);
    hd__source_close(source);
}

/* A sparse file of 5 GiB: sizes and positions beyond 32 bits. */
TEST(raw_beyond_4_gib)
{
    const char *path = scratch_write("large.bin", "", 0);
    hd__source_options options = {.path = path, .type = HD__IO_U64};
    hd__source *source;
    int fd = open(path, O_WRONLY);

    REQUIRE(fd >= 0);
    if (ftruncate(fd, (off_t)5 << 30) != 0) {
        close(fd);
        SKIP("the file system has no large files");
    }
    close(fd);
    REQUIRE(CHECK_STATUS(hd__source_open(&options, &source, message), 0));
    CHECK_EQ_U64(hd__source_count(source), UINT64_C(671088640));
    CHECK_EQ_STR(hd__source_shape_text(source), "(671088640,)");
    hd__source_close(source);
}

/* Puts bytes into a pipe that becomes standard input. */
static void feed(const void *bytes, size_t size)
{
    int ends[2];

    REQUIRE(pipe(ends) == 0);
    REQUIRE(write(ends[1], bytes, size) == (ssize_t)size);
    close(ends[1]);
    REQUIRE(dup2(ends[0], STDIN_FILENO) == STDIN_FILENO);
    close(ends[0]);
}

TEST(raw_pipe)
{
    hd__source_options options = {.path = "-", .type = HD__IO_U16};
    uint16_t back[16];
    hd__source *source;
    size_t got, i;

    feed("\1\0\2\0\3\0\4\0\5\0\6\0\7\0", 14);
    REQUIRE(CHECK_STATUS(hd__source_open(&options, &source, message), 0));
    CHECK_EQ_SIZE(hd__source_count(source), SIZE_MAX);
    CHECK_STATUS(hd__source_read(source, back, 1, &got, message), 0);
    CHECK_EQ_SIZE(got, 1);
    CHECK_STATUS(hd__source_read(source, back + 1, 15, &got, message), 0);
    CHECK_EQ_SIZE(got, 6);
    for (i = 0; i < 7; i++)
        CHECK_EQ_U64(back[i], i + 1);
    CHECK_STATUS(hd__source_rewind(source, message), HD__IO_ERR_FILE);
    CHECK_EQ_STR(message, "standard input: a pipe cannot be read again");
    hd__source_close(source);
}

TEST(raw_pipe_ends_within_element)
{
    hd__source_options options = {.path = "-", .type = HD__IO_U32};
    uint32_t back[4];
    hd__source *source;
    size_t got = 77;

    feed("123456", 6);
    REQUIRE(CHECK_STATUS(hd__source_open(&options, &source, message), 0));
    CHECK_STATUS(hd__source_read(source, back, 4, &got, message), HD__IO_ERR_CONTENT);
    CHECK_EQ_STR(message, "standard input: ends within an element: 6 bytes are not a whole number "
                          "of u32 (4 bytes each)");
    message[0] = '\0';
    CHECK_STATUS(hd__source_read(source, back, 4, &got, message), HD__IO_ERR_CONTENT);
    CHECK(message[0] == 's');
    CHECK_EQ_SIZE(got, 77);
    hd__source_close(source);
}

/* Standard input that is a file, already read in part. */
TEST(raw_redirected)
{
    hd__source_options options = {.path = "-"};
    int fd = open(scratch_write("redirected.bin", "abcdef", 6), O_RDONLY);
    hd__source *source;
    char back[8];
    size_t got;

    REQUIRE(fd >= 0 && lseek(fd, 2, SEEK_SET) == 2);
    REQUIRE(dup2(fd, STDIN_FILENO) == STDIN_FILENO);
    close(fd);
    REQUIRE(CHECK_STATUS(hd__source_open(&options, &source, message), 0));
    CHECK_EQ_SIZE(hd__source_count(source), 4);
    CHECK_STATUS(hd__source_read(source, back, 3, &got, message), 0);
    CHECK_STATUS(hd__source_rewind(source, message), 0);
    CHECK_STATUS(hd__source_read(source, back, 8, &got, message), 0);
    CHECK_EQ_SIZE(got, 4);
    CHECK(memcmp(back, "cdef", 4) == 0);
    hd__source_close(source);
}

TEST(raw_became_shorter)
{
    const char *path = scratch_write("shrinks.bin", "0123456789abcdef0123", 20);
    hd__source_options options = {.path = path};
    hd__source *source;
    char back[32];
    size_t got;

    REQUIRE(CHECK_STATUS(hd__source_open(&options, &source, message), 0));
    CHECK(truncate(path, 12) == 0);
    CHECK_STATUS(hd__source_read(source, back, 32, &got, message), HD__IO_ERR_CONTENT);
    CHECK(strstr(message, "shrinks.bin: became shorter while it was read") != NULL);
    hd__source_close(source);
}

static void check_open_error(const char *path, const char *ending)
{
    hd__source_options options = {.path = path};
    hd__source *source;
    size_t length;

    CHECK_STATUS(hd__source_open(&options, &source, message), HD__IO_ERR_FILE);
    length = strlen(message);
    REQUIRE(length >= strlen(ending));
    CHECK_EQ_STR(message + length - strlen(ending), ending);
}

TEST(file_cannot_be_opened)
{
    check_open_error("/nonexistent/a.csv", "/nonexistent/a.csv: No such file or directory");
    check_open_error("/", "/: is a directory");
    check_open_error("", ": No such file or directory");
}

TEST(file_without_permission)
{
    const char *secret = scratch_write("secret.bin", "x", 1);

    if (geteuid() == 0)
        SKIP("root may read every file");
    CHECK(chmod(secret, 0) == 0);
    check_open_error(secret, "secret.bin: Permission denied");
}

/* Files of /proc are regular and say that they have no bytes; they are read like a pipe. */
TEST(file_of_proc)
{
    hd__source_options options = {.path = "/proc/self/status"};
    hd__source *source;
    char back[8];
    size_t got = 0;

    if (access(options.path, R_OK) != 0)
        SKIP("there is no /proc");
    REQUIRE(CHECK_STATUS(hd__source_open(&options, &source, message), 0));
    CHECK_EQ_SIZE(hd__source_count(source), SIZE_MAX);
    CHECK_STATUS(hd__source_read(source, back, 5, &got, message), 0);
    CHECK_EQ_SIZE(got, 5);
    CHECK(memcmp(back, "Name:", 5) == 0);
    hd__source_close(source);
}

TEST(file_format_by_name)
{
    static const struct {
        const char *path;
        hd__io_format format;
    } cases[] = {{"a.csv", HD__IO_CSV},     {"a.TSV", HD__IO_CSV}, {"a.txt", HD__IO_RAW},
                 {"a.csv.bin", HD__IO_RAW}, {"csv", HD__IO_RAW},   {".csv", HD__IO_RAW}};
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hd__source_options options = {.path = cases[i].path};
        hd__source *source;
        REQUIRE(CHECK_STATUS(hd__source_open_memory("12\n", 3, &options, &source, message), 0));
        CHECK_EQ_I64(hd__source_format(source), cases[i].format);
        hd__source_close(source);
    }
}

TEST(file_archive_is_refused)
{
    hd__source_options options = {.path = "many.npz"};
    hd__source *source;

    CHECK_STATUS(hd__source_open_memory("PK", 2, &options, &source, message), HD__IO_ERR_ARGUMENT);
    CHECK_EQ_STR(message, "many.npz: is an archive of arrays; extract the .npy file you mean");
}

/* Packed bytes are refused where an array or text is wanted, and are bytes to those who ask. */
TEST(file_packed_is_refused)
{
    static const unsigned char packed[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3};
    static const hd__io_format formats[] = {HD__IO_AUTO, HD__IO_NPY, HD__IO_CSV};
    hd__source_options options = {.path = "packed"};
    hd__source *source;
    size_t i;

    for (i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        options.format = formats[i];
        CHECK_STATUS(hd__source_open_memory(packed, sizeof packed, &options, &source, message),
                     HD__IO_ERR_CONTENT);
        CHECK_EQ_STR(message, "packed: is compressed by gzip; unpack it first");
    }
    options.format = HD__IO_AUTO;
    options.type = HD__IO_U8;
    REQUIRE(
        CHECK_STATUS(hd__source_open_memory(packed, sizeof packed, &options, &source, message), 0));
    CHECK_EQ_SIZE(hd__source_count(source), sizeof packed);
    hd__source_close(source);
}

static void check_printable(const char *bytes, size_t size, const char *wanted)
{
    char text[24];

    hd__io_printable(bytes, strlen(bytes), text, size);
    CHECK_EQ_STR(text, wanted);
}

TEST(message_printable)
{
    check_printable("plain", 24, "plain");
    check_printable("a\nb\tc\x1b", 24, "a\\nb\\tc\\x1b");
    check_printable("0123456789", 11, "0123456789");
    check_printable("0123456789", 10, "012345...");
    check_printable("01234\n", 8, "01234\\n");
    check_printable("012345\n", 8, "0123...");
    check_printable("gr\xc3\xbc\xc3\x9f", 24, "gr\xc3\xbc\xc3\x9f");
    check_printable("\xc3", 24, "\\xc3");
    check_printable("\xc2\x9b", 24, "\\xc2\\x9b");
    check_printable("\xe2\x80\xae", 24, "\\xe2\\x80\\xae");
    check_printable("\xed\xa0\x80", 24, "\\xed\\xa0\\x80");
    check_printable("\xc1\x81", 24, "\\xc1\\x81");
    check_printable("\xf0\x9f\x98\x80", 24, "\xf0\x9f\x98\x80");
}

TEST(message_long_path)
{
    char path[400], text[HD__IO_NAME];
    size_t i;

    memset(path, 'd', sizeof path);
    strcpy(path + 380, "/name.csv");
    hd__io_printable_path(path, text, sizeof text);
    CHECK(strncmp(text, "...ddd", 6) == 0);
    CHECK_EQ_STR(text + strlen(text) - 10, "d/name.csv");
    CHECK(strlen(text) < sizeof text);
    for (i = 0; i < 399; i++)
        path[i] = "\xc3\xbc\n"[i % 3];
    path[399] = '\0';
    hd__io_printable_path(path, text, sizeof text);
    CHECK(strlen(text) < sizeof text);
    CHECK(((unsigned char)text[3] & 0xc0) != 0x80);
}

TEST_MAIN
