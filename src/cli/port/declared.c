/* SPDX-License-Identifier: Apache-2.0 */
/* declared.c - what a file declares: names that look like CUDA's but are the program's own, the
   names of its kernels, and which tokens belong to device functions. */
#include "port.h"

#include <stdlib.h>
#include <string.h>

uint32_t port_skip_angles(const port_file *file, uint32_t less)
{
    int depth = 0;

    for (uint32_t i = less; i < file->count && i < less + 4096; i++) {
        if (port_is(file, i, "<"))
            depth++;
        else if (port_is(file, i, ">") && --depth == 0)
            return i + 1;
        else if (port_is(file, i, ";") || port_is(file, i, "{"))
            return less;
        else if (file->tokens[i].match > i)
            i = file->tokens[i].match;
    }
    return less;
}

static bool is_word_of(const port_file *file, uint32_t token, const char *const *words)
{
    for (; *words; words++)
        if (port_is(file, token, *words))
            return true;
    return false;
}

/* Words before a name that is used, not declared. */
static const char *const statements[] = {
    "return", "case",   "goto", "else",      "throw",   "new",   "delete",
    "sizeof", "typeof", "do",   "co_return", "not",     "and",   "or",
    "ifdef",  "ifndef", "if",   "elif",      "defined", "undef", NULL};

/* Whether the token is a later name of a list that begins a statement: `T a, b, c;` */
static bool continues_list(const port_file *file, uint32_t i)
{
    while (i > 3 && port_is(file, i - 1, ",") && port_is_name(file, i - 2)) {
        i -= 2;
        if (is_word_of(file, i - 1, statements)) /* return a, b; */
            return false;
        if (port_is_name(file, i - 1))
            return port_is(file, i - 2, ";") || port_is(file, i - 2, "{") ||
                   port_is(file, i - 2, "}") ||
                   file->tokens[i - 2].directive != file->tokens[i].directive;
    }
    return false;
}

bool port_declares(const port_file *file, uint32_t i)
{
    static const char *const behind[] = {"=", ";", ",", ")", "(", "[", "{", ":", NULL};
    static const char *const introduces[] = {"define",   "struct",    "class", "enum", "union",
                                             "typename", "namespace", "using", NULL};

    if (i == 0 || file->tokens[i - 1].directive != file->tokens[i].directive)
        return false;
    if (is_word_of(file, i - 1, introduces))
        return true;
    if (port_is_name(file, i - 1))
        return !is_word_of(file, i - 1, statements) && is_word_of(file, i + 1, behind);
    if (port_is(file, i - 1, ","))
        return is_word_of(file, i + 1, behind) && continues_list(file, i);
    if (port_is(file, i - 1, "*") || port_is(file, i - 1, "&") || port_is(file, i - 1, ">"))
        return i > 1 &&
               (port_is_name(file, i - 2) || port_is(file, i - 2, "*") ||
                port_is(file, i - 2, ">")) &&
               is_word_of(file, i + 1, behind) && !port_is(file, i + 1, "(");
    return false;
}

/* The token of the name that stands before parameters: f(, f<int>(, operator+(. 0: none. */
static uint32_t declared_name(const port_file *file, uint32_t open)
{
    uint32_t i = open - 1;
    int depth = 0;

    if (port_is_name(file, i))
        return strncmp(port_text(file, i), "__", 2) != 0 && !port_is(file, i, "alignas") ? i : 0;
    for (uint32_t k = i; k > 0 && k + 3 > i; k--)
        if (port_is(file, k, "operator"))
            return k;
    for (; port_is(file, open - 1, ">") && i > 0 && i + 64 > open; i--) {
        depth += port_is(file, i, ">");
        depth -= port_is(file, i, "<");
        if (depth == 0)
            return port_is_name(file, i - 1) ? i - 1 : 0;
    }
    return 0;
}

uint32_t port_find_body(const port_file *file, uint32_t from, uint32_t *name_out)
{
    *name_out = 0;
    for (uint32_t i = from + 1; i < file->count; i++) {
        const port_token *t = &file->tokens[i];

        if (t->directive)
            continue;
        if (port_is(file, i, ";") || port_is(file, i, "}") ||
            (port_is(file, i, "=") && !port_is(file, i - 1, "operator")))
            return 0;
        if (port_is(file, i, "{"))
            return *name_out ? i : 0;
        if (port_is(file, i, "(") && !*name_out)
            *name_out = declared_name(file, i);
        if (t->match > i)
            i = t->match;
    }
    return 0;
}

/* Whether the qualifiers around the one at the token are for host code, too. */
static bool is_for_host(const port_file *file, uint32_t i)
{
    uint32_t first = i;

    while (first > 0 && port_is_name(file, first - 1) && !file->tokens[first - 1].directive)
        first--;
    for (; port_is_name(file, first); first++)
        if (port_is(file, first, "__host__"))
            return true;
    return false;
}

static void mark_function(port_job *job, port_file *file, uint32_t i)
{
    uint32_t name;
    const uint32_t body = port_find_body(file, i, &name);
    const bool host = is_for_host(file, i);

    if (port_is(file, i, "__global__") && name)
        port_names_add(job, &job->kernels, &job->kernel_count, &job->kernel_room,
                       file->text + file->tokens[name].at, file->tokens[name].length);
    for (uint32_t k = body; body && k < file->tokens[body].match; k++) {
        file->device[k] = true;
        file->both[k] = host;
    }
}

/* thrust::, cub:: and the like: a file may use CUDA through its libraries alone. */
static bool is_library(const port_file *file, uint32_t i)
{
    static const char *const spaces[] = {"thrust", "cub", "hipcub", "cooperative_groups", NULL};

    return port_is(file, i + 1, "::") && is_word_of(file, i, spaces);
}

void port_pass_declared(port_job *job, port_file *file)
{
    file->device = calloc(file->count, sizeof *file->device);
    file->both = calloc(file->count, sizeof *file->both);
    if (!file->device || !file->both) {
        job->no_memory = true;
        return;
    }
    for (uint32_t i = 0; i < file->count; i++) {
        const char *name;

        if (!port_is_name(file, i))
            continue;
        name = port_text(file, i);
        if (strcmp(name, "__global__") == 0 || strcmp(name, "__device__") == 0)
            mark_function(job, file, i);
        file->foreign |= is_library(file, i);
        if (!port_looks_foreign(name))
            continue;
        file->foreign = true;
        if (port_declares(file, i))
            port_names_add(job, &job->declared, &job->declared_count, &job->declared_room, name,
                           strlen(name));
    }
}
