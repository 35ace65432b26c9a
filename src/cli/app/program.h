/* SPDX-License-Identifier: Apache-2.0 */
/* program.h - a program of subcommands: heddle itself, and those that share its ways. */
#ifndef HEDDLE_CLI_APP_PROGRAM_H
#define HEDDLE_CLI_APP_PROGRAM_H

#include "arguments.h"

enum { CLI_COMMANDS_MAX = 256 };

/* The commands, in the order in which help lists them; defined by each program beside its main. */
extern const cli_command *const cli_commands[];
extern const size_t cli_command_count;

/* Groups of these, in the same order, under whose titles help lists them; a NULL title ends
   them. */
typedef struct cli_group {
    const char *title;
    size_t count;
} cli_group;
extern const cli_group cli_groups[];

/* Another name of a command: the words that it stands for, first those of the command's name, up to
   a NULL. A NULL name ends them. */
enum { CLI_ALIAS_WORDS = 3 };
typedef struct cli_alias {
    const char *name;
    const char *words[CLI_ALIAS_WORDS + 1];
} cli_alias;
extern const cli_alias cli_aliases[];

/* The compiler of the tool and its version, "gcc 12.2.0". */
const char *cli_compiler(void);

/* Runs what the words after the program's name ask for; the exit status. */
int cli_program(int argc, char **argv);

#endif
