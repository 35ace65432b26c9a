/* SPDX-License-Identifier: Apache-2.0 */
/* program.h - a program of subcommands: heddle itself and others with the same structure. */
#ifndef HEDDLE_CLI_APP_PROGRAM_H
#define HEDDLE_CLI_APP_PROGRAM_H

#include <limits.h>

#include "arguments.h"

enum { CLI_COMMANDS_MAX = 256 };

/* The commands, in the order of help; each program defines them next to its main. */
extern const cli_command *const cli_commands[];
extern const size_t cli_command_count;

/* Groups of commands, in the same order, with the titles under which help lists them; a NULL title
   ends the list. */
typedef struct cli_group {
    const char *title;
    size_t count;
} cli_group;
extern const cli_group cli_groups[];

/* Another name of a command: the words that it stands for, beginning with the command's name, up to
   a NULL. A NULL name ends the list. */
enum { CLI_ALIAS_WORDS = 3 };
typedef struct cli_alias {
    const char *name;
    const char *words[CLI_ALIAS_WORDS + 1];
} cli_alias;
extern const cli_alias cli_aliases[];

/* The path of a file next to the tool's executable; just `name` if that is unknown or too long. */
void cli_beside_tool(const char *name, char path[PATH_MAX]);

/* The compiler of the tool and its version, "gcc 12.2.0". */
const char *cli_compiler(void);

/* Runs the command named by the words after the program's name; returns the exit status. */
int cli_program(int argc, char **argv);

#endif
