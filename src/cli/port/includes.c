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
#define ALGORITHMS "heddle/cuda_algorithms.hpp"

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

static bool has_file(const port_job *job, const char *name)
{
    const char *plain = name;

    while (strncmp(plain, "../", 3) == 0 || strncmp(plain, "./", 2) == 0)
        plain = strchr(plain, '/') + 1;
    for (size_t i = 0; i < job->file_count; i++) {
        const char *path = job->files[i]->canonical;
        const size_t length = strlen(path), wanted = strlen(plain);

        if (length > wanted && strcmp(path + length - wanted, plain) == 0 &&
            path[length - wanted - 1] == '/')
            return true;
    }
    return false;
}

static void one(port_job *job, port_file *file, uint32_t hash)
{
    char name[256];
    uint32_t first, last;
    const include_rule *rule;
    const uint32_t line = file->tokens[hash].line;

    if (!port_include_name(file, hash, name, &first, &last) || has_file(job, name))
        return;
    rule = find(name);
    if (rule && rule->become) {
        file->named |= strcmp(rule->become, NAMES) == 0;
        port_replace(job, file, first, last, port_print(job, "<%s>", rule->become));
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

void port_pass_includes(port_job *job, port_file *file)
{
    for (uint32_t i = 0; i + 2 < file->count; i++)
        if (file->tokens[i].directive && port_is(file, i, "#"))
            one(job, file, i);
    if (file->foreign && !file->named)
        port_insert(job, file, 0, port_print(job, "#include <%s>\n", NAMES));
}
