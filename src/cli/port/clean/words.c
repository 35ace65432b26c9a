/* SPDX-License-Identifier: Apache-2.0 */
/* words.c - the types of variables: the words of declarations, and which declaration a name means.
   A type whose words are not those of C's numbers or of CUDA's vectors is unknown. */
#include "clean.h"

#include <string.h>

enum { REACH = 8192 }; /* tokens that are searched for a declaration */

/* What a word adds to a type. */
typedef enum word_kind {
    WORD_OTHER,
    WORD_BASE,
    WORD_UNSIGNED,
    WORD_SIGNED,
    WORD_LONG,
    WORD_VOLATILE,
    WORD_SHARED,
    WORD_IGNORED
} word_kind;

static const struct {
    const char *word;
    word_kind kind;
    clean_base base;
} words[] = {
    {"unsigned", WORD_UNSIGNED, CLEAN_UNKNOWN},
    {"signed", WORD_SIGNED, CLEAN_UNKNOWN},
    {"long", WORD_LONG, CLEAN_UNKNOWN},
    {"volatile", WORD_VOLATILE, CLEAN_UNKNOWN},
    {"__shared__", WORD_SHARED, CLEAN_UNKNOWN},
    {"int", WORD_BASE, CLEAN_I32},
    {"float", WORD_BASE, CLEAN_SINGLE},
    {"double", WORD_BASE, CLEAN_DOUBLE},
    {"bool", WORD_BASE, CLEAN_SMALL},
    {"char", WORD_BASE, CLEAN_SMALL},
    {"short", WORD_BASE, CLEAN_SMALL},
    {"size_t", WORD_BASE, CLEAN_U64},
    {"int32_t", WORD_BASE, CLEAN_I32},
    {"uint32_t", WORD_BASE, CLEAN_U32},
    {"int64_t", WORD_BASE, CLEAN_I64},
    {"uint64_t", WORD_BASE, CLEAN_U64},
    {"uint", WORD_BASE, CLEAN_U32},
    {"const", WORD_IGNORED, CLEAN_UNKNOWN},
    {"constexpr", WORD_IGNORED, CLEAN_UNKNOWN},
    {"static", WORD_IGNORED, CLEAN_UNKNOWN},
    {"extern", WORD_IGNORED, CLEAN_UNKNOWN},
    {"register", WORD_IGNORED, CLEAN_UNKNOWN},
    {"__device__", WORD_IGNORED, CLEAN_UNKNOWN},
    {"__constant__", WORD_IGNORED, CLEAN_UNKNOWN},
    {"__restrict__", WORD_IGNORED, CLEAN_UNKNOWN},
    {"__restrict", WORD_IGNORED, CLEAN_UNKNOWN},
};

static bool is_same(const port_file *file, uint32_t a, uint32_t b)
{
    const port_token *x = &file->tokens[a], *y = &file->tokens[b];

    return x->length == y->length && memcmp(file->text + x->at, file->text + y->at, x->length) == 0;
}

static bool is_one_of(const port_file *file, uint32_t i, const char *characters)
{
    return file->tokens[i].length == 1 && strchr(characters, file->text[file->tokens[i].at]);
}

/* float4, uint2 ...: the base of the elements, or CLEAN_UNKNOWN. */
static clean_base vector_base(const port_file *file, uint32_t i)
{
    static const struct {
        const char *element;
        clean_base base;
    } elements[] = {{"float", CLEAN_SINGLE}, {"double", CLEAN_DOUBLE}, {"int", CLEAN_I32},
                    {"uint", CLEAN_U32},     {"char", CLEAN_SMALL},    {"uchar", CLEAN_SMALL},
                    {"short", CLEAN_SMALL},  {"ushort", CLEAN_SMALL}};
    const port_token *t = &file->tokens[i];
    const char last = t->length ? file->text[t->at + t->length - 1] : '\0';

    for (size_t k = 0; k < sizeof elements / sizeof *elements; k++)
        if (last >= '1' && last <= '4' && t->length == strlen(elements[k].element) + 1 &&
            memcmp(file->text + t->at, elements[k].element, t->length - 1) == 0)
            return elements[k].base;
    return CLEAN_UNKNOWN;
}

bool clean_read_type(const port_file *file, uint32_t first, uint32_t last, clean_type *type_out)
{
    clean_type type = {0};
    int longs = 0;
    bool is_unsigned = false, is_signed = false;

    for (uint32_t i = first; i <= last; i++) {
        size_t k = 0;

        if (port_is(file, i, "*")) {
            type.stars++;
            continue;
        }
        if (port_is(file, i, "&"))
            continue;
        while (k < sizeof words / sizeof *words && !port_is(file, i, words[k].word))
            k++;
        if (k == sizeof words / sizeof *words) {
            if (type.base || (type.base = vector_base(file, i)) == CLEAN_UNKNOWN)
                return false;
            type.is_vector = true;
            continue;
        }
        if (words[k].kind == WORD_BASE && type.base)
            return type.base == CLEAN_SMALL; /* short int */
        if (words[k].kind == WORD_BASE)
            type.base = words[k].base;
        longs += words[k].kind == WORD_LONG;
        is_unsigned |= words[k].kind == WORD_UNSIGNED;
        is_signed |= words[k].kind == WORD_SIGNED;
        type.is_volatile |= words[k].kind == WORD_VOLATILE;
        type.is_shared |= words[k].kind == WORD_SHARED;
    }
    if (!type.base && !longs && !is_unsigned && !is_signed)
        return false;
    if (longs && (type.base == CLEAN_DOUBLE || type.base == CLEAN_SMALL))
        return false; /* long double */
    if (longs)
        type.base = is_unsigned ? CLEAN_U64 : CLEAN_I64;
    else if (!type.base || (is_unsigned && type.base == CLEAN_I32))
        type.base = is_unsigned ? CLEAN_U32 : CLEAN_I32;
    *type_out = type;
    return true;
}

/* ---- declarations ---------------------------------------------------------------------------- */

/* Whether a declaration may begin behind the token. */
static bool begins_behind(const port_file *file, uint32_t i)
{
    return is_one_of(file, i, ";{}(,:") || port_is(file, i, ">") || file->tokens[i].directive;
}

/* The first token of the statement or of the part in parentheses around the token. */
static uint32_t statement_begin(const port_file *file, uint32_t i)
{
    const uint32_t from = i;

    while (i > 0 && from - i < REACH) {
        const uint32_t before = i - 1, match = file->tokens[before].match;

        if (file->tokens[before].directive || is_one_of(file, before, ";{}"))
            break;
        if (match > before)
            break;
        i = match;
    }
    return i;
}

static bool has_statement_word(const port_file *file, uint32_t first, uint32_t behind)
{
    static const char *const statements[] = {"return", "case", "else",  "goto",
                                             "throw",  "new",  "using", "delete"};

    for (uint32_t i = first; i < behind; i++)
        for (size_t k = 0; k < sizeof statements / sizeof *statements; k++)
            if (port_is(file, i, statements[k]))
                return true;
    return false;
}

/* The name is a later one of a list, whose type stands before the first: float *a, b. */
static bool declares_in_list(const port_file *file, uint32_t comma, clean_type *type_out)
{
    const uint32_t begin = statement_begin(file, comma);
    uint32_t i = begin;

    while (i < comma && port_is_name(file, i))
        i++;
    if ((begin && !begins_behind(file, begin - 1)) || has_statement_word(file, begin, i))
        return false;
    if (port_is(file, i, "*"))
        return i > begin && clean_read_type(file, begin, i - 1, type_out);
    if (i < begin + 2)
        return false;
    if (!clean_read_type(file, begin, i - 2, type_out))
        *type_out = (clean_type){0};
    return true;
}

/* Whether the words and stars before the name at the token declare it; *type_out is what they
   spell, CLEAN_UNKNOWN if that is the program's own type. A product in an expression looks like a
   pointer's declaration; parameters (`header`) are none. */
static bool declares(const port_file *file, uint32_t name, bool header, clean_type *type_out)
{
    uint32_t i = name, begin;
    int stars = 0;

    if (!is_one_of(file, name + 1, "=;,)[{:"))
        return false;
    while (i > 0 && (is_one_of(file, i - 1, "*&") || port_is(file, i - 1, "const") ||
                     port_is(file, i - 1, "__restrict__") || port_is(file, i - 1, "__restrict"))) {
        stars += port_is(file, i - 1, "*");
        i--;
    }
    *type_out = (clean_type){0};
    if (i == 0 || (port_is(file, i - 1, ",") && !declares_in_list(file, i - 1, type_out)))
        return false;
    if (!port_is(file, i - 1, ",")) {
        begin = i;
        while (begin > 0 && port_is_name(file, begin - 1) && !file->tokens[begin - 1].directive)
            begin--;
        if (begin == i)
            return port_is(file, i - 1, ">"); /* a template's: not known */
        if ((begin > 0 && !begins_behind(file, begin - 1) && !port_is(file, begin - 1, "::")) ||
            has_statement_word(file, begin, i))
            return false;
        if (!clean_read_type(file, begin, i - 1, type_out)) {
            *type_out = (clean_type){0};
            return i == name || header || !is_one_of(file, begin ? begin - 1 : 0, "(,:");
        }
    }
    type_out->stars += stars;
    return true;
}

static bool declared_at(const port_file *file, uint32_t name, bool header, clean_type *type_out)
{
    uint32_t i = name + 1;

    if (!declares(file, name, header, type_out))
        return false;
    while (port_is(file, i, "[") && file->tokens[i].match > i) {
        type_out->stars++;
        i = file->tokens[i].match + 1;
    }
    return true;
}

/* Looks for the name among the tokens between two parentheses: parameters, a loop's variables. */
static bool declared_within(const port_file *file, uint32_t open, uint32_t name, clean_type *out)
{
    for (uint32_t i = open + 1; i < file->tokens[open].match; i++)
        if (is_same(file, i, name) && declared_at(file, i, true, out))
            return true;
    return false;
}

/* The `(` of the parameters or of the condition before the body that begins at the brace, or 0. */
static uint32_t header_of(const port_file *file, uint32_t brace)
{
    uint32_t i = brace;

    while (i > 0 && (port_is(file, i - 1, "const") || port_is(file, i - 1, "noexcept") ||
                     port_is(file, i - 1, "mutable") || port_is(file, i - 1, "override")))
        i--;
    return i > 0 && port_is(file, i - 1, ")") && file->tokens[i - 1].match < i
               ? file->tokens[i - 1].match
               : 0;
}

static bool is_statement(const port_file *file, uint32_t header)
{
    return header > 0 &&
           (port_is(file, header - 1, "for") || port_is(file, header - 1, "if") ||
            port_is(file, header - 1, "while") || port_is(file, header - 1, "switch") ||
            port_is(file, header - 1, "constexpr") || port_is(file, header - 1, "]"));
}

clean_type clean_variable(const port_file *file, uint32_t token)
{
    clean_type type = {0};
    bool crossed = false, outside = false; /* of the function */

    for (uint32_t i = token; i-- > 0 && token - i < REACH;) {
        const uint32_t match = file->tokens[i].match;

        if (file->tokens[i].directive)
            continue;
        if (match < i) {
            if (!crossed && port_is(file, i, ")") && match && port_is(file, match - 1, "for") &&
                declared_within(file, match, token, &type))
                return type;
            crossed |= port_is(file, i, "}");
            i = match;
        } else if (match > token && port_is(file, i, "{")) {
            const uint32_t header = header_of(file, i);

            if (outside && !port_is(file, i - 1, "namespace") &&
                !(i > 1 && port_is(file, i - 2, "namespace")))
                break; /* a class */
            if (header && declared_within(file, header, token, &type))
                return type;
            outside |= header ? !is_statement(file, header) : false;
            if (!header && i > 0 && !is_one_of(file, i - 1, ";{}:") &&
                !port_is(file, i - 1, "else") && !port_is(file, i - 1, "do"))
                break; /* a class, an initializer, or a function that is not understood */
            crossed = false;
        } else if (port_is(file, i, ";")) {
            crossed = true;
        } else if (is_same(file, i, token) && declared_at(file, i, false, &type)) {
            return type;
        }
    }
    return (clean_type){0};
}
