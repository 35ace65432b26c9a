/* SPDX-License-Identifier: Apache-2.0 */
/* cxx.c - what C does not have, and parameters of functions. */
#include "c11.h"

#include <stddef.h>

typedef struct construct {
    const char *word, *what;
} construct;

static const construct constructs[] = {
    {"template", "templates"},
    {"typename", "templates"},
    {"class", "classes"},
    {"namespace", "namespaces"},
    {"using", "namespaces and aliases"},
    {"operator", "operators of one's own"},
    {"new", "new"},
    {"delete", "delete"},
    {"this", "methods"},
    {"virtual", "methods"},
    {"public", "access control"},
    {"private", "access control"},
    {"protected", "access control"},
    {"throw", "exceptions"},
    {"try", "exceptions"},
    {"catch", "exceptions"},
    {"dynamic_cast", "run-time types"},
    {"typeid", "run-time types"},
    {"auto", "types that are deduced"},
    {"decltype", "types that are deduced"},
    {"mutable", "members that change in constants"},
    {"friend", "friends"},
    {"explicit", "constructors"},
};

static void find_words(port_job *job, port_file *file, uint32_t i)
{
    const bool member = i > 0 && (port_is(file, i - 1, ".") || port_is(file, i - 1, "->"));

    for (size_t k = 0; k < sizeof constructs / sizeof *constructs && !member; k++)
        if (port_is(file, i, constructs[k].word))
            c11_needs_cxx(job, file, i, constructs[k].what);
}

/* References and default arguments in the parameters of a function, whose `(` is the token. In C
   an empty list says that nothing is known of them. */
static void find_parameters(port_job *job, port_file *file, uint32_t open)
{
    const uint32_t close = file->tokens[open].match;

    if (close == open + 1 && open > 1 &&
        (port_is_name(file, open - 2) || port_is(file, open - 2, "*")) &&
        (port_is(file, close + 1, "{") || port_is(file, close + 1, ";")))
        port_insert(job, file, close, port_print(job, "void"));
    for (uint32_t i = open + 1; i < close; i++) {
        if ((port_is(file, i, "&") || port_is(file, i, "&&")) &&
            (port_is_name(file, i - 1) || port_is(file, i - 1, "*")))
            c11_needs_cxx(job, file, i, "references");
        if (port_is(file, i, "=") && port_is_name(file, i - 1))
            c11_needs_cxx(job, file, i - 1, "default arguments");
    }
}

/* Whether the `(` at file scope belongs to a declarator, not to an initial value. */
static bool is_declarator(const port_file *file, uint32_t open)
{
    for (uint32_t i = open; i > 0; i--) {
        const uint32_t before = i - 1;

        if (port_is(file, before, "="))
            return false;
        if (port_is(file, before, ";") || port_is(file, before, "}") ||
            port_is(file, before, "{") || file->tokens[before].directive)
            break;
        if (file->tokens[before].match < before)
            i = file->tokens[before].match + 1;
    }
    return open > 0 && port_is_name(file, open - 1);
}

/* Methods, initial values and bases of a struct, whose `{` is the token. */
static void find_members(port_job *job, port_file *file, uint32_t brace)
{
    static const char *const attributes[] = {"__align__", "__attribute__", "alignas", "_Alignas",
                                             NULL};
    const uint32_t end = file->tokens[brace].match;

    for (uint32_t i = brace + 1; i < end; i++) {
        if (port_is(file, i, "(") && port_is_name(file, i - 1) && !port_is(file, i + 1, "*") &&
            !c11_is_one_of(file, i - 1, attributes) && !c11_is_type(file, i - 1))
            c11_needs_cxx(job, file, i - 1, "methods");
        if (port_is(file, i, "="))
            c11_needs_cxx(job, file, i - 1, "initial values of members");
        if (port_is(file, i, "dim3"))
            c11_needs_cxx(job, file, i, "members with a constructor");
        if (file->tokens[i].match > i)
            i = file->tokens[i].match;
    }
}

static bool is_struct(const port_file *file, uint32_t i)
{
    return port_is(file, i, "struct") || port_is(file, i, "union");
}

static void find_struct(port_job *job, port_file *file, uint32_t i)
{
    uint32_t at = i + 1;

    while (port_is_name(file, at) || (port_is(file, at, "(") && file->tokens[at].match > at))
        at = port_is(file, at, "(") ? file->tokens[at].match + 1 : at + 1;
    if (port_is(file, at, ":"))
        c11_needs_cxx(job, file, i, "base classes");
    else if (port_is(file, at, "{") && file->tokens[at].match > at)
        find_members(job, file, at);
}

/* A function of the program that has the name of one of CUDA's, with other parameters. */
static void find_overload(port_job *job, port_file *file, uint32_t i)
{
    static const char *const words[] = {"__align__", "__launch_bounds__", NULL};
    const char *name = port_text(file, i), *reason, *page;

    if (file->tokens[i].directive || !port_is(file, i + 1, "(") || !port_declares(file, i) ||
        !port_names_has(job->declared, job->declared_count, name) || c11_is_one_of(file, i, words))
        return;
    if (port_name_fate(name, &reason, &page) == PORT_MAPPED)
        c11_needs_cxx(job, file, i, "overloads of CUDA's functions");
}

static void find_one(port_job *job, port_file *file, uint32_t i)
{
    static const char *const before_lambda[] = {"=", "(", ",", "return", NULL};

    if (file->done[i])
        return;
    find_words(job, file, i);
    if (port_is(file, i, "::"))
        c11_needs_cxx(job, file, i + 1, "qualified names");
    if (port_is(file, i, "[") && i > 0 && c11_is_one_of(file, i - 1, before_lambda))
        c11_needs_cxx(job, file, i, "lambdas");
    if (port_is(file, i, "&") && i > 0 && c11_is_type(file, i - 1))
        c11_needs_cxx(job, file, i, "references");
    if (file->tokens[i].kind == PORT_TEXT && file->text[file->tokens[i].at] == '\'' && i > 0 &&
        (port_is(file, i - 1, "sizeof") || (i > 1 && port_is(file, i - 2, "sizeof"))))
        c11_needs_cxx(job, file, i, "character constants of one byte"); /* an int in C */
    if (port_is_name(file, i))
        find_overload(job, file, i);
    if (is_struct(file, i))
        find_struct(job, file, i);
    if (port_is(file, i, "enum") && (port_is(file, i + 1, ":") || port_is(file, i + 2, ":")))
        c11_needs_cxx(job, file, i, "enumerations of a given type");
}

void c11_find_cxx(port_job *job, port_file *file)
{
    for (uint32_t i = 0; i < file->count; i++)
        find_one(job, file, i);
    for (uint32_t i = 0; i < file->count; i++) {
        const port_token *t = &file->tokens[i];

        if (t->directive || t->match <= i)
            continue;
        if (port_is(file, i, "(") && is_declarator(file, i))
            find_parameters(job, file, i);
        if (!port_is(file, i, "{") || i == 0 || file->tokens[i - 1].kind != PORT_TEXT)
            i = t->match; /* bodies; but not those of extern "C" */
    }
}
