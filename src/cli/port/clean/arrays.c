/* SPDX-License-Identifier: Apache-2.0 */
/* arrays.c - shared variables: HD_SHARED and its like declare pointers on the CPU engine, so an
   array that is used as a whole, in sizeof or by reference, is kept. */
#include "clean.h"

#include <stdlib.h>
#include <string.h>

static const char name_of[] = "__shared__";

/* Whether the token asks for the type or the length of its argument. */
static bool asks_for_type(const port_file *file, uint32_t i)
{
    static const char *const words[] = {
        "sizeof", "decltype", "alignof", "_Alignof", "__alignof__", "typeof", "__typeof__", "size",
        "ssize",  "begin",    "end",     "cbegin",   "cend",        "extent", "rank"};

    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (port_is(file, i, words[k]))
            return true;
    return false;
}

static bool has_reference(const port_file *file, uint32_t open)
{
    for (uint32_t i = open + 1; i < file->tokens[open].match; i++)
        if (port_is(file, i, "&") || port_is(file, i, "&&"))
            return true;
    return false;
}

/* Whether `name(array)` may depend on the array's length: a function of the program that takes a
   reference, or a macro that uses such a function or asks for a type. */
static bool takes_whole(const port_job *job, const char *called, int depth)
{
    enum { DEPTH_MAX = 8 };
    char name[256];

    strcpy(name, called);
    for (size_t f = 0; f < job->file_count && depth < DEPTH_MAX; f++) {
        const port_file *file = job->files[f];

        for (uint32_t i = 1; i + 1 < file->count; i++) {
            const bool macro = port_is(file, i - 1, "define");

            if (!port_is(file, i, name) || !port_is(file, i + 1, "("))
                continue;
            if (!macro && port_declares(file, i) && has_reference(file, i + 1))
                return true;
            for (uint32_t k = file->tokens[i + 1].match + 1;
                 macro && k < file->count && file->tokens[k].directive == file->tokens[i].directive;
                 k++)
                if (asks_for_type(file, k) || (port_is_name(file, k) && port_is(file, k + 1, "(") &&
                                               takes_whole(job, port_text(file, k), depth + 1)))
                    return true;
        }
    }
    return false;
}

/* The name in front of the parenthesis that the token is in, or 0: `f` in `f(a, b)`, `f<T>(a)`. */
static uint32_t called_with(const port_file *file, uint32_t i)
{
    while (i-- > 1) {
        if (file->tokens[i].match < i) {
            i = file->tokens[i].match;
            continue;
        }
        if (port_is(file, i, ";") || port_is(file, i, "{"))
            return 0;
        if (!port_is(file, i, "("))
            continue;
        for (uint32_t k = i - 1; k > 0 && port_is(file, i - 1, ">"); k--)
            if (port_is(file, k, "<"))
                return port_is_name(file, k - 1) ? k - 1 : 0;
        return port_is_name(file, i - 1) ? i - 1 : 0;
    }
    return 0;
}

/* Whether a use of the array depends on its being one. */
static bool uses_whole(const port_job *job, const port_file *file, const port_shared *shared)
{
    const uint32_t end = port_scope_end(file, shared->name);
    const char *name = port_text(file, shared->name);
    char wanted[256];

    strcpy(wanted, name);
    for (uint32_t i = shared->name + 1; i < end; i++) {
        const uint32_t before = i - 1;
        const uint32_t outer = port_is(file, before, "(") ? i - 2 : before;
        uint32_t called;

        if (!port_is(file, i, wanted) || port_is(file, i + 1, "["))
            continue;
        if (asks_for_type(file, outer) || port_is(file, outer, "&") || port_is(file, before, ":") ||
            job->array_references)
            return true;
        if ((port_is(file, before, "=") || port_is(file, before, "{")) && /* auto &a = name */
            (port_is(file, i - 3, "&") || port_is(file, i - 3, "&&")))
            return true;
        called = called_with(file, i);
        if (called && takes_whole(job, port_text(file, called), 0))
            return true;
    }
    return false;
}

static int count_extents(const port_file *file, const port_shared *shared)
{
    int count = 0;

    for (uint32_t i = shared->first; i <= shared->last && shared->last >= shared->first; i++) {
        count++;
        i = file->tokens[i].match;
    }
    return count;
}

/* Whether the alignment is one that dynamic shared memory has anyway. */
static bool is_small(const port_file *file, uint32_t alignment)
{
    const uint32_t number = alignment + 2;

    return port_is(file, alignment + 1, "(") && file->tokens[alignment + 1].match == number + 1 &&
           file->tokens[number].kind == PORT_NUMBER &&
           strtoull(port_text(file, number), NULL, 0) - 1 < 16;
}

static bool has_comma(const port_file *file, const port_shared *shared)
{
    if (strchr(shared->base, ','))
        return true;
    for (uint32_t i = shared->first; i <= shared->last && shared->last >= shared->first; i++)
        if (port_is(file, i, ","))
            return true;
    return false;
}

static const char *judge(const port_job *job, const port_file *file, const port_shared *shared,
                         int extents)
{
    if (shared->of_file)
        return "outside of functions: HD_SHARED is for functions";
    if (file->tokens[shared->name].directive)
        return "in a macro";
    if (shared->alignment && !(shared->dynamic && is_small(file, shared->alignment)))
        return "HD_SHARED has no alignment";
    if (strchr(shared->base, '{') || has_comma(file, shared))
        return "HD_SHARED takes a type and extents without commas and members";
    if (extents > (shared->dynamic ? 0 : 3))
        return "HD_SHARED has up to three extents";
    if ((extents || shared->dynamic) && uses_whole(job, file, shared))
        return "used as a whole array: HD_SHARED may declare a pointer";
    return NULL;
}

/* "[16][17]" becomes ", 16, 17". */
static char *extents_text(port_job *job, const port_file *file, const port_shared *shared)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);

    if (!to) {
        job->no_memory = true;
        return NULL;
    }
    for (uint32_t i = shared->first; i <= shared->last && shared->last >= shared->first; i++) {
        const uint32_t close = file->tokens[i].match;
        char *inner = close > i + 1 ? port_range(file, i + 1, close - 1) : NULL;

        fprintf(to, ", %s", inner ? inner : "");
        free(inner);
        i = close;
    }
    if (fclose(to) != 0) {
        free(text);
        job->no_memory = true;
        return NULL;
    }
    return text;
}

char *port_clean_shared(port_job *job, const port_file *file, const port_shared *shared)
{
    static const char *const macros[] = {"HD_SHARED_REF", "HD_SHARED", "HD_SHARED2", "HD_SHARED3"};
    const int extents = count_extents(file, shared);
    const char *why = judge(job, file, shared, extents);
    static const char of_c[] = "HD_SHARED_ONE"; /* a pointer: shared.c renames its uses */
    const char *one = job->c11 ? of_c : macros[0];
    const char *macro = shared->dynamic ? "HD_SHARED_DYN" : extents ? macros[extents % 4] : one;
    char *dims, *text;

    if (why) {
        clean_kept(job, file, shared->name, name_of, why);
        return NULL;
    }
    dims = extents_text(job, file, shared);
    text = port_print(job, "%s(%s%s%s, %s%s%s)", macro, shared->base, shared->stars[0] ? " " : "",
                      shared->stars, port_text(file, shared->name), macro == of_c ? "_" : "",
                      dims ? dims : "");
    free(dims);
    clean_rewrote(job, file, shared->name, name_of, macro);
    return text;
}
