/* SPDX-License-Identifier: Apache-2.0 */
/* help.c - generates help texts from the tables of the commands. */
#include <string.h>

#include "program.h"

enum { NAME_COLUMN = 22, TEXT_COLUMN = 73, ALIAS_WORDS = 128 };

static void print_command(FILE *out, const cli_command *command)
{
    fprintf(out, "  %-18s %s\n", command->name, command->summary);
}

static const char lab_note[] =
    "predict: from a model; count: in a build with cmake --preset check; time: on a GPU";

static void print_heading(FILE *out, const char *heading, const char *group)
{
    if (strcmp(group, "lab") == 0)
        fprintf(out, "\n%s (%s):\n", heading, lab_note);
    else
        fprintf(out, "\n%s:\n", heading);
}

static void print_groups(FILE *out)
{
    size_t at = 0;

    for (const cli_group *group = cli_groups; group->title; group++) {
        print_heading(out, group->title, group->title);
        for (size_t i = 0; i < group->count; i++)
            print_command(out, cli_commands[at++]);
    }
}

/* The words that an old name stands for, separated by blanks. */
static void alias_words(const cli_alias *alias, char words[ALIAS_WORDS])
{
    words[0] = '\0';
    for (const char *const *word = alias->words; *word; word++)
        snprintf(words + strlen(words), ALIAS_WORDS - strlen(words), "%s%s",
                 word == alias->words ? "" : " ", *word);
}

static void print_old_names(FILE *out)
{
    for (const cli_alias *alias = cli_aliases; alias->name; alias++) {
        char words[ALIAS_WORDS];

        alias_words(alias, words);
        fprintf(out, "%s%s (%s)\n", alias == cli_aliases ? "\nold names: " : "           ",
                alias->name, words);
    }
}

void cli_help_all(FILE *out)
{
    fputs("heddle - GPU kernels in portable C: primitives, solvers, measurements, a checker\n\n"
          "usage: heddle COMMAND [OPTIONS] [FILE]\n",
          out);
    print_groups(out);
    print_old_names(out);
    fputs(
        "\n"
        "options:\n"
        "  --help         print this text; 'heddle COMMAND --help': the help of a command\n"
        "  --version      print version and backend; with --all also the compiler\n\n"
        "environment:\n"
        "  HEDDLE_DEVICE      default of --device: index, bus id, 'fastest' or 'free' (the first\n"
        "                     whose compute mode lets this process use it);\n"
        "                     commands on several devices take --devices\n"
        "  HEDDLE_DEVICES     visible devices and their order, for example 1,0\n"
        "  HEDDLE_CPU_DEVICES virtual devices of the CPU engine (default 1); more than 1 lets\n"
        "                     commands for several devices run without GPUs\n"
        "  HEDDLE_CPU_WARP    warp size of the CPU engine, 32 or 64\n"
        "  HEDDLE_TRACE       file to which any program that uses heddle writes a trace\n"
        "\n"
        "exit status: 0 success, 1 failure, 2 wrong usage\n"
        "\n"
        "examples:\n"
        "  heddle info\n"
        "  heddle reduce measurements.npy\n"
        "  heddle reduce docs/temperatures.csv --column celsius --json\n",
        out);
}

/* The title of the help of commands that share their first word. */
static void print_group_title(FILE *out, const char *group)
{
    static const char *const titles[][2] = {
        {"bench", "benchmarks, and comparisons with the vendor's library"},
        {"exercise", "a course in GPU programming, whose solutions are checked"},
        {"host", "work of the host beside kernels and streams"},
        {"lab", "experiments that predict, count and time what hardware does"},
        {"streams", "experiments with streams"}};

    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        if (strcmp(titles[i][0], group) == 0)
            fprintf(out, "heddle %s - %s\n\n", group, titles[i][1]);
}

size_t cli_help_group(FILE *out, const char *group)
{
    size_t length = strlen(group), count = 0;

    for (size_t i = 0; i < cli_command_count; i++) {
        if (strncmp(cli_commands[i]->name, group, length) != 0 ||
            cli_commands[i]->name[length] != ' ')
            continue;
        if (count++ == 0) {
            print_group_title(out, group);
            fprintf(out, "usage: heddle %s COMMAND [OPTIONS]\n", group);
            print_heading(out, "commands", group);
        }
        print_command(out, cli_commands[i]);
    }
    if (count)
        fprintf(out, "\noptions of a command: heddle %s COMMAND --help\n", group);
    return count;
}

/* The name of the option's value in help; for an alias, that of the option it stands for. NULL: a
   switch. */
static const char *value_of(const cli_option *options, const cli_option *option)
{
    const char *value = option->value;

    if (!value || value[0] != '=')
        return value;
    while (options->name && strcmp(options->name, value + 1) != 0)
        options++;
    return options->value;
}

/* Options that many commands share are printed in blocks, in the same order for every command; all
   other options are in OWN. */
enum { OWN, INPUT, RUN, OUTPUT, BLOCKS };
static const struct {
    const char *name;
    int block;
    const char *beside; /* in the block only if the command also has this option; NULL: always */
} shared[] = {
    {"n", INPUT, "pattern"},    {"pattern", INPUT, NULL},   {"seed", INPUT, "pattern"},
    {"poisson", INPUT, NULL},   {"precision", INPUT, NULL}, {"type", INPUT, "format"},
    {"format", INPUT, NULL},    {"colours", INPUT, NULL},   {"column", INPUT, NULL},
    {"delimiter", INPUT, NULL}, {"header", INPUT, NULL},    {"no-header", INPUT, NULL},
    {"device", RUN, NULL},      {"devices", RUN, NULL},     {"runs", RUN, NULL},
    {"rounds", RUN, NULL},      {"verify", RUN, NULL},      {"no-verify", RUN, NULL},
    {"no-check", RUN, NULL},    {"out", OUTPUT, NULL},      {"json", OUTPUT, NULL},
    {"csv", OUTPUT, NULL},      {"sarif", OUTPUT, NULL},    {"output", OUTPUT, NULL},
    {"svg", OUTPUT, NULL},      {"plot", OUTPUT, NULL},     {"png", OUTPUT, NULL},
    {"trace", OUTPUT, NULL},    {"timeline", OUTPUT, NULL},
};
enum { SHARED_COUNT = sizeof shared / sizeof *shared };

static const cli_option *find(const cli_option *options, const char *name)
{
    while (options->name && strcmp(options->name, name) != 0)
        options++;
    return options->name ? options : NULL;
}

static int block_of(const cli_option *options, const char *name)
{
    for (size_t i = 0; i < SHARED_COUNT; i++)
        if (strcmp(shared[i].name, name) == 0)
            return !shared[i].beside || find(options, shared[i].beside) ? shared[i].block : OWN;
    return OWN;
}

/* `letter`: the short form of the option, "" if it has none. Long descriptions continue on the next
   line, aligned with the first. */
static void print_option(FILE *out, const char *letter, const char *name, const char *value,
                         const char *help)
{
    char left[48];

    snprintf(left, sizeof left, "--%s%s%s%s%s", name, *letter ? ", -" : "", letter,
             value ? " " : "", value ? value : "");
    fprintf(out, "  %-*s ", NAME_COLUMN, left);
    for (;;) {
        size_t length = strlen(help);

        if (length > TEXT_COLUMN)
            for (length = TEXT_COLUMN; length > 1 && help[length] != ' '; length--)
                ;
        fprintf(out, "%.*s\n", (int)length, help);
        if (!help[length])
            return;
        help += length + 1;
        fprintf(out, "%*s", NAME_COLUMN + 3, "");
    }
}

/* The alias of one letter for an option; "" if there is none. */
static const char *letter_of(const cli_option *options, const char *name)
{
    for (; options->name; options++)
        if (strlen(options->name) == 1 && options->value && options->value[0] == '=' &&
            strcmp(options->value + 1, name) == 0)
            return options->name;
    return "";
}

static void print_in_block(FILE *out, const cli_option *options, const cli_option *option,
                           int block, int *count)
{
    static const char *const titles[BLOCKS] = {"options", "input", "run", "output"};

    if (!option || !option->help || block_of(options, option->name) != block)
        return;
    if (!(*count)++)
        fprintf(out, "\n%s:\n", titles[block]);
    print_option(out, letter_of(options, option->name), option->name, value_of(options, option),
                 option->help);
}

static void print_options(FILE *out, const cli_command *command)
{
    const cli_option *options = command->options, *common = cli_common_options_of(command);
    int count = 0;

    for (const cli_option *option = options; option->name; option++)
        print_in_block(out, options, option, OWN, &count);
    for (int block = INPUT; block < BLOCKS; block++) {
        count = 0;
        for (size_t i = 0; i < SHARED_COUNT; i++) {
            print_in_block(out, options, find(options, shared[i].name), block, &count);
            if (!find(options, shared[i].name))
                print_in_block(out, common, find(common, shared[i].name), block, &count);
        }
    }
    print_option(out, "", "help", NULL, "print this text");
}

/* Prints the old names of a command. */
static void print_aliases(FILE *out, const cli_command *command)
{
    for (const cli_alias *alias = cli_aliases; alias->name; alias++) {
        char words[ALIAS_WORDS];
        size_t named = strlen(command->name);

        alias_words(alias, words);
        if (strncmp(words, command->name, named) == 0 && (!words[named] || words[named] == ' '))
            fprintf(out, "old name: heddle %s is heddle %s\n", alias->name, words);
    }
}

void cli_help_command(FILE *out, const cli_command *command)
{
    const char *operand = command->operand ? command->operand : "";
    const char *own = strncmp(operand, "COMMAND ", 8) == 0 ? "" /* after COMMAND */ : " [OPTIONS]";

    fprintf(out, "heddle %s - %s\n\nusage: heddle %s%s%s%s\n", command->name, command->summary,
            command->name, own, *operand ? " " : "", operand);
    print_aliases(out, command);
    print_options(out, command);
    if (command->notes)
        fprintf(out, "\n%s", command->notes);
    fprintf(out, "\nexamples:\n%s", command->examples);
}
