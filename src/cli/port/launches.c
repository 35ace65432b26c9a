/* SPDX-License-Identifier: Apache-2.0 */
/* launches.c - name<T><<<grid, block>>>(arguments) becomes
   HD_PORT_LAUNCH((name<T>), grid, block)(arguments), in macros too. */
#include "port.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX };

/* The `<` that the `>` at `token` closes, or NONE. */
static uint32_t back_angles(const port_file *file, uint32_t token)
{
    int depth = 0;

    for (uint32_t i = token; i != NONE && i + 4096 > token; i--) {
        if (port_is(file, i, ">"))
            depth++;
        else if (port_is(file, i, "<") && --depth == 0)
            return i;
        else if (port_is(file, i, ";") || port_is(file, i, "{") || port_is(file, i, "}"))
            return NONE;
        else if (file->tokens[i].match < i)
            i = file->tokens[i].match;
    }
    return NONE;
}

/* The first token of the expression that names the kernel and ends at `last`, or NONE. */
static uint32_t kernel_begin(const port_file *file, uint32_t last)
{
    uint32_t i = last;

    for (;;) {
        if (port_is(file, i, ">"))
            i = back_angles(file, i) - 1;
        else if (file->tokens[i].match < i)
            i = file->tokens[i].match;
        if (i >= file->count)
            return NONE;
        if (!port_is_name(file, i) && !port_is(file, i, "(") && !port_is(file, i, "["))
            return NONE;
        if (port_is(file, i, "[") && i > 0) {
            i--;
            continue;
        }
        if (i < 2 || !(port_is(file, i - 1, "::") || port_is(file, i - 1, ".") ||
                       port_is(file, i - 1, "->") || port_is(file, i - 1, "##")))
            return i > 0 && port_is(file, i - 1, "::") ? i - 1 : i;
        if (!port_is_name(file, i - 2) && !port_is(file, i - 2, ">") && !port_is(file, i - 2, ")"))
            return i - 1; /* ::name */
        i -= 2;
    }
}

/* The first of the three `>` that end the configuration, or NONE. */
static uint32_t config_end(const port_file *file, uint32_t open)
{
    const uint32_t directive = file->tokens[open].directive;

    for (uint32_t i = open + 1; i + 2 < file->count; i++) {
        const port_token *t = &file->tokens[i];

        if (t->directive != directive && directive)
            return NONE;
        if (port_is(file, i, ">") && port_is(file, i + 1, ">") && port_is(file, i + 2, ">") &&
            t[1].at == t->at + 1 && t[2].at == t->at + 2 && !port_is(file, i + 3, ">"))
            return i;
        if (port_is(file, i, ";") || port_is(file, i, "{") || port_is(file, i, "<<<"))
            return NONE;
        if (t->match > i)
            i = t->match;
    }
    return NONE;
}

/* Arguments are passed with their own types, so a null pointer must be one. */
static void mend_arguments(port_job *job, port_file *file, uint32_t open)
{
    const uint32_t close = file->tokens[open].match;

    for (uint32_t i = open + 1; i < close; i++) {
        if (port_is(file, i, "NULL") && (port_is(file, i - 1, "(") || port_is(file, i - 1, ",")) &&
            (port_is(file, i + 1, ")") || port_is(file, i + 1, ",")))
            port_replace(job, file, i, i, port_print(job, "nullptr"));
        if (file->tokens[i].match > i)
            i = file->tokens[i].match;
    }
}

static void one_launch(port_job *job, port_file *file, uint32_t open)
{
    const uint32_t end = config_end(file, open);
    const uint32_t begin = open ? kernel_begin(file, open - 1) : NONE;

    if (begin == NONE || end == NONE) {
        port_report(job, PORT_ERROR, "launch", file, file->tokens[open].line, port_page,
                    begin == NONE ? "no kernel's name stands before <<<"
                                  : "<<< is not followed by >>>");
        return;
    }
    port_insert(job, file, begin, port_print(job, "HD_PORT_LAUNCH(("));
    port_replace(job, file, open, open, port_print(job, "), "));
    port_replace(job, file, end, end + 2, port_print(job, ")"));
    if (port_is(file, end + 3, "(")) {
        if (!job->c11)
            mend_arguments(job, file, end + 3);
    } else if (!file->tokens[open].directive) {
        port_report(job, PORT_ERROR, "launch", file, file->tokens[open].line, port_page,
                    "no arguments in parentheses follow >>>");
    }
}

/* ---- hipLaunchKernelGGL(kernel, grid, block, shared, stream, arguments...) ------------------- */

static uint32_t next_comma(const port_file *file, uint32_t from, uint32_t close)
{
    for (uint32_t i = from; i < close; i++) {
        if (port_is(file, i, ","))
            return i;
        if (port_is(file, i, "<") && port_is_name(file, i - 1)) {
            const uint32_t behind = port_skip_angles(file, i);

            if (behind > i && behind <= close)
                i = behind - 1;
        } else if (file->tokens[i].match > i) {
            i = file->tokens[i].match;
        }
    }
    return close;
}

static void one_call(port_job *job, port_file *file, uint32_t name)
{
    enum { CONFIG = 5 };
    const uint32_t open = name + 1, close = file->tokens[open].match;
    uint32_t comma[CONFIG], at = open + 1;

    if (!port_is(file, open, "(") || close <= open)
        return;
    for (int i = 0; i < CONFIG; i++) {
        comma[i] = next_comma(file, at, close);
        at = comma[i] + 1;
        if (comma[i] == close && i < CONFIG - 1) {
            port_report(job, PORT_ERROR, "launch", file, file->tokens[name].line, port_page,
                        "%s has fewer than 5 arguments", port_text(file, name));
            return;
        }
    }
    port_replace(job, file, name, open, port_print(job, "HD_PORT_LAUNCH(("));
    port_insert(job, file, comma[0], port_print(job, ")"));
    if (comma[CONFIG - 1] == close)
        port_insert(job, file, close, port_print(job, ")("));
    else
        port_replace(job, file, comma[CONFIG - 1], comma[CONFIG - 1], port_print(job, ")("));
}

/* cudaLaunchKernel((void *)kernel, ...): without the cast, the kernel's parameters are known. */
static void uncast(port_job *job, port_file *file, uint32_t name)
{
    static const char *const calls[] = {"cudaLaunchKernel", "cudaLaunchCooperativeKernel",
                                        "hipLaunchCooperativeKernel"};
    const uint32_t open = name + 2, close = file->tokens[open].match;
    bool is_call = false;

    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        is_call |= port_is(file, name, calls[i]);
    if (is_call && port_is(file, name + 1, "(") && port_is(file, open, "(") &&
        port_is(file, close - 1, "*") && port_is(file, close - 2, "void"))
        port_replace(job, file, open, close, port_print(job, "%s", ""));
}

void port_pass_launches(port_job *job, port_file *file)
{
    for (uint32_t i = 0; i < file->count; i++)
        if (port_is(file, i, "<<<"))
            one_launch(job, file, i);
        else if (port_is(file, i, "hipLaunchKernelGGL") || port_is(file, i, "hipLaunchKernel"))
            one_call(job, file, i);
        else if (port_is_name(file, i))
            uncast(job, file, i);
}
