/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of an input: a file, a pipe, or a block of memory, behind one sequential interface. */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include "bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "type.h"

/* On some systems one read call returns less than 2 GiB, whatever its argument is. */
#define HD__BYTES_PER_CALL ((size_t)1 << 30)

static int hd__bytes_fail(const hd__bytes *bytes, char *message)
{
    return hd__io_fail(message, HD__IO_ERR_FILE, bytes->name, "%s", strerror(errno));
}

/* Determines the kind of file of fd, and its length. */
static int hd__bytes_inspect(hd__bytes *bytes, char *message)
{
    struct stat facts;
    off_t at;
    size_t got;
    unsigned char first;
    int status;

    if (fstat(bytes->fd, &facts) != 0)
        return hd__bytes_fail(bytes, message);
    if (S_ISDIR(facts.st_mode))
        return hd__io_fail(message, HD__IO_ERR_FILE, bytes->name, "is a directory");
    at = lseek(bytes->fd, 0, SEEK_CUR);
    if (!S_ISREG(facts.st_mode) || at < 0)
        return 0;
    bytes->origin = (uint64_t)at;
    /* Files of /proc report a length of 0 but have data. */
    status = hd__bytes_peek(bytes, &first, 1, &got, message);
    if (status != 0 || (facts.st_size == 0 && got > 0))
        return status;
    bytes->regular = true;
    bytes->size = facts.st_size > at ? (uint64_t)(facts.st_size - at) : 0;
    return 0;
}

int hd__bytes_open(const char *path, hd__bytes *bytes_out, char *message)
{
    bool standard = strcmp(path, "-") == 0;
    hd__bytes bytes = {.fd = -1, .size = HD__BYTES_UNKNOWN, .owned = !standard};
    int status;

    hd__io_printable_path(standard ? "standard input" : path, bytes.name, sizeof bytes.name);
    do
        bytes.fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    while (bytes.fd < 0 && errno == EINTR);
    if (bytes.fd < 0)
        return hd__bytes_fail(&bytes, message);
    status = hd__bytes_inspect(&bytes, message);
    if (status != 0) {
        hd__bytes_close(&bytes);
        return status;
    }
    *bytes_out = bytes;
    return 0;
}

void hd__bytes_open_memory(const void *data, size_t size, const char *name, hd__bytes *bytes_out)
{
    hd__bytes bytes = {.fd = -1, .regular = true, .memory = data, .size = size};

    hd__io_printable_path(name, bytes.name, sizeof bytes.name);
    *bytes_out = bytes;
}

void hd__bytes_close(hd__bytes *bytes)
{
    if (bytes->owned && bytes->fd >= 0)
        close(bytes->fd);
    bytes->fd = -1;
}

static int hd__bytes_read_memory(hd__bytes *bytes, void *buffer, size_t size, size_t *got_out)
{
    uint64_t left = bytes->size - bytes->position;
    size_t take = left < size ? (size_t)left : size;

    if (take > 0)
        memcpy(buffer, bytes->memory + bytes->position, take);
    bytes->position += take;
    *got_out = take;
    return 0;
}

static int hd__bytes_read_file(hd__bytes *bytes, unsigned char *buffer, size_t size,
                               size_t *got_out, char *message)
{
    size_t done = 0;

    while (done < size) {
        size_t ask = size - done < HD__BYTES_PER_CALL ? size - done : HD__BYTES_PER_CALL;
        ssize_t got = read(bytes->fd, buffer + done, ask);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return hd__bytes_fail(bytes, message);
        if (got == 0)
            break;
        done += (size_t)got;
    }
    bytes->position += done;
    *got_out = done;
    return 0;
}

int hd__bytes_read(hd__bytes *bytes, void *buffer, size_t size, size_t *got_out, char *message)
{
    size_t early = bytes->peeked_count < size ? bytes->peeked_count : size;
    size_t got = 0;
    int status;

    if (bytes->memory != NULL || bytes->fd < 0)
        return hd__bytes_read_memory(bytes, buffer, size, got_out);
    if (early > 0)
        memcpy(buffer, bytes->peeked + bytes->peeked_end - bytes->peeked_count, early);
    status = hd__bytes_read_file(bytes, (unsigned char *)buffer + early, size - early, &got,
                                 message);
    if (status != 0)
        return status;
    bytes->peeked_count -= early;
    bytes->position += early;
    *got_out = early + got;
    return 0;
}

int hd__bytes_peek(hd__bytes *bytes, void *buffer, size_t size, size_t *got_out, char *message)
{
    unsigned char first[sizeof bytes->peeked];
    size_t got;
    int status = hd__bytes_read(bytes, first, sizeof first, &got, message);

    if (status != 0)
        return status;
    *got_out = got < size ? got : size;
    memcpy(buffer, first, *got_out);
    if (bytes->memory != NULL || bytes->fd < 0) {
        bytes->position -= got;
        return 0;
    }
    memcpy(bytes->peeked, first, got);
    bytes->peeked_count = bytes->peeked_end = got;
    bytes->position -= got;
    return 0;
}

int hd__bytes_seek(hd__bytes *bytes, uint64_t position, char *message)
{
    if (!bytes->regular)
        return hd__io_fail(message, HD__IO_ERR_FILE, bytes->name, "a pipe cannot be read again");
    if (bytes->fd >= 0 && lseek(bytes->fd, (off_t)(bytes->origin + position), SEEK_SET) < 0)
        return hd__bytes_fail(bytes, message);
    bytes->peeked_count = 0;
    bytes->position = position;
    return 0;
}
