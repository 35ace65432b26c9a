/* SPDX-License-Identifier: Apache-2.0 */
/* arguments.h - the description of a subcommand, and the options and operands of its call. */
#ifndef HEDDLE_CLI_APP_ARGUMENTS_H
#define HEDDLE_CLI_APP_ARGUMENTS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <heddle/status.h>

enum {
    CLI_DONE = 0,   /* exit status: success */
    CLI_FAILED = 1, /* exit status: failure while running */
    CLI_MISUSED = 2 /* exit status: invalid command line */
};

enum { CLI_OPTIONS_MAX = 40, CLI_OPERANDS_MAX = 256 };

typedef struct cli_arguments cli_arguments;

typedef struct cli_option {
    const char *name;  /* without the dashes; NULL ends a list */
    const char *value; /* its name in help; NULL: a switch; "=NAME": alias of NAME */
    const char *help;  /* NULL: an old name, which help and suggestions leave out */
} cli_option;

/* Ends the options of a command that does not use a device: it has no --trace and --timeline. */
#define CLI_UNTRACED                                                                               \
    {                                                                                              \
        NULL, "untraced", NULL                                                                     \
    }

typedef struct cli_command {
    const char *name; /* as typed: "bench reduce" */
    const char *summary;
    /* Names of the operands in help: "FILE", "[FILE]" (optional) or "PATTERN... FILE" (one or more
       patterns, then a file); NULL: no operands. If it starts with "-- " or "COMMAND ", everything
       from the first operand on is another program's command line. */
    const char *operand;
    const cli_option *options;
    const char *notes;    /* text below the options; NULL: none */
    const char *examples; /* command lines, one each */
    int (*run)(const cli_arguments *arguments);
} cli_command;

struct cli_arguments {
    const cli_command *command;
    const char *values[CLI_OPTIONS_MAX]; /* in the order of command->options; NULL: not given */
    const char *operands[CLI_OPERANDS_MAX];
    size_t operand_count;
    char **rest; /* another program's command line, ends with NULL; NULL: none */
    int help;
    const char *trace, *timeline; /* files, options of every command; NULL: not given */
    struct lab_session *session;  /* of the experiments that `heddle lab all` runs; else NULL */
};

/* Reads the arguments after the command's name. Returns CLI_DONE, or CLI_MISUSED after printing a
   line. */
int cli_arguments_read(const cli_command *command, int argc, char **argv,
                       cli_arguments *arguments_out);

/* Checks the files that the command reads and writes: their names are not empty, no two outputs are
   the same file, and no output is also an input. CLI_DONE, or CLI_MISUSED after a line. */
int cli_files_check(const cli_arguments *arguments);
/* Checks that the command's outputs can be written, so that a failure shows before long work.
   Existing files are not changed. CLI_DONE, or CLI_FAILED after a line. */
int cli_outputs_probe(const cli_arguments *arguments);

/* Options that commands have besides their own: --trace and --timeline. */
extern const cli_option cli_common_options[];
/* Those of this command. */
const cli_option *cli_common_options_of(const cli_command *command);

/* The value of an option in the command's table: NULL if it was not given, "" for a switch. */
const char *cli_option_value(const cli_arguments *arguments, const char *name);
int cli_option_given(const cli_arguments *arguments, const char *name);

/* Each writes one line on standard error, "heddle: reduce: ...", and returns the exit status. */
__attribute__((format(printf, 2, 3))) int cli_failed(const cli_command *command, const char *format,
                                                     ...);
__attribute__((format(printf, 2, 3))) int cli_misused(const cli_command *command,
                                                      const char *format, ...);
/* The line names the path and the error in errno. */
int cli_unwritable(const cli_command *command, const char *path);
/* "heddle: reduce: note: ...": something was done differently from what the user may expect. */
__attribute__((format(printf, 2, 3))) void cli_note(const cli_command *command, const char *format,
                                                    ...);
/* The line is the detail of the last failed call: heddle's error, or what cli_no_memory
   recorded. */
int cli_failed_call(const cli_command *command);
/* Returns HD_ERR_NO_MEMORY for an allocation of the tool itself, and records "no memory for ...",
   such as "80 bytes on the host" or "8 threads". */
__attribute__((format(printf, 1, 2))) hd_status cli_no_memory(const char *format, ...);
/* The detail of the last failed call. */
const char *cli_call_text(char *text, size_t size);

/* The candidate nearest to a mistyped word by edit distance, otherwise the first one that begins
   with it; NULL if there is none. */
const char *cli_nearest(const char *word, const char *const *candidates, size_t count);

void cli_help_all(FILE *out);
/* Prints the commands whose first word is that group; returns their number. */
size_t cli_help_group(FILE *out, const char *group);
void cli_help_command(FILE *out, const cli_command *command);

/* Reads bytes or a count, with an optional K, M, G, T (powers of 1024) or as 2^N. Returns 0 if the
   text is not such a number. */
int cli_size_read(const char *text, size_t length, uint64_t *value_out);

#endif
