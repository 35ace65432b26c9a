/* SPDX-License-Identifier: Apache-2.0 */
/* qualifiers.c - qualifiers of functions, methods and lambdas: __global__ becomes HD_KERNEL,
   __device__ HD_DEVICE or HD_METHOD, together with __host__ HD_BOTH or HD_METHOD_BOTH. heddle's
   functions are static and inlined, so those that other files declare, and those that call
   themselves, keep CUDA's. */
#include "clean.h"

#include <stdlib.h>
#include <string.h>

/* The words in a row around a qualifier, and the function that they qualify. */
typedef struct qualified {
    uint32_t first, last; /* the words */
    uint32_t name, body;  /* tokens, or 0 */
    bool kernel, device, host;
    bool noinline, apart;
    bool is_static, is_constexpr, is_virtual, is_explicit;
    bool method;
    bool fixed; /* may not be static: instantiated, specialised, a friend, extern "C" */
} qualified;

static const char *const row[] = {"__global__",   "__device__", "__host__", "__forceinline__",
                                  "__noinline__", "__inline__", "inline",   "static",
                                  "constexpr",    "virtual",    "explicit", "extern"};

static bool is_in_row(const port_file *file, uint32_t i)
{
    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
        if (port_is(file, i, row[k]))
            return true;
    return false;
}

static bool is_qualifier(const port_file *file, uint32_t i)
{
    return port_is(file, i, "__global__") || port_is(file, i, "__device__") ||
           port_is(file, i, "__host__");
}

/* Whether the brace is that of a class. */
static bool opens_class(const port_file *file, uint32_t brace)
{
    enum { HEAD = 256 };

    if (brace == 0 || port_is(file, brace - 1, ")"))
        return false;
    for (uint32_t i = brace; i > 0 && i + HEAD > brace; i--) {
        if (port_is(file, i - 1, ";") || port_is(file, i - 1, "{") || port_is(file, i - 1, "}"))
            return false;
        if (port_is(file, i - 1, "struct") || port_is(file, i - 1, "class") ||
            port_is(file, i - 1, "union"))
            return true;
        if (file->tokens[i - 1].match < i - 1)
            i = file->tokens[i - 1].match + 1;
    }
    return false;
}

/* Whether the token stands in a class, or, in *c_out, in extern "C" { }. */
static bool in_class(const port_file *file, uint32_t token, bool *c_out)
{
    for (uint32_t i = token; i-- > 0;) {
        const uint32_t match = file->tokens[i].match;

        if (match < i) {
            i = match;
        } else if (match > token && port_is(file, i, "{")) {
            *c_out |= i > 0 && file->tokens[i - 1].kind == PORT_TEXT;
            return opens_class(file, i);
        }
    }
    return false;
}

static void read_words(const port_file *file, qualified *q)
{
    for (uint32_t i = q->first; i <= q->last; i++) {
        q->kernel |= port_is(file, i, "__global__");
        q->device |= port_is(file, i, "__device__");
        q->host |= port_is(file, i, "__host__");
        q->noinline |= port_is(file, i, "__noinline__");
        q->is_static |= port_is(file, i, "static");
        q->is_constexpr |= port_is(file, i, "constexpr");
        q->is_virtual |= port_is(file, i, "virtual");
        q->is_explicit |= port_is(file, i, "explicit");
        q->fixed |= port_is(file, i, "extern");
    }
}

static qualified read_qualified(const port_file *file, uint32_t i)
{
    qualified q = {.first = i, .last = i};
    const uint32_t directive = file->tokens[i].directive;

    while (q.first > 0 && is_in_row(file, q.first - 1) &&
           file->tokens[q.first - 1].directive == directive)
        q.first--;
    while (is_in_row(file, q.last + 1) && file->tokens[q.last + 1].directive == directive)
        q.last++;
    read_words(file, &q);
    q.body = port_find_body(file, q.last, &q.name);
    for (uint32_t k = q.last + 1; k < q.name; k++)
        q.apart |= is_in_row(file, k);
    q.method = in_class(file, q.first, &q.fixed);
    if (q.first > 0 && file->tokens[q.first - 1].directive == directive) {
        const uint32_t before = q.first - 1;

        q.fixed |= port_is(file, before, "template") || port_is(file, before, "friend") ||
                   file->tokens[before].kind == PORT_TEXT ||
                   (q.first > 2 && port_is(file, before, ">") && port_is(file, before - 1, "<") &&
                    port_is(file, before - 2, "template"));
        q.apart |= port_is_name(file, before) && !port_is(file, before, "template") &&
                   !port_is(file, before, "friend") && !port_is(file, before, "else") &&
                   !port_is(file, before, "typename");
    }
    return q;
}

/* ---- the survey ------------------------------------------------------------------------------ */

static void add_function(port_job *job, const port_file *file, uint32_t name, bool body, bool fixed)
{
    if (!name || !port_grow(job, &job->functions, job->function_count, &job->function_room,
                            sizeof *job->functions))
        return;
    job->functions[job->function_count] = (port_function){
        port_print(job, "%s", port_text(file, name)), file, body, fixed};
    job->function_count += job->functions[job->function_count].name != NULL;
}

void clean_survey_functions(port_job *job, const port_file *file)
{
    for (uint32_t i = 0; i < file->count; i++) {
        qualified q;

        if (file->tokens[i].directive)
            continue;
        if (port_is(file, i, "friend")) { /* perhaps without qualifiers */
            (void)port_find_body(file, i, &q.name);
            add_function(job, file, q.name, false, true);
        }
        if (!is_qualifier(file, i))
            continue;
        q = read_qualified(file, i);
        i = q.last;
        add_function(job, file, q.name, q.body != 0,
                     q.fixed || (q.name && port_is(file, q.name - 1, "::")));
    }
}

static int compare_functions(const void *a, const void *b)
{
    return strcmp(((const port_function *)a)->name, ((const port_function *)b)->name);
}

/* Whether all declarations of the function are in this file, and one has a body; false and the
   reason otherwise. */
static bool is_of_file(const port_job *job, const port_file *file, const char *name,
                       const char **why_out)
{
    const port_function key = {.name = (char *)(uintptr_t)name};
    const port_function *f = job->function_count
                                 ? bsearch(&key, job->functions, job->function_count,
                                           sizeof *job->functions, compare_functions)
                                 : NULL;
    const port_function *end = job->functions + job->function_count;
    bool body = false, other = false;

    while (f && f > job->functions && strcmp(f[-1].name, name) == 0)
        f--;
    for (; f && f < end && strcmp(f->name, name) == 0; f++) {
        if (f->fixed) {
            *why_out = "instantiated, specialised, a friend or defined outside of its class";
            return false;
        }
        body |= f->body && f->file == file;
        other |= !f->body && f->file != file;
    }
    *why_out = "declared for other files; heddle's functions are static";
    return body && !other;
}

/* ---- the pass -------------------------------------------------------------------------------- */

static bool calls_itself(const port_file *file, const qualified *q)
{
    const char *name = port_text(file, q->name);

    if (strcmp(name, "operator") == 0)
        return false;
    for (uint32_t i = q->body; i < file->tokens[q->body].match; i++)
        if (port_is(file, i, port_text(file, q->name)))
            return true;
    return false;
}

/* Why the qualifiers are kept, or NULL; *heddle_out is what becomes of them. */
static const char *judge(const port_job *job, const port_file *file, const qualified *q,
                         const char **heddle_out)
{
    const char *why = NULL;

    if (file->tokens[q->first].directive)
        return "in a macro: the functions that use it are not known here";
    if (!q->name)
        return "a variable: heddle's are used as hd_symbol(name)[i]";
    if (!q->kernel && !q->device)
        return "host code needs no qualifier";
    if (q->apart)
        return "its qualifiers do not stand together before the type";
    if (q->noinline)
        return "heddle's functions are inlined";
    if (q->kernel && q->method)
        return "a kernel that is a member of a class";
    if (q->is_virtual)
        return "a virtual method";
    if (q->method && q->fixed)
        return "a friend, or instantiated or specialised";
    if (q->method && !q->body)
        return "a method without a body here";
    if (!q->method && !is_of_file(job, file, port_text(file, q->name), &why))
        return why;
    if (!q->kernel && q->body && calls_itself(file, q))
        return "it calls itself, or one of its name; heddle's functions are inlined";
    *heddle_out = q->kernel   ? "HD_KERNEL"
                  : q->method ? (q->host ? "HD_METHOD_BOTH" : "HD_METHOD")
                              : (q->host ? "HD_BOTH" : "HD_DEVICE");
    return NULL;
}

static const char *name_of(const qualified *q)
{
    return q->kernel              ? "__global__"
           : q->device && q->host ? "__host__ __device__"
           : q->device            ? "__device__"
                                  : "__host__";
}

static void rewrite_lambda(port_job *job, port_file *file, const qualified *q)
{
    if (q->first != q->last || !q->device) {
        clean_kept(job, file, q->first, name_of(q), "of a lambda for host code, too");
        return;
    }
    port_replace(job, file, q->first, q->first, port_print(job, "HD_LAMBDA"));
    clean_rewrote(job, file, q->first, "__device__", "HD_LAMBDA");
}

void clean_qualifiers(port_job *job, port_file *file)
{
    for (uint32_t i = 0; i < file->count; i++) {
        const char *heddle = NULL, *why;
        qualified q;

        if (!is_qualifier(file, i) || file->own[i] ||
            (i > 0 && file->tokens[i].directive && port_is(file, i - 1, "define")))
            continue;
        q = read_qualified(file, i);
        i = q.last;
        if (q.first > 0 && port_is(file, q.first - 1, "]") &&
            !port_is(file, file->tokens[q.first - 1].match + 1, "[")) {
            rewrite_lambda(job, file, &q);
            continue;
        }
        why = judge(job, file, &q, &heddle);
        if (why) {
            clean_kept(job, file, q.first, name_of(&q), why);
            continue;
        }
        port_replace(job, file, q.first, q.last,
                     port_print(job, "%s%s%s%s", q.is_explicit ? "explicit " : "",
                                q.method && q.is_static ? "static " : "", heddle,
                                q.is_constexpr ? " constexpr" : ""));
        clean_rewrote(job, file, q.first, name_of(&q), heddle);
    }
}

void port_functions_sort(port_job *job)
{
    if (job->function_count)
        qsort(job->functions, job->function_count, sizeof *job->functions, compare_functions);
}
