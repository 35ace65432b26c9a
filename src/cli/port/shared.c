/* SPDX-License-Identifier: Apache-2.0 */
/* shared.c - declarations of shared variables:
       __shared__ float tile[16][17];    HD_PORT_SHARED(tile, float[16][17]);
       extern __shared__ int buffer[];   HD_PORT_SHARED_DYNAMIC(buffer, int);
   In a block of the CPU engine they are references to the block's memory. Outside of functions the
   macros are HD_PORT_FILE_SHARED and so on, which define a function that finds the variable; its
   uses become calls, tile_of_block_(). */
#include "port.h"

#include <stdlib.h>
#include <string.h>

typedef struct declaration {
    uint32_t begin, end; /* first token and the `;` */
    uint32_t type;       /* first token of the type */
    bool dynamic;        /* extern */
    bool is_volatile;
    bool of_file;       /* outside of functions */
    uint32_t alignment; /* the token of `__align__(n)` or another alignment, or `end` */
} declaration;

static bool is_storage(const port_file *file, uint32_t i)
{
    return port_is(file, i, "__shared__") || port_is(file, i, "static") ||
           port_is(file, i, "extern") || port_is(file, i, "__device__");
}

static bool is_alignment(const port_file *file, uint32_t i)
{
    return port_is(file, i, "__align__") || port_is(file, i, "alignas") ||
           port_is(file, i, "__attribute__") || port_is(file, i, "HD_ALIGN");
}

/* Where the declaration around `__shared__` begins: behind the end of what is before it. */
static uint32_t find_begin(const port_file *file, uint32_t shared)
{
    uint32_t i = shared;

    while (i > 0 && file->tokens[i - 1].directive == file->tokens[shared].directive) {
        if (port_is_name(file, i - 1) && !port_is(file, i - 1, "else"))
            i--;
        else if (port_is(file, i - 1, ")") && is_alignment(file, file->tokens[i - 1].match - 1))
            i = file->tokens[i - 1].match - 1;
        else
            break;
    }
    return i;
}

/* The `;` at the end of the declaration, or the token behind a macro that ends with it; the token
   itself if there is none. */
static uint32_t find_end(const port_file *file, uint32_t shared)
{
    for (uint32_t i = shared; i < file->count; i++) {
        if (port_is(file, i, ";"))
            return i;
        if (file->tokens[i].directive != file->tokens[shared].directive)
            return file->tokens[shared].directive ? i : shared;
        if (file->tokens[i].match > i)
            i = file->tokens[i].match;
        else if (port_is(file, i, "}") || port_is(file, i, ")"))
            break;
    }
    return shared;
}

/* The text of the tokens first ... last without storage words, alignments and `volatile`s that are
   in front of it already. */
static char *type_text(port_job *job, const port_file *file, uint32_t first, uint32_t last)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    uint32_t body = 0; /* the end of a struct's members, whose alignments stay */
    bool any = false;

    if (!to) {
        job->no_memory = true;
        return NULL;
    }
    for (uint32_t i = first; i <= last; i++) {
        const port_token *t = &file->tokens[i];
        char *vector; /* its new name */

        if (port_is(file, i, "{") && t->match > i)
            body = t->match;
        if (is_storage(file, i))
            continue;
        if (i >= body && is_alignment(file, i) && port_is(file, i + 1, "(")) {
            i = file->tokens[i + 1].match;
            continue;
        }
        if (any && (t->at > t[-1].at + t[-1].length || is_storage(file, i - 1)))
            fputc(' ', to);
        vector = port_clean_vector(job, file, i);
        fwrite(vector ? vector : file->text + t->at, 1, vector ? strlen(vector) : t->length, to);
        free(vector);
        any = true;
    }
    if (fclose(to) != 0) {
        free(text);
        job->no_memory = true;
        return NULL;
    }
    return text;
}

/* The token behind one part of a type, for example template arguments or the body of a struct. */
static uint32_t next_part(const port_file *file, uint32_t i, uint32_t end)
{
    uint32_t behind;

    if (port_is(file, i, "<")) {
        behind = port_skip_angles(file, i);
        return behind > i && behind <= end ? behind : i + 1;
    }
    if ((is_alignment(file, i) || port_is(file, i, "decltype")) && port_is(file, i + 1, "("))
        return file->tokens[i + 1].match + 1;
    if (port_is(file, i, "{") && file->tokens[i].match > i)
        return file->tokens[i].match + 1;
    return i + 1;
}

/* The token of the declarator's name: the last name before an array's extent, `,` or `;`. */
static uint32_t find_name(const port_file *file, uint32_t from, uint32_t end)
{
    uint32_t name = 0;

    for (uint32_t i = from; i < end && !port_is(file, i, "[") && !port_is(file, i, ",");
         i = next_part(file, i, end)) {
        if (port_is(file, i, "(") || port_is(file, i, "="))
            return 0;
        if (port_is_name(file, i) && !is_storage(file, i) && !is_alignment(file, i))
            name = i;
    }
    return name;
}

/* `(name`, or `_ALIGNED(name, __align__(n)`. */
static void write_name(port_job *job, const port_file *file, const declaration *d, const char *name,
                       FILE *to)
{
    char *alignment;

    if (d->alignment == d->end) {
        fprintf(to, "(%s", name);
        return;
    }
    alignment = port_range(file, d->alignment, file->tokens[d->alignment + 1].match);
    fprintf(to, "_ALIGNED(%s, %s", name, alignment ? alignment : "");
    job->no_memory |= !alignment;
    free(alignment);
}

/* In C a shared variable is an array of one element, name_, and its uses become (*name_). A use in
   a macro, which is not found, does not compile. */
static void c11_scalar(port_job *job, port_file *file, uint32_t name)
{
    const uint32_t end = port_scope_end(file, name);
    char wanted[256];

    strcpy(wanted, port_text(file, name));
    for (uint32_t i = name + 1; i < end; i++) {
        if (!port_is(file, i, wanted) || port_is(file, i - 1, ".") || port_is(file, i - 1, "->"))
            continue;
        if (port_is_name(file, i - 1) && port_declares(file, i) && !port_is(file, i - 1, "return"))
            port_report(job, PORT_ERROR, "needs-cxx", file, file->tokens[i].line,
                        "docs/port.md#c-instead-of-c",
                        "%s: a variable within the scope of a shared one of this name: rename one",
                        wanted);
        port_replace(job, file, i, i, port_print(job, "(*%s_)", wanted));
    }
}

/* Writes one declarator; returns the token behind it, or 0 if it cannot be read. */
static uint32_t declarator(port_job *job, port_file *file, const declaration *d, const char *base,
                           uint32_t from, FILE *to)
{
    const uint32_t name = find_name(file, from, d->end);
    uint32_t i = name + 1, extents = i;
    char *stars, *dims, *clean = NULL;

    if (!name)
        return 0;
    while (i < d->end && port_is(file, i, "["))
        i = file->tokens[i].match + 1;
    if (!port_is(file, i, ",") && i != d->end)
        return 0;
    if (d->dynamic) {
        if (!port_is(file, extents, "[") || !port_is(file, extents + 1, "]"))
            return 0;
        extents += 2;
    }
    stars = name > from ? port_range(file, from, name - 1) : port_print(job, "%s", "");
    dims = i > extents ? port_range(file, extents, i - 1) : port_print(job, "%s", "");
    if (stars && dims && (job->clean || job->c11)) {
        const port_shared shared = {.name = name,
                                    .first = extents,
                                    .last = i - 1,
                                    .base = base,
                                    .stars = stars,
                                    .alignment = d->alignment == d->end ? 0 : d->alignment,
                                    .of_file = d->of_file,
                                    .dynamic = d->dynamic};

        clean = port_clean_shared(job, file, &shared);
    }
    if (clean) {
        fputs(clean, to);
        if (job->c11 && i == name + 1)
            c11_scalar(job, file, name);
    } else if (job->c11) {
        port_report(job, PORT_ERROR, "needs-cxx", file, file->tokens[name].line,
                    "docs/port.md#c-instead-of-c",
                    "%s: shared memory of this form (outside of functions, in a macro, aligned, or "
                    "used as a whole array) is not offered in C: translate without --c",
                    port_text(file, name));
    } else if (stars && dims) {
        fprintf(to, "HD_PORT_%sSHARED%s", d->of_file ? "FILE_" : "", d->dynamic ? "_DYNAMIC" : "");
        write_name(job, file, d, port_text(file, name), to);
        fprintf(to, ", %s%s%s%s)", base, stars[0] ? " " : "", stars, dims);
    }
    free(stars);
    free(dims);
    free(clean);
    return i;
}

/* The text of the whole declaration, or NULL if it cannot be read. */
static char *translate(port_job *job, port_file *file, const declaration *d)
{
    uint32_t name = find_name(file, d->type, d->end), last = name, at;
    char *text = NULL, *base;
    size_t size;
    FILE *to;

    if (!name)
        return NULL;
    while (last > d->type && (port_is(file, last - 1, "*") || port_is(file, last - 1, "&")))
        last--;
    if (last == d->type || !(base = type_text(job, file, d->type, last - 1)))
        return NULL;
    to = base[0] ? open_memstream(&text, &size) : NULL;
    at = to ? last : 0;
    while (at && (at = declarator(job, file, d, base, at, to)) != 0 && port_is(file, at, ",")) {
        fputs("; ", to);
        at++;
    }
    free(base);
    if (to && fclose(to) != 0)
        at = 0;
    if (at)
        return text;
    free(text);
    return NULL;
}

/* Whether the token is outside of all functions and classes. */
static bool at_file_scope(const port_file *file, uint32_t token)
{
    for (uint32_t i = token + 1; i > 0;) {
        const uint32_t match = file->tokens[--i].match;

        if (match < i)
            i = match;
        else if (port_is(file, i, "{"))
            return i > 1 &&
                   (port_is(file, i - 1, "namespace") || port_is(file, i - 2, "namespace") ||
                    file->tokens[i - 1].kind == PORT_TEXT) &&
                   at_file_scope(file, i - 1);
    }
    return true;
}

static declaration declaration_at(const port_file *file, uint32_t shared)
{
    declaration d = {.begin = find_begin(file, shared), .end = find_end(file, shared)};

    d.alignment = d.end;
    for (uint32_t i = d.begin; i < d.end; i++) {
        d.dynamic |= port_is(file, i, "extern");
        d.is_volatile |= port_is(file, i, "volatile");
        if (is_alignment(file, i) && port_is(file, i + 1, "("))
            d.alignment = i;
        if (port_is(file, i, "{") && file->tokens[i].match > i)
            i = file->tokens[i].match;
    }
    d.type = d.begin;
    d.of_file = !file->tokens[shared].directive && at_file_scope(file, shared);
    return d;
}

static void one(port_job *job, port_file *file, uint32_t shared)
{
    const declaration d = declaration_at(file, shared);
    const uint32_t line = file->tokens[shared].line;
    char *text;

    if (d.end == shared) {
        port_report(job, PORT_ERROR, "shared", file, line, port_page,
                    "this declaration of shared memory does not end with ';'");
        return;
    }
    text = translate(job, file, &d);
    if (!text) {
        port_report(job, PORT_ERROR, "shared", file, line, port_page,
                    "this declaration of shared memory is not understood: declare one variable or "
                    "array per line, without an initial value");
        return;
    }
    if (d.is_volatile)
        port_report(job, PORT_WARNING, "volatile-shared", file, line,
                    "docs/porting-pitfalls.md#warp-synchronous-code",
                    "volatile shared memory does not order the accesses of a warp: put "
                    "__syncwarp() between a write and another lane's read");
    port_replace(job, file, d.begin, d.end - 1, text);
}

static bool is_declaration(const port_file *file, uint32_t i)
{
    return port_is(file, i, "__shared__") && !port_is(file, i - 1, "define") &&
           !port_is(file, i - 1, "ifndef") && !port_is(file, i - 1, "ifdef");
}

/* ---- shared variables outside of functions --------------------------------------------------- */

void port_pass_shared_names(port_job *job, port_file *file)
{
    for (uint32_t i = 0; i < file->count; i++) {
        declaration d;

        if (!is_declaration(file, i))
            continue;
        d = declaration_at(file, i);
        for (uint32_t at = d.of_file ? d.type : d.end; at < d.end; at++) {
            const uint32_t name = find_name(file, at, d.end);

            if (!name)
                break;
            port_names_add(job, &job->shared, &job->shared_count, &job->shared_room,
                           file->text + file->tokens[name].at, file->tokens[name].length);
            while (at < d.end && !port_is(file, at, ","))
                at = next_part(file, at, d.end);
        }
    }
}

/* Whether the function that holds the token declares the name itself: a parameter or a variable. */
static bool is_hidden(const port_file *file, uint32_t i)
{
    const char *name = port_text(file, i);
    bool body = true;

    for (uint32_t k = i - 1; k > 0; k--) {
        body &= file->device[k];
        if (!body && (port_is(file, k, ";") || port_is(file, k, "}")))
            return false;
        if (port_is(file, k, name) && port_declares(file, k))
            return true;
    }
    return false;
}

static void rename_uses(port_job *job, port_file *file)
{
    for (uint32_t i = 1; i < file->count && job->shared_count; i++)
        if (port_is_name(file, i) && (file->device[i] || file->tokens[i].directive) &&
            !port_is(file, i - 1, ".") && !port_is(file, i - 1, "->") &&
            port_names_has(job->shared, job->shared_count, port_text(file, i)) &&
            !port_declares(file, i) && (file->tokens[i].directive || !is_hidden(file, i)))
            port_replace(job, file, i, i, port_print(job, "%s_of_block_()", port_text(file, i)));
}

void port_pass_shared(port_job *job, port_file *file)
{
    for (uint32_t i = 0; i < file->count; i++)
        if (is_declaration(file, i))
            one(job, file, i);
    rename_uses(job, file);
}
