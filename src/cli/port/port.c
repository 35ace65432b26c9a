/* SPDX-License-Identifier: Apache-2.0 */
/* port.c - `heddle port`: the command. */
#include "port.h"

#include <string.h>
#include <unistd.h>

#include "cli/app/commands.h"
#include "cli/app/output.h"
#include "cli/app/program.h"
#include "cli/app/words.h"

enum { REPORT_TEXT, REPORT_JSON, REPORT_SARIF, REPORTS };
static const char *const reports[REPORTS] = {"text", "json", "sarif"};

static void run_passes(port_job *job)
{
    static void (*const passes[])(port_job *, port_file *) = {
        port_pass_hip,    port_pass_includes, port_pass_launches,
        port_pass_shared, port_pass_shadows,  port_pass_clean,
        port_pass_c11,    port_pass_names,    port_pass_pitfalls};

    for (size_t i = 0; i < job->file_count; i++) {
        port_pass_declared(job, job->files[i]);
        port_pass_shared_names(job, job->files[i]);
        if (job->clean)
            port_clean_survey(job, job->files[i]);
        if (job->c11)
            port_c11_survey(job, job->files[i]);
    }
    port_functions_sort(job);
    port_names_sort(job->announced, &job->announced_count);
    port_names_sort(job->own, &job->own_count);
    port_names_sort(job->shared, &job->shared_count);
    port_names_sort(job->declared, &job->declared_count);
    port_names_sort(job->kernels, &job->kernel_count);
    for (size_t i = 0; i < job->file_count && !job->no_memory; i++)
        for (size_t k = 0; k < sizeof passes / sizeof *passes; k++)
            passes[k](job, job->files[i]);
}

static void check_foreign(port_job *job)
{
    for (size_t i = 0; i < job->file_count; i++)
        if (job->files[i]->foreign)
            return;
    port_report(job, PORT_ERROR, "no-cuda", job->files[0], 1, port_page,
                "no name of CUDA or HIP occurs in %s: there is nothing to translate",
                job->file_count == 1 ? "this file" : "these files");
}

static void check_units(port_job *job)
{
    for (size_t i = 0; i < job->file_count; i++) {
        const port_file *file = job->files[i];
        const size_t length = strlen(file->shown);

        if (file->foreign && file->operand && !job->c11 && length > 2 &&
            strcmp(file->shown + length - 2, ".c") == 0)
            port_report(job, PORT_ERROR, "c-file", file, 1, port_page,
                        "a C file that uses CUDA's names, which are defined in C++: rename it to "
                        ".cpp, or translate to C with --c");
    }
}

/* What to do next. */
static void print_next(const port_job *job)
{
    char program[64], heddle[PATH_MAX], package[PATH_MAX];
    const char *folder = job->folder;
    bool built;

    port_program(job, program);
    cli_beside_tool("", heddle);
    cli_beside_tool("heddleConfig.cmake", package);
    built = access(package, R_OK) == 0; /* in a build tree, where CMake does not look */
    printf("%zu file%s in %s: %zu warning%s\n", job->file_count, job->file_count == 1 ? "" : "s",
           folder, port_count(job, PORT_WARNING), port_count(job, PORT_WARNING) == 1 ? "" : "s");
    printf("next: cmake -S %s -B %s/build%s%s && cmake --build %s/build\n", folder, folder,
           built ? " -Dheddle_DIR=" : "", built ? heddle : "", folder);
    printf("      %s/build/%s\n", folder, program);
    printf("      heddle check -- %s/build/%s\n"
           "          after a build whose -Dheddle_DIR is a heddle of the preset check\n",
           folder, program);
}

static void print(const port_job *job, size_t report, int status)
{
    const size_t errors = port_count(job, PORT_ERROR);

    if (report == REPORT_JSON)
        port_print_json(job);
    else if (report == REPORT_SARIF)
        port_print_sarif(job);
    else
        port_print_text(job);
    if (report != REPORT_TEXT)
        return;
    if (job->clean && !errors)
        port_print_tallies(job);
    if (errors)
        printf("%zu error%s, %zu warning%s: nothing is written\n", errors, errors == 1 ? "" : "s",
               port_count(job, PORT_WARNING), port_count(job, PORT_WARNING) == 1 ? "" : "s");
    else if (status == CLI_DONE)
        print_next(job);
}

static int translate(port_job *job, const cli_arguments *arguments, size_t report)
{
    int status = port_read(job, arguments);

    if (status != CLI_DONE)
        return status;
    run_passes(job);
    check_foreign(job);
    check_units(job);
    if (job->no_memory)
        return cli_failed(job->command, "no memory for the translation");
    port_findings_sort(job);
    port_tallies_sort(job);
    if (port_count(job, PORT_ERROR) == 0 || cli_option_given(arguments, "partial"))
        status = port_write(job);
    print(job, report, status);
    if (cli_flush(job->command) != CLI_DONE)
        return CLI_FAILED;
    return status == CLI_DONE && port_count(job, PORT_ERROR) ? CLI_FAILED : status;
}

static int run(const cli_arguments *arguments)
{
    port_job job = {.command = arguments->command,
                    .folder = cli_option_value(arguments, "output-dir"),
                    .force = cli_option_given(arguments, "force"),
                    .clean = cli_option_given(arguments, "clean"),
                    .c11 = cli_option_given(arguments, "c")};
    size_t report;
    int status = cli_word_read(arguments, "report", reports, REPORTS, REPORT_TEXT, &report);

    if (status != CLI_DONE)
        return status;
    if (!job.folder)
        job.folder = "ported";
    if (!*job.folder)
        return cli_misused(job.command, "-o: a folder's name is missing");
    status = translate(&job, arguments, report);
    port_free(&job);
    return status;
}

static const cli_option options[] = {
    {"output-dir", "DIR", "folder for the translated program (default: ./ported)"},
    {"o", "=output-dir", NULL},
    {"clean", NULL,
     "replace CUDA's names by heddle's where there is an equivalent; list those that remain"},
    {"c", NULL, "write C11 instead of C++; what C does not have is an error"},
    {"include", "DIRS", "folders in which included files are looked for, separated by ':'"},
    {"report", "FORMAT", "text, json or sarif: how errors and warnings are printed"},
    {"force", NULL, "overwrite files in the folder"},
    {"partial", NULL, "write the files in spite of errors; the exit status stays 1"},
    CLI_UNTRACED};

const cli_command cli_command_port = {
    .name = "port",
    .summary = "translate a CUDA or HIP program, to run it on every backend",
    .operand = "FILE...",
    .options = options,
    .notes =
        "Reads CUDA and HIP sources and the headers that they include with quotes, and writes\n"
        "versions that use <heddle/cuda_names.hpp> (with --c <heddle/cuda_names.h>), with a\n"
        "CMakeLists.txt for the backends cpu, cuda and hip. CUDA's names that heddle does not\n"
        "support are errors; code that relies on warps of 32 lanes or on lockstep gets warnings.\n"
        "The input is never changed.\n"
        "\n"
        "exit status: 0 translated, 1 errors, 2 wrong usage\n",
    .examples = "  heddle port vecadd.cu -o ported\n"
                "  heddle port reduce.cu -o clean --clean\n"
                "  heddle port vecadd.cu -o plain --c --clean\n"
                "  heddle port vecadd.cu reduce.cu -o both --report sarif\n",
    .run = run};
