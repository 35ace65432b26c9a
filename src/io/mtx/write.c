/* SPDX-License-Identifier: Apache-2.0 */
/* Writes Matrix Market files. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/replace.h"
#include "io/message.h"
#include "mtx.h"

static int write_rows(FILE *file, void *state)
{
    const hd__mtx *m = state;
    size_t row;
    int64_t i;

    fprintf(file, "%%%%MatrixMarket matrix coordinate real general\n%zu %zu %zu\n", m->rows,
            m->columns, m->entries);
    for (row = 0; row < m->rows && !ferror(file); row++)
        for (i = m->offsets[row]; i < m->offsets[row + 1]; i++)
            fprintf(file, "%zu %" PRId32 " %.17g\n", row + 1, m->column[i] + 1, m->value[i]);
    return ferror(file) ? -1 : 0;
}

int hd__mtx_write(const char *path, const hd__mtx *matrix, char message[HD__IO_MESSAGE])
{
    char name[HD__IO_NAME];
    hd__mtx written = *matrix;

    hd__io_printable_path(path, name, sizeof name);
    if (hd__replace_file(path, write_rows, &written) != 0)
        return hd__io_fail(message, HD__IO_ERR_FILE, name, "%s",
                           errno ? strerror(errno) : "write error");
    return 0;
}
