/* SPDX-License-Identifier: Apache-2.0 */
/* edits.c - changes of a file's text, recorded in any order and applied when it is written. */
#include "port.h"

#include <stdlib.h>
#include <string.h>

static void add(port_job *job, port_file *file, uint32_t at, uint32_t length, char *text)
{
    if (!text) {
        job->no_memory = true;
        return;
    }
    if (!port_grow(job, &file->edits, file->edit_count, &file->edit_room, sizeof *file->edits)) {
        free(text);
        return;
    }
    file->edits[file->edit_count] = (port_edit){at, length, (uint32_t)file->edit_count, text};
    file->edit_count++;
}

void port_replace(port_job *job, port_file *file, uint32_t first, uint32_t last, char *text)
{
    const port_token *from = &file->tokens[first], *to = &file->tokens[last];

    add(job, file, from->at, to->at + to->length - from->at, text);
}

void port_remove(port_job *job, port_file *file, uint32_t i)
{
    uint32_t end = file->tokens[i].at + file->tokens[i].length;

    while (end < file->size && (file->text[end] == ' ' || file->text[end] == '\t'))
        end++;
    add(job, file, file->tokens[i].at, end - file->tokens[i].at, port_print(job, "%s", ""));
}

void port_insert(port_job *job, port_file *file, uint32_t token, char *text)
{
    add(job, file, file->tokens[token].at, 0, text);
}

static int compare(const void *a, const void *b)
{
    const port_edit *x = a, *y = b;

    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    if (!x->length != !y->length)
        return x->length ? 1 : -1; /* insertions come first */
    return x->order < y->order ? -1 : 1;
}

/* Of edits that overlap, the first one counts. */
int port_write_edited(port_file *file, FILE *to)
{
    uint32_t at = 0;

    if (file->edit_count)
        qsort(file->edits, file->edit_count, sizeof *file->edits, compare);
    for (size_t i = 0; i < file->edit_count; i++) {
        const port_edit *edit = &file->edits[i];

        if (edit->at < at)
            continue;
        fwrite(file->text + at, 1, edit->at - at, to);
        fputs(edit->text, to);
        at = edit->at + edit->length;
    }
    fwrite(file->text + at, 1, file->size - at, to);
    return ferror(to) ? -1 : 0;
}
