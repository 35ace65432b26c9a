/* SPDX-License-Identifier: Apache-2.0 */
/* types.c - the type of an expression by the rules of C's arithmetic. One name whose type is not
   known makes the whole expression unknown. */
#include "clean.h"

#include <string.h>

enum { DEPTH = 64 }; /* nested operators and brackets */

typedef struct reader {
    const port_file *file;
    uint32_t at, end; /* behind the last token */
    int depth;
} reader;

static clean_type conditional(reader *r);

static clean_type simple(clean_base base)
{
    return (clean_type){.base = base};
}

static bool here(const reader *r, const char *text)
{
    return r->at < r->end && port_is(r->file, r->at, text);
}

static bool is_number(clean_type type)
{
    return type.base != CLEAN_UNKNOWN && type.stars == 0 && !type.is_vector;
}

static clean_type promoted(clean_type type)
{
    if (!is_number(type))
        return simple(CLEAN_UNKNOWN);
    return simple(type.base == CLEAN_SMALL ? CLEAN_I32 : type.base);
}

static clean_type common(clean_type a, clean_type b)
{
    static const clean_base order[] = {CLEAN_DOUBLE, CLEAN_SINGLE, CLEAN_U64,
                                       CLEAN_I64,    CLEAN_U32,    CLEAN_I32};

    a = promoted(a);
    b = promoted(b);
    if (!a.base || !b.base)
        return simple(CLEAN_UNKNOWN);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (a.base == order[i] || b.base == order[i])
            return simple(order[i]);
    return simple(CLEAN_UNKNOWN);
}

/* ---- literals, names, calls ------------------------------------------------------------------ */

static clean_type literal(const char *text)
{
    const size_t length = strlen(text);
    const bool hexadecimal = text[0] == '0' && (text[1] | 32) == 'x';
    const char *digits = hexadecimal ? "pP." : "eE.";
    bool is_unsigned = false;
    int longs = 0;

    if (strpbrk(text, digits))
        return simple((text[length - 1] | 32) == 'f'   ? CLEAN_SINGLE
                      : (text[length - 1] | 32) == 'l' ? CLEAN_UNKNOWN
                                                       : CLEAN_DOUBLE);
    for (const char *c =
             text + strspn(text, hexadecimal ? "xX0123456789abcdefABCDEF'" : "0123456789'bB");
         *c; c++) {
        is_unsigned |= (*c | 32) == 'u';
        longs += (*c | 32) == 'l';
    }
    if (!longs && length > 9) /* may need more than an int */
        return simple(is_unsigned && length <= 11 && hexadecimal ? CLEAN_U32 : CLEAN_UNKNOWN);
    return simple(longs ? (is_unsigned ? CLEAN_U64 : CLEAN_I64)
                        : (is_unsigned ? CLEAN_U32 : CLEAN_I32));
}

/* What a function of CUDA or C returns whose name begins the tokens at `name`. */
static clean_type result_of(const port_file *file, uint32_t name)
{
    static const char *const ints[] = {"__popc", "__popcll", "__clz",          "__clzll",
                                       "__ffs",  "__ffsll",  "__float_as_int", NULL};
    const clean_name *rule = clean_find(port_text(file, name));

    for (size_t i = 0; ints[i]; i++)
        if (port_is(file, name, ints[i]))
            return simple(CLEAN_I32);
    if (port_is(file, name, "__float_as_uint") || port_is(file, name, "__ballot_sync") ||
        port_is(file, name, "__activemask") || port_is(file, name, "__brev"))
        return simple(CLEAN_U32);
    if (port_is(file, name, "__int_as_float") || port_is(file, name, "__uint_as_float") ||
        port_is(file, name, "__expf") || port_is(file, name, "__logf") ||
        port_is(file, name, "__fdividef") || port_is(file, name, "fminf") ||
        port_is(file, name, "fmaxf"))
        return simple(CLEAN_SINGLE);
    return simple(rule && rule->rule == CLEAN_F32 ? CLEAN_SINGLE : CLEAN_UNKNOWN);
}

/* The type of min(a, b), max(a, b) or sqrt(x): that of the arguments, if it is one. */
static clean_type generic_call(const reader *outer, uint32_t name)
{
    const clean_name *rule = clean_find(port_text(outer->file, name));
    reader r = {outer->file, name + 2, outer->file->tokens[name + 1].match, outer->depth + 1};
    clean_type type = {0}, second = {0};

    if (!rule || r.depth > DEPTH || (rule->rule != CLEAN_NUMBER && rule->rule != CLEAN_FLOAT))
        return result_of(outer->file, name);
    type = conditional(&r);
    if (rule->rule == CLEAN_FLOAT && type.base != CLEAN_SINGLE && type.base != CLEAN_DOUBLE)
        return simple(CLEAN_UNKNOWN);
    while (here(&r, ",")) {
        r.at++;
        second = conditional(&r);
        if (!is_number(type) || !is_number(second) || second.base != type.base)
            return simple(CLEAN_UNKNOWN);
    }
    return r.at == r.end && is_number(type) ? promoted(type) : simple(CLEAN_UNKNOWN);
}

/* (float)x and float(x): the type in the parentheses, or the word before them. */
static bool reads_cast(const port_file *file, uint32_t open, clean_type *type_out)
{
    const uint32_t close = file->tokens[open].match;

    return close > open + 1 && close < open + 12 &&
           clean_read_type(file, open + 1, close - 1, type_out);
}

static clean_type index_of(reader *r)
{
    r->at += 3;
    return simple(CLEAN_U32);
}

static bool is_index(const reader *r)
{
    const port_file *file = r->file;

    return (here(r, "threadIdx") || here(r, "blockIdx") || here(r, "blockDim") ||
            here(r, "gridDim")) &&
           r->at + 2 < r->end && port_is(file, r->at + 1, ".");
}

static clean_type primary(reader *r)
{
    const port_file *file = r->file;
    const uint32_t i = r->at;
    clean_type type = {0};

    if (i >= r->end)
        return type;
    if (file->tokens[i].kind == PORT_NUMBER) {
        r->at++;
        return literal(port_text(file, i));
    }
    if (here(r, "(")) {
        const uint32_t close = file->tokens[i].match;

        if (close <= i || close >= r->end)
            return type;
        r->at = i + 1;
        type = conditional(r);
        if (r->at != close)
            type = simple(CLEAN_UNKNOWN);
        r->at = close + 1;
        return type;
    }
    if (is_index(r))
        return index_of(r);
    if (!port_is_name(file, i))
        return type;
    r->at++;
    if (here(r, "(")) {
        const uint32_t close = file->tokens[r->at].match;

        if (close <= r->at || close >= r->end)
            return type;
        if (!clean_read_type(file, i, i, &type))
            type = generic_call(r, i);
        r->at = close + 1;
        return type;
    }
    return clean_variable(file, i);
}

static clean_type postfix(reader *r)
{
    clean_type type = primary(r);

    for (;;) {
        if (here(r, "[") && r->file->tokens[r->at].match > r->at &&
            r->file->tokens[r->at].match < r->end) {
            r->at = r->file->tokens[r->at].match + 1;
            if (type.stars-- <= 0)
                type = simple(CLEAN_UNKNOWN);
        } else if (here(r, ".") && type.is_vector && type.stars == 0) {
            r->at += 2;
            type.is_vector = false;
        } else if (here(r, "->") && type.is_vector && type.stars == 1) {
            r->at += 2;
            type.is_vector = false;
            type.stars = 0;
        } else if (here(r, "++") || here(r, "--")) {
            r->at++;
        } else {
            return type;
        }
    }
}

/* ---- operators ------------------------------------------------------------------------------- */

static clean_type unary(reader *r)
{
    clean_type type = {0};

    if (++r->depth > DEPTH) {
        r->at = r->end;
    } else if (here(r, "+") || here(r, "-") || here(r, "~")) {
        r->at++;
        type = promoted(unary(r));
    } else if (here(r, "!")) {
        r->at++;
        type = is_number(unary(r)) ? simple(CLEAN_I32) : type;
    } else if (here(r, "++") || here(r, "--")) {
        r->at++;
        type = unary(r);
    } else if (here(r, "*") || here(r, "&")) {
        const int change = here(r, "&") ? 1 : -1;

        r->at++;
        type = unary(r);
        type.stars += change;
        if (type.stars < 0)
            type = simple(CLEAN_UNKNOWN);
    } else if (here(r, "(") && reads_cast(r->file, r->at, &type)) {
        r->at = r->file->tokens[r->at].match + 1;
        type.is_shared = unary(r).is_shared;
    } else {
        type = postfix(r);
    }
    r->depth--;
    return type;
}

/* The strength of the operator here, 0 if there is none, and its number of tokens. */
static int strength(const reader *r, uint32_t *tokens_out)
{
    static const struct {
        const char *text;
        int strength;
    } operators[] = {{"*", 10}, {"/", 10}, {"%", 10}, {"+", 9},  {"-", 9},  {"<<", 8},
                     {"<", 7},  {">", 7},  {"<=", 7}, {">=", 7}, {"==", 6}, {"!=", 6},
                     {"&", 5},  {"^", 4},  {"|", 3},  {"&&", 2}, {"||", 1}};

    *tokens_out = 1;
    if (here(r, ">") && r->at + 1 < r->end && port_is(r->file, r->at + 1, ">")) {
        *tokens_out = 2;
        return 8;
    }
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (here(r, operators[i].text))
            return operators[i].strength;
    return 0;
}

static clean_type combined(clean_type left, clean_type right, int level)
{
    if (level == 9 && left.base && left.stars > 0 && is_number(right))
        return left; /* pointer + offset */
    if (!is_number(left) || !is_number(right))
        return simple(CLEAN_UNKNOWN);
    if (level == 8)
        return promoted(left);
    if (level == 7 || level == 6 || level <= 2)
        return simple(CLEAN_I32);
    return common(left, right);
}

static clean_type binary(reader *r, int least)
{
    clean_type left = unary(r);
    uint32_t tokens;
    int level;

    while ((level = strength(r, &tokens)) >= least && level > 0) {
        r->at += tokens;
        if (++r->depth > DEPTH)
            r->at = r->end;
        left = combined(left, binary(r, level + 1), level);
        r->depth--;
    }
    return left;
}

static clean_type conditional(reader *r)
{
    clean_type type = binary(r, 1), other;

    if (!here(r, "?"))
        return type;
    if (++r->depth > DEPTH)
        r->at = r->end;
    else
        r->at++;
    type = conditional(r);
    if (!here(r, ":"))
        return simple(CLEAN_UNKNOWN);
    r->at++;
    other = conditional(r);
    r->depth--;
    return common(type, other);
}

clean_type clean_type_of(const port_file *file, uint32_t first, uint32_t last)
{
    reader r = {.file = file, .at = first, .end = last + 1};
    const clean_type type = conditional(&r);

    return r.at == r.end ? type : simple(CLEAN_UNKNOWN);
}
