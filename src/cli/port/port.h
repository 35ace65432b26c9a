/* SPDX-License-Identifier: Apache-2.0 */
/* port.h - `heddle port`: translates CUDA and HIP sources into C++ over <heddle/cuda_names.hpp>.

   A job reads the files on the command line and the headers that they include with quotes. Each is
   cut into tokens (lexer.c); passes then look at the tokens, record edits of the text, and report
   what they cannot translate (errors) or what may behave differently (warnings). The output is the
   text with its edits applied: everything that no pass touches stays byte for byte. */
#ifndef HEDDLE_CLI_PORT_PORT_H
#define HEDDLE_CLI_PORT_PORT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/app/arguments.h"

/* ---- tokens ---------------------------------------------------------------------------------- */

typedef enum port_kind {
    PORT_END,
    PORT_NAME,
    PORT_NUMBER,
    PORT_TEXT, /* a string or character literal */
    PORT_PUNCT
} port_kind;

typedef struct port_token {
    uint32_t at, length; /* in the text */
    uint32_t line;       /* from 1 */
    uint32_t match;      /* the other bracket of a pair; the token itself if there is none */
    uint32_t outer;      /* the bracket around an opening one */
    uint32_t directive;  /* 0: code; otherwise its number, and all tokens up to the line's end */
    port_kind kind;
} port_token;

/* ---- files and jobs -------------------------------------------------------------------------- */

/* Replaces `length` bytes at `at` by the text, which the edit owns. */
typedef struct port_edit {
    uint32_t at, length;
    uint32_t order; /* of edits at the same place */
    char *text;
} port_edit;

typedef struct port_file {
    char *path;        /* as it is opened and reported */
    char *canonical;   /* absolute, without links */
    const char *shown; /* the end of canonical: its name below the output folder */
    char *text;
    size_t size;
    port_token *tokens; /* the last one is PORT_END */
    uint32_t count;
    port_edit *edits;
    size_t edit_count, edit_room;
    bool operand;  /* named on the command line */
    bool included; /* by another file of the job */
    bool foreign;  /* uses a name of CUDA or HIP */
    bool named;    /* includes a header that becomes cuda_names.hpp */
    bool visited;  /* while includes are followed */
    bool kernels;  /* includes the header of the dialect, for --clean */
    bool *device;  /* for each token: whether it is in the body of a device function */
    bool *both;    /* and whether that function is one of host code, too */
    bool *own;     /* for --clean: not CUDA's name here */
    bool *done;    /* for --c: rewritten already */
} port_file;

typedef enum port_severity { PORT_ERROR, PORT_WARNING } port_severity;

typedef struct port_finding {
    port_severity severity;
    const char *code; /* such as "unknown-name" */
    const port_file *file;
    uint32_t line;
    char *message;
    const char *page; /* of the documentation, with its anchor */
} port_finding;

/* Uses of one name that --clean has treated alike. */
typedef struct port_tally {
    char *name;
    char *note; /* the new name, or why there is none */
    bool rewritten;
    size_t count;
    const port_file *file; /* of the first */
    uint32_t line;
} port_tally;

/* A function with CUDA's qualifiers, as one of its declarations. */
typedef struct port_function {
    char *name;
    const port_file *file;
    bool body;
    bool fixed; /* is an explicit instantiation, a friend, in extern "C" ... */
} port_function;

typedef struct port_set {
    char **names; /* sorted */
    size_t count, room;
} port_set;

typedef struct port_job {
    const cli_command *command;
    const char *folder; /* of the output */
    bool force;
    bool clean;
    bool c11;
    const char *vectors;   /* why the types of vectors are kept; NULL: they are not */
    bool array_references; /* functions take arrays by reference: (&a)[N] */
    bool host_memory;      /* kernels may reach memory that is not of cudaMalloc */
    port_file **files;
    size_t file_count, file_room;
    port_finding *findings;
    size_t finding_count, finding_room;
    char **declared; /* names that the program defines itself, sorted */
    size_t declared_count, declared_room;
    char **kernels; /* names of __global__ functions, sorted */
    size_t kernel_count, kernel_room;
    char **shared; /* names of shared variables outside of functions, sorted */
    size_t shared_count, shared_room;
    char **announced; /* for --c: names of kernels that an included file declares, sorted */
    size_t announced_count, announced_room;
    port_set constants; /* for --c: names of integers that are constant expressions in C */
    port_set aliases;   /* for --c: other names of built-in types */
    char **own;         /* names in clean.inc that the program defines itself, sorted */
    size_t own_count, own_room;
    char **masks; /* names that were looked up: '+' before those of masks of 32 lanes, or '-' */
    size_t mask_count, mask_room;
    port_function *functions;
    size_t function_count, function_room;
    port_tally *tallies;
    size_t tally_count, tally_room;
    char **includes; /* folders in which included files are looked for */
    size_t include_count, include_room;
    size_t root; /* length of the folder that holds all files, with its '/' */
    bool no_memory;
} port_job;

/* ---- lexer.c --------------------------------------------------------------------------------- */

/* Cuts the file's text into tokens and pairs its brackets; reports what is unbalanced. */
void port_lex(port_job *job, port_file *file);
/* Whether the token is this word or punctuation. */
bool port_is(const port_file *file, uint32_t token, const char *text);
bool port_is_name(const port_file *file, uint32_t token);
/* The token's text, ended by 0, in one of several buffers that are used in turn; cut at 255
   bytes. */
const char *port_text(const port_file *file, uint32_t token);
/* The text of the tokens first ... last as in the source; the caller frees it. NULL: no memory. */
char *port_range(const port_file *file, uint32_t first, uint32_t last);

/* ---- memory.c -------------------------------------------------------------------------------- */

/* Grows an array so that one more element fits; false and job->no_memory if it cannot. */
bool port_grow(port_job *job, void *array, size_t count, size_t *room, size_t bytes);
/* printf into new memory; NULL and job->no_memory if there is none. */
__attribute__((format(printf, 2, 3))) char *port_print(port_job *job, const char *format, ...);
/* Sorted sets of strings. */
void port_names_add(port_job *job, char ***names, size_t *count, size_t *room, const char *name,
                    size_t length);
void port_names_sort(char **names, size_t *count);
bool port_names_has(char *const *names, size_t count, const char *name);
void port_free(port_job *job);

/* ---- edits.c --------------------------------------------------------------------------------- */

/* Replaces the tokens first ... last. The edit takes the text; NULL after a failure. */
void port_replace(port_job *job, port_file *file, uint32_t first, uint32_t last, char *text);
/* Removes the token and the blanks behind it. */
void port_remove(port_job *job, port_file *file, uint32_t i);
/* Inserts before the token. */
void port_insert(port_job *job, port_file *file, uint32_t token, char *text);
/* Writes the text with its edits. 0, or -1. */
int port_write_edited(port_file *file, FILE *to);

/* ---- findings.c ------------------------------------------------------------------------------ */

__attribute__((format(printf, 7, 8))) void port_report(port_job *job, port_severity severity,
                                                       const char *code, const port_file *file,
                                                       uint32_t line, const char *page,
                                                       const char *format, ...);
size_t port_count(const port_job *job, port_severity severity);
void port_findings_sort(port_job *job);
void port_print_text(const port_job *job);
void port_print_json(const port_job *job);
void port_print_sarif(const port_job *job);

/* ---- source.c, files.c ----------------------------------------------------------------------- */

/* Reads the operands and what they include. CLI_DONE, or another status after a line. */
int port_read(port_job *job, const cli_arguments *arguments);
/* The included file named in the directive whose `#` is the token, and where the name stands: the
   tokens of a name in <> or the token of a string. False if it is no #include of a file. */
bool port_include_name(const port_file *file, uint32_t hash, char name[256], uint32_t *first_out,
                       uint32_t *last_out);
/* Writes everything below the folder. CLI_DONE, or CLI_FAILED after a line. */
int port_write(port_job *job);
/* Whether the file is a translation unit; other files are included by them. */
bool port_is_unit(const port_file *file);
/* The file's path below the output folder. */
void port_output_name(const port_job *job, const port_file *file, char name[PATH_MAX]);
/* Name of the program: of its first file, without the suffixes. */
void port_program(const port_job *job, char name[64]);

/* ---- passes, one file each ------------------------------------------------------------------- */

/* Gathers what the file declares, its kernels, and where its device functions are. */
void port_pass_declared(port_job *job, port_file *file);
/* Whether the program declares the name here: behind a type, `*` or `&`, or as a macro. */
bool port_declares(const port_file *file, uint32_t i);
/* The token of the brace that begins the body of the function whose qualifier is the token, or 0;
   *name_out is that of its name, or 0. */
uint32_t port_find_body(const port_file *file, uint32_t from, uint32_t *name_out);
/* HIP's names become CUDA's; of several names for one thing, CUDA's usual one. */
void port_pass_hip(port_job *job, port_file *file);
void port_pass_includes(port_job *job, port_file *file);
/* Whether the directive at the `#` includes a file in quotes that is not of the job. */
bool port_includes_foreign(const port_job *job, const port_file *file, uint32_t hash);
void port_pass_launches(port_job *job, port_file *file);
/* Gathers the names of shared variables outside of functions. */
void port_pass_shared_names(port_job *job, port_file *file);
void port_pass_shared(port_job *job, port_file *file);
void port_pass_shadows(port_job *job, port_file *file);
/* The last token of the scope of a variable that is declared at the token. */
uint32_t port_scope_end(const port_file *file, uint32_t i);
void port_pass_names(port_job *job, port_file *file);
void port_pass_pitfalls(port_job *job, port_file *file);

/* ---- clean/: --clean, which writes the names of the dialect ---------------------------------- */

/* Gathers what the passes below need to know of all files. */
void port_clean_survey(port_job *job, port_file *file);
void port_functions_sort(port_job *job);
void port_pass_clean(port_job *job, port_file *file);
/* Whether --clean renames a name of HIP itself. */
bool port_clean_renames(const char *name);
/* One variable of a declaration of shared memory. */
typedef struct port_shared {
    uint32_t name, first, last; /* first ... last: its extents; last < first: it is no array */
    const char *base, *stars;   /* of its type */
    uint32_t alignment;         /* the token of an alignment, or 0 */
    bool of_file, dynamic;
} port_shared;
/* Its declaration with a macro of the dialect, or NULL if it is kept. */
char *port_clean_shared(port_job *job, const port_file *file, const port_shared *shared);
/* The new name of the vector type at the token, or NULL if it is none or is kept. */
char *port_clean_vector(port_job *job, const port_file *file, uint32_t i);
void port_tallies_sort(port_job *job);
size_t port_tally_total(const port_job *job, bool rewritten);
void port_print_tallies(const port_job *job);

/* ---- c11/: --c, which writes C11 ------------------------------------------------------------- */

/* Gathers the kernels that included files declare, macros that are constants, names of types. */
void port_c11_survey(port_job *job, port_file *file);
void port_pass_c11(port_job *job, port_file *file);

/* The token behind the template arguments that begin at a `<`; itself if they do not end. */
uint32_t port_skip_angles(const port_file *file, uint32_t less);

/* How a name of CUDA is translated: the table in names.inc. */
typedef enum port_fate {
    PORT_UNKNOWN, /* in no table */
    PORT_MAPPED,  /* a header of heddle defines it */
    PORT_REFUSED, /* not translated: the reason says what to do */
} port_fate;
port_fate port_name_fate(const char *name, const char **reason_out, const char **page_out);
/* Whether the name is one of HIP's runtime or types. */
bool port_is_hip(const char *name);
/* Whether the name is translated in C++ only. */
bool port_needs_cxx(const char *name);
/* Whether the name looks like one of CUDA, of its libraries or of HIP. */
bool port_looks_foreign(const char *name);

extern const char port_page[];          /* docs/port.md */
extern const char port_page_names[];    /* docs/porting-names.md */
extern const char port_page_pitfalls[]; /* docs/porting-pitfalls.md */

#endif
