/* SPDX-License-Identifier: Apache-2.0 */
/* types.c - tags, which are types in C++, and integer constants:

       struct point { float x, y; };   typedef struct point point; struct point { float x, y; };
       enum kind { SMALL, LARGE };     enum kind { SMALL, LARGE }; typedef enum kind kind;
       const int n = 2 * 128;          enum { n = 2 * 128 };
       const float pi = 3.14f;         static const float pi = 3.14f;

   In C the variable n is no constant expression: an array of n elements would have no constant
   size. */
#include "c11.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The name behind `struct`, alignments skipped, or 0. */
static uint32_t tag_of(const port_file *file, uint32_t i)
{
    for (i++; i + 1 < file->count; i++) {
        if (!port_is_name(file, i))
            return 0;
        if (!port_is(file, i + 1, "("))
            return i;
        i = file->tokens[i + 1].match;
    }
    return 0;
}

/* Whether the declaration of the tag stands where a typedef may: not in members or parameters. */
static bool is_statement(const port_file *file, uint32_t begin)
{
    const uint32_t scope = c11_scope(file, begin);

    if (scope && c11_is_members(file, scope))
        return false;
    return begin == 0 || file->tokens[begin - 1].directive || port_is(file, begin - 1, ";") ||
           port_is(file, begin - 1, "}") || port_is(file, begin - 1, "{");
}

static void one_struct(port_job *job, port_file *file, uint32_t i)
{
    const uint32_t tag = tag_of(file, i), begin = c11_begin(file, i);
    const char *kind = port_text(file, i);

    if (!tag || !is_statement(file, begin) ||
        !(port_is(file, tag + 1, "{") || port_is(file, tag + 1, ";")))
        return;
    port_insert(
        job, file, begin,
        port_print(job, "typedef %s %s %s; ", kind, port_text(file, tag), port_text(file, tag)));
}

static void one_enum(port_job *job, port_file *file, uint32_t i)
{
    const uint32_t tag = i + 1;
    uint32_t end;

    if (!port_is_name(file, tag) || !port_is(file, tag + 1, "{") ||
        !is_statement(file, c11_begin(file, i)))
        return;
    end = file->tokens[tag + 1].match;
    while (end < file->count && !port_is(file, end, ";"))
        end++;
    if (end < file->count)
        port_replace(
            job, file, end, end,
            port_print(job, "; typedef enum %s %s;", port_text(file, tag), port_text(file, tag)));
}

/* ---- constants ------------------------------------------------------------------------------- */

/* Whether the token is a number of type int. With others, such as 0xffffffff, the variable is an
   int, but the enumerator would have another type, and so another value. */
static bool is_integer(const port_file *file, uint32_t i)
{
    unsigned long long value;
    char *end;

    if (file->tokens[i].kind != PORT_NUMBER)
        return false;
    value = strtoull(port_text(file, i), &end, 0);
    return *end == '\0' && value <= INT_MAX;
}

static bool is_operator(const port_file *file, uint32_t i)
{
    static const char *const operators[] = {"+",  "-", "*", "/", "%", "(", ")",
                                            "<<", "&", "|", "^", "~", NULL};

    return c11_is_one_of(file, i, operators);
}

/* Whether the address of the constant is taken where it is visible. */
static bool has_address(const port_file *file, uint32_t name)
{
    const uint32_t end = port_scope_end(file, name);
    char wanted[256];

    strcpy(wanted, port_text(file, name));
    for (uint32_t i = name + 1; i < end; i++)
        if (port_is(file, i, wanted) && port_is(file, i - 1, "&") && i > 1 &&
            !port_is_name(file, i - 2) && file->tokens[i - 2].kind != PORT_NUMBER &&
            !port_is(file, i - 2, ")") && !port_is(file, i - 2, "]"))
            return true;
    return false;
}

/* Whether the tokens are numbers, operators and names that are known as constants, or that are
   declared before in the list which begins at the token `list`; 0: none. */
static bool is_constant(const port_file *file, uint32_t first, uint32_t end, const port_set *known,
                        uint32_t list)
{
    for (uint32_t i = first; i < end; i++) {
        bool found = is_integer(file, i) || is_operator(file, i);

        if (!found && !port_is_name(file, i))
            return false;
        for (uint32_t k = list; list && k + 2 < first && !found; k++)
            found = port_is(file, k + 1, "=") && port_is(file, k, port_text(file, i));
        if (!found && !port_names_has(known->names, known->count, port_text(file, i)))
            return false;
    }
    return end > first;
}

static void add(port_job *job, port_set *set, const port_file *file, uint32_t i)
{
    port_names_add(job, &set->names, &set->count, &set->room, port_text(file, i),
                   file->tokens[i].length);
    port_names_sort(set->names, &set->count);
}

/* `name = value, name = value;`: returns the `;` if all are constant, otherwise 0. */
static uint32_t constants_end(const port_file *file, uint32_t name, const port_set *known)
{
    const uint32_t list = name;

    for (;;) {
        uint32_t end = name + 2;

        if (!port_is_name(file, name) || !port_is(file, name + 1, "="))
            return 0;
        while (end < file->count && !port_is(file, end, ";") && !port_is(file, end, ","))
            end++;
        if (!is_constant(file, name + 2, end, known, list) || has_address(file, name))
            return 0;
        if (!port_is(file, end, ","))
            return end;
        name = end + 1;
    }
}

/* `const int name = value, ...;`, with static or constexpr. Whether it is one. */
static bool one_constant(port_job *job, port_file *file, uint32_t i, port_set *known)
{
    const uint32_t begin = c11_begin(file, i);
    uint32_t name = begin, end;
    bool is_const = false, is_int = false;

    for (; port_is_name(file, name) && !port_is(file, name + 1, "="); name++) {
        const bool constant = port_is(file, name, "const") || port_is(file, name, "constexpr");

        is_const |= constant;
        is_int |= port_is(file, name, "int");
        if (!constant && !port_is(file, name, "int") && !port_is(file, name, "static"))
            return false;
    }
    if (!is_const || !is_int || !is_statement(file, begin))
        return false;
    end = constants_end(file, name, known);
    if (!end)
        return false;
    port_replace(job, file, begin, name, port_print(job, "enum { %s", port_text(file, name)));
    port_replace(job, file, end, end, port_print(job, " };"));
    for (uint32_t k = name; k < end; k++)
        if (port_is(file, k + 1, "="))
            add(job, known, file, k);
    return true;
}

/* Constants of file scope belong to the file in C++, and to the program in C. */
static void one_internal(port_job *job, port_file *file, uint32_t i)
{
    const uint32_t begin = c11_begin(file, i);
    bool constant = false;

    if (c11_scope(file, begin) || !is_statement(file, begin))
        return;
    for (uint32_t k = begin; k < file->count && !port_is(file, k, "="); k++) {
        if (port_is(file, k, "static") || port_is(file, k, "extern") ||
            port_is(file, k, "typedef") || port_is(file, k, "constexpr") || port_is(file, k, "(") ||
            port_is(file, k, ";") || port_is(file, k, "{"))
            return;
        constant |= port_is(file, k, "const");
        constant &= !port_is(file, k, "*"); /* what it points to is constant */
    }
    if (constant)
        port_insert(job, file, begin, port_print(job, "static "));
}

/* `#define N 256`, `#define real float`, `typedef float real;` */
void c11_survey_types(port_job *job, const port_file *file)
{
    for (uint32_t i = 1; i + 2 < file->count; i++) {
        const uint32_t directive = file->tokens[i].directive;
        uint32_t end = i + 2;

        if (port_is(file, i, "typedef") && c11_is_type(file, i + 1) && port_is_name(file, i + 2) &&
            port_is(file, i + 3, ";"))
            add(job, &job->aliases, file, i + 2);
        if (!port_is(file, i, "define") || !directive || !port_is_name(file, i + 1))
            continue;
        while (end < file->count && file->tokens[end].directive == directive)
            end++;
        if (end == i + 3 && c11_is_type(file, i + 2))
            add(job, &job->aliases, file, i + 1);
        else if (is_constant(file, i + 2, end, &job->constants, 0))
            add(job, &job->constants, file, i + 1);
    }
}

void c11_types(port_job *job, port_file *file)
{
    for (uint32_t i = 0; i < file->count; i++) {
        if (file->tokens[i].directive)
            continue;
        if (port_is(file, i, "struct") || port_is(file, i, "union"))
            one_struct(job, file, i);
        else if (port_is(file, i, "enum"))
            one_enum(job, file, i);
        else if ((port_is(file, i, "const") || port_is(file, i, "constexpr")) &&
                 !one_constant(job, file, i, &job->constants))
            one_internal(job, file, i);
    }
}
