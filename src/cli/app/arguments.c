/* SPDX-License-Identifier: Apache-2.0 */
/* arguments.c - reads the options and operands of a subcommand according to its table. */
#include "arguments.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "io/message.h"

enum {
    LINE_MAX_BYTES = HD_ERROR_TEXT_MAX + 256,
    NEAREST_DISTANCE = 2,
    PREFIX_LEAST = 3,
    WORD_MAX = 32
};

static void print_line(const cli_command *command, const char *text, const char *hint)
{
    char line[LINE_MAX_BYTES];

    hd__io_printable(text, strlen(text), line, sizeof line);
    fprintf(stderr, "heddle: %s%s%s%s\n", command ? command->name : "", command ? ": " : "", line,
            hint);
}

int cli_failed(const cli_command *command, const char *format, ...)
{
    char text[LINE_MAX_BYTES];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    print_line(command, text, "");
    return CLI_FAILED;
}

void cli_note(const cli_command *command, const char *format, ...)
{
    static const char word[] = "note: ";
    char text[LINE_MAX_BYTES];
    va_list args;

    strcpy(text, word);
    va_start(args, format);
    vsnprintf(text + strlen(word), sizeof text - strlen(word), format, args);
    va_end(args);
    print_line(command, text, "");
}

int cli_misused(const cli_command *command, const char *format, ...)
{
    char text[LINE_MAX_BYTES], hint[96];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    snprintf(hint, sizeof hint, " (see 'heddle%s%s --help')", command ? " " : "",
             command ? command->name : "");
    print_line(command, text, hint);
    return CLI_MISUSED;
}

int cli_unwritable(const cli_command *command, const char *path)
{
    const char *why = errno ? strerror(errno) : "write error";
    char name[HD__IO_NAME];

    hd__io_printable_path(path, name, sizeof name);
    return cli_failed(command, "%s: %s", name, why);
}

static char no_memory_for[128]; /* "": no allocation has failed */

hd_status cli_no_memory(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(no_memory_for, sizeof no_memory_for, format, args);
    va_end(args);
    return HD_ERR_NO_MEMORY;
}

const char *cli_call_text(char *text, size_t size)
{
    if (!no_memory_for[0])
        return hd_error_format(text, size);
    snprintf(text, size, "no memory for %s", no_memory_for);
    return text;
}

int cli_failed_call(const cli_command *command)
{
    char text[LINE_MAX_BYTES];

    return cli_failed(command, "%s", cli_call_text(text, sizeof text));
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Optimal string alignment distance: insertions, deletions, substitutions and transpositions. */
static size_t distance(const char *a, const char *b)
{
    size_t rows[3][WORD_MAX + 1], n = strlen(a), m = strlen(b);

    if (n > WORD_MAX || m > WORD_MAX)
        return WORD_MAX;
    for (size_t j = 0; j <= m; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *now = rows[i % 3], *last = rows[(i - 1) % 3], *before = rows[(i + 1) % 3];

        now[0] = i;
        for (size_t j = 1; j <= m; j++) {
            now[j] = least(least(now[j - 1], last[j]) + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], before[j - 2] + 1);
        }
    }
    return rows[n % 3][m];
}

const char *cli_nearest(const char *word, const char *const *candidates, size_t count)
{
    const char *nearest = NULL;
    size_t best = NEAREST_DISTANCE + 1;

    for (size_t i = 0; i < count; i++) {
        size_t d = distance(word, candidates[i]);

        if (d < best && d < strlen(candidates[i])) {
            best = d;
            nearest = candidates[i];
        }
    }
    for (size_t i = 0; best > 1 && strlen(word) >= PREFIX_LEAST && i < count; i++)
        if (strncmp(candidates[i], word, strlen(word)) == 0)
            return candidates[i];
    return nearest;
}

const cli_option cli_common_options[] = {
    {"trace", "FILE", "write a trace for ui.perfetto.dev or chrome://tracing"},
    {"timeline", "FILE",
     "draw copy engines, compute and streams over time as SVG; in the FILE of --trace and "
     "--timeline, %p becomes the process id"},
    {NULL, NULL, NULL}};

static size_t option_count(const cli_option *options)
{
    size_t count = 0;

    while (options && options[count].name)
        count++;
    return count;
}

const cli_option *cli_common_options_of(const cli_command *command)
{
    static const cli_option none = {NULL, NULL, NULL};

    return command->options[option_count(command->options)].value ? &none : cli_common_options;
}

/* Index of the option whose name is the first `length` bytes of text, or the number of options. */
static size_t option_find(const cli_option *options, const char *text, size_t length)
{
    size_t count = option_count(options);

    for (size_t i = 0; i < count; i++)
        if (strlen(options[i].name) == length && memcmp(options[i].name, text, length) == 0)
            return i;
    return count;
}

/* The option for which option i is an alias; i itself if it is not an alias. */
static size_t option_meant(const cli_option *options, size_t i)
{
    const char *value = options[i].name ? options[i].value : NULL;

    return value && value[0] == '=' ? option_find(options, value + 1, strlen(value + 1)) : i;
}

/* `dashes`: the dashes in front of the name, as typed. */
static int unknown_option(const cli_command *command, const char *dashes, const char *text,
                          size_t length)
{
    const char *names[CLI_OPTIONS_MAX + 3], *nearest;
    char word[WORD_MAX + 2];
    size_t count = 0;

    for (const cli_option *option = command->options; option->name; option++)
        if (option->help)
            names[count++] = option->name;
    for (const cli_option *option = cli_common_options_of(command); option->name; option++)
        names[count++] = option->name;
    names[count++] = "help";
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    nearest = cli_nearest(word, names, count);
    if (nearest)
        return cli_misused(command, "unknown option '%s%.*s', did you mean '--%s'?", dashes,
                           (int)length, text, nearest);
    return cli_misused(command, "unknown option '%s%.*s'", dashes, (int)length, text);
}

/* A single dash is accepted if the word is the name of an option with more than one letter, or an
   alias. */
static int one_dash(const cli_command *command, const char *text)
{
    const size_t length = strcspn(text + 1, "=");
    const size_t i = option_find(command->options, text + 1, length);

    return i < option_count(command->options) &&
           (length > 1 || option_meant(command->options, i) != i);
}

/* Reads the option argv[*at] and its value, which may be the next argument. */
static int read_option(cli_arguments *arguments, int argc, char **argv, int *at)
{
    const cli_command *command = arguments->command;
    const char *name = argv[*at] + (argv[*at][1] == '-' ? 2 : 1), *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    size_t i = option_meant(command->options, option_find(command->options, name, length));
    const cli_option *option = &command->options[i];
    const char **value = &arguments->values[i];

    if (length == 4 && memcmp(name, "help", 4) == 0 && !equals) {
        arguments->help = 1;
        return CLI_DONE;
    }
    if (i == option_count(command->options)) {
        const cli_option *common = cli_common_options_of(command);

        i = option_find(common, name, length);
        option = &common[i];
        if (!option->name)
            return unknown_option(command, "--", name, length);
        value = i == 0 ? &arguments->trace : &arguments->timeline;
    }
    if (*value)
        return cli_misused(command, "option '--%s' is given twice", option->name);
    if (!option->value && equals)
        return cli_misused(command, "option '--%s' takes no value", option->name);
    if (!option->value) {
        *value = "";
    } else if (equals) {
        *value = equals + 1;
    } else {
        if (*at + 1 == argc)
            return cli_misused(command, "option '--%s' needs a value (%s)", option->name,
                               option->value);
        *value = argv[++*at];
    }
    return CLI_DONE;
}

/* The minimum and maximum number of operands of a command, from their names: "FILE" one, "[FILE]"
   at most one, "WORD..." one or more. */
static void count_operands(const cli_command *command, size_t *least_out, size_t *max_out)
{
    size_t least = 0, most = 0;

    for (const char *at = command->operand; at && *at;) {
        size_t length = strcspn(at, " ");

        least += at[0] != '[';
        most += length > 3 && memcmp(at + length - 3, "...", 3) == 0 ? CLI_OPERANDS_MAX : 1;
        at += length + (at[length] == ' ');
    }
    *least_out = least;
    *max_out = most < CLI_OPERANDS_MAX ? most : CLI_OPERANDS_MAX;
}

/* Reports the first missing operand in one line. */
static int check_operands(const cli_arguments *arguments)
{
    const char *at = arguments->command->operand;
    size_t least, most;

    count_operands(arguments->command, &least, &most);
    if (arguments->operand_count >= least)
        return CLI_DONE;
    for (size_t i = 0; i < arguments->operand_count; i++)
        at += strcspn(at, " ") + 1;
    return cli_misused(arguments->command, "%.*s is missing", (int)strcspn(at, " "), at);
}

static int read_operand(cli_arguments *arguments, const char *text)
{
    size_t least, most;

    count_operands(arguments->command, &least, &most);
    if (arguments->operand_count >= most)
        return cli_misused(arguments->command, "unexpected argument '%s'", text);
    arguments->operands[arguments->operand_count++] = text;
    return CLI_DONE;
}

static int runs_another(const cli_command *command)
{
    const char *operand = command->operand;

    return operand && (strncmp(operand, "-- ", 3) == 0 || strncmp(operand, "COMMAND ", 8) == 0);
}

int cli_arguments_read(const cli_command *command, int argc, char **argv,
                       cli_arguments *arguments_out)
{
    cli_arguments arguments;
    int status = CLI_DONE, only_operands = 0;
    int runs = runs_another(command);

    memset(&arguments, 0, sizeof arguments);
    arguments.command = command;
    for (int at = 0; at < argc && status == CLI_DONE && !arguments.help; at++) {
        const char *text = argv[at];

        if (runs && (text[0] != '-' || strcmp(text, "--") == 0)) {
            arguments.rest = argv + at + (text[0] == '-');
            break;
        }
        if (only_operands || text[0] != '-' || text[1] == '\0')
            status = read_operand(&arguments, text);
        else if (strcmp(text, "--") == 0)
            only_operands = 1;
        else if (strcmp(text, "-h") == 0)
            arguments.help = 1;
        else if (text[1] != '-' && !one_dash(command, text))
            status = unknown_option(command, "-", text + 1, strlen(text + 1));
        else
            status = read_option(&arguments, argc, argv, &at);
    }
    if (status == CLI_DONE && !arguments.help && !runs)
        status = check_operands(&arguments);
    if (status == CLI_DONE)
        *arguments_out = arguments;
    return status;
}

const char *cli_option_value(const cli_arguments *arguments, const char *name)
{
    const cli_option *options = arguments->command->options;
    size_t i = option_find(options, name, strlen(name));

    return i < option_count(options) ? arguments->values[i] : NULL;
}

int cli_option_given(const cli_arguments *arguments, const char *name)
{
    return cli_option_value(arguments, name) != NULL;
}

/* Reads digits from text[*at] on, without a sign; fails on values beyond 64 bits. */
static int read_digits(const char *text, size_t length, size_t *at, uint64_t *value_out)
{
    uint64_t value = 0;
    size_t begin = *at;

    for (; *at < length && text[*at] >= '0' && text[*at] <= '9'; ++*at)
        if (__builtin_mul_overflow(value, 10u, &value) ||
            __builtin_add_overflow(value, (uint64_t)(text[*at] - '0'), &value))
            return 0;
    *value_out = value;
    return *at > begin;
}

int cli_size_read(const char *text, size_t length, uint64_t *value_out)
{
    static const char units[] = "KMGT";
    uint64_t value, exponent;
    const char *unit;
    size_t at = 0;

    if (!read_digits(text, length, &at, &value))
        return 0;
    if (value == 2 && at < length && text[at] == '^') {
        at++;
        if (!read_digits(text, length, &at, &exponent) || exponent > 63)
            return 0;
        value = (uint64_t)1 << exponent;
    } else if (at < length && (unit = strchr(units, text[at])) != NULL && *unit) {
        unsigned shift = 10 * (unsigned)(unit - units + 1);

        if (value > UINT64_MAX >> shift)
            return 0;
        value <<= shift;
        at++;
        if (at + 2 == length && text[at] == 'i' && text[at + 1] == 'B')
            at += 2;
    }
    if (at != length)
        return 0;
    *value_out = value;
    return 1;
}
