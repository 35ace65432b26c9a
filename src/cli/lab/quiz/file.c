/* SPDX-License-Identifier: Apache-2.0 */
/* file.c - reads a quiz: one statement per line, words separated by blanks, comments after '#'. */
#include "quiz.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "io/message.h"
#include "io/source.h"

enum { WORDS = 24, LINE_BYTES = 512 };

typedef struct reader {
    quiz *q;
    const char *path;
    unsigned line;
    char *words[WORDS];
    size_t count, at; /* number of words, and the next one */
    char *message;
} reader;

__attribute__((format(printf, 2, 3))) static int refuse(reader *r, const char *format, ...)
{
    char text[QUIZ_MESSAGE - HD__IO_NAME - 16], name[HD__IO_NAME];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    hd__io_printable_path(r->path, name, sizeof name);
    if (r->line > 0)
        snprintf(r->message, QUIZ_MESSAGE, "%s:%u: %s", name, r->line, text);
    else
        snprintf(r->message, QUIZ_MESSAGE, "%s: %s", name, text);
    return -1;
}

/* ---- words ----------------------------------------------------------------------------------- */

/* The next word; NULL after the last. */
static const char *next(reader *r)
{
    return r->at < r->count ? r->words[r->at++] : NULL;
}

static int copy_name(reader *r, const char *word, size_t length, char name[QUIZ_NAME])
{
    if (length == 0 || length >= QUIZ_NAME)
        return refuse(r, "a name of %zu characters; 1 to %d are possible", length, QUIZ_NAME - 1);
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)word[i]) && !strchr("_.+-", word[i]))
            return refuse(r, "'%.*s' is not a name", (int)length, word);
    memcpy(name, word, length);
    name[length] = '\0';
    return 0;
}

/* Index of a name in a list, appended if it is new; -1 after a message. */
static int index_of(reader *r, char names[][QUIZ_NAME], size_t *count, const char *word,
                    size_t length)
{
    char name[QUIZ_NAME];

    if (copy_name(r, word, length, name) < 0)
        return -1;
    for (size_t i = 0; i < *count; i++)
        if (strcmp(names[i], name) == 0)
            return (int)i;
    if (*count == QUIZ_NAMES)
        return refuse(r, "more than %d arrays, or events", QUIZ_NAMES);
    memcpy(names[*count], name, sizeof name);
    return (int)(*count)++;
}

static int stream_of(reader *r, const char *word)
{
    quiz *q = r->q;
    quiz_stream made = {"", 0, 1};

    if (!word)
        return refuse(r, "a stream is missing");
    if (copy_name(r, word, strlen(word), made.name) < 0)
        return -1;
    made.legacy = strcmp(word, "default") == 0;
    for (size_t i = 0; i < q->stream_count; i++)
        if (strcmp(q->streams[i].name, word) == 0)
            return (int)i;
    if (q->stream_count == QUIZ_NAMES)
        return refuse(r, "more than %d streams", QUIZ_NAMES);
    q->streams[q->stream_count] = made;
    return (int)q->stream_count++;
}

/* "a,b" as a bit set. */
static int arrays_of(reader *r, const char *word, uint64_t *bits_out)
{
    if (!word)
        return refuse(r, "an array is missing");
    for (const char *at = word;; at++) {
        size_t length = strcspn(at, ",");
        int index = index_of(r, r->q->arrays, &r->q->array_count, at, length);

        if (index < 0)
            return -1;
        *bits_out |= (uint64_t)1 << index;
        at += length;
        if (!*at)
            return 0;
    }
}

static int number_of(reader *r, const char *word, double *value_out)
{
    char *end;
    double value = word ? strtod(word, &end) : 0;

    if (!word || end == word || *end || !(value >= 0) || value > 1e6)
        return refuse(r, "'%s' is not a time from 0 to 1000000", word ? word : "");
    *value_out = value;
    return 0;
}

/* ---- statements ------------------------------------------------------------------------------ */

/* reads A,B writes C cost T, in any order, to the end of the line. */
static int read_rest(reader *r, quiz_op *op)
{
    const char *word;
    int status = 0;

    while (status == 0 && (word = next(r)) != NULL) {
        if (strcmp(word, "reads") == 0)
            status = arrays_of(r, next(r), op->kind == QUIZ_HOST ? &op->host_reads : &op->reads);
        else if (strcmp(word, "writes") == 0)
            status = arrays_of(r, next(r), op->kind == QUIZ_HOST ? &op->host_writes : &op->writes);
        else if (strcmp(word, "cost") == 0)
            status = number_of(r, next(r), &op->cost);
        else
            status = refuse(r, "'%s' is not reads, writes or cost", word);
    }
    return status;
}

/* in ARRAY STREAM, out ARRAY STREAM, kernel NAME STREAM, host NAME */
static int read_work(reader *r, quiz_op *op)
{
    const char *name = next(r);
    uint64_t array = 0;

    op->cost = 1;
    if (!name)
        return refuse(r, "a name is missing");
    if (copy_name(r, name, strlen(name), op->name) < 0)
        return -1;
    if (op->kind != QUIZ_HOST && (op->stream = stream_of(r, next(r))) < 0)
        return -1;
    if (op->kind == QUIZ_IN || op->kind == QUIZ_OUT) {
        if (arrays_of(r, name, &array) < 0)
            return -1;
        op->host_reads = op->writes = op->kind == QUIZ_IN ? array : 0;
        op->reads = op->host_writes = op->kind == QUIZ_OUT ? array : 0;
    }
    return read_rest(r, op);
}

/* record EVENT STREAM, wait EVENT STREAM, sync STREAM, sync */
static int read_order(reader *r, quiz_op *op)
{
    const char *word = next(r);

    if (op->kind != QUIZ_SYNC) {
        size_t before = r->q->event_count;

        if (!word)
            return refuse(r, "an event is missing");
        op->event = index_of(r, r->q->events, &r->q->event_count, word, strlen(word));
        if (op->event < 0)
            return -1;
        if (op->kind == QUIZ_WAIT && r->q->event_count > before)
            return refuse(r, "event %s was not recorded before", word);
        word = next(r);
    }
    if (op->kind == QUIZ_SYNC && !word)
        return 0;
    op->stream = stream_of(r, word);
    return op->stream < 0 ? -1 : read_rest(r, op);
}

static int read_op(reader *r, const char *word)
{
    static const char *const names[] = {"in", "out", "kernel", "host", "record", "wait", "sync"};
    quiz_op op = {.stream = -1, .event = -1};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(word, names[i]) != 0)
            continue;
        if (r->q->op_count == QUIZ_OPS)
            return refuse(r, "more than %d operations", QUIZ_OPS);
        op.kind = (quiz_kind)i;
        if ((op.kind >= QUIZ_RECORD ? read_order(r, &op) : read_work(r, &op)) < 0)
            return -1;
        r->q->ops[r->q->op_count++] = op;
        return 0;
    }
    return refuse(r, "unknown statement '%s'", word);
}

static int read_answer(reader *r)
{
    quiz_answer *a = &r->q->answers[r->q->answer_count];
    const char *word;
    double engines;

    if (r->q->answer_count == QUIZ_ANSWERS)
        return refuse(r, "more than %d answers", QUIZ_ANSWERS);
    if (number_of(r, next(r), &a->total) < 0)
        return -1;
    if ((word = next(r)) != NULL) {
        if (strcmp(word, "engines") != 0 || number_of(r, next(r), &engines) < 0 ||
            (engines != 1 && engines != 2))
            return refuse(r, "an answer may be followed only by 'engines 1' or 'engines 2'");
        a->engines = (int)engines;
    }
    r->q->answer_count++;
    return 0;
}

static int read_statement(reader *r)
{
    const char *word = next(r);

    if (strcmp(word, "answer") == 0)
        return read_answer(r);
    if (strcmp(word, "race") == 0)
        return arrays_of(r, next(r), &r->q->races);
    if (strcmp(word, "nonblocking") == 0) {
        int stream = stream_of(r, next(r));

        if (stream >= 0 && r->q->streams[stream].legacy)
            return refuse(r, "the default stream is always blocking");
        if (stream >= 0)
            r->q->streams[stream].blocking = 0;
        return stream < 0 ? -1 : 0;
    }
    return read_op(r, word);
}

static int read_line(reader *r, char *line)
{
    char *comment = strchr(line, '#'), *at = line;

    r->line++;
    r->count = r->at = 0;
    if (comment)
        *comment = '\0';
    at += strspn(at, " \t\r\n");
    if (strncmp(at, "title ", 6) == 0) {
        at += 6 + strspn(at + 6, " \t");
        snprintf(r->q->title, sizeof r->q->title, "%.*s", (int)strcspn(at, "\r\n"), at);
        return 0;
    }
    for (char *word = strtok(at, " \t\r\n"); word; word = strtok(NULL, " \t\r\n")) {
        if (r->count == WORDS)
            return refuse(r, "more than %d words", WORDS);
        r->words[r->count++] = word;
    }
    if (r->count == 0)
        return 0;
    if (read_statement(r) < 0)
        return -1;
    return r->at < r->count ? refuse(r, "unexpected '%s'", r->words[r->at]) : 0;
}

int quiz_read(const char *path, quiz *quiz_out, char message[QUIZ_MESSAGE])
{
    reader r = {.q = quiz_out, .path = path, .message = message};
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    char line[LINE_BYTES];
    int status = 0;

    memset(quiz_out, 0, sizeof *quiz_out);
    while (file && status == 0 && fgets(line, sizeof line, file))
        status = strlen(line) + 1 == sizeof line ? refuse(&r, "the line is too long")
                                                 : read_line(&r, line);
    if (!file || (status == 0 && ferror(file)))
        status = refuse(&r, "%s", strerror(errno));
    if (file && file != stdin)
        fclose(file);
    if (status == 0 && quiz_out->op_count == 0)
        status = refuse(&r, "there is no copy, kernel or host work in it");
    return status;
}
