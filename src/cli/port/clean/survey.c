/* SPDX-License-Identifier: Apache-2.0 */
/* survey.c - what --clean must know before it rewrites: names in its table that the program defines
   itself, masks of all lanes, functions with their declarations, and whether kernels may reach
   memory of the host. */
#include "clean.h"

#include <stdlib.h>
#include <string.h>

static const char *const host_memory[] = {"cudaMallocManaged",
                                          "cudaMallocHost",
                                          "cudaHostAlloc",
                                          "cudaHostRegister",
                                          "__managed__",
                                          "hipMallocManaged",
                                          "hipHostMalloc",
                                          "hipHostAlloc",
                                          "hipHostRegister",
                                          "thrust",
                                          "cudaHostGetDevicePointer",
                                          "hipHostGetDevicePointer",
                                          "hipMallocHost",
                                          "hipExtMallocWithFlags"};

/* ---- names of the program's own -------------------------------------------------------------- */

/* A function, a macro or a variable of a file, which other files may use. */
static bool is_for_all(const port_file *file, uint32_t i)
{
    return port_is(file, i - 1, "define") || port_is(file, i + 1, "(") ||
           port_scope_end(file, i) + 1 >= file->count;
}

bool clean_mark_own(port_job *job, port_file *file)
{
    file->own = calloc(file->count, sizeof *file->own);
    if (!file->own) {
        job->no_memory = true;
        return false;
    }
    for (size_t k = 0; k < file->edit_count; k++) {
        const port_edit *edit = &file->edits[k];
        uint32_t low = 0, high = file->count; /* the first token that begins at or behind it */

        while (low < high) {
            const uint32_t middle = low + (high - low) / 2;

            if (file->tokens[middle].at < edit->at)
                low = middle + 1;
            else
                high = middle;
        }
        for (; low < file->count && file->tokens[low].at < edit->at + edit->length; low++)
            file->own[low] = true;
    }
    for (uint32_t i = 1; i < file->count; i++) {
        const clean_name *rule = port_is_name(file, i) ? clean_find(port_text(file, i)) : NULL;
        uint32_t end;

        if (!rule || clean_is_word(rule) || file->own[i] || !port_declares(file, i))
            continue;
        end = is_for_all(file, i) ? i : port_scope_end(file, i);
        for (uint32_t k = i; k <= end; k++)
            file->own[k] |= port_is(file, k, rule->name);
    }
    return true;
}

/* ---- masks ----------------------------------------------------------------------------------- */

/* Whether the tokens first ... last spell all ones of 32 bits: 0xffffffff, ~0u, -1. */
static bool is_full_number(const port_file *file, uint32_t first, uint32_t last)
{
    unsigned long long value;
    char *end;

    while (first < last && port_is(file, first, "(") && file->tokens[first].match == last) {
        first++;
        last--;
    }
    if (file->tokens[last].kind != PORT_NUMBER)
        return false;
    value = strtoull(port_text(file, last), &end, 0);
    if (strspn(end, "uUlL") != strlen(end))
        return false;
    if (first == last)
        return value == 0xffffffffu;
    return first + 1 == last &&
           ((port_is(file, first, "~") && value == 0) || (port_is(file, first, "-") && value == 1));
}

/* Whether the name that is declared at the token stands for such a number:
   #define FULL 0xffffffff, const unsigned full = 0xffffffffu; */
static bool is_full_name(const port_file *file, uint32_t i)
{
    const uint32_t directive = file->tokens[i].directive;
    uint32_t last = i + 1;
    bool constant = false;

    if (port_is(file, i - 1, "define")) {
        while (last + 1 < file->count && file->tokens[last + 1].directive == directive)
            last++;
        return file->tokens[last].directive == directive && is_full_number(file, i + 1, last);
    }
    for (uint32_t k = i; k > 0 && k + 6 > i && !port_is(file, k, ";"); k--)
        constant |= port_is(file, k, "const") || port_is(file, k, "constexpr");
    while (last + 1 < file->count && !port_is(file, last + 1, ";") && last < i + 8)
        last++;
    return constant && port_is(file, i + 1, "=") && last > i + 1 &&
           is_full_number(file, i + 2, last);
}

/* Whether all declarations of the name in the program are such. */
static bool is_full_everywhere(const port_job *job, const port_file *file, uint32_t name)
{
    const char *text = port_text(file, name);
    char wanted[256];
    bool any = false;

    strcpy(wanted, text);
    for (size_t k = 0; k < job->file_count; k++) {
        const port_file *other = job->files[k];

        for (uint32_t i = 1; i + 1 < other->count; i++) {
            if (!port_is(other, i, wanted) || !port_declares(other, i))
                continue;
            if (!is_full_name(other, i))
                return false;
            any = true;
        }
    }
    return any;
}

bool clean_is_full(port_job *job, const port_file *file, uint32_t first, uint32_t last)
{
    enum { NAMES = 32 }; /* that are looked for */
    const char *text = port_text(file, first);
    bool full;

    if (first != last || !port_is_name(file, first))
        return is_full_number(file, first, last);
    for (size_t i = 0; i < job->mask_count; i++)
        if (strcmp(job->masks[i] + 1, text) == 0)
            return job->masks[i][0] == '+';
    full = job->mask_count < NAMES && is_full_everywhere(job, file, first);
    if (job->mask_count < NAMES &&
        port_grow(job, &job->masks, job->mask_count, &job->mask_room, sizeof *job->masks)) {
        job->masks[job->mask_count] = port_print(job, "%c%s", full ? '+' : '-', text);
        job->mask_count += job->masks[job->mask_count] != NULL;
    }
    return full;
}

/* ---- the survey ------------------------------------------------------------------------------ */

/* A parameter that is a reference to an array: (&a)[N]. */
static bool is_array_reference(const port_file *file, uint32_t i)
{
    const uint32_t close = file->tokens[i].match;

    return port_is(file, i, "(") && port_is(file, i + 1, "&") && close > i && close <= i + 3 &&
           port_is(file, close + 1, "[");
}

void port_clean_survey(port_job *job, port_file *file)
{
    for (uint32_t i = 0; i + 1 < file->count; i++) {
        const clean_name *rule;
        const char *name;

        clean_survey_vectors(job, file, i);
        job->array_references |= is_array_reference(file, i);
        if (!port_is_name(file, i))
            continue;
        name = port_text(file, i);
        for (size_t k = 0; k < sizeof host_memory / sizeof *host_memory; k++)
            job->host_memory |= strcmp(name, host_memory[k]) == 0;
        rule = clean_find(name);
        if (rule && !clean_is_word(rule) && port_declares(file, i) && is_for_all(file, i))
            port_names_add(job, &job->own, &job->own_count, &job->own_room, name, strlen(name));
    }
    clean_survey_functions(job, file);
}
