/* SPDX-License-Identifier: Apache-2.0 */
/* text.c - growing text, permanent text, JSON strings. If memory runs out, text is left out. */
#include "report.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Makes room for that many more bytes and a terminating zero. */
static int grow(hd_check_text *text, size_t bytes)
{
    size_t room = text->room ? text->room : 1024;
    char *data;

    while (room < text->used + bytes + 1)
        room *= 2;
    if (room == text->room)
        return 1;
    data = realloc(text->data, room);
    if (!data)
        return 0;
    text->data = data;
    text->room = room;
    return 1;
}

void hd_check_put(hd_check_text *text, const char *format, ...)
{
    va_list args;
    int length;

    va_start(args, format);
    length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length <= 0 || !grow(text, (size_t)length))
        return;
    va_start(args, format);
    (void)vsnprintf(text->data + text->used, (size_t)length + 1, format, args);
    va_end(args);
    text->used += (size_t)length;
}

/* Length of the valid UTF-8 sequence at the start; 0 if there is none. */
static size_t sequence(const unsigned char *at)
{
    static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = at[0] < 0x80 ? 1 : at[0] >= 0xf0 ? 4 : at[0] >= 0xe0 ? 3 : 2;
    uint32_t point = length == 1 ? at[0] : at[0] & (0x7fu >> length);

    if ((at[0] >= 0x80 && at[0] < 0xc0) || at[0] >= 0xf8)
        return 0;
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return 0;
        point = point << 6 | (at[i] & 0x3fu);
    }
    if (point < smallest[length] || point > 0x10ffff || (point >= 0xd800 && point < 0xe000))
        return 0;
    return length;
}

void hd_check_put_json(hd_check_text *text, const char *string)
{
    const unsigned char *at = (const unsigned char *)string;

    hd_check_put(text, "\"");
    while (*at) {
        size_t length = sequence(at);

        if (length == 0)
            hd_check_put(text, "\\ufffd");
        else if (*at == '"' || *at == '\\')
            hd_check_put(text, "\\%c", *at);
        else if (*at < 0x20 || *at == 0x7f)
            hd_check_put(text, "\\u%04x", *at);
        else
            hd_check_put(text, "%.*s", (int)length, (const char *)at);
        at += length ? length : 1;
    }
    hd_check_put(text, "\"");
}

void hd_check_write(int fd, const char *data, size_t bytes)
{
    while (bytes > 0) {
        ssize_t done = write(fd, data, bytes);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return;
        data += done;
        bytes -= (size_t)done;
    }
}

/* ---- permanent texts ------------------------------------------------------------------------- */

typedef struct kept_text {
    struct kept_text *next;
    char text[];
} kept_text;

enum { TEXTS = 256 };

const char *hd_check_keep(const char *text)
{
    static kept_text *texts[TEXTS];
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    size_t bytes = strlen(text) + 1, hash = 0;
    kept_text **bucket, *at;

    for (const char *c = text; *c; c++)
        hash = hash * 31 + (unsigned char)*c;
    bucket = &texts[hash % TEXTS];
    (void)pthread_mutex_lock(&lock);
    for (at = *bucket; at && strcmp(at->text, text) != 0;)
        at = at->next;
    if (!at && (at = malloc(sizeof *at + bytes)) != NULL) {
        memcpy(at->text, text, bytes);
        at->next = *bucket;
        *bucket = at;
    }
    (void)pthread_mutex_unlock(&lock);
    return at ? at->text : NULL;
}
