/* SPDX-License-Identifier: Apache-2.0 */
/* help.c - help texts, made from the tables of the commands. */
#include <string.h>

#include "program.h"

static void print_command(FILE *out, const cli_command *command)
{
    fprintf(out, "  %-18s %s\n", command->name, command->summary);
}

static void print_groups(FILE *out)
{
    size_t at = 0;

    for (const cli_group *group = cli_groups; group->title; group++) {
        fprintf(out, "\n%s:\n", group->title);
        for (size_t i = 0; i < group->count; i++)
            print_command(out, cli_commands[at++]);
    }
}

void cli_help_all(FILE *out)
{
    fputs("heddle - GPU kernels written once in C, and reductions of real files on whatever device "
          "there is\n\n"
          "usage: heddle COMMAND [OPTIONS] [FILE]\n",
          out);
    print_groups(out);
    for (const cli_alias *alias = cli_aliases; alias->name; alias++)
        fprintf(out, "%s%s%s", alias == cli_aliases ? "\nold names: " : ", ", alias->name,
                alias[1].name ? "" : "\n");
    fputs("\n"
          "options:\n"
          "  --help         this text; 'heddle COMMAND --help' or 'heddle help COMMAND' for one\n"
          "  --version      version, backend and compiler\n\n"
          "environment:\n"
          "  HEDDLE_DEVICE      device of commands that use one: an index, a bus id, 'fastest' or\n"
          "                     'free'; those over several take --devices\n"
          "  HEDDLE_DEVICES     devices that the process sees, in this order, as 1,0\n"
          "  HEDDLE_CPU_DEVICES virtual devices of the CPU backend, 1 by default: commands over\n"
          "                     several devices need more\n"
          "  HEDDLE_CPU_WARP    warp size of the CPU backend, 32 or 64\n"
          "  HEDDLE_TRACE       file for a trace of any program, as --trace of every command\n\n"
          "exit status: 0 done, 1 failed, 2 wrong usage\n\n"
          "examples:\n"
          "  heddle info\n"
          "  heddle reduce measurements.npy\n"
          "  heddle reduce docs/temperatures.csv --column celsius --json\n",
          out);
}

size_t cli_help_group(FILE *out, const char *group)
{
    size_t length = strlen(group), count = 0;

    for (size_t i = 0; i < cli_command_count; i++) {
        if (strncmp(cli_commands[i]->name, group, length) != 0 ||
            cli_commands[i]->name[length] != ' ')
            continue;
        fputs(count++ ? "" : "commands:\n", out);
        print_command(out, cli_commands[i]);
    }
    return count;
}

/* What help calls the value; of another name what it is called there. NULL for a switch. */
static const char *value_of(const cli_option *options, const cli_option *option)
{
    const char *value = option->value;

    if (!value || value[0] != '=')
        return value;
    while (options->name && strcmp(options->name, value + 1) != 0)
        options++;
    return options->value;
}

static void print_options(FILE *out, const cli_option *options)
{
    for (const cli_option *option = options; option->name; option++) {
        const char *value = value_of(options, option);
        char left[48];

        snprintf(left, sizeof left, "--%s%s%s", option->name, value ? " " : "", value ? value : "");
        fprintf(out, "  %-22s %s\n", left, option->help);
    }
}

void cli_help_command(FILE *out, const cli_command *command)
{
    const char *operand = command->operand ? command->operand : "";
    const char *own = strncmp(operand, "COMMAND ", 8) == 0 ? "" : " [OPTIONS]"; /* else behind it */

    fprintf(out, "heddle %s - %s\n\nusage: heddle %s%s%s%s\n\noptions:\n", command->name,
            command->summary, command->name, own, *operand ? " " : "", operand);
    print_options(out, command->options);
    print_options(out, cli_common_options);
    fprintf(out, "  %-22s %s\n", "--help", "this text");
    if (command->notes)
        fprintf(out, "\n%s", command->notes);
    fprintf(out, "\nexamples:\n%s", command->examples);
}
