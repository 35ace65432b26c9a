/* SPDX-License-Identifier: Apache-2.0 */
/* shadows.c - variables of the program called gridDim, blockDim, threadIdx or blockIdx. Host code
   may have them, since they hide CUDA's; on the CPU engine CUDA's are macros, and nothing hides a
   macro. Within its scope, such a variable gets an underscore. */
#include "port.h"

#include <string.h>

static bool is_index(const port_file *file, uint32_t i)
{
    return port_is(file, i, "gridDim") || port_is(file, i, "blockDim") ||
           port_is(file, i, "threadIdx") || port_is(file, i, "blockIdx");
}

static bool is_type(const port_file *file, uint32_t i)
{
    static const char *const types[] = {"dim3", "uint3", "int3",     "int",
                                        "auto", "const", "unsigned", "size_t"};

    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (port_is(file, i, types[k]))
            return true;
    return false;
}

/* Whether the statement around the token begins with a type: dim3 gridDim(4), blockDim(32); */
static bool in_declaration(const port_file *file, uint32_t i)
{
    while (i > 0) {
        const uint32_t before = i - 1;

        if (port_is(file, before, ";") || port_is(file, before, "{") || port_is(file, before, "}"))
            break;
        if (port_is(file, before, "(") || file->tokens[before].directive)
            return false;
        i = file->tokens[before].match < before ? file->tokens[before].match : before;
    }
    return is_type(file, i);
}

static bool is_declared(const port_file *file, uint32_t i)
{
    if (i == 0 || file->tokens[i].directive || port_is(file, i + 1, "."))
        return false; /* blockIdx.x is a use */
    if (port_is(file, i - 1, "&") || port_is(file, i - 1, "*"))
        return i > 1 && is_type(file, i - 2);
    return is_type(file, i - 1) || (port_is(file, i - 1, ",") && in_declaration(file, i));
}

uint32_t port_scope_end(const port_file *file, uint32_t i)
{
    for (uint32_t k = i; k > 0; k--) {
        const uint32_t before = k - 1, match = file->tokens[before].match;

        if (match < before) {
            k = match + 1;
        } else if (match > i && port_is(file, before, "{")) {
            return match;
        } else if (match > i && port_is(file, before, "(")) { /* a parameter: the body behind */
            uint32_t body = match;

            while (body < file->count && !port_is(file, body, "{") && !port_is(file, body, ";"))
                body++;
            return port_is(file, body, "{") ? file->tokens[body].match : match;
        }
    }
    return file->count - 1;
}

static void rename_one(port_job *job, port_file *file, uint32_t i)
{
    port_replace(job, file, i, i, port_print(job, "%s_", port_text(file, i)));
}

void port_pass_shadows(port_job *job, port_file *file)
{
    uint32_t renamed_to = 0; /* of variables of the scope that is being renamed */
    char name[16] = "";

    for (uint32_t i = 0; i < file->count; i++) {
        uint32_t end;

        if (!is_index(file, i))
            continue;
        if (i > 0 && (port_is(file, i - 1, ".") || port_is(file, i - 1, "->"))) {
            rename_one(job, file, i);
            continue;
        }
        if (!is_declared(file, i) || (i < renamed_to && port_is(file, i, name)))
            continue;
        end = port_scope_end(file, i);
        for (uint32_t k = i; k < end; k++)
            if (is_index(file, k) && strcmp(port_text(file, k), port_text(file, i)) == 0 &&
                !port_is(file, k - 1, ".") && !port_is(file, k - 1, "->"))
                rename_one(job, file, k);
        renamed_to = end;
        strcpy(name, port_text(file, i));
    }
}
