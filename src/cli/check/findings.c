/* SPDX-License-Identifier: Apache-2.0 */
/* findings.c - merges the findings of all runs. */
#include "check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"

/* Grows *array by one element if necessary; 0 without memory. */
static int grow(void *array, size_t count, size_t size)
{
    void *memory;

    if (count & (count - 1)) /* the capacity is a power of two */
        return 1;
    memcpy(&memory, array, sizeof memory);
    memory = realloc(memory, (count ? 2 * count : 1) * size);
    if (memory)
        memcpy(array, &memory, sizeof memory);
    return memory != NULL;
}

/* ---- identity of a finding ------------------------------------------------------------------- */

static void put_place(FILE *to, const hd__json *at)
{
    fprintf(to, "%s|%s%s|%" PRIu64 "\n", hd__json_text(at, "kernel"), hd__json_text(at, "file"),
            hd__json_text(at, "module"), hd__json_count(at, "line"));
}

static int has_place(const hd__json *at)
{
    return hd__json_text(at, "file")[0] || hd__json_text(at, "module")[0];
}

/* Code, kernel and places; the two sides in either order. NULL without memory. */
static char *key_of(const hd__json *line)
{
    const hd__json *sides = hd__json_member(line, "sides");
    char *key = NULL, *text[2] = {NULL, NULL};
    size_t size;
    FILE *to;
    int places = 0, count = 0, swap;

    for (; count < 2 && hd__json_at(sides, (size_t)count); count++) {
        const hd__json *side = hd__json_at(sides, (size_t)count);
        FILE *one = open_memstream(&text[count], &size);

        if (!one)
            break;
        places += has_place(side);
        put_place(one, side);
        fclose(one);
    }
    swap = text[0] && text[1] && strcmp(text[0], text[1]) > 0;
    to = open_memstream(&key, &size);
    if (to) {
        fprintf(to, "%s\n%s%s", hd__json_text(line, "code"), text[swap] ? text[swap] : "",
                text[!swap] ? text[!swap] : "");
        if (!places) {
            put_place(to, hd__json_member(line, "launch"));
            fputs(hd__json_text(line, "object"), to);
        }
        fclose(to);
    }
    free(text[0]);
    free(text[1]);
    return key;
}

static check_finding *find(check_results *results, const char *key)
{
    for (size_t i = 0; i < results->finding_count; i++)
        if (strcmp(results->findings[i].key, key) == 0)
            return &results->findings[i];
    return NULL;
}

static check_finding *finding_make(check_results *results, char *key, hd__json *line)
{
    check_finding *made;

    if (!grow(&results->findings, results->finding_count, sizeof *results->findings))
        return NULL;
    made = &results->findings[results->finding_count++];
    memset(made, 0, sizeof *made);
    made->key = key;
    made->line = line;
    made->last_run = SIZE_MAX;
    return made;
}

/* ---- variables that a run needs -------------------------------------------------------------- */

static int is_plain(const char *word)
{
    return *word && strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                 "@%_-+=:,./") == strlen(word);
}

void check_word(const char *word, FILE *to)
{
    if (is_plain(word)) {
        fputs(word, to);
        return;
    }
    putc('\'', to);
    for (const char *c = word; *c; c++)
        if (*c == '\'')
            fputs("'\\''", to);
        else
            putc(*c, to);
    putc('\'', to);
}

const char *check_given(unsigned i)
{
    static const char *const names[] = {
        "HEDDLE_CPU_DEVICES",   "HEDDLE_CPU_PEERS",    "HEDDLE_CPU_PEERS_BROKEN",
        "HEDDLE_CPU_MEMORY",    "HEDDLE_CPU_SHARED",   "HEDDLE_CPU_STACK",
        "HEDDLE_CPU_WATCHDOG",  "HEDDLE_CHECK_REPLAY", "HEDDLE_CHECK_PROFILE",
        "HEDDLE_CHECK_LIBRARY",
    };

    return i < sizeof names / sizeof *names ? names[i] : NULL;
}

/* Also printed if the value is the default but the user has set another. */
static size_t put_variable(FILE *to, const char *name, const char *value, const char *standard)
{
    const char *given = hd__environment(name);

    if (strcmp(value, standard) == 0 && (!given || !*given || strcmp(given, value) == 0))
        return 0;
    fprintf(to, "%s=%s ", name, value);
    return 1;
}

static size_t put_given(FILE *to, const check_job *job, const check_setup *setup)
{
    size_t count = 0;

    for (unsigned i = 0; check_given(i); i++) {
        const char *name = check_given(i), *value = hd__environment(name);

        if (!value || !*value || setup->left_out >> i & 1 ||
            (job && job->replay && strcmp(name, "HEDDLE_CHECK_REPLAY") == 0))
            continue;
        fprintf(to, "%s=", name);
        check_word(value, to);
        putc(' ', to);
        count++;
    }
    return count;
}

size_t check_variables(const check_job *job, const check_setup *setup, const char *code, char *text,
                       size_t size)
{
    char warp[16], seed[32], streams[32] = "eager", replay[16];
    FILE *to = fmemopen(text, size, "w");
    size_t count = 0;

    text[0] = '\0';
    if (!to)
        return 0;
    snprintf(warp, sizeof warp, "%u", setup->warp);
    snprintf(seed, sizeof seed, "%" PRIu64, setup->seed);
    if (setup->lazy)
        snprintf(streams, sizeof streams, "lazy:%" PRIu64, setup->lazy_seed);
    count += put_variable(to, "HEDDLE_CPU_WARP", warp, "32");
    count += put_variable(to, "HEDDLE_CHECK_SEED", seed, "0");
    count += put_variable(to, "HEDDLE_CPU_STREAMS", streams, "eager");
    if (strcmp(code, "HD-WARP-DEPENDENT") == 0 && job->replay) {
        snprintf(replay, sizeof replay, "%u", job->replay);
        count += put_variable(to, "HEDDLE_CHECK_REPLAY", replay, "0");
    }
    count += put_given(to, job, setup);
    fclose(to);
    return count;
}

/* ---- lines of a report ----------------------------------------------------------------------- */

/* Numbers of the findings in one report: each process numbers its own. */
typedef struct numbered {
    uint64_t pid, id;
    size_t finding;
} numbered;

typedef struct report {
    check_results *results;
    size_t run;
    numbered *numbers;
    size_t count;
} report;

static int add_finding(report *r, hd__json **line)
{
    numbered number = {hd__json_count(*line, "pid"), hd__json_count(*line, "id"), 0};
    check_results *results = r->results;
    check_run *run = &results->runs[r->run];
    char *key = key_of(*line), text[CHECK_VARIABLES];
    check_finding *finding = key ? find(results, key) : NULL;

    if (!key || !grow(&r->numbers, r->count, sizeof *r->numbers))
        goto no_memory;
    if (!finding) {
        finding = finding_make(results, key, *line);
        if (!finding)
            goto no_memory;
        finding->best = run->setup;
        *line = NULL;
    } else {
        free(key);
    }
    key = NULL;
    if (finding->last_run != r->run) {
        finding->seen_in += !run->extra;
        finding->last_run = r->run;
        if (check_variables(NULL, &run->setup, "", text, sizeof text) <
            check_variables(NULL, &finding->best, "", text, sizeof text))
            finding->best = run->setup;
    }
    number.finding = (size_t)(finding - results->findings);
    r->numbers[r->count++] = number;
    run->findings++;
    run->errors_found += strcmp(hd__json_text(results->findings[number.finding].line, "severity"),
                                "error") == 0;
    return 0;
no_memory:
    free(key);
    return -1;
}

static void add_count(report *r, const hd__json *line)
{
    for (size_t i = 0; i < r->count && !r->results->runs[r->run].extra; i++)
        if (r->numbers[i].pid == hd__json_count(line, "pid") &&
            r->numbers[i].id == hd__json_count(line, "id"))
            r->results->findings[r->numbers[i].finding].count += hd__json_count(line, "count");
}

static int add_suppression(check_results *results, hd__json **line)
{
    for (size_t i = 0; i < results->suppression_count; i++) {
        const hd__json *known = results->suppressions[i].line;

        if (strcmp(hd__json_text(known, "file"), hd__json_text(*line, "file")) == 0 &&
            hd__json_count(known, "line") == hd__json_count(*line, "line")) {
            results->suppressions[i].used += hd__json_count(*line, "used");
            return 0;
        }
    }
    if (!grow(&results->suppressions, results->suppression_count, sizeof *results->suppressions))
        return -1;
    results->suppressions[results->suppression_count++] = (check_suppression){
        *line, hd__json_count(*line, "used")};
    *line = NULL;
    return 0;
}

/* Takes *line and sets it to NULL if it is kept. */
static int add_line(report *r, hd__json **line)
{
    check_run *run = &r->results->runs[r->run];
    const char *type = hd__json_text(*line, "type");

    if (strcmp(type, "run") == 0)
        run->reported = 1;
    else if (strcmp(type, "finding") == 0)
        return add_finding(r, line);
    else if (strcmp(type, "count") == 0)
        add_count(r, *line);
    else if (strcmp(type, "suppression") == 0)
        return add_suppression(r->results, line);
    else if (strcmp(type, "invalid") == 0 && !run->invalid)
        run->invalid = strdup(hd__json_text(*line, "message"));
    else if (strcmp(type, "end") == 0)
        run->complete = 1;
    return 0;
}

int check_findings_add(check_results *results, size_t run, const char *file)
{
    report r = {results, run, NULL, 0};
    FILE *stream = fopen(file, "r");
    char *text = NULL;
    size_t room = 0;
    ssize_t length;
    int status = 0;

    for (size_t n = 1; stream && status == 0 && (length = getline(&text, &room, stream)) >= 0;
         n++) {
        const size_t bytes = (size_t)length - (text[length - 1] == '\n');
        char why[HD__IO_MESSAGE];
        hd__json *line = hd__json_read_text(text, bytes, why);

        if (line)
            status = add_line(&r, &line);
        else if (results->broken_lines++ == 0)
            (void)snprintf(results->broken, sizeof results->broken, "line %zu, %s", n, why);
        hd__json_free(line);
    }
    free(text);
    free(r.numbers);
    if (stream)
        fclose(stream);
    return status;
}

/* ---- order ----------------------------------------------------------------------------------- */

static const hd__json *first_side(const check_finding *finding)
{
    return hd__json_at(hd__json_member(finding->line, "sides"), 0);
}

static int rank(const check_finding *finding)
{
    const char *severity = hd__json_text(finding->line, "severity");

    return strcmp(severity, "error") == 0 ? 0 : strcmp(severity, "portability") == 0 ? 1 : 2;
}

static int compare(const void *a, const void *b)
{
    const check_finding *x = a, *y = b;
    uint64_t left = hd__json_count(first_side(x), "line"),
             right = hd__json_count(first_side(y), "line");
    int order = rank(x) - rank(y);

    if (order == 0)
        order = strcmp(hd__json_text(first_side(x), "file"), hd__json_text(first_side(y), "file"));
    if (order == 0)
        order = left < right ? -1 : left > right;
    return order ? order : strcmp(x->key, y->key);
}

void check_findings_sort(check_results *results)
{
    if (results->finding_count)
        qsort(results->findings, results->finding_count, sizeof *results->findings, compare);
}

size_t check_findings_of(const check_results *results, const char *severity)
{
    size_t count = 0;

    for (size_t i = 0; i < results->finding_count; i++)
        count += strcmp(hd__json_text(results->findings[i].line, "severity"), severity) == 0;
    return count;
}

void check_results_free(check_results *results)
{
    for (size_t i = 0; i < results->finding_count; i++) {
        hd__json_free(results->findings[i].line);
        free(results->findings[i].key);
    }
    for (size_t i = 0; i < results->suppression_count; i++)
        hd__json_free(results->suppressions[i].line);
    for (size_t i = 0; i < results->run_count; i++) {
        free(results->runs[i].invalid);
        free(results->runs[i].tail);
        free(results->runs[i].output);
        free(results->runs[i].errors);
    }
    free(results->findings);
    free(results->suppressions);
    free(results->runs);
}
