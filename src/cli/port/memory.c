/* SPDX-License-Identifier: Apache-2.0 */
/* memory.c - growing arrays, texts and sets of names of a job. */
#include "port.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool port_grow(port_job *job, void *array, size_t count, size_t *room, size_t bytes)
{
    enum { FIRST = 64 };
    const size_t more = *room ? 2 * *room : FIRST;
    void *old, *grown;

    if (count < *room)
        return true;
    memcpy(&old, array, sizeof old);
    grown = realloc(old, more * bytes);
    if (!grown) {
        job->no_memory = true;
        return false;
    }
    memcpy(array, &grown, sizeof grown);
    *room = more;
    return true;
}

char *port_print(port_job *job, const char *format, ...)
{
    va_list args, again;
    char *text;
    int length;

    va_start(args, format);
    va_copy(again, args);
    length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, again);
    else
        job->no_memory = true;
    va_end(again);
    return text;
}

void port_names_add(port_job *job, char ***names, size_t *count, size_t *room, const char *name,
                    size_t length)
{
    char *copy;

    if (!port_grow(job, names, *count, room, sizeof **names))
        return;
    copy = port_print(job, "%.*s", (int)length, name);
    if (copy)
        (*names)[(*count)++] = copy;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void port_names_sort(char **names, size_t *count)
{
    size_t kept = 0;

    if (*count)
        qsort(names, *count, sizeof *names, compare);
    for (size_t i = 0; i < *count; i++)
        if (kept && strcmp(names[kept - 1], names[i]) == 0)
            free(names[i]);
        else
            names[kept++] = names[i];
    *count = kept;
}

bool port_names_has(char *const *names, size_t count, const char *name)
{
    char *const key = (char *)(uintptr_t)name;

    return count && bsearch(&key, names, count, sizeof *names, compare) != NULL;
}

static void free_names(char **names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
}

static void free_file(port_file *file)
{
    for (size_t i = 0; i < file->edit_count; i++)
        free(file->edits[i].text);
    free(file->edits);
    free(file->tokens);
    free(file->text);
    free(file->path);
    free(file->canonical);
    free(file->device);
    free(file->both);
    free(file->own);
    free(file->done);
    free(file);
}

void port_free(port_job *job)
{
    for (size_t i = 0; i < job->file_count; i++)
        free_file(job->files[i]);
    free(job->files);
    for (size_t i = 0; i < job->finding_count; i++)
        free(job->findings[i].message);
    free(job->findings);
    for (size_t i = 0; i < job->function_count; i++)
        free(job->functions[i].name);
    free(job->functions);
    for (size_t i = 0; i < job->tally_count; i++) {
        free(job->tallies[i].name);
        free(job->tallies[i].note);
    }
    free(job->tallies);
    free_names(job->announced, job->announced_count);
    free_names(job->constants.names, job->constants.count);
    free_names(job->aliases.names, job->aliases.count);
    free_names(job->own, job->own_count);
    free_names(job->masks, job->mask_count);
    free_names(job->declared, job->declared_count);
    free_names(job->kernels, job->kernel_count);
    free_names(job->shared, job->shared_count);
    free_names(job->includes, job->include_count);
}
