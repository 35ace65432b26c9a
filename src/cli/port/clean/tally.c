/* SPDX-License-Identifier: Apache-2.0 */
/* tally.c - what --clean has rewritten and kept: one entry per name and new name or reason. */
#include "clean.h"

#include <stdlib.h>
#include <string.h>

static void count(port_job *job, const port_file *file, uint32_t token, const char *name,
                  const char *note, bool rewritten)
{
    port_tally *tally;

    for (size_t i = 0; i < job->tally_count; i++) {
        tally = &job->tallies[i];
        if (tally->rewritten == rewritten && strcmp(tally->name, name) == 0 &&
            strcmp(tally->note, note) == 0) {
            tally->count++;
            return;
        }
    }
    if (!port_grow(job, &job->tallies, job->tally_count, &job->tally_room, sizeof *job->tallies))
        return;
    tally = &job->tallies[job->tally_count];
    *tally = (port_tally){.name = port_print(job, "%s", name),
                          .note = port_print(job, "%s", note),
                          .rewritten = rewritten,
                          .count = 1,
                          .file = file,
                          .line = file->tokens[token].line};
    job->tally_count += tally->name && tally->note;
}

void clean_rewrote(port_job *job, const port_file *file, uint32_t token, const char *name,
                   const char *heddle)
{
    count(job, file, token, name, heddle, true);
}

void clean_kept(port_job *job, const port_file *file, uint32_t token, const char *name,
                const char *why)
{
    count(job, file, token, name, why, false);
}

/* Rewritten names first, by name; the others by reason, then by name. */
static int compare(const void *a, const void *b)
{
    const port_tally *x = a, *y = b;
    const int notes = strcmp(x->note, y->note), names = strcmp(x->name, y->name);

    if (x->rewritten != y->rewritten)
        return x->rewritten ? -1 : 1;
    if (x->rewritten)
        return names ? names : notes;
    return notes ? notes : names;
}

void port_tallies_sort(port_job *job)
{
    if (job->tally_count)
        qsort(job->tallies, job->tally_count, sizeof *job->tallies, compare);
}

size_t port_tally_total(const port_job *job, bool rewritten)
{
    size_t total = 0;

    for (size_t i = 0; i < job->tally_count; i++)
        total += job->tallies[i].rewritten == rewritten ? job->tallies[i].count : 0;
    return total;
}

void port_print_tallies(const port_job *job)
{
    printf("--clean: %zu uses of CUDA's names rewritten, %zu kept\n", port_tally_total(job, true),
           port_tally_total(job, false));
    for (size_t i = 0; i < job->tally_count; i++) {
        const port_tally *t = &job->tallies[i];

        if (t->rewritten) {
            printf("%6zu  %s: %s\n", t->count, t->name, t->note);
            continue;
        }
        if (i == 0 || t[-1].rewritten || strcmp(t[-1].note, t->note) != 0)
            printf("kept: %s\n", t->note);
        printf("%6zu  %s (first in %s:%u)\n", t->count, t->name, t->file->path, (unsigned)t->line);
    }
}
