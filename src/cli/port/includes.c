/* SPDX-License-Identifier: Apache-2.0 */
/* includes.c - #include of CUDA's, HIP's and their libraries' headers. */
#include "port.h"

#include <stdlib.h>
#include <string.h>

typedef struct include_rule {
    const char *name;   /* of the header, or its beginning if it ends with '*' */
    const char *become; /* heddle's header; NULL: refused */
    const char *reason; /* what to do instead */
} include_rule;

#define NAMES "heddle/cuda_names.hpp"
#define GROUPS "heddle/cuda_groups.hpp"
#define HALF "heddle/cuda_half.hpp"
#define COMPLEX "heddle/cuda_complex.hpp"
#define ALGORITHMS "heddle/cuda_algorithms.hpp"
#define C_NAMES "heddle/cuda_names.h"          /* for --c */
#define DIALECT ">\n#include <heddle/kernel.h" /* behind NAMES, for --clean */

static const include_rule rules[] = {
#define PORT_INCLUDE(name, become) {name, become, NULL},
#define PORT_INCLUDE_REFUSED(name, reason) {name, NULL, reason},
#include "includes.inc"
};

static const include_rule *find(const char *name)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const size_t length = strlen(rules[i].name);
        const bool begins = rules[i].name[length - 1] == '*';

        if (strncmp(name, rules[i].name, begins ? length - 1 : length + 1) == 0)
            return &rules[i];
    }
    return NULL;
}

/* The file of the job that an #include of this name means, or NULL. */
static port_file *file_of(const port_job *job, const char *name)
{
    const char *plain = name;

    while (strncmp(plain, "../", 3) == 0 || strncmp(plain, "./", 2) == 0)
        plain = strchr(plain, '/') + 1;
    for (size_t i = 0; i < job->file_count; i++) {
        const char *path = job->files[i]->canonical;
        const size_t length = strlen(path), wanted = strlen(plain);

        if (length > wanted && strcmp(path + length - wanted, plain) == 0 &&
            path[length - wanted - 1] == '/')
            return job->files[i];
    }
    return NULL;
}

bool port_includes_foreign(const port_job *job, const port_file *file, uint32_t hash)
{
    char name[256];
    uint32_t first, last;

    return port_include_name(file, hash, name, &first, &last) && !file_of(job, name) &&
           !find(name) && file->tokens[first].kind == PORT_TEXT;
}

static const char *names_of(const port_job *job, const char *header)
{
    return job->c11 && strcmp(header, NAMES) == 0 ? C_NAMES : header;
}

/* Headers of C++ in a translation to C: <cmath> is <math.h>, others are errors. Whether the pass
   has to go on with this one. */
static bool c11_include(port_job *job, port_file *file, uint32_t hash, const char *name,
                        uint32_t first, uint32_t last, const include_rule *rule)
{
    static const char *const of_c[] = {"assert", "ctype",   "errno",  "float",  "inttypes",
                                       "limits", "locale",  "math",   "setjmp", "signal",
                                       "stdarg", "stdbool", "stddef", "stdint", "stdio",
                                       "stdlib", "string",  "time",   "wchar"};

    if (rule && (!rule->become || strcmp(rule->become, NAMES) == 0))
        return true;
    if (rule && strcmp(rule->become, COMPLEX) == 0) { /* a part of the names, in C */
        port_replace(job, file, first, last, port_print(job, "<%s>", C_NAMES));
        return false;
    }
    for (size_t i = 0; i < sizeof of_c / sizeof *of_c && name[0] == 'c'; i++)
        if (strcmp(name + 1, of_c[i]) == 0) {
            port_replace(job, file, first, last, port_print(job, "<%s.h>", of_c[i]));
            return false;
        }
    if (strcmp(name, "chrono") == 0) {
        port_replace(job, file, first, last, port_print(job, "<time.h>"));
        return false;
    }
    if (!rule && (file->tokens[first].kind == PORT_TEXT || strchr(name, '.')))
        return true;
    port_report(job, PORT_ERROR, "needs-cxx", file, file->tokens[hash].line,
                "docs/port.md#c-instead-of-c",
                "<%s>: C does not have this header: translate without --c", name);
    return false;
}

static void one(port_job *job, port_file *file, uint32_t hash)
{
    char name[256];
    uint32_t first, last;
    const include_rule *rule;
    const uint32_t line = file->tokens[hash].line;

    if (!port_include_name(file, hash, name, &first, &last) || file_of(job, name))
        return;
    rule = find(name);
    if (job->c11 && !c11_include(job, file, hash, name, first, last, rule))
        return;
    if (rule && rule->become) {
        const bool names = strcmp(rule->become, NAMES) == 0;
        const bool dialect = names && job->clean && !file->kernels;

        file->named |= names;
        file->kernels |= dialect;
        port_replace(
            job, file, first, last,
            port_print(job, "<%s%s>", names_of(job, rule->become), dialect ? DIALECT : ""));
    } else if (rule) {
        port_report(job, PORT_ERROR, "library", file, line, port_page, "%s: %s", name,
                    rule->reason);
    } else if (file->tokens[first].kind == PORT_TEXT) {
        port_report(job, PORT_WARNING, "include", file, line, port_page,
                    "\"%s\" is neither beside the file nor in a folder of --include, and is not "
                    "translated",
                    name);
    }
}

/* Whether the file, or one that it includes, uses CUDA's names. */
static bool reaches_names(port_job *job, port_file *file)
{
    char name[256];
    uint32_t first, last;
    bool found = file->foreign;

    file->visited = true;
    for (uint32_t i = 0; i + 2 < file->count && !found; i++) {
        port_file *included;

        if (!file->tokens[i].directive || !port_include_name(file, i, name, &first, &last))
            continue;
        included = file_of(job, name);
        found = included && !included->visited && reaches_names(job, included);
    }
    return found;
}

/* A translation unit of C++ that needs CUDA's names, whichever file includes them. */
static bool is_cxx_unit(port_job *job, port_file *file)
{
    const size_t length = strlen(file->shown);

    for (size_t i = 0; i < job->file_count; i++)
        job->files[i]->visited = false;
    if (job->c11) /* bool, and other words that C++ has by itself */
        return port_is_unit(file) &&
               (file->foreign || length < 2 || strcmp(file->shown + length - 2, ".c") != 0);
    return file->operand && !file->included && reaches_names(job, file) &&
           (length < 2 || strcmp(file->shown + length - 2, ".c") != 0);
}

/* Whether a header that becomes cuda_names.hpp comes before all macros and other files. */
static bool begins_with_names(const port_file *file)
{
    char name[256];
    uint32_t first, last;

    for (uint32_t i = 0; i + 2 < file->count; i++) {
        if (!file->tokens[i].directive || !port_is(file, i, "#"))
            continue;
        if (port_is(file, i + 1, "define"))
            return false;
        if (port_include_name(file, i, name, &first, &last)) {
            const include_rule *rule = find(name);

            if (rule && rule->become)
                return true;
            if (file->tokens[first].kind == PORT_TEXT)
                return false;
        }
    }
    return false;
}

/* As nvcc does, a source file sees CUDA's names before its own macros and headers. */
void port_pass_includes(port_job *job, port_file *file)
{
    bool dialect;

    for (uint32_t i = 0; i + 2 < file->count; i++)
        if (file->tokens[i].directive && port_is(file, i, "#"))
            one(job, file, i);
    dialect = job->clean && file->foreign && !file->kernels;
    if (dialect ||
        (is_cxx_unit(job, file) ? !begins_with_names(file) : file->foreign && !file->named))
        port_insert(
            job, file, 0,
            port_print(job, "#include <%s%s>\n", names_of(job, NAMES), dialect ? DIALECT : ""));
}
