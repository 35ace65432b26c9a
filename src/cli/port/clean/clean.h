/* SPDX-License-Identifier: Apache-2.0 */
/* clean.h - `heddle port --clean`: names of CUDA become names of heddle's dialect where one has the
   same meaning, also on a device whose warps have 64 lanes. What has none keeps CUDA's name. Each
   place is counted, with its new name or the reason. */
#ifndef HEDDLE_CLI_PORT_CLEAN_CLEAN_H
#define HEDDLE_CLI_PORT_CLEAN_CLEAN_H

#include "cli/port/port.h"

/* ---- rules.c: the table of clean.inc --------------------------------------------------------- */

typedef enum clean_rule {
    CLEAN_WORD,    /* a word, wherever it stands */
    CLEAN_CALL,    /* a call with the same arguments */
    CLEAN_INDEX,   /* threadIdx.x and its like */
    CLEAN_BOUNDS,  /* __launch_bounds__ with one or two arguments */
    CLEAN_BARRIER, /* __syncwarp: all lanes */
    CLEAN_VOTE,    /* a mask of all lanes, and one argument */
    CLEAN_SHUFFLE, /* a mask of all lanes, and two arguments or three */
    CLEAN_MOVE,    /* a vote or shuffle without a mask */
    CLEAN_F32,     /* arguments of type float */
    CLEAN_FLOAT,   /* all arguments float, or all double */
    CLEAN_NUMBER,  /* two arguments of one integer type of 32 bits */
    CLEAN_ATOMIC,  /* a pointer to an integer or floating-point variable first */
    CLEAN_INTEGER, /* a pointer to an integer variable first */
    CLEAN_COUNTER, /* a pointer to an unsigned variable first */
    CLEAN_POINTEE, /* a pointer to a number first */
    CLEAN_KEEP     /* not rewritten: the text is the reason */
} clean_rule;

typedef struct clean_name {
    const char *name, *heddle;
    clean_rule rule;
} clean_name;

/* Whether a program cannot give the name another meaning: words, not functions. */
bool clean_is_word(const clean_name *rule);
/* The rule for a name of CUDA, or NULL. */
const clean_name *clean_find(const char *name);
/* Why a name without a rule is kept. */
const char *clean_why_kept(const char *name);

/* ---- types.c: the type of an expression, where the text shows it ----------------------------- */

typedef enum clean_base {
    CLEAN_UNKNOWN,
    CLEAN_I32, /* also the smaller integers in expressions */
    CLEAN_U32,
    CLEAN_I64,
    CLEAN_U64,
    CLEAN_SINGLE,
    CLEAN_DOUBLE,
    CLEAN_SMALL /* bool, char, short: elements of that type */
} clean_base;

typedef struct clean_type {
    clean_base base;
    int stars; /* dimensions of an array, and `*` */
    bool is_volatile, is_shared;
    bool is_vector; /* float4 and its like; the base is that of an element */
} clean_type;

/* The type of the expression of the tokens first ... last. */
clean_type clean_type_of(const port_file *file, uint32_t first, uint32_t last);
/* The type of the variable that the name at the token means. */
clean_type clean_variable(const port_file *file, uint32_t token);
/* The type that the words and stars first ... last spell, and whether they spell one. */
bool clean_read_type(const port_file *file, uint32_t first, uint32_t last, clean_type *type_out);

/* ---- survey.c -------------------------------------------------------------------------------- */

/* Marks the tokens of file->own: names in the scope of a declaration of the program's own, and
   those that another edit replaces. */
bool clean_mark_own(port_job *job, port_file *file);
/* Whether the tokens are a mask of all 32 lanes: a number, or a name that stands for one. */
bool clean_is_full(port_job *job, const port_file *file, uint32_t first, uint32_t last);

/* ---- vectors.c ------------------------------------------------------------------------------- */

/* Whether heddle has the vector type, or what makes it, under the name that `heddle` receives. */
bool clean_is_vector(const char *name, char heddle[32]);
/* Looks at the token for what forbids to rename vectors in the whole program. */
void clean_survey_vectors(port_job *job, const port_file *file, uint32_t i);

/* ---- qualifiers.c, tally.c ------------------------------------------------------------------- */

/* Gathers the declarations of functions with qualifiers. */
void clean_survey_functions(port_job *job, const port_file *file);
/* Writes the qualifiers of functions, methods and lambdas. */
void clean_qualifiers(port_job *job, port_file *file);
/* Counts a name that is rewritten to `heddle`, or kept for the reason. */
void clean_rewrote(port_job *job, const port_file *file, uint32_t token, const char *name,
                   const char *heddle);
void clean_kept(port_job *job, const port_file *file, uint32_t token, const char *name,
                const char *why);

#endif
