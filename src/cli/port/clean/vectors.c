/* SPDX-License-Identifier: Apache-2.0 */
/* vectors.c - float4 and its like become hd_f32x4, in host code too, if the whole program allows
   it: heddle's vectors have operators in C++, and what is kept of CUDA's functions takes CUDA's. */
#include "clean.h"

#include <string.h>

static const struct {
    const char *cuda, *heddle;
    char least; /* number of elements */
    char most;
} vectors[] = {{"float", "hd_f32", '2', '4'},  {"double", "hd_f64", '2', '4'},
               {"int", "hd_i32", '2', '4'},    {"char", "hd_i8", '2', '4'},
               {"uchar", "hd_u8", '2', '4'},   {"short", "hd_i16", '2', '4'},
               {"ushort", "hd_u16", '2', '4'}, {"long", "hd_i64", '2', '2'},
               {"ulong", "hd_u64", '2', '2'},  {"uint", "hd_u32", '2', '4'}};

bool clean_is_vector(const char *name, char heddle[32])
{
    const bool makes = strncmp(name, "make_", 5) == 0;
    const char *plain = makes ? name + 5 : name;

    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        const size_t length = strlen(vectors[i].cuda);

        if (strncmp(plain, vectors[i].cuda, length) != 0 || plain[length] < vectors[i].least ||
            plain[length] > vectors[i].most || plain[length + 1])
            continue;
        if (strcmp(plain, "uint3") == 0) /* converts to dim3 */
            return false;
        snprintf(heddle, 32, "%sx%c%s", vectors[i].heddle, plain[length], makes ? "_make" : "");
        return true;
    }
    return false;
}

/* Whether an overloaded operator is declared at the token. */
static bool is_operator(const port_file *file, uint32_t i)
{
    return port_is(file, i, "operator") && file->tokens[i + 1].kind == PORT_PUNCT &&
           !port_is(file, i + 1, "(") && !port_is(file, i + 1, "[");
}

static bool is_library(const port_file *file, uint32_t i)
{
    static const char *const parts[] = {"thrust", "cub",       "hipcub",         "half",
                                        "bfloat", "cuComplex", "cuFloatComplex", "cuDoubleComplex",
                                        "tex"};
    const char *name = port_text(file, i);

    for (size_t k = 0; k < 3; k++)
        if (strcmp(name, parts[k]) == 0)
            return true;
    for (size_t k = 3; k < sizeof parts / sizeof *parts; k++)
        if (strstr(name, parts[k]) && port_looks_foreign(name))
            return true;
    return false;
}

void clean_survey_vectors(port_job *job, const port_file *file, uint32_t i)
{
    const clean_name *rule = port_is_name(file, i) ? clean_find(port_text(file, i)) : NULL;

    if (job->vectors)
        return;
    if (is_operator(file, i))
        job->vectors = "another type than heddle's, and the program defines operators";
    else if (port_is(file, i, "##"))
        job->vectors = "another type than heddle's, and the program pastes names together";
    else if (rule && rule->rule == CLEAN_POINTEE)
        job->vectors = "another type than heddle's, and CUDA's loads and stores take CUDA's";
    else if (rule && rule->rule == CLEAN_INDEX && file->device[i] && !port_is(file, i + 1, "."))
        job->vectors = "another type than heddle's, and an index is used as a whole";
    else if (port_is_name(file, i) && is_library(file, i))
        job->vectors = "another type than heddle's, and a library of CUDA's is used";
    else if (port_is(file, i, "#") && port_includes_foreign(job, file, i))
        job->vectors = "another type than heddle's, and an included file is not translated";
}

char *port_clean_vector(port_job *job, const port_file *file, uint32_t i)
{
    const char *name = port_text(file, i);
    char heddle[32];

    if (!job->clean || !port_is_name(file, i) || !clean_is_vector(name, heddle) ||
        port_names_has(job->declared, job->declared_count, name))
        return NULL;
    if (job->vectors) {
        clean_kept(job, file, i, name, job->vectors);
        return NULL;
    }
    clean_rewrote(job, file, i, name, heddle);
    return port_print(job, "%s", heddle);
}
