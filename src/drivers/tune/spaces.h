/* SPDX-License-Identifier: Apache-2.0 */
/* spaces.h - the parameter spaces of heddle's primitives, declared in drivers/FAMILY/space.h. */
#ifndef HEDDLE_DRIVERS_TUNE_SPACES_H
#define HEDDLE_DRIVERS_TUNE_SPACES_H

#include <heddle/tune.h>

#include "choice.h"

typedef struct hd__tune_space {
    const char *name;
    const hd_tune_knob *knobs;
    const char *const *meanings; /* of the knobs */
    size_t knob_count;
    const char *const *kinds; /* of calls */
    size_t kind_count;
    const char *const *types;
    size_t type_count;
} hd__tune_space;

extern const hd__tune_space hd__tune_spaces[HD__TUNE_FAMILIES];

/* The family of that name; HD__TUNE_FAMILIES if there is none. */
int hd__tune_family_named(const char *name);
/* The key of a type and kind in files: "f32/value". */
void hd__tune_type_text(const hd__tune_space *space, unsigned type, unsigned kind,
                        char text[HD_TUNE_NAME_MAX]);
/* And back; 0 if the family has no such type or kind. */
int hd__tune_type_read(const hd__tune_space *space, const char *text, unsigned *type,
                       unsigned *kind);
/* Whether the value is one of the knob's. */
int hd__tune_value_known(const hd_tune_knob *knob, unsigned value);

#endif
