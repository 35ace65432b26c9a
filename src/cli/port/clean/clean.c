/* SPDX-License-Identifier: Apache-2.0 */
/* clean.c - the pass of --clean over the names of a file. */
#include "clean.h"

#include <stdlib.h>
#include <string.h>

enum { ARGUMENTS = 4 };

/* The arguments of a call: the tokens first ... last of each. */
typedef struct call {
    uint32_t open, close;
    uint32_t first[ARGUMENTS], last[ARGUMENTS];
    int count; /* -1: they cannot be told apart, or are more */
} call;

static const char why_arguments[] = "its arguments cannot be told apart: commas in < >";
static const char why_mask[] = "its mask is not a literal with all 32 lanes";
static const char why_number[] = "the types of its arguments are not evident here";
static const char why_pointer[] = "the type of the variable is not evident here";
static const char why_memory[] = "a floating-point variable, and the program has memory of the "
                                 "host: hd_atomic_add is for device memory";
static const char why_host[] = "in a function of host code, too: heddle's is for kernels";
static const char why_whole[] = "used as a whole: heddle has one function for x, y and z each";

static call read_call(const port_file *file, uint32_t name)
{
    call c = {.open = name + 1, .close = file->tokens[name + 1].match};

    if (!port_is(file, c.open, "(") || c.close <= c.open) {
        c.count = -1;
        return c;
    }
    if (c.close == c.open + 1)
        return c;
    c.first[0] = c.open + 1;
    c.count = 1;
    for (uint32_t i = c.open + 1; i < c.close; i++) {
        if (port_is(file, i, "<") && port_is_name(file, i - 1)) {
            const uint32_t behind = port_skip_angles(file, i);

            if (behind > i && (port_is(file, behind, "(") || port_is(file, behind, "::")))
                for (uint32_t k = i; k < behind; k++)
                    if (port_is(file, k, ",")) {
                        c.count = -1;
                        return c;
                    }
        }
        if (port_is(file, i, ",")) {
            if (c.count == ARGUMENTS) {
                c.count = -1;
                return c;
            }
            c.last[c.count - 1] = i - 1;
            c.first[c.count++] = i + 1;
        } else if (file->tokens[i].match > i) {
            i = file->tokens[i].match;
        }
    }
    c.last[c.count - 1] = c.close - 1;
    for (int k = 0; k < c.count; k++)
        if (c.first[k] > c.last[k])
            c.count = -1;
    return c;
}

/* The new name without the type it is cast to, for the count of rewritten names. */
static void rename_token(port_job *job, port_file *file, uint32_t i, const clean_name *rule,
                         const char *heddle)
{
    port_replace(job, file, i, i, port_print(job, "%s", heddle));
    clean_rewrote(job, file, i, rule->name, heddle);
}

/* ---- indices --------------------------------------------------------------------------------- */

/* Whether the tokens at i are `name . axis`; `axis` receives the letter, or must be it. */
static bool is_part(const port_file *file, uint32_t i, const char *name, char *axis)
{
    const char *text = port_text(file, i + 2);

    if (i >= file->count || file->own[i] || !port_is(file, i, name) || !port_is(file, i + 1, ".") ||
        strlen(text) != 1 || !strchr("xyz", text[0]) || (*axis && *axis != text[0]))
        return false;
    *axis = text[0];
    return true;
}

/* a.x * b.x in either order, perhaps in parentheses: the token behind it, or 0. */
static uint32_t skip_product(const port_file *file, uint32_t i, const char *a, const char *b,
                             char *axis)
{
    const bool brackets = port_is(file, i, "(");
    const uint32_t from = i + brackets;

    if (!port_is(file, from + 3, "*"))
        return 0;
    if (!(is_part(file, from, a, axis) && is_part(file, from + 4, b, axis)) &&
        !(is_part(file, from, b, axis) && is_part(file, from + 4, a, axis)))
        return 0;
    if (brackets && !port_is(file, from + 7, ")"))
        return 0;
    return from + 7 + brackets;
}

/* blockIdx.x * blockDim.x + threadIdx.x in any order: the token behind it, or 0. */
static uint32_t skip_global(const port_file *file, uint32_t i, char *axis)
{
    uint32_t behind = skip_product(file, i, "blockIdx", "blockDim", axis);

    if (behind)
        return port_is(file, behind, "+") && is_part(file, behind + 1, "threadIdx", axis)
                   ? behind + 4
                   : 0;
    *axis = '\0';
    if (!is_part(file, i, "threadIdx", axis) || !port_is(file, i + 3, "+"))
        return 0;
    return skip_product(file, i + 4, "blockIdx", "blockDim", axis);
}

static bool is_any(const port_file *file, uint32_t i, const char *const *words)
{
    for (; *words; words++)
        if (port_is(file, i, *words))
            return true;
    return false;
}

/* Whether a sum may stand for itself between the tokens before `first` and at `behind`. */
static bool stands_alone(const port_file *file, uint32_t first, uint32_t behind)
{
    static const char *const before[] = {"=",  "(",  ",",  "return", "[",  "{", ";", "<",  "<=",
                                         ">=", "==", "!=", "&&",     "||", "?", ":", "+=", NULL};
    static const char *const after[] = {";",  ")",  ",",  "]", "<", "<=", ">", ">=", "==",
                                        "!=", "&&", "||", "?", ":", "+",  "-", "}",  NULL};

    return first > 0 && is_any(file, first - 1, before) && is_any(file, behind, after);
}

/* The tokens of an index of the whole grid become one call. Returns the last of them, or i. */
static uint32_t rewrite_global(port_job *job, port_file *file, uint32_t i)
{
    const uint32_t first = port_is(file, i - 1, "(") ? i - 1 : i;
    char axis = '\0';
    uint32_t from = i, behind = skip_global(file, i, &axis);
    char text[32];

    if (!behind && first < i) {
        axis = '\0';
        from = first;
        behind = skip_global(file, from, &axis);
    }
    if (behind && stands_alone(file, from, behind)) {
        snprintf(text, sizeof text, "hd_global_%c32()", axis);
        port_replace(job, file, from, behind - 1, port_print(job, "%s", text));
        clean_rewrote(job, file, i, "blockIdx * blockDim + threadIdx", text);
        return behind - 1;
    }
    axis = 'x';
    behind = skip_product(file, i, "gridDim", "blockDim", &axis);
    if (behind && !port_is(file, i - 1, ".") && !port_is(file, i - 1, "*") &&
        !port_is(file, i - 1, "/") && !port_is(file, i - 1, "%") && !port_is(file, i - 1, ")")) {
        port_replace(job, file, i, behind - 1, port_print(job, "hd_global_size_x32()"));
        clean_rewrote(job, file, i, "gridDim * blockDim", "hd_global_size_x32()");
        return behind - 1;
    }
    return i;
}

static uint32_t rewrite_index(port_job *job, port_file *file, uint32_t i, const clean_name *rule)
{
    const uint32_t last = rewrite_global(job, file, i);
    char axis = '\0', name[32], text[32];

    if (last > i)
        return last;
    if (!is_part(file, i, rule->name, &axis)) {
        clean_kept(job, file, i, rule->name, why_whole);
        return i;
    }
    snprintf(name, sizeof name, "%s.%c", rule->name, axis);
    snprintf(text, sizeof text, "%s%c()", rule->heddle, axis);
    port_replace(job, file, i, i + 2, port_print(job, "%s", text));
    clean_rewrote(job, file, i, name, text);
    return i + 2;
}

/* ---- operations of a warp -------------------------------------------------------------------- */

static const char tile[] = "hd_mask_tile(32)";

/* Why the call is kept, or NULL after it is rewritten. */
static const char *rewrite_masked(port_job *job, port_file *file, uint32_t i,
                                  const clean_name *rule, const call *c)
{
    const bool shuffle = rule->rule == CLEAN_SHUFFLE;

    if (c->count < 0)
        return why_arguments;
    if (c->count == 0 && rule->rule == CLEAN_BARRIER) {
        rename_token(job, file, i, rule, rule->heddle);
        port_insert(job, file, c->close, port_print(job, "%s", tile));
        return NULL;
    }
    if (c->count < (rule->rule == CLEAN_BARRIER ? 1 : shuffle ? 3 : 2))
        return why_arguments;
    if (!clean_is_full(job, file, c->first[0], c->last[0]))
        return why_mask;
    rename_token(job, file, i, rule, rule->heddle);
    port_replace(job, file, c->first[0], c->last[0], port_print(job, "%s", tile));
    if (shuffle && c->count == 3)
        port_insert(job, file, c->close, port_print(job, ", 32"));
    return NULL;
}

static const char *rewrite_move(port_job *job, port_file *file, uint32_t i, const clean_name *rule,
                                const call *c)
{
    if (c->count < 1)
        return why_arguments;
    rename_token(job, file, i, rule, rule->heddle);
    port_insert(job, file, c->first[0], port_print(job, "%s, ", tile));
    if (c->count == 2)
        port_insert(job, file, c->close, port_print(job, ", 32"));
    return NULL;
}

/* ---- calls whose arguments must have a type -------------------------------------------------- */

static bool all_are(const port_file *file, const call *c, clean_base base)
{
    for (int k = 0; k < c->count; k++) {
        const clean_type type = clean_type_of(file, c->first[k], c->last[k]);

        if (type.base != base || type.stars != 0 || type.is_vector)
            return false;
    }
    return c->count > 0;
}

static const char *check_numbers(const port_file *file, uint32_t i, clean_rule rule, const call *c)
{
    if (file->both[i])
        return why_host;
    if ((rule != CLEAN_NUMBER && all_are(file, c, CLEAN_SINGLE)) ||
        (rule == CLEAN_FLOAT && all_are(file, c, CLEAN_DOUBLE)) ||
        (rule == CLEAN_NUMBER && (all_are(file, c, CLEAN_I32) || all_are(file, c, CLEAN_U32))))
        return NULL;
    return why_number;
}

static const char *check_pointer(const port_job *job, const port_file *file, clean_rule rule,
                                 const call *c)
{
    clean_type type;
    bool is_float;

    if (c->count < 1)
        return why_arguments;
    type = clean_type_of(file, c->first[0], c->last[0]);
    is_float = type.base == CLEAN_SINGLE || type.base == CLEAN_DOUBLE;
    if (!type.base || type.base == CLEAN_SMALL || type.stars != 1 || type.is_volatile ||
        type.is_vector || (rule == CLEAN_COUNTER && type.base != CLEAN_U32) ||
        (rule == CLEAN_INTEGER && is_float))
        return why_pointer;
    if (rule == CLEAN_ATOMIC && is_float && job->host_memory && !type.is_shared)
        return why_memory;
    return NULL;
}

static const char *rewrite_call(port_job *job, port_file *file, uint32_t i, const clean_name *rule)
{
    const call c = read_call(file, i);
    const char *heddle = rule->heddle, *why = NULL;

    switch (rule->rule) {
    case CLEAN_BARRIER:
    case CLEAN_VOTE:
    case CLEAN_SHUFFLE:
        return rewrite_masked(job, file, i, rule, &c);
    case CLEAN_MOVE:
        return rewrite_move(job, file, i, rule, &c);
    case CLEAN_BOUNDS:
        if (c.count != 1 && c.count != 2)
            return "heddle's bounds have one or two arguments";
        heddle = c.count == 1 ? "HD_TEMPLATE_MAX_THREADS" : heddle;
        break;
    case CLEAN_F32:
    case CLEAN_FLOAT:
    case CLEAN_NUMBER:
        why = check_numbers(file, i, rule->rule, &c);
        break;
    case CLEAN_ATOMIC:
    case CLEAN_INTEGER:
    case CLEAN_COUNTER:
    case CLEAN_POINTEE:
        why = check_pointer(job, file, rule->rule, &c);
        break;
    default:
        break;
    }
    if (!why)
        rename_token(job, file, i, rule, heddle);
    return why;
}

/* ---- the pass -------------------------------------------------------------------------------- */

/* A name of C in host code, or that of a variable of the program. */
static bool is_other(const port_file *file, uint32_t i, clean_rule rule)
{
    const bool arithmetic = rule == CLEAN_F32 || rule == CLEAN_FLOAT || rule == CLEAN_NUMBER;

    return (arithmetic && !file->device[i] && !port_looks_foreign(port_text(file, i))) ||
           (rule != CLEAN_WORD && rule != CLEAN_KEEP && !port_is(file, i + 1, "("));
}

static uint32_t apply(port_job *job, port_file *file, uint32_t i, const clean_name *rule)
{
    const char *why;

    if (rule->rule == CLEAN_INDEX)
        return rewrite_index(job, file, i, rule);
    if (is_other(file, i, rule->rule))
        return i;
    if (port_names_has(job->own, job->own_count, rule->name)) {
        clean_kept(job, file, i, rule->name, "the program defines it itself");
        return i;
    }
    if (rule->rule == CLEAN_WORD) {
        rename_token(job, file, i, rule, rule->heddle);
        return i;
    }
    why = rule->rule == CLEAN_KEEP ? rule->heddle : rewrite_call(job, file, i, rule);
    if (why)
        clean_kept(job, file, i, rule->name, why);
    return i;
}

/* Words that qualifiers.c and shared.c treat, and those of the preprocessor. */
static bool is_elsewhere(const port_file *file, uint32_t i)
{
    static const char *const words[] = {
        "__global__", "__device__",   "__host__",   "__shared__", "__forceinline__",
        "__inline__", "__noinline__", "__CUDACC__", "__NVCC__",   NULL};

    return is_any(file, i, words) || port_is(file, i - 1, "ifdef") ||
           port_is(file, i - 1, "ifndef") || port_is(file, i - 1, "undef") ||
           port_is(file, i - 1, "defined") || port_is(file, i - 1, "define") ||
           (port_is(file, i - 1, "(") && port_is(file, i - 2, "defined"));
}

/* thrust::sort and its like, counted at the first word. */
static bool count_library(port_job *job, port_file *file, uint32_t i)
{
    static const char *const spaces[] = {"thrust", "cub", "hipcub", "cooperative_groups",
                                         "cg",     NULL};
    char name[520];

    if (!port_is(file, i + 1, "::") || !is_any(file, i, spaces) || !port_is_name(file, i + 2))
        return false;
    snprintf(name, sizeof name, "%s::%s", port_text(file, i), port_text(file, i + 2));
    clean_kept(job, file, i, name, clean_why_kept(name));
    return true;
}

static void rename_vector(port_job *job, port_file *file, uint32_t i)
{
    char *heddle = file->own[i] ? NULL : port_clean_vector(job, file, i);

    if (heddle)
        port_replace(job, file, i, i, heddle);
}

static uint32_t visit(port_job *job, port_file *file, uint32_t i)
{
    const char *name = port_text(file, i), *reason, *page;
    const clean_name *rule = clean_find(name);
    const bool qualified = port_is(file, i - 1, "::");
    char vector[32];

    if (is_elsewhere(file, i) || port_is(file, i - 1, ".") || port_is(file, i - 1, "->"))
        return i;
    if (rule && file->own[i])
        return i;
    if (rule && !qualified)
        return apply(job, file, i, rule);
    if (rule || qualified || count_library(job, file, i))
        return i;
    if (clean_is_vector(name, vector)) {
        rename_vector(job, file, i);
        return i;
    }
    if (port_is_hip(name) ||
        (port_looks_foreign(name) && !port_names_has(job->declared, job->declared_count, name) &&
         port_name_fate(name, &reason, &page) == PORT_MAPPED))
        clean_kept(job, file, i, name, clean_why_kept(name));
    return i;
}

bool port_clean_renames(const char *name)
{
    const clean_name *rule = clean_find(name);

    return rule && rule->rule != CLEAN_KEEP;
}

void port_pass_clean(port_job *job, port_file *file)
{
    if (!job->clean || !clean_mark_own(job, file))
        return;
    clean_qualifiers(job, file);
    for (uint32_t i = 1; i < file->count && !job->no_memory; i++) {
        if (port_is(file, i, "<<<"))
            clean_kept(job, file, i, "<<< >>>",
                       "HD_PORT_LAUNCH: hd_launch takes a stream of heddle's");
        else if (port_is_name(file, i))
            i = visit(job, file, i);
    }
}
