/* SPDX-License-Identifier: Apache-2.0 */
/* arguments.h - what a subcommand is, and the options and operands it was called with. */
#ifndef HEDDLE_CLI_APP_ARGUMENTS_H
#define HEDDLE_CLI_APP_ARGUMENTS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <heddle/status.h>

enum {
    CLI_DONE = 0,   /* exit status of success, */
    CLI_FAILED = 1, /* of a failure while running, */
    CLI_MISUSED = 2 /* of a command line that makes no sense */
};

enum { CLI_OPTIONS_MAX = 40, CLI_OPERANDS_MAX = 256 };

typedef struct cli_arguments cli_arguments;

typedef struct cli_option {
    const char *name;  /* without the dashes; NULL ends a list */
    const char *value; /* what help calls its value; NULL for a switch; "=NAME": the same as that */
    const char *help;
} cli_option;

typedef struct cli_command {
    const char *name; /* as typed: "bench reduce" */
    const char *summary;
    /* What help calls the operands, as "FILE", "[FILE]" (may be missing) or "PATTERN... FILE" (one
       or more patterns, then a file); NULL where there are none. If it starts with "-- " or
       "COMMAND ", everything from the first operand on is another program's command line. */
    const char *operand;
    const cli_option *options;
    const char *notes;    /* text below the options; NULL for none */
    const char *examples; /* command lines, one each */
    int (*run)(const cli_arguments *arguments);
} cli_command;

struct cli_arguments {
    const cli_command *command;
    const char *values[CLI_OPTIONS_MAX]; /* of command->options; NULL: not given */
    const char *operands[CLI_OPERANDS_MAX];
    size_t operand_count;
    char **rest; /* another program's command line, NULL behind its last word; NULL: none */
    int help;
    const char *trace, *timeline; /* files, as every command takes them; NULL: not given */
};

/* Reads what follows the command's name. Returns CLI_DONE, or CLI_MISUSED after its one line. */
int cli_arguments_read(const cli_command *command, int argc, char **argv,
                       cli_arguments *arguments_out);

/* What the command line reads and writes: files have names, no two outputs are one file, and none
   is a file that is read. CLI_DONE, or CLI_MISUSED after a line. */
int cli_files_check(const cli_arguments *arguments);
/* Whether what the command line has written could be: an output that cannot be is better found
   before long work than behind it. CLI_DONE, or CLI_FAILED after a line. Files that are there stay
   as they are. */
int cli_outputs_probe(const cli_arguments *arguments);

/* Options of every command: --trace and --timeline. */
extern const cli_option cli_common_options[];

/* The value of an option of the command's table: NULL where it was not given, "" for a switch. */
const char *cli_option_value(const cli_arguments *arguments, const char *name);
int cli_option_given(const cli_arguments *arguments, const char *name);

/* Each writes one line on standard error, "heddle: reduce: ...", and returns the exit status. */
__attribute__((format(printf, 2, 3))) int cli_failed(const cli_command *command, const char *format,
                                                     ...);
__attribute__((format(printf, 2, 3))) int cli_misused(const cli_command *command,
                                                      const char *format, ...);
/* The line has the path and what errno says. */
int cli_unwritable(const cli_command *command, const char *path);
/* "heddle: reduce: note: ...": what was done, but not quite as one may think. */
__attribute__((format(printf, 2, 3))) void cli_note(const cli_command *command, const char *format,
                                                    ...);
/* The line is the detail of the last failed call: of heddle's, or what cli_no_memory noted. */
int cli_failed_call(const cli_command *command);
/* HD_ERR_NO_MEMORY, of which heddle knows no detail: notes "no memory for ...", as "80 bytes on the
   host" or "8 threads". */
__attribute__((format(printf, 1, 2))) hd_status cli_no_memory(const char *format, ...);
/* The detail of the last failed call. */
const char *cli_call_text(char *text, size_t size);

/* The candidate nearest to a mistyped word, by edit distance, else the first one that begins with
   it; NULL if there is none. */
const char *cli_nearest(const char *word, const char *const *candidates, size_t count);

void cli_help_all(FILE *out);
/* Commands whose first word is that group; returns how many. */
size_t cli_help_group(FILE *out, const char *group);
void cli_help_command(FILE *out, const cli_command *command);

/* Bytes or a count with an optional K, M, G, T (powers of 1024) or written 2^N. Returns 0 when the
   text is no such number. */
int cli_size_read(const char *text, size_t length, uint64_t *value_out);

#endif
