/* SPDX-License-Identifier: Apache-2.0 */
/* json.c - reads JSON with jansson; its json_t is hd__json in other files. */
#include "json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

#if HEDDLE_HAVE_JANSSON
#include <jansson.h>
#include <malloc.h>
#include <unistd.h>

enum { WHY = 112 }; /* bytes of jansson's error text, which quotes the input */

const char *hd__json_missing(void)
{
    return NULL;
}

/* ---- memory: a small file can hold a large tree ---------------------------------------------- */

static struct {
    size_t used, most;
    bool exceeded;
} memory;

static void *memory_take(size_t size)
{
    void *taken = memory.used + size <= memory.most ? malloc(size) : NULL;

    if (taken)
        memory.used += malloc_usable_size(taken);
    else
        memory.exceeded = true;
    return taken;
}

static void memory_give(void *taken)
{
    memory.used -= malloc_usable_size(taken);
    free(taken);
}

static void memory_watch(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

    memory.most = pages > 0 && size > 0 ? (size_t)pages / 2 * (size_t)size : SIZE_MAX / 2;
    memory.exceeded = false;
    json_set_alloc_funcs(memory_take, memory_give);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Formats the error and its position. name: of the file; "" for a text of one line. */
static void say_why(const char *name, const json_error_t *error, char message[HD__IO_MESSAGE])
{
    char why[WHY], place[WHY] = "";

    hd__io_printable(error->text, strlen(error->text), why, sizeof why);
    if (memory.exceeded)
        (void)snprintf(why, sizeof why, "not enough memory for its values");
    else if (*name)
        (void)snprintf(place, sizeof place, "line %d, column %d: ", error->line, error->column);
    else
        (void)snprintf(place, sizeof place, "column %d: ", error->column);
    (void)snprintf(message, HD__IO_MESSAGE, "%s%s%s%s", name, *name ? ": " : "", place, why);
}

static size_t read_some(void *to, size_t size, void *file)
{
    return fread(to, 1, size, file);
}

hd__json *hd__json_read_file(const char *path, char message[HD__IO_MESSAGE])
{
    char name[HD__IO_NAME];
    FILE *file = fopen(path, "rb");
    json_error_t error;
    json_t *tree = NULL;

    hd__io_printable_path(path, name, sizeof name);
    if (!file) {
        hd__io_fail(message, 0, name, "%s", strerror(errno));
        return NULL;
    }
    memory_watch();
    errno = 0;
    tree = json_load_callback(read_some, file, JSON_REJECT_DUPLICATES, &error);
    if (ferror(file)) {
        hd__io_fail(message, 0, name, "%s", strerror(errno));
        json_decref(tree);
        tree = NULL;
    } else if (!tree) {
        say_why(name, &error, message);
    }
    fclose(file);
    return (hd__json *)tree;
}

hd__json *hd__json_read_text(const char *text, size_t length, char message[HD__IO_MESSAGE])
{
    json_error_t error;
    json_t *tree;

    memory_watch();
    tree = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    if (!tree)
        say_why("", &error, message);
    return (hd__json *)tree;
}

void hd__json_free(hd__json *tree)
{
    json_decref((json_t *)tree);
}

/* ---- values ---------------------------------------------------------------------------------- */

static const json_t *inside(const hd__json *value)
{
    return (const json_t *)value;
}

const hd__json *hd__json_member(const hd__json *object, const char *key)
{
    return (const hd__json *)json_object_get(inside(object), key);
}

/* jansson's iterators take a non-const object; this function does not modify it. */
static json_t *iterated(const hd__json *object)
{
    return (json_t *)(uintptr_t)object;
}

void hd__json_each(const hd__json *object,
                   void (*visit)(void *context, const char *key, const hd__json *value),
                   void *context)
{
    json_t *all = iterated(object);

    for (void *at = json_object_iter(all); at; at = json_object_iter_next(all, at))
        visit(context, json_object_iter_key(at), (const hd__json *)json_object_iter_value(at));
}

bool hd__json_is_array(const hd__json *value)
{
    return json_is_array(inside(value));
}

bool hd__json_is_string(const hd__json *value)
{
    return json_is_string(inside(value));
}

bool hd__json_is_boolean(const hd__json *value)
{
    return json_is_boolean(inside(value));
}

bool hd__json_true(const hd__json *value)
{
    return json_is_true(inside(value));
}

size_t hd__json_length(const hd__json *array)
{
    return json_array_size(inside(array));
}

const hd__json *hd__json_at(const hd__json *array, size_t i)
{
    return (const hd__json *)json_array_get(inside(array), i);
}

const char *hd__json_text(const hd__json *object, const char *key)
{
    const char *text = json_string_value(inside(hd__json_member(object, key)));

    return text ? text : "";
}

const char *hd__json_string(const hd__json *value)
{
    const char *text = json_string_value(inside(value));

    return text ? text : "";
}

uint64_t hd__json_whole(const hd__json *value)
{
    const json_int_t whole = json_integer_value(inside(value));

    return whole > 0 ? (uint64_t)whole : 0;
}

bool hd__json_number(const hd__json *value, double *number_out)
{
    if (!json_is_number(inside(value)))
        return false;
    *number_out = json_number_value(inside(value));
    return true;
}

void hd__json_print(const hd__json *value, FILE *to)
{
    (void)json_dumpf(inside(value), to, JSON_ENCODE_ANY);
}

#else

static const char without[] = "this heddle was built without jansson (Debian: libjansson-dev), "
                              "which reads JSON";

const char *hd__json_missing(void)
{
    return without;
}

hd__json *hd__json_read_file(const char *path, char message[HD__IO_MESSAGE])
{
    char name[HD__IO_NAME];

    hd__io_printable_path(path, name, sizeof name);
    hd__io_fail(message, 0, name, "%s", without);
    return NULL;
}

hd__json *hd__json_read_text(const char *text, size_t length, char message[HD__IO_MESSAGE])
{
    (void)text;
    (void)length;
    (void)snprintf(message, HD__IO_MESSAGE, "%s", without);
    return NULL;
}

/* Without jansson no tree is ever read, so there is nothing to free. */
void hd__json_free(hd__json *tree)
{
    (void)tree;
}

const hd__json *hd__json_member(const hd__json *object, const char *key)
{
    (void)object;
    (void)key;
    return NULL;
}

void hd__json_each(const hd__json *object,
                   void (*visit)(void *context, const char *key, const hd__json *value),
                   void *context)
{
    (void)object;
    (void)visit;
    (void)context;
}

bool hd__json_is_array(const hd__json *value)
{
    (void)value;
    return false;
}

bool hd__json_is_string(const hd__json *value)
{
    (void)value;
    return false;
}

bool hd__json_is_boolean(const hd__json *value)
{
    (void)value;
    return false;
}

bool hd__json_true(const hd__json *value)
{
    (void)value;
    return false;
}

size_t hd__json_length(const hd__json *array)
{
    (void)array;
    return 0;
}

const hd__json *hd__json_at(const hd__json *array, size_t i)
{
    (void)array;
    (void)i;
    return NULL;
}

const char *hd__json_text(const hd__json *object, const char *key)
{
    (void)object;
    (void)key;
    return "";
}

const char *hd__json_string(const hd__json *value)
{
    (void)value;
    return "";
}

uint64_t hd__json_whole(const hd__json *value)
{
    (void)value;
    return 0;
}

bool hd__json_number(const hd__json *value, double *number_out)
{
    (void)value;
    (void)number_out;
    return false;
}

void hd__json_print(const hd__json *value, FILE *to)
{
    (void)value;
    (void)to;
}

#endif

uint64_t hd__json_count(const hd__json *object, const char *key)
{
    return hd__json_whole(hd__json_member(object, key));
}
