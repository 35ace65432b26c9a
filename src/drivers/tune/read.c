/* SPDX-License-Identifier: Apache-2.0 */
/* read.c - reads the file of tuned choices with libjansson, which is loaded when a file exists, so
   that programs do not depend on it. */
#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/library.h"

/* The functions of libjansson 2 that are used; `json` is its json_t. */
typedef struct json json;
static json *(*load)(const char *text, size_t length, size_t flags, void *error);
static json *(*member)(const json *object, const char *key);
static size_t (*array_size)(const json *array);
static json *(*array_get)(const json *array, size_t index);
static const char *(*string_value)(const json *string);
static long long (*integer_value)(const json *integer);
static double (*number_value)(const json *number);
static void *(*first_member)(json *object);
static void *(*next_member)(json *object, void *at);
static const char *(*key_of)(void *at);
static json *(*value_of)(void *at);
static void (*release)(json *tree);

enum { REJECT_DUPLICATES = 1 };

static hd_status find_library(const char *call)
{
    static void *library;
    static const char *const files[] = {"libjansson.so.4", NULL};
    static const hd__library_name names[] = {{"json_loadb", &load},
                                             {"json_object_get", &member},
                                             {"json_array_size", &array_size},
                                             {"json_array_get", &array_get},
                                             {"json_string_value", &string_value},
                                             {"json_integer_value", &integer_value},
                                             {"json_number_value", &number_value},
                                             {"json_object_iter", &first_member},
                                             {"json_object_iter_next", &next_member},
                                             {"json_object_iter_key", &key_of},
                                             {"json_object_iter_value", &value_of},
                                             {"json_delete", &release},
                                             {NULL, NULL}};
    return hd__library_load(call,
                            "reading the file of tuned choices needs libjansson (Debian: "
                            "libjansson4)",
                            files, names, &library);
}

/* ---- entries --------------------------------------------------------------------------------- */

/* A string member that fits; 0 otherwise. */
static int get_text(const json *object, const char *key, char *text, size_t size)
{
    const char *found = string_value(member(object, key));
    if (!found || strlen(found) >= size)
        return 0;
    memcpy(text, found, strlen(found) + 1);
    return 1;
}

static int get_values(json *values, hd__tune_entry *entry)
{
    for (void *at = first_member(values); at; at = next_member(values, at)) {
        const long long value = integer_value(value_of(at));
        const char *key = key_of(at);
        if (entry->knob_count == HD_TUNE_KNOBS_MAX || strlen(key) >= sizeof entry->knobs[0] ||
            value < 0 || value > UINT32_MAX)
            return 0;
        memcpy(entry->knobs[entry->knob_count], key, strlen(key) + 1);
        entry->values[entry->knob_count++] = (unsigned)value;
    }
    return entry->knob_count > 0;
}

static int get_entry(const json *object, hd__tune_entry *entry)
{
    const long long from = integer_value(member(object, "from"));
    memset(entry, 0, sizeof *entry);
    while (entry->bucket < 31 && (uint64_t)1 << 2 * (entry->bucket + 1) <= (uint64_t)from)
        entry->bucket++;
    entry->speedup = number_value(member(object, "speedup"));
    return from >= 1 && (uint64_t)from == (uint64_t)1 << 2 * entry->bucket &&
           get_text(object, "name", entry->name, sizeof entry->name) &&
           get_text(object, "type", entry->type, sizeof entry->type) &&
           get_text(object, "source", entry->place.source, sizeof entry->place.source) &&
           get_text(object, "compiler", entry->place.compiler, sizeof entry->place.compiler) &&
           get_text(object, "device", entry->place.device, sizeof entry->place.device) &&
           get_text(object, "driver", entry->place.driver, sizeof entry->place.driver) &&
           get_values(member(object, "values"), entry);
}

static hd_status get_entries(const char *call, const char *path, const json *tree,
                             hd__tune_entries *entries)
{
    const json *list = member(tree, "choices");
    const char *format = string_value(member(tree, "format"));
    const long long version = integer_value(member(tree, "version"));
    if (!format || strcmp(format, "heddle-tune") != 0)
        return hd__fail(HD_ERR_FORMAT, call, "%s is not a file of tuned choices", path);
    if (version != HD__TUNE_FORMAT)
        return hd__fail(HD_ERR_FORMAT, call, "%s has version %lld; this heddle reads version %d",
                        path, version, HD__TUNE_FORMAT);
    for (size_t i = 0; i < array_size(list); i++) {
        hd__tune_entry entry;
        if (!get_entry(array_get(list, i), &entry))
            return hd__fail(HD_ERR_FORMAT, call, "%s is damaged: choice %zu is incomplete", path,
                            i + 1);
        HD_TRY(hd__tune_entries_put(call, entries, &entry));
    }
    return HD_OK;
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Reads the whole descriptor into *text, which the caller frees. */
static hd_status read_all(const char *call, const char *path, int fd, char **text, size_t *length)
{
    struct stat facts;
    size_t got = 0;
    ssize_t part = 1;
    if (fstat(fd, &facts) != 0)
        return hd__fail(HD_ERR_IO, call, "%s: %s", path, strerror(errno));
    if (!S_ISREG(facts.st_mode))
        return hd__fail(HD_ERR_IO, call, "%s is not a regular file", path);
    if (facts.st_size > HD__TUNE_FILE_BYTES)
        return hd__fail(HD_ERR_FORMAT, call, "%s has %lld bytes; at most %d are read", path,
                        (long long)facts.st_size, HD__TUNE_FILE_BYTES);
    *text = malloc((size_t)facts.st_size + 1);
    if (!*text)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for %lld bytes",
                        (long long)facts.st_size);
    while (got < (size_t)facts.st_size && part > 0) {
        part = read(fd, *text + got, (size_t)facts.st_size - got);
        got += part > 0 ? (size_t)part : 0;
    }
    if (part < 0)
        return hd__fail(HD_ERR_IO, call, "%s: %s", path, strerror(errno));
    *length = got;
    return HD_OK;
}

static hd_status parse(const char *call, const char *path, const char *text, size_t length,
                       hd__tune_entries *entries)
{
    HD_TRY(find_library(call));
    json *tree = load(text, length, REJECT_DUPLICATES, NULL);
    if (!tree)
        return hd__fail(HD_ERR_FORMAT, call, "%s is damaged: not a JSON text", path);
    const hd_status status = get_entries(call, path, tree, entries);
    release(tree);
    return status;
}

hd_status hd__tune_read(const char *call, const char *path, hd__tune_entries *entries)
{
    char *text = NULL;
    size_t length = 0;
    memset(entries, 0, sizeof *entries);
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0)
        return errno == ENOENT ? HD_OK : hd__fail(HD_ERR_IO, call, "%s: %s", path, strerror(errno));
    hd_status status = read_all(call, path, fd, &text, &length);
    (void)close(fd);
    if (status >= 0)
        status = parse(call, path, text, length, entries);
    free(text);
    if (status < 0)
        hd__tune_entries_free(entries);
    return status;
}
