/* SPDX-License-Identifier: Apache-2.0 */
/* tokens.c - what the parts of `heddle port --c` ask of tokens, and how they report. */
#include "c11.h"

#include <string.h>

static const char code[] = "needs-cxx";
static const char page[] = "docs/port.md#c-instead-of-c";

/* Whether the file's first place that needs this is reported. */
static bool is_reported(const port_job *job, const port_file *file, const char *what)
{
    for (size_t i = 0; i < job->finding_count; i++)
        if (job->findings[i].file == file && strcmp(job->findings[i].code, code) == 0 &&
            strstr(job->findings[i].message, what))
            return true;
    return false;
}

void c11_needs_cxx(port_job *job, const port_file *file, uint32_t i, const char *what)
{
    if (is_reported(job, file, what))
        return;
    port_report(job, PORT_ERROR, code, file, file->tokens[i].line, page,
                "%s: C does not have %s: translate without --c", port_text(file, i), what);
}

bool c11_is_one_of(const port_file *file, uint32_t i, const char *const *words)
{
    for (; *words; words++)
        if (port_is(file, i, *words))
            return true;
    return false;
}

bool c11_is_type(const port_file *file, uint32_t i)
{
    static const char *const types[] = {"bool",      "char",      "short",    "int",      "long",
                                        "float",     "double",    "unsigned", "signed",   "size_t",
                                        "int8_t",    "int16_t",   "int32_t",  "int64_t",  "void",
                                        "uint8_t",   "uint16_t",  "uint32_t", "uint64_t", "ssize_t",
                                        "uintptr_t", "ptrdiff_t", "uint",     "ulong",    NULL};

    return c11_is_one_of(file, i, types);
}

uint32_t c11_begin(const port_file *file, uint32_t i)
{
    const uint32_t directive = file->tokens[i].directive;

    while (i > 0 && file->tokens[i - 1].directive == directive) {
        const port_token *before = &file->tokens[i - 1];

        if (before->kind == PORT_NAME || before->kind == PORT_TEXT)
            i--;
        else if (port_is(file, i - 1, ")") && before->match > 0 && before->match < i - 1 &&
                 port_is_name(file, before->match - 1)) /* __launch_bounds__(256) */
            i = before->match - 1;
        else
            break;
    }
    return i;
}

static bool is_linkage(const port_file *file, uint32_t brace)
{
    return brace > 1 && file->tokens[brace - 1].kind == PORT_TEXT &&
           port_is(file, brace - 2, "extern");
}

uint32_t c11_scope(const port_file *file, uint32_t i)
{
    while (i > 0) {
        const uint32_t match = file->tokens[--i].match;

        if (match < i)
            i = match;
        else if (port_is(file, i, "{") && !is_linkage(file, i))
            return i;
    }
    return 0;
}

bool c11_is_members(const port_file *file, uint32_t brace)
{
    static const char *const kinds[] = {"struct", "union", "enum", NULL};

    for (uint32_t i = brace; i > 0; i--) {
        const uint32_t before = i - 1;

        if (c11_is_one_of(file, before, kinds))
            return true;
        if (port_is(file, before, ")") && file->tokens[before].match < before)
            i = file->tokens[before].match + 1; /* of an alignment */
        else if (!port_is_name(file, before))
            return false;
    }
    return false;
}
