/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: any bytes as a CUDA source, and after a form feed as a header that it may include.
 * The first byte chooses the options. heddle port ends with 0 or 1 and leaves the input alone, its
 * reports in JSON can be read, and nothing is written if there is an error without --partial.
 */
#define _XOPEN_SOURCE 700

#include "fuzz.h"

#include <unistd.h>

#include "../../src/cli/app/commands.h"
#include "../../src/cli/app/program.h"
#include "../../src/io/json.h"

const cli_command *const cli_commands[] = {&cli_command_port};
const size_t cli_command_count = 1;
const cli_group cli_groups[] = {{"tools", 1}, {NULL, 0}};
const cli_alias cli_aliases[] = {{NULL, {NULL}}};

enum { CLEAN = 1, C11 = 2, PARTIAL = 4, REPORT = 8, SARIF = 16 };
enum { PATH = 64 };
static char folder[] = "/tmp/heddle-fuzz-port.XXXXXX";
static char source[PATH], included[PATH], put[PATH], list[PATH], said[PATH];

static void open_folder(void)
{
    FUZZ_MUST(mkdtemp(folder) != NULL);
    (void)snprintf(source, PATH, "%s/a.cu", folder);
    (void)snprintf(included, PATH, "%s/b.cuh", folder);
    (void)snprintf(put, PATH, "%s/put", folder);
    (void)snprintf(list, PATH, "%s/put/CMakeLists.txt", folder);
    (void)snprintf(said, PATH, "%s/said", folder);
}

static void write_whole(const char *path, const uint8_t *data, size_t size)
{
    FILE *to = fopen(path, "wb");

    FUZZ_MUST(to != NULL);
    FUZZ_MUST(fwrite(data, 1, size, to) == size);
    FUZZ_MUST(fclose(to) == 0);
}

static char *read_whole(const char *path, size_t *size_out)
{
    FILE *from = fopen(path, "rb");
    char *text = NULL;
    FILE *to = open_memstream(&text, size_out);

    FUZZ_MUST(from != NULL && to != NULL);
    for (int c; (c = fgetc(from)) != EOF;)
        fputc(c, to);
    fclose(from);
    FUZZ_MUST(fclose(to) == 0);
    return text;
}

static void check_report(void)
{
    char message[HD__IO_MESSAGE];
    size_t size;
    char *text = read_whole(said, &size);
    hd__json *tree = hd__json_read_text(text, size, message);

    FUZZ_MUST(tree != NULL);
    hd__json_free(tree);
    free(text);
}

static void check_input(const uint8_t *data, size_t size)
{
    size_t found;
    char *text = read_whole(source, &found);

    FUZZ_MUST(found == size && memcmp(text, data, size) == 0);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *arguments[12] = {"heddle", "port", source, "-o", put, NULL};
    const int options = size ? data[0] : 0;
    const uint8_t *header;
    int count = 5, status;

    if (!source[0])
        open_folder();
    if (size == 0)
        return 0;
    header = memchr(data + 1, '\f', size - 1);
    write_whole(source, data + 1, (header ? (size_t)(header - data) : size) - 1);
    write_whole(included, header ? header : data, header ? size - (size_t)(header - data) : 0);
    if (options & CLEAN)
        arguments[count++] = "--clean";
    if (options & C11)
        arguments[count++] = "--c";
    if (options & PARTIAL)
        arguments[count++] = "--partial";
    if (options & REPORT)
        arguments[count++] = options & SARIF ? "--report=sarif" : "--report=json";
    (void)unlink(list);
    arguments[count++] = "--force";
    FUZZ_MUST(freopen(said, "w", stdout) != NULL);
    status = cli_program(count, arguments);
    FUZZ_MUST(fflush(stdout) == 0);
    FUZZ_MUST(status == 0 || status == 1);
    if (options & REPORT && status == 0)
        check_report();
    if (!(options & PARTIAL))
        FUZZ_MUST((access(list, F_OK) == 0) == (status == 0));
    check_input(data + 1, (header ? (size_t)(header - data) : size) - 1);
    return 0;
}
