/* SPDX-License-Identifier: Apache-2.0 */
/* report.c - kernels in what compilers print:

       nvcc -Xptxas -v
           ptxas info    : Compiling entry function 'axpy' for 'sm_90'
               64 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
           ptxas info    : Used 22 registers, used 1 barriers, 128 bytes smem

       clang -Rpass-analysis=kernel-resource-usage
           axpy.c:3:1: remark: Function Name: axpy [-Rpass-analysis=kernel-resource-usage]
           axpy.c:3:1: remark:     VGPRs: 18 [-Rpass-analysis=kernel-resource-usage]

   Other lines are skipped, so that the file can be all of a build's output. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/message.h"
#include "cli/app/output.h"
#include "use.h"

enum { NAME_MAX_BYTES = 1024, SPILLED = 4 };

typedef struct reader {
    uses *list;
    use *at; /* the kernel of the following lines; NULL: none yet */
    bool no_memory;
} reader;

static void begin(reader *r, const char *name)
{
    r->at = uses_add(r->list, name);
    r->no_memory = r->no_memory || !r->at;
    if (r->at)
        r->at->local_known = r->at->spill_known = true;
}

/* The number before `what`, as in "22 registers". */
static bool before(const char *line, const char *what, uint64_t *number_out)
{
    const char *found = strstr(line, what), *digits = found;

    while (digits && digits > line && digits[-1] >= '0' && digits[-1] <= '9')
        digits--;
    if (!found || digits == found)
        return false;
    *number_out = strtoull(digits, NULL, 10);
    return true;
}

static void read_ptxas(reader *r, const char *line)
{
    char name[NAME_MAX_BYTES], architecture[16];
    uint64_t number = 0;
    const char *entry = strstr(line, "Compiling entry function '");

    if (entry && sscanf(entry, "Compiling entry function '%1023[^']' for '%15[^']'", name,
                        architecture) == 2) {
        begin(r, name);
        if (strncmp(architecture, "sm_90", 5) == 0)
            r->list->device = LAB_H100;
        return;
    }
    if (!r->at)
        return;
    if (before(line, " bytes stack frame", &number))
        r->at->local = number;
    if (before(line, " bytes spill stores", &number))
        r->at->spill = number;
    if (before(line, " bytes smem", &number))
        r->at->static_shared = number;
    if (strstr(line, "ptxas info") && before(line, " registers", &number))
        r->at->registers = (unsigned)number;
}

/* The number after `what`. */
static bool after(const char *text, const char *what, uint64_t *number_out)
{
    const size_t length = strlen(what);

    if (strncmp(text, what, length) != 0)
        return false;
    *number_out = strtoull(text + length, NULL, 10);
    return true;
}

/* With accumulation registers, the others are rounded up to a multiple of 4. */
static unsigned vector_registers(unsigned others, unsigned accumulation)
{
    return accumulation ? (others + 3) / 4 * 4 + accumulation : others;
}

static void read_remark(reader *r, const char *remark)
{
    char name[NAME_MAX_BYTES];
    uint64_t number = 0;

    remark += strspn(remark, " ");
    if (sscanf(remark, "Function Name: %1023s", name) == 1)
        begin(r, name);
    if (!r->at)
        return;
    if (after(remark, "SGPRs: ", &number) || after(remark, "TotalSGPRs: ", &number))
        r->at->scalars = (unsigned)number;
    else if (after(remark, "VGPRs: ", &number))
        r->at->registers = (unsigned)number;
    else if (after(remark, "AGPRs: ", &number))
        r->at->registers = vector_registers(r->at->registers, (unsigned)number);
    else if (after(remark, "ScratchSize [bytes/lane]: ", &number))
        r->at->local = number;
    else if (after(remark, "VGPRs Spill: ", &number))
        r->at->spill = SPILLED * number;
    else if (after(remark, "LDS Size [bytes/block]: ", &number))
        r->at->static_shared = number;
}

static void read_line(reader *r, const char *line)
{
    static const char remark[] = "remark: ";
    const char *found = strstr(line, remark);

    if (found && strstr(line, "kernel-resource-usage"))
        read_remark(r, found + strlen(remark));
    else
        read_ptxas(r, line);
}

int uses_read_report(const cli_arguments *arguments, const char *path, uses *list)
{
    reader r = {.list = list};
    char name[HD__IO_NAME], *line = NULL;
    size_t room = 0;
    FILE *file = fopen(path, "r");

    hd__io_printable_path(path, name, sizeof name);
    if (!file)
        return cli_failed(arguments->command, "%s: %s", name, strerror(errno));
    while (!r.no_memory && getline(&line, &room, file) >= 0)
        read_line(&r, line);
    free(line);
    (void)fclose(file);
    if (r.no_memory)
        return cli_failed(arguments->command, "no memory for %zu kernels", list->count);
    if (!list->count)
        return cli_failed(arguments->command,
                          "%s: neither a trace, nor what nvcc -Xptxas -v or clang "
                          "-Rpass-analysis=kernel-resource-usage print",
                          name);
    return CLI_DONE;
}
