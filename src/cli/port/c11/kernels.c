/* SPDX-License-Identifier: Apache-2.0 */
/* kernels.c - kernels in C:

       __global__ void add(const float *a, int n);   HD_PORT_KERNEL(add, const float *, int)
       __global__ void add(const float *a, int n)    HD_PORT_KERNEL(add, const float *, int)
       {                                             __global__ void add(const float *a, int n)
       }                                             {
                                                     }
                                                     HD_PORT_DEFINE(add)

   HD_PORT_KERNEL stands once in a translation unit, before the first launch: where the kernel is
   declared first, or in the header that declares it. */
#include "c11.h"

#include <stdlib.h>
#include <string.h>

typedef struct kernel {
    uint32_t begin, name, open, close;
    uint32_t end; /* the `;` of a declaration, or the `{` of a body */
} kernel;

static bool read_kernel(const port_file *file, uint32_t global, kernel *k)
{
    k->begin = c11_begin(file, global);
    for (uint32_t i = global + 1; i + 1 < file->count; i++) {
        const port_token *t = &file->tokens[i];

        if (port_is(file, i, "(") && port_is_name(file, i - 1) &&
            strncmp(port_text(file, i - 1), "__", 2) != 0) {
            k->name = i - 1;
            k->open = i;
            k->close = t->match;
            k->end = t->match + 1;
            while (port_is_name(file, k->end))
                k->end++;
            return t->match > i && (port_is(file, k->end, ";") || port_is(file, k->end, "{"));
        }
        if (port_is(file, i, "(") && t->match > i)
            i = t->match;
        else if (!port_is_name(file, i) && !port_is(file, i, "*"))
            return false;
    }
    return false;
}

/* ---- types of parameters --------------------------------------------------------------------- */

static bool is_dropped(const port_file *file, uint32_t i)
{
    static const char *const words[] = {"__restrict__", "__restrict", "restrict",
                                        "__grid_constant__", NULL};

    return c11_is_one_of(file, i, words);
}

/* The token of the name in the parameter first ... last, or `last + 1` if it has none. */
static uint32_t parameter_name(const port_file *file, uint32_t first, uint32_t last)
{
    uint32_t i = last;

    while (i > first && !port_is_name(file, i))
        i--;
    if (i == first || !port_is_name(file, i) || c11_is_type(file, i) || is_dropped(file, i) ||
        port_is(file, i, "const") || port_is(file, i - 1, "struct") || port_is(file, i - 1, "enum"))
        return last + 1;
    return i;
}

static bool write_type(const port_file *file, uint32_t first, uint32_t last, FILE *to)
{
    uint32_t array = first, end;

    for (uint32_t i = first; i <= last; i++)
        if (file->tokens[i].directive)
            return false;
    while (array <= last && !port_is(file, array, "["))
        if (port_is(file, array++, "("))
            return false; /* a pointer to a function or an array */
    end = parameter_name(file, first, array - 1);
    if (array <= last && file->tokens[array].match != last)
        return false; /* an array of arrays */
    for (uint32_t i = first; i < end && i < array; i++)
        if (!is_dropped(file, i))
            fprintf(to, " %s", port_text(file, i));
    if (array <= last)
        fputs(" *", to);
    return true;
}

/* ", type, type"; NULL after a report. */
static char *types_text(port_job *job, const port_file *file, const kernel *k)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    uint32_t first = k->open + 1;
    bool right = true;

    if (!to) {
        job->no_memory = true;
        return NULL;
    }
    if (first + 1 == k->close && port_is(file, first, "void"))
        first = k->close;
    for (uint32_t i = first; i < k->close && right; i++) {
        if (file->tokens[i].match > i)
            i = file->tokens[i].match;
        if (i + 1 != k->close && !port_is(file, i + 1, ","))
            continue;
        fputc(',', to);
        right = write_type(file, first, i, to);
        first = ++i + 1;
    }
    if (fclose(to) != 0)
        job->no_memory = true;
    if (!right)
        port_report(job, PORT_ERROR, "needs-cxx", file, file->tokens[k->name].line,
                    "docs/port.md#c-instead-of-c",
                    "%s: a parameter with #if, or one that points to a function or an array: give "
                    "such a type a name with typedef, or translate without --c",
                    port_text(file, k->name));
    if (right && !job->no_memory)
        return text;
    free(text);
    return NULL;
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Whether the token is the name of an earlier kernel of the file. */
static bool is_repeated(const port_file *file, uint32_t global, const char *name)
{
    kernel k;

    for (uint32_t i = 0; i < global; i++)
        if (port_is(file, i, "__global__") && !file->tokens[i].directive &&
            read_kernel(file, i, &k) && port_is(file, k.name, name))
            return true;
    return false;
}

static void drop_storage(port_job *job, port_file *file, const kernel *k)
{
    for (uint32_t i = k->begin; i < k->name; i++)
        if (port_is(file, i, "static") || port_is(file, i, "inline") ||
            port_is(file, i, "extern") || file->tokens[i].kind == PORT_TEXT)
            port_remove(job, file, i);
}

static void one_kernel(port_job *job, port_file *file, uint32_t global)
{
    char name[256], *types;
    bool known;
    kernel k;

    if (!read_kernel(file, global, &k)) {
        c11_needs_cxx(job, file, global, "kernels of this form");
        return;
    }
    strcpy(name, port_text(file, k.name));
    known = is_repeated(file, global, name) ||
            (!file->included && port_names_has(job->announced, job->announced_count, name));
    types = types_text(job, file, &k);
    if (!types)
        return;
    if (port_is(file, k.end, ";")) {
        port_replace(job, file, k.begin, k.end,
                     known ? port_print(job, "%s", "")
                           : port_print(job, "HD_PORT_KERNEL(%s%s)", name, types));
    } else {
        if (!known)
            port_insert(job, file, k.begin, port_print(job, "HD_PORT_KERNEL(%s%s)\n", name, types));
        drop_storage(job, file, &k);
        port_replace(job, file, file->tokens[k.end].match, file->tokens[k.end].match,
                     port_print(job, "}\nHD_PORT_DEFINE(%s)", name));
    }
    free(types);
}

/* A launch names its kernel. */
static void check_launch(port_job *job, port_file *file, uint32_t open)
{
    if (open == 0 || !port_is_name(file, open - 1))
        c11_needs_cxx(job, file, open, "launches of anything but a kernel's name");
    else if (!file->tokens[open].directive &&
             !port_names_has(job->kernels, job->kernel_count, port_text(file, open - 1)))
        c11_needs_cxx(job, file, open - 1, "launches through a variable");
}

void c11_kernels(port_job *job, port_file *file)
{
    for (uint32_t i = 0; i < file->count; i++) {
        if (port_is(file, i, "__global__") && !file->tokens[i].directive)
            one_kernel(job, file, i);
        else if (port_is(file, i, "<<<"))
            check_launch(job, file, i);
    }
}
