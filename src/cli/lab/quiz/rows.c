/* SPDX-License-Identifier: Apache-2.0 */
/* rows.c - operations as text, and as boxes in rows of characters. */
#include "quiz.h"

#include <math.h>
#include <string.h>

enum { COLUMNS = 72, LEFT = 10, BOX = 8 /* BOX: limit for the columns of the shortest box */ };

void quiz_op_text(const quiz_op *op, char text[2 * QUIZ_NAME])
{
    static const char *const names[] = {"in", "out", "kernel", "host", "record", "wait", "sync"};

    snprintf(text, 2 * QUIZ_NAME, "%s%s%s", names[op->kind], op->name[0] ? " " : "", op->name);
}

/* ---- rows of characters ---------------------------------------------------------------------- */

static const char *row_name(const quiz_op *op)
{
    static const char *const names[] = {"copy in", "copy out", "compute", "host"};

    return op->kind <= QUIZ_HOST ? names[op->kind] : "";
}

/* A box from its first to its last column, with as much of the name as fits. */
static void put_box(char *line, const quiz_op *op, size_t from, size_t to)
{
    size_t room = to - from, length = strlen(op->name);

    if (room == 0)
        return;
    memset(line + from, '-', room);
    line[from] = '[';
    line[to - 1] = room > 1 ? ']' : '[';
    if (room > 2)
        memcpy(line + from + 1, op->name, length < room - 2 ? length : room - 2);
}

void quiz_print_rows(const quiz *q, const quiz_times *times)
{
    static const char *const rows[] = {"copy in", "compute", "copy out", "host"};
    double scale = times->total > 0 ? COLUMNS / times->total : 1, least = times->total;

    for (size_t i = 0; i < q->op_count; i++)
        if (times->end[i] > times->begin[i])
            least = fmin(least, times->end[i] - times->begin[i]);
    scale = fmin(scale, BOX / least);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        char line[COLUMNS + 2];
        int used = 0;

        memset(line, ' ', sizeof line);
        for (size_t i = 0; i < q->op_count; i++) {
            if (strcmp(row_name(&q->ops[i]), rows[r]) != 0)
                continue;
            put_box(line, &q->ops[i], (size_t)lround(times->begin[i] * scale),
                    (size_t)lround(times->end[i] * scale));
            used = 1;
        }
        line[COLUMNS] = '\0';
        for (size_t end = COLUMNS; end > 0 && line[end - 1] == ' '; end--)
            line[end - 1] = '\0';
        if (used)
            printf("  %-*s %s\n", LEFT, rows[r], line);
    }
}
