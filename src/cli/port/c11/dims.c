/* SPDX-License-Identifier: Apache-2.0 */
/* dims.c - dim3, whose missing extents are 1 because a constructor makes them so:

       dim3 grid(n), block;   dim3 grid = HD_PORT_DIM3(n), block = HD_PORT_DIM3(1);
       k<<<dim3(n, m), block>>>()   ... HD_PORT_DIM3(n, m) ... */
#include "c11.h"

static const char made[] = "HD_PORT_DIM3(";

/* `{n, m}` or `(n, m)`, with `before` in front. At file scope C calls no function. */
static void rewrite_extents(port_job *job, port_file *file, uint32_t open, const char *before)
{
    const uint32_t close = file->tokens[open].match;
    int extents = close > open + 1;

    for (uint32_t i = open + 1; i < close; i++) {
        extents += port_is(file, i, ",");
        if (file->tokens[i].match > i)
            i = file->tokens[i].match;
    }
    if (!c11_scope(file, open) && !file->tokens[open].directive) {
        static const char *const missing[] = {"1, 1, 1}", ", 1, 1}", ", 1}", "}"};

        port_replace(job, file, open, open, port_print(job, "%s{", before));
        port_replace(job, file, close, close,
                     port_print(job, "%s", missing[extents < 3 ? extents : 3]));
        return;
    }
    port_replace(job, file, open, open,
                 port_print(job, "%s%s%s", before, made, close == open + 1 ? "1" : ""));
    port_replace(job, file, close, close, port_print(job, ")"));
}

/* One name of a declaration; returns the token behind its initial value, or 0 after a report. */
static uint32_t declarator(port_job *job, port_file *file, uint32_t name)
{
    uint32_t i = name + 1;
    bool is_made;

    if (port_is(file, i, "(") || port_is(file, i, "{")) {
        rewrite_extents(job, file, i, " = ");
        return file->tokens[i].match + 1;
    }
    if (port_is(file, i, ";") || port_is(file, i, ",")) {
        port_replace(job, file, name, name,
                     c11_scope(file, name)
                         ? port_print(job, "%s = %s1)", port_text(file, name), made)
                         : port_print(job, "%s = {1, 1, 1}", port_text(file, name)));
        return i;
    }
    if (!port_is(file, i, "=")) {
        c11_needs_cxx(job, file, name, "arrays whose elements have constructors");
        return 0;
    }
    if (port_is(file, ++i, "{")) {
        rewrite_extents(job, file, i, "");
        return file->tokens[i].match + 1;
    }
    is_made = port_is(file, i, "dim3") && port_is(file, i + 1, "(");
    if (!is_made)
        port_insert(job, file, i, port_print(job, "%s", made));
    while (i < file->count && !port_is(file, i, ";") && !port_is(file, i, ","))
        i = file->tokens[i].match > i ? file->tokens[i].match + 1 : i + 1;
    if (!is_made)
        port_insert(job, file, i, port_print(job, ")"));
    return i;
}

/* Whether the statement of a `dim3` that a name follows declares variables: no parameter, no
   function. */
static bool declares_variables(const port_file *file, uint32_t dim)
{
    const uint32_t scope = c11_scope(file, dim);
    uint32_t i = c11_begin(file, dim);

    if (scope && c11_is_members(file, scope))
        return false;
    if (i > 0 && file->tokens[i - 1].directive == file->tokens[i].directive &&
        !port_is(file, i - 1, ";") && !port_is(file, i - 1, "{") && !port_is(file, i - 1, "}"))
        return false;
    if (scope || !port_is(file, dim + 2, "("))
        return true;
    i = file->tokens[dim + 2].match + 1; /* a function has a body, or parameters with types */
    return (port_is(file, i, ";") || port_is(file, i, ",")) && !c11_is_type(file, dim + 3) &&
           !port_is(file, dim + 3, ")") &&
           !(port_is_name(file, dim + 3) && port_is_name(file, dim + 4));
}

void c11_dims(port_job *job, port_file *file)
{
    for (uint32_t i = 0; i + 2 < file->count; i++) {
        uint32_t at = i + 1;

        if (!port_is(file, i, "dim3"))
            continue;
        if (port_is(file, at, "(") && file->tokens[at].match > at &&
            (i == 0 || !port_is(file, i - 1, "sizeof"))) {
            port_remove(job, file, i);
            rewrite_extents(job, file, at, "");
        }
        if (!port_is_name(file, at) || file->tokens[i].directive || !declares_variables(file, i))
            continue;
        while (at && (at = declarator(job, file, at)) != 0 && port_is(file, at, ",") &&
               port_is_name(file, at + 1))
            at++;
    }
}
