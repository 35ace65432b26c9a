/* SPDX-License-Identifier: Apache-2.0 */
/* error.c - status names and the calling thread's error detail. */
#include "error.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_SIZE = 1280, NAME_SIZE = 96, CALL_SIZE = 128, PATH_SIZE = 512 };

/* Status, call, path and line, message, and separators. */
static_assert(NAME_SIZE + CALL_SIZE + PATH_SIZE + MESSAGE_SIZE + 32 <= HD_ERROR_TEXT_MAX,
              "HD_ERROR_TEXT_MAX holds every text");

typedef struct error_slot {
    hd_error error;
    char message[MESSAGE_SIZE];
    char backend_name[NAME_SIZE];
} error_slot;

/* An error stays the reported one while the calls after it only clean up. `fresh`: from the
   recording of an error until the thread calls something other than a release; `keeping`: the
   current release began while `fresh` was set. A release may replace its own failure. */
static _Thread_local unsigned muted, releasing;
static _Thread_local int fresh, keeping;
static _Thread_local error_slot slot = {.error = {.call = "", .backend_name = "", .message = ""}};

const char *hd_status_name(hd_status status)
{
    switch (status) {
#define STATUS_NAME(name, value, text)                                                             \
    case name:                                                                                     \
        return #name;
        HD_STATUS_LIST(STATUS_NAME)
#undef STATUS_NAME
    }
    return "unknown status";
}

const char *hd_status_text(hd_status status)
{
    switch (status) {
#define STATUS_TEXT(name, value, text)                                                             \
    case name:                                                                                     \
        return text;
        HD_STATUS_LIST(STATUS_TEXT)
#undef STATUS_TEXT
    }
    return "unknown status";
}

/* A truncated text ends in dots. `length` is the return value of snprintf. */
static void mark_truncated(char *text, size_t size, int length)
{
    if (length >= 0 && (size_t)length >= size && size >= sizeof "...")
        memcpy(text + size - sizeof "...", "...", sizeof "...");
}

void hd__text_put(char *text, size_t size, const char *format, va_list args)
{
    mark_truncated(text, size, vsnprintf(text, size, format, args));
}

static int is_kept(void)
{
    return muted || keeping;
}

static hd_status record(hd_status status, const char *call, int code, const char *name)
{
    fresh = status < 0;
    slot.error.status = status;
    slot.error.call = call;
    slot.error.file = NULL;
    slot.error.line = 0;
    slot.error.backend_code = code;
    (void)snprintf(slot.backend_name, sizeof slot.backend_name, "%s", name);
    slot.error.backend_name = slot.backend_name;
    slot.error.message = slot.message;
    return status;
}

hd_status hd__fail(hd_status status, const char *call, const char *format, ...)
{
    char text[MESSAGE_SIZE]; /* the arguments may point into the old message */
    va_list list;
    if (is_kept())
        return status;
    va_start(list, format);
    hd__text_put(text, sizeof text, format, list);
    va_end(list);
    memcpy(slot.message, text, sizeof text);
    return record(status, call, 0, "");
}

hd_status hd__fail_native(hd_status status, const char *call, int code, const char *name,
                          const char *text)
{
    if (is_kept())
        return status;
    mark_truncated(slot.message, sizeof slot.message,
                   snprintf(slot.message, sizeof slot.message, "%s (%s, %d)", text, name, code));
    return record(status, call, code, name);
}

void hd__error_mute(int mute)
{
    muted = mute ? muted + 1 : muted - 1;
}

int hd__release_begin(void)
{
    const int before = keeping;
    keeping |= fresh;
    releasing++;
    return before;
}

void hd__release_end(const int *before)
{
    keeping = *before;
    releasing--;
}

void hd__error_passed(void)
{
    if (!releasing && !muted)
        fresh = 0;
}

const hd_error *hd_error_last(void)
{
    return &slot.error;
}

void hd_error_clear(void)
{
    slot.message[0] = 0;
    record(HD_OK, "", 0, "");
}

hd_status hd_error_place(hd_status status, const char *file, int line)
{
    if (status < 0 && slot.error.status == status && !slot.error.file) {
        slot.error.file = file;
        slot.error.line = line;
    }
    return status;
}

/* The path, or "..." and its last part. */
static const char *path_end(const char *path, char end[PATH_SIZE])
{
    const size_t length = strlen(path);
    if (length < PATH_SIZE)
        return path;
    (void)snprintf(end, PATH_SIZE, "...%s", path + length - (PATH_SIZE - sizeof "..."));
    return end;
}

char *hd_error_format(char *text, unsigned long size)
{
    const hd_error *e = &slot.error;
    const char *name = hd_status_name(e->status);
    char end[PATH_SIZE];
    int length;
    if (!text || size == 0)
        return text;
    if (e->status == HD_OK)
        length = snprintf(text, size, "%s", name);
    else if (e->file)
        length = snprintf(text, size, "%s in %s (%s:%d): %s", name, e->call, path_end(e->file, end),
                          e->line, e->message);
    else
        length = snprintf(text, size, "%s in %s: %s", name, e->call, e->message);
    mark_truncated(text, size, length);
    return text;
}
