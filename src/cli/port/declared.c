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

/* Whether the token is a later name of a list that begins a statement: `T a, b, c;` */
static bool continues_list(const port_file *file, uint32_t i)
{
    while (i > 3 && port_is(file, i - 1, ",") && port_is_name(file, i - 2)) {
        i -= 2;
        if (port_is_name(file, i - 1))
            return port_is(file, i - 2, ";") || port_is(file, i - 2, "{") ||
                   port_is(file, i - 2, "}") ||
                   file->tokens[i - 2].directive != file->tokens[i].directive;
    }
    return false;
}

bool port_declares(const port_file *file, uint32_t i)
{
    static const char *const statements[] = {
        "return", "case",   "goto", "else",      "throw",   "new",   "delete",
        "sizeof", "typeof", "do",   "co_return", "not",     "and",   "or",
        "ifdef",  "ifndef", "if",   "elif",      "defined", "undef", NULL};
    static const char *const behind[] = {"=", ";", ",", ")", "(", "[", "{", ":", NULL};
    static const char *const introduces[] = {"define",   "struct",    "class", "enum", "union",
                                             "typename", "namespace", "using", NULL};

    if (i == 0)
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

/* The body of the function whose qualifier is the token: the index of its brace, or 0. `name_out`
   receives the token of its name. */
static uint32_t find_body(const port_file *file, uint32_t from, uint32_t *name_out)
{
    *name_out = 0;
    for (uint32_t i = from + 1; i < file->count; i++) {
        const port_token *t = &file->tokens[i];

        if (t->directive)
            continue;
        if (port_is(file, i, ";") || port_is(file, i, "=") || port_is(file, i, "}"))
            return 0;
        if (port_is(file, i, "{"))
            return *name_out ? i : 0;
        if (port_is(file, i, "(") && port_is_name(file, i - 1) && !*name_out &&
            strncmp(port_text(file, i - 1), "__", 2) != 0 && !port_is(file, i - 1, "alignas"))
            *name_out = i - 1;
        if (t->match > i)
            i = t->match;
    }
    return 0;
}

static void mark_function(port_job *job, port_file *file, uint32_t i)
{
    uint32_t name;
    const uint32_t body = find_body(file, i, &name);

    if (port_is(file, i, "__global__") && name)
        port_names_add(job, &job->kernels, &job->kernel_count, &job->kernel_room,
                       file->text + file->tokens[name].at, file->tokens[name].length);
    if (!body || !file->device)
        return;
    for (uint32_t k = body; k < file->tokens[body].match; k++)
        file->device[k] = true;
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
    if (!file->device) {
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
