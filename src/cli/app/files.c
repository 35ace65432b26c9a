/* SPDX-License-Identifier: Apache-2.0 */
/* files.c - checks of the files on a command line: no empty names, no file written twice, no input
   overwritten, formats match suffixes, and outputs can be written. */
#include <string.h>
#include <sys/stat.h>

#include "base/replace.h"
#include "io/suffix.h"
#include "arguments.h"

enum { OUTPUTS_MAX = 9 };

static const char *const output_options[] = {"out", "lengths", "plot", "svg", "png", "output"};

/* Files that the command writes: options, and the operand named OUT. */
static size_t outputs(const cli_arguments *arguments, const char **names, const char **paths)
{
    const char *operand = arguments->command->operand;
    size_t count = 0;

    for (size_t i = 0; i < sizeof output_options / sizeof *output_options; i++) {
        names[count] = output_options[i];
        paths[count] = cli_option_value(arguments, output_options[i]);
        count += paths[count] != NULL;
    }
    for (const cli_option *option = cli_common_options; option->name; option++) {
        names[count] = option->name;
        paths[count] = option == cli_common_options ? arguments->trace : arguments->timeline;
        count += paths[count] != NULL;
    }
    if (operand && strstr(operand, "OUT") && arguments->operand_count) {
        names[count] = NULL;
        paths[count++] = arguments->operands[arguments->operand_count - 1];
    }
    return count;
}

/* Several outputs may go to the same device or pipe. */
static int same_file(const char *a, const char *b)
{
    struct stat first, second;

    if (stat(a, &first) == 0 && stat(b, &second) == 0)
        return S_ISREG(first.st_mode) && first.st_dev == second.st_dev &&
               first.st_ino == second.st_ino;
    return strcmp(a, b) == 0;
}

/* With operands such as "PATTERN... FILE" only the last one is a file; otherwise all are. */
static int reads_operand(const cli_arguments *arguments, size_t i)
{
    const char *operand = arguments->command->operand;
    const char *file = operand ? strstr(operand, "FILE") : NULL;

    return file && (file <= operand + 1 || i + 1 == arguments->operand_count);
}

/* Decided by the value's name in help: FILE, FILE.npy, IN.png. */
static int takes_file(const cli_option *option)
{
    return option->value && (strstr(option->value, "FILE") || strstr(option->value, ".png"));
}

static int is_output(const char *name)
{
    for (size_t i = 0; i < sizeof output_options / sizeof *output_options; i++)
        if (strcmp(name, output_options[i]) == 0)
            return 1;
    return 0;
}

/* An output must not overwrite an input. */
static int check_input(const cli_arguments *arguments, const char *input)
{
    const char *names[OUTPUTS_MAX], *paths[OUTPUTS_MAX];
    const size_t count = outputs(arguments, names, paths);

    for (size_t i = 0; i < count; i++)
        if (same_file(input, paths[i]))
            return cli_misused(arguments->command, "%s%s would write over '%s', which is read",
                               names[i] ? "--" : "", names[i] ? names[i] : "OUT", input);
    return CLI_DONE;
}

static int check_inputs(const cli_arguments *arguments)
{
    const cli_option *options = arguments->command->options;
    int status = CLI_DONE;

    for (size_t i = 0; options && options[i].name && status == CLI_DONE; i++)
        if (arguments->values[i] && takes_file(&options[i]) && !is_output(options[i].name))
            status = check_input(arguments, arguments->values[i]);
    for (size_t i = 0; i < arguments->operand_count && status == CLI_DONE; i++)
        if (reads_operand(arguments, i))
            status = check_input(arguments, arguments->operands[i]);
    return status;
}

/* Reports options and operands that should name files but are empty. */
static int check_names(const cli_arguments *arguments)
{
    const cli_command *command = arguments->command;
    const char *common[] = {arguments->trace, arguments->timeline};

    for (size_t i = 0; command->options && command->options[i].name; i++) {
        const cli_option *option = &command->options[i];
        const char *value = arguments->values[i];
        if (value && !*value && takes_file(option))
            return cli_misused(command, "--%s: a file's name is missing", option->name);
    }
    for (size_t i = 0; i < sizeof common / sizeof *common; i++)
        if (common[i] && !*common[i])
            return cli_misused(command, "--%s: a file's name is missing",
                               cli_common_options[i].name);
    for (size_t i = 0; i < arguments->operand_count; i++)
        if (!*arguments->operands[i] &&
            (reads_operand(arguments, i) || (command->operand && strstr(command->operand, "OUT"))))
            return cli_misused(command, "%s: a file's name is missing",
                               reads_operand(arguments, i) ? "FILE" : "OUT");
    return CLI_DONE;
}

/* Formats that an output option supports, as suffixes; the first is the default for other names.
   NULL: the operand OUT. */
static const char *formats_of(const char *name)
{
    if (!name || strcmp(name, "png") == 0)
        return ".png";
    if (strcmp(name, "out") == 0)
        return ".npy .csv .tsv .png";
    if (strcmp(name, "lengths") == 0)
        return ".npy .csv .tsv";
    if (strcmp(name, "trace") == 0)
        return ".json";
    return strcmp(name, "output") == 0 ? NULL : ".svg"; /* `heddle check` writes any text */
}

/* A suffix that stands for one format must not be used for another. */
static int check_suffixes(const cli_arguments *arguments)
{
    const char *names[OUTPUTS_MAX], *paths[OUTPUTS_MAX];
    const size_t count = outputs(arguments, names, paths);

    for (size_t i = 0; i < count; i++) {
        const char *formats = formats_of(names[i]), *suffix = hd__io_known_suffix(paths[i]);
        const char *found = formats && suffix ? strstr(formats, suffix) : NULL;

        if (formats && suffix && !found)
            return cli_misused(arguments->command, "%s%s: %s: cannot write a %s file; use %s",
                               names[i] ? "--" : "", names[i] ? names[i] : "OUT", paths[i], suffix,
                               formats);
    }
    return CLI_DONE;
}

static int check_outputs(const cli_arguments *arguments)
{
    const char *names[OUTPUTS_MAX], *paths[OUTPUTS_MAX];
    const size_t count = outputs(arguments, names, paths);

    for (size_t i = 0; i < count; i++)
        if (names[i] && strcmp(paths[i], "-") == 0)
            return cli_misused(arguments->command,
                               "--%s: results are printed on standard output; give a file's name",
                               names[i]);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            if (same_file(paths[i], paths[k]))
                return cli_misused(arguments->command, "%s%s and --%s both write '%s'",
                                   names[i] ? "--" : "", names[i] ? names[i] : "OUT", names[k],
                                   paths[i]);
    return CLI_DONE;
}

int cli_files_check(const cli_arguments *arguments)
{
    int status = check_names(arguments);

    if (status == CLI_DONE)
        status = check_outputs(arguments);
    if (status == CLI_DONE)
        status = check_inputs(arguments);
    return status == CLI_DONE ? check_suffixes(arguments) : status;
}

/* Outputs that are checked elsewhere: in cli_trace_begin (names that depend on the rank) and in
   `heddle check`. */
static int probed_elsewhere(const char *name)
{
    return name && (strcmp(name, "trace") == 0 || strcmp(name, "timeline") == 0 ||
                    strcmp(name, "output") == 0);
}

int cli_outputs_probe(const cli_arguments *arguments)
{
    const char *names[OUTPUTS_MAX], *paths[OUTPUTS_MAX];
    const size_t count = outputs(arguments, names, paths);

    for (size_t i = 0; i < count; i++)
        if (!probed_elsewhere(names[i]) && hd__replace_probe(paths[i]) != 0)
            return cli_unwritable(arguments->command, paths[i]);
    return CLI_DONE;
}
