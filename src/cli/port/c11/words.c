/* SPDX-License-Identifier: Apache-2.0 */
/* words.c - casts, linkage, inline functions, null pointers:

       static_cast<float>(x)             ((float)(x))
       float(x)                          (float)(x)
       extern "C"                        HD_PORT_EXTERN_C
       inline int f()                    static inline int f()
       constexpr float pi = 3.14f;       static const float pi = 3.14f;
       nullptr                           NULL */
#include "c11.h"

/* A cast by name, whose words and `<>` become parentheses; another pair around all of it, since
   what follows in C, as in (float *)(p)[i], would come before the cast. */
static void named_cast(port_job *job, port_file *file, uint32_t i)
{
    const uint32_t behind = port_is(file, i + 1, "<") ? port_skip_angles(file, i + 1) : 0;

    if (behind <= i + 2 || !port_is(file, behind, "("))
        return;
    port_replace(job, file, i, i + 1, port_print(job, "(("));
    port_replace(job, file, behind - 1, behind - 1, port_print(job, ")"));
    port_insert(job, file, file->tokens[behind].match, port_print(job, ")"));
}

/* A cast that looks like a call: it follows an operator, and a declaration a statement. */
static void called_cast(port_job *job, port_file *file, uint32_t i)
{
    static const char *const before[] = {
        "=", "(", ",",  "+",  "-",  "*",  "/",  "%",  "<",  ">",  "&",  "|",  "^",  "!",      "?",
        ":", "[", "==", "!=", "<=", ">=", "&&", "||", "<<", "+=", "-=", "*=", "/=", "return", NULL};

    const bool of_macro = file->tokens[i].directive && port_is(file, i - 1, ")");

    if (i > 0 && port_is(file, i + 1, "(") && !port_is(file, i + 2, "*") &&
        !port_is(file, i, "void") && (of_macro || c11_is_one_of(file, i - 1, before)))
        port_replace(job, file, i, i, port_print(job, "(%s)", port_text(file, i)));
}

static void linkage(port_job *job, port_file *file, uint32_t i)
{
    const uint32_t brace = i + 2;

    if (!port_is(file, i + 1, "\"C\""))
        return;
    for (uint32_t k = brace; port_is_name(file, k); k++)
        if (port_is(file, k, "__global__"))
            return; /* kernels.c */
    if (!port_is(file, brace, "{")) {
        port_replace(job, file, i, i + 1, port_print(job, "HD_PORT_EXTERN_C"));
        return;
    }
    port_replace(job, file, i, brace, port_print(job, "HD_PORT_BEGIN_C"));
    if (file->tokens[brace].match > brace)
        port_replace(job, file, file->tokens[brace].match, file->tokens[brace].match,
                     port_print(job, "HD_PORT_END_C"));
}

/* An inline function of C without static needs a definition elsewhere. */
static void inline_function(port_job *job, port_file *file, uint32_t i)
{
    const uint32_t begin = c11_begin(file, i);

    for (uint32_t k = begin; port_is_name(file, k); k++)
        if (port_is(file, k, "static") || (job->clean && port_is(file, k, "__device__")))
            return;
    port_insert(job, file, begin, port_print(job, "static "));
}

/* A constexpr that is no integer (types.c): a variable or a function. */
static void constant(port_job *job, port_file *file, uint32_t i)
{
    bool is_static = false, is_function = false;

    for (uint32_t k = c11_begin(file, i); port_is_name(file, k) || port_is(file, k, "*"); k++) {
        is_static |= port_is(file, k, "static");
        is_function |= port_is(file, k + 1, "(");
    }
    port_replace(
        job, file, i, i,
        port_print(job, "%s%s", is_static ? "" : "static ", is_function ? "inline" : "const"));
}

void c11_words(port_job *job, port_file *file)
{
    static const char *const casts[] = {"static_cast", "reinterpret_cast", "const_cast", NULL};
    static const char *const inlines[] = {"inline", "__inline__", "__forceinline__", "__inline",
                                          NULL};

    for (uint32_t i = 0; i + 2 < file->count; i++) {
        if (!port_is_name(file, i))
            continue;
        if (c11_is_one_of(file, i, casts))
            named_cast(job, file, i);
        else if (c11_is_type(file, i) ||
                 port_names_has(job->aliases.names, job->aliases.count, port_text(file, i)))
            called_cast(job, file, i);
        else if (port_is(file, i, "register")) /* arrays of that class have no address in C */
            port_remove(job, file, i);
        else if (port_is(file, i, "extern"))
            linkage(job, file, i);
        else if (port_is(file, i, "constexpr"))
            constant(job, file, i);
        else if (port_is(file, i, "nullptr"))
            port_replace(job, file, i, i, port_print(job, "NULL"));
        else if (!file->tokens[i].directive && c11_is_one_of(file, i, inlines))
            inline_function(job, file, i);
    }
}
