/* SPDX-License-Identifier: Apache-2.0 */
/* Error messages about files, and escaping of foreign text for printing. */
#include "message.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "type.h"

int hd__io_fail(char *message, int status, const char *name, const char *format, ...)
{
    int used = snprintf(message, HD__IO_MESSAGE, "%s: ", name);
    va_list args;

    if (used < 0 || used >= HD__IO_MESSAGE)
        return status;
    va_start(args, format);
    vsnprintf(message + used, (size_t)(HD__IO_MESSAGE - used), format, args);
    va_end(args);
    return status;
}

/* Bytes of the valid UTF-8 sequence at the start, and its code point; 0 if it is invalid. */
static size_t hd__io_utf8(const unsigned char *bytes, size_t length, uint32_t *point_out)
{
    static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
    size_t size = bytes[0] < 0x80 ? 1 : bytes[0] >= 0xf0 ? 4 : bytes[0] >= 0xe0 ? 3 : 2;
    uint32_t point = size == 1 ? bytes[0] : bytes[0] & (0x7fu >> size);
    size_t i;

    if ((bytes[0] >= 0x80 && bytes[0] < 0xc0) || bytes[0] >= 0xf8 || size > length)
        return 0;
    for (i = 1; i < size; i++) {
        if ((bytes[i] & 0xc0) != 0x80)
            return 0;
        point = point << 6 | (bytes[i] & 0x3fu);
    }
    if (point < smallest[size] || point > 0x10ffff || (point >= 0xd800 && point < 0xe000))
        return 0;
    *point_out = point;
    return size;
}

/* Whether a character may be printed: terminals interpret control characters; bidirectional marks
   and line separators can forge lines. */
static int hd__io_is_plain(uint32_t point)
{
    if (point < 0x20 || (point >= 0x7f && point < 0xa0))
        return 0;
    return !(point >= 0x2028 && point <= 0x202e) && !(point >= 0x2066 && point <= 0x2069) &&
           point != 0x200e && point != 0x200f && point != 0xfeff;
}

/* Writes the next character, or its escape, to piece (8 bytes). Returns the number of input bytes
   consumed. */
static size_t hd__io_piece(const unsigned char *bytes, size_t length, char *piece)
{
    uint32_t point = 0;
    size_t size = hd__io_utf8(bytes, length, &point);

    if (size > 0 && hd__io_is_plain(point)) {
        memcpy(piece, bytes, size);
        piece[size] = '\0';
        return size;
    }
    if (bytes[0] == '\n' || bytes[0] == '\r' || bytes[0] == '\t')
        snprintf(piece, 8, "\\%c", bytes[0] == '\n' ? 'n' : bytes[0] == '\r' ? 'r' : 't');
    else
        snprintf(piece, 8, "\\x%02x", (unsigned)bytes[0]);
    return 1;
}

void hd__io_printable(const char *bytes, size_t length, char *text, size_t size)
{
    size_t used = 0, cut = 0, done = 0;
    char piece[8];

    while (done < length) {
        done += hd__io_piece((const unsigned char *)bytes + done, length - done, piece);
        if (used + strlen(piece) >= size) {
            memcpy(text + cut, "...", 4);
            return;
        }
        memcpy(text + used, piece, strlen(piece));
        used += strlen(piece);
        if (used + 4 <= size)
            cut = used;
    }
    text[used] = '\0';
}

void hd__io_printable_path(const char *path, char *text, size_t size)
{
    size_t length = strlen(path), skip = 0;
    size_t room = size - 4;
    char whole[HD__IO_NAME * 4 + 8];

    if (length > HD__IO_NAME)
        skip = length - HD__IO_NAME;
    /* A byte of the path takes at most four printed bytes, so this never truncates. */
    hd__io_printable(path + skip, length - skip, whole, sizeof whole);
    length = strlen(whole);
    if (skip == 0 && length < size) {
        memcpy(text, whole, length + 1);
        return;
    }
    skip = length > room ? length - room + 1 : 0;
    while (((unsigned char)whole[skip] & 0xc0) == 0x80)
        skip++;
    snprintf(text, size, "...%s", whole + skip);
}
