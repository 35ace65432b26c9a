/* SPDX-License-Identifier: Apache-2.0 */
/* spaces.c - the parameter spaces of heddle's primitives as tables. */
#include "spaces.h"

#include <stdio.h>
#include <string.h>

#include "drivers/reduce/space.h"
#include "drivers/scan/space.h"
#include "drivers/sort/space.h"
#include "drivers/transpose/space.h"
#include "drivers/tridiag/space.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define VALUES(knob, name, meaning, ...)                                                           \
    {name, (const unsigned[]){__VA_ARGS__}, COUNT(((const unsigned[]){__VA_ARGS__}))},
#define MEANING(knob, name, meaning, ...) meaning,

/* The tables of a family, and its entry in hd__tune_spaces. */
#define TABLES(family, SPACE, KINDS)                                                               \
    static const hd_tune_knob family##_knobs[] = {SPACE(VALUES)};                                  \
    static const char *const family##_meanings[] = {SPACE(MEANING)};                               \
    static const char *const family##_kinds[] = {KINDS};
#define ENTRY(family, text, types)                                                                 \
    {                                                                                              \
        text, family##_knobs, family##_meanings, COUNT(family##_knobs), family##_kinds,            \
            COUNT(family##_kinds), types, COUNT(types)                                             \
    }

TABLES(reduce, HD__REDUCE_SPACE, HD__REDUCE_KINDS)
TABLES(scan, HD__SCAN_SPACE, HD__SCAN_KINDS)
TABLES(sort, HD__SORT_SPACE, HD__SORT_KINDS)
TABLES(transpose, HD__TRANSPOSE_SPACE, HD__TRANSPOSE_KINDS)
TABLES(tridiag, HD__TRIDIAG_SPACE, HD__TRIDIAG_KINDS)

/* In the order of hd_type; the others by what their drivers pass to hd__tune_choose. */
static const char *const element_types[] = {"u8",  "i8",  "u16", "i16", "u32", "i32",
                                            "u64", "i64", "f16", "f32", "f64"};
static const char *const key_bytes[] = {"4", "8"};
static const char *const element_bytes[] = {"1", "2", "4", "8", "16"};
static const char *const float_types[] = {"f32", "f64"};

const hd__tune_space hd__tune_spaces[HD__TUNE_FAMILIES] = {
    ENTRY(reduce, "reduce", element_types), ENTRY(scan, "scan", element_types),
    ENTRY(sort, "sort", key_bytes), ENTRY(transpose, "transpose", element_bytes),
    ENTRY(tridiag, "tridiagonal", float_types)};

int hd__tune_family_named(const char *name)
{
    int family = 0;
    while (family < HD__TUNE_FAMILIES && strcmp(hd__tune_spaces[family].name, name) != 0)
        family++;
    return family;
}

void hd__tune_type_text(const hd__tune_space *space, unsigned type, unsigned kind,
                        char text[HD_TUNE_NAME_MAX])
{
    (void)snprintf(text, HD_TUNE_NAME_MAX, "%s/%s", space->types[type], space->kinds[kind]);
}

static int find(const char *const *words, size_t count, const char *word, size_t length,
                unsigned *index)
{
    for (unsigned i = 0; i < count; i++)
        if (strlen(words[i]) == length && memcmp(words[i], word, length) == 0) {
            *index = i;
            return 1;
        }
    return 0;
}

int hd__tune_type_read(const hd__tune_space *space, const char *text, unsigned *type,
                       unsigned *kind)
{
    const char *slash = strchr(text, '/');
    return slash && find(space->types, space->type_count, text, (size_t)(slash - text), type) &&
           find(space->kinds, space->kind_count, slash + 1, strlen(slash + 1), kind);
}

int hd__tune_value_known(const hd_tune_knob *knob, unsigned value)
{
    for (size_t i = 0; i < knob->count; i++)
        if (knob->values[i] == value)
            return 1;
    return 0;
}
