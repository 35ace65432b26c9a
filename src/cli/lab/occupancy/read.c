/* SPDX-License-Identifier: Apache-2.0 */
/* read.c - which kind of file it is. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "io/message.h"
#include "cli/app/output.h"
#include "use.h"

/* A trace is a JSON object. */
static int first_character(FILE *file)
{
    int c = getc(file);

    while (c != EOF && isspace(c))
        c = getc(file);
    return c;
}

int uses_read(const cli_arguments *arguments, const char *path, uses *list)
{
    char name[HD__IO_NAME];
    FILE *file = fopen(path, "r");
    int first;

    list->device = LAB_NO_DEVICE;
    hd__io_printable_path(path, name, sizeof name);
    if (!file)
        return cli_failed(arguments->command, "%s: %s", name, strerror(errno));
    first = first_character(file);
    (void)fclose(file);
    return first == '{' ? uses_read_trace(arguments, path, list)
                        : uses_read_report(arguments, path, list);
}
