/* SPDX-License-Identifier: Apache-2.0 */
/* Converts entries to rows: a stable counting sort by column, then one by row, then duplicates are
   added. */
#include "rows.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int32_t key_of(const hd__mtx_entry *entry, int by_row)
{
    return by_row ? entry->row : entry->column;
}

/* Stable; ends[k] is set to the end of key k. */
static void sort_by(const hd__mtx_entry *from, hd__mtx_entry *to, size_t count, int by_row,
                    size_t *ends, size_t keys)
{
    size_t i, before = 0;

    memset(ends, 0, keys * sizeof *ends);
    for (i = 0; i < count; i++)
        ends[key_of(from + i, by_row)]++;
    for (i = 0; i < keys; i++) {
        size_t here = ends[i];
        ends[i] = before;
        before += here;
    }
    for (i = 0; i < count; i++)
        to[ends[key_of(from + i, by_row)]++] = from[i];
}

/* Copies each entry and, for a symmetric matrix, its transposed counterpart after it. */
static size_t mirror(const hd__mtx_entry *entries, size_t count, hd__mtx_symmetry symmetry,
                     hd__mtx_entry *to)
{
    size_t i, made = 0;

    for (i = 0; i < count; i++) {
        to[made++] = entries[i];
        if (symmetry != HD__MTX_GENERAL && entries[i].row != entries[i].column) {
            const double value = entries[i].value;
            to[made].row = entries[i].column;
            to[made].column = entries[i].row;
            to[made++].value = symmetry == HD__MTX_SKEW ? -value : value;
        }
    }
    return made;
}

/* Converts the sorted entries to rows. */
static void fill_rows(const hd__mtx_entry *sorted, size_t count, hd__mtx *matrix)
{
    size_t i, made = 0, row = 0;

    matrix->offsets[0] = 0;
    for (i = 0; i < count; i++) {
        const hd__mtx_entry *e = sorted + i;
        if (i > 0 && e[-1].row == e->row && e[-1].column == e->column) {
            matrix->value[made - 1] += e->value;
            continue;
        }
        while (row < (size_t)e->row)
            matrix->offsets[++row] = (int64_t)made;
        matrix->column[made] = e->column;
        matrix->value[made++] = e->value;
    }
    while (row < matrix->rows)
        matrix->offsets[++row] = (int64_t)made;
    matrix->entries = made;
}

/* With overcommit, allocations succeed but using the memory kills the process: the size line of a
   file can claim any number of rows. */
static int has_memory(size_t keys, size_t rows, size_t room)
{
    const double wanted = 8.0 * ((double)keys + (double)rows) + 44.0 * (double)room;
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages <= 0 || page <= 0 || wanted < (double)pages * (double)page;
}

int hd__mtx_rows(const hd__mtx_entry *entries, size_t count, hd__mtx *matrix)
{
    const size_t keys = matrix->rows > matrix->columns ? matrix->rows : matrix->columns;
    const size_t room = matrix->symmetry == HD__MTX_GENERAL ? count : 2 * count;
    if (!has_memory(keys, matrix->rows, room))
        return -1;
    hd__mtx_entry *all = calloc(room + 1, sizeof *all);
    hd__mtx_entry *sorted = malloc((room + 1) * sizeof *sorted);
    size_t *ends = malloc((keys + 1) * sizeof *ends);
    int status = -1;

    matrix->offsets = malloc((matrix->rows + 1) * sizeof *matrix->offsets);
    matrix->column = malloc((room + 1) * sizeof *matrix->column);
    matrix->value = malloc((room + 1) * sizeof *matrix->value);
    if (all && sorted && ends && matrix->offsets && matrix->column && matrix->value) {
        const size_t made = mirror(entries, count, matrix->symmetry, all);
        sort_by(all, sorted, made, 0, ends, matrix->columns);
        sort_by(sorted, all, made, 1, ends, matrix->rows);
        fill_rows(all, made, matrix);
        status = 0;
    }
    free(all);
    free(sorted);
    free(ends);
    return status;
}
