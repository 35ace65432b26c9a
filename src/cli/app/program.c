/* SPDX-License-Identifier: Apache-2.0 */
/* program.c - a program of subcommands: finds the requested command, runs it, and checks that its
   output was written. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <heddle/heddle.h>

#include "devices.h"
#include "output.h"
#include "program.h"
#include "cli/trace/timeline.h"

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

const char *cli_compiler(void)
{
    return COMPILER;
}

/* A data file or device must not get the number of a closed standard descriptor: each is opened so
   that reading from it or writing to it fails. */
static void guard_standard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) == -1 && errno == EBADF &&
            open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) == -1)
            return;
}

/* The command named by the first one or two words; *words_out: how many. */
static const cli_command *find_command(int argc, char **argv, int *words_out)
{
    for (size_t i = 0; i < cli_command_count; i++) {
        const char *name = cli_commands[i]->name, *space = strchr(name, ' ');
        size_t first = space ? (size_t)(space - name) : strlen(name);

        if (argc < 1 || strlen(argv[0]) != first || memcmp(argv[0], name, first) != 0)
            continue;
        if (space && (argc < 2 || strcmp(argv[1], space + 1) != 0))
            continue;
        *words_out = space ? 2 : 1;
        return cli_commands[i];
    }
    return NULL;
}

/* The first words of two-word commands, in order of occurrence: names_out points into groups. */
static size_t group_names(char groups[CLI_COMMANDS_MAX][16], const char **names_out)
{
    size_t count = 0;

    for (size_t i = 0; i < cli_command_count; i++) {
        const char *name = cli_commands[i]->name, *space = strchr(name, ' ');

        if (!space)
            continue;
        snprintf(groups[count], sizeof *groups, "%.*s", (int)(space - name), name);
        names_out[count] = groups[count];
        count++;
    }
    return count;
}

/* The command for a word that is often typed for it; NULL if there is none. */
static const char *usual_name(const char *word)
{
    static const char *const words[][2] = {
        {"trace", "timeline"}, {"devices", "info"}, {"sum", "reduce"}, {"translate", "port"}};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (size_t command = 0; command < cli_command_count; command++)
            if (strcmp(words[i][0], word) == 0 &&
                strcmp(words[i][1], cli_commands[command]->name) == 0)
                return words[i][1];
    return NULL;
}

/* One line for words that name no command: missing, unknown or misspelled. */
static int unknown_command(int argc, char **argv)
{
    static char groups[CLI_COMMANDS_MAX][16];
    const char *names[2 * CLI_COMMANDS_MAX], *nearest;
    char list[512] = "", typed[128];
    size_t first = strlen(argv[0]), count = 0;
    int group = 0;

    for (size_t i = 0; i < cli_command_count; i++) {
        const char *name = names[count++] = cli_commands[i]->name;

        if (strncmp(name, argv[0], first) == 0 && name[first] == ' ') {
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", group ? ", " : "",
                     name + first + 1);
            group = 1;
        }
    }
    for (const cli_alias *alias = cli_aliases; alias->name; alias++)
        names[count++] = alias->name;
    if (group && argc >= 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        cli_help_group(stdout, argv[0]);
        return CLI_DONE;
    }
    if (group && (argc < 2 || argv[1][0] == '-'))
        return cli_misused(NULL, "%s: choose one of %s", argv[0], list);
    snprintf(typed, sizeof typed, "%s%s%s", argv[0], group ? " " : "", group ? argv[1] : "");
    if (!group && argc >= 2) { /* a misspelled first word of two, as in bnech reduce */
        snprintf(typed, sizeof typed, "%s %s", argv[0], argv[1]);
        nearest = cli_nearest(typed, names, count);
        if (!nearest || !strchr(nearest, ' '))
            snprintf(typed, sizeof typed, "%s", argv[0]);
    }
    if (!group)
        count += group_names(groups, names + count);
    nearest = usual_name(typed);
    if (!nearest)
        nearest = cli_nearest(typed, names, count);
    if (nearest)
        return cli_misused(NULL, "unknown command '%s', did you mean '%s'?", typed, nearest);
    return group ? cli_misused(NULL, "unknown command '%s'; choose one of %s", typed, list)
                 : cli_misused(NULL, "unknown command '%s'", typed);
}

static int run_help(int argc, char **argv)
{
    const cli_command *command;
    int words = 0;

    if (argc == 0) {
        cli_help_all(stdout);
        return CLI_DONE;
    }
    command = find_command(argc, argv, &words);
    if (!command && argc == 1 && cli_help_group(stdout, argv[0]))
        return CLI_DONE;
    if (!command)
        return unknown_command(argc, argv);
    if (argc > words)
        return cli_misused(NULL, "unexpected argument '%s'", argv[words]);
    cli_help_command(stdout, command);
    return CLI_DONE;
}

/* Ranks choose their own devices; mpi_job_open reports errors on all of them. */
static int run_on_device(const cli_arguments *arguments)
{
    const cli_command *command = arguments->command;
    const int ranks = strncmp(command->name, "mpi ", 4) == 0;
    const int status = ranks ? CLI_DONE : cli_device_check(arguments);

    return status == CLI_DONE ? command->run(arguments) : status;
}

static int run_command(int argc, char **argv)
{
    cli_arguments arguments;
    int words = 0, status;
    const cli_command *command = find_command(argc, argv, &words);

    if (!command)
        return unknown_command(argc, argv);
    status = cli_arguments_read(command, argc - words, argv + words, &arguments);
    if (status != CLI_DONE)
        return status;
    if (arguments.help) {
        cli_help_command(stdout, command);
        return CLI_DONE;
    }
    status = cli_files_check(&arguments);
    if (status == CLI_DONE)
        status = cli_outputs_probe(&arguments);
    if (status == CLI_DONE)
        status = cli_trace_begin(&arguments);
    if (status != CLI_DONE)
        return status;
    return cli_trace_end(&arguments, run_on_device(&arguments));
}

static const cli_alias *find_alias(const char *name)
{
    for (const cli_alias *alias = cli_aliases; name && alias->name; alias++)
        if (strcmp(alias->name, name) == 0)
            return alias;
    return NULL;
}

/* Runs `call` with an alias replaced by the words that it stands for; for help, without their
   options. */
static int run_renamed(int argc, char **argv, int help, int (*call)(int argc, char **argv))
{
    const cli_alias *alias = find_alias(argc > 0 ? argv[0] : NULL);
    char **words = alias ? malloc(((size_t)argc + CLI_ALIAS_WORDS) * sizeof *words) : NULL;
    int count = 0, status;

    if (!alias)
        return call(argc, argv);
    if (!words)
        return cli_failed(NULL, "no memory");
    while (alias->words[count] && !(help && alias->words[count][0] == '-')) {
        words[count] = (char *)(uintptr_t)alias->words[count]; /* never written to */
        count++;
    }
    memcpy(words + count, argv + 1,
           (size_t)argc * sizeof *words); /* includes the NULL after the last word */
    status = call(argc - 1 + count, words);
    free(words);
    return status;
}

/* One line; with --all also the compiler. */
static int run_version(int argc, char **argv)
{
    const int all = argc > 0 && strcmp(argv[0], "--all") == 0;

    if (argc > all)
        return cli_misused(NULL, "unexpected argument '%s'", argv[all]);
    printf("heddle %s (backend %s)\n", hd_version(), hd_backend_name());
    if (all)
        printf("compiler %s\n", cli_compiler());
    return CLI_DONE;
}

static int run(int argc, char **argv)
{
    const char *first = argc > 0 ? argv[0] : NULL;

    if (!first)
        return cli_misused(NULL, "a command is missing");
    if (strcmp(first, "--version") == 0)
        return run_version(argc - 1, argv + 1);
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0)
        return run_help(0, NULL);
    if (strcmp(first, "help") == 0)
        return run_renamed(argc - 1, argv + 1, 1, run_help);
    if (first[0] == '-') {
        const char *const options[] = {"--help", "--version"},
                          *nearest = cli_nearest(first, options, 2);

        return nearest
                   ? cli_misused(NULL, "unknown option '%s', did you mean '%s'?", first, nearest)
                   : cli_misused(NULL, "unknown option '%s'", first);
    }
    return run_renamed(argc, argv, 0, run_command);
}

/* The exit status also depends on whether the output could be written. */
static int close_output(int status)
{
    int written = cli_flush(NULL);

    return status != CLI_DONE ? status : written;
}

void cli_beside_tool(const char *name, char path[PATH_MAX])
{
    const size_t bytes = strlen(name) + 1;
    const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - bytes);
    char *slash;

    path[length > 0 ? length : 0] = '\0';
    slash = strrchr(path, '/');
    memcpy(slash ? slash + 1 : path, name, bytes);
}

int cli_program(int argc, char **argv)
{
    static char room[1 << 16];

    guard_standard_streams();
    /* A buffer large enough for a command's output, so that a write error shows in the flush, which
       reports the reason. */
    if (!isatty(STDOUT_FILENO))
        setvbuf(stdout, room, _IOFBF, sizeof room);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* beyond the file size limit, writes fail and are reported */
    return close_output(run(argc - 1, argv + 1));
}
