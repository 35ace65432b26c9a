/* SPDX-License-Identifier: Apache-2.0 */
/* quiz.c - `heddle quiz`: predicts when copies and kernels of an issue order run, says which arrays
   are raced for, and compares with the answers in the file, or with a run. */
#include "quiz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/source.h"
#include "cli/app/output.h"
#include "cli/trace/timeline.h"
#include "cli/app/words.h"

enum { COLUMNS = 72, LEFT = 10, BOX = 8 /* columns of the shortest box at most */ };

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

/* ---- the picture ----------------------------------------------------------------------------- */

int quiz_plot(const quiz *q, const quiz_times *times, const char *path, char *message)
{
    static const hd_trace_kind kinds[] = {HD_TRACE_COPY_IN, HD_TRACE_COPY_OUT, HD_TRACE_KERNEL,
                                          HD_TRACE_RANGE};
    hd_trace_span *spans = calloc(q->op_count, sizeof *spans);
    cli_timeline timeline = {q->title, "time / units", 1, spans, 0, 1};
    int status;

    if (!spans) {
        snprintf(message, HD__IO_MESSAGE, "no memory for the picture");
        return -1;
    }
    for (size_t i = 0; i < q->op_count; i++) {
        hd_trace_span *s = &spans[timeline.count];

        if (q->ops[i].kind > QUIZ_HOST)
            continue;
        timeline.count++;
        s->kind = kinds[q->ops[i].kind];
        s->name = q->ops[i].name;
        s->call = "";
        s->thread = 1;
        s->stream = (unsigned)(q->ops[i].stream + 1);
        s->begin = s->asked = times->begin[i];
        s->end = s->left = times->end[i];
    }
    status = cli_timeline_draw(&timeline, path, message);
    free(spans);
    return status;
}

/* ---- one quiz -------------------------------------------------------------------------------- */

static int same(double a, double b)
{
    return fabs(a - b) <= 1e-9 * (1 + fabs(b));
}

/* "a, b" of the bits */
static void array_list(const quiz *q, uint64_t bits, char *text, size_t size)
{
    text[0] = '\0';
    for (size_t i = 0; i < q->array_count; i++)
        if (bits >> i & 1)
            snprintf(text + strlen(text), size - strlen(text), "%s%s", text[0] ? ", " : "",
                     q->arrays[i]);
}

/* What the file says the total is: NaN for nothing. */
static double answer_for(const quiz *q, int engines)
{
    for (size_t i = 0; i < q->answer_count; i++)
        if (q->answers[i].engines == 0 || q->answers[i].engines == engines)
            return q->answers[i].total;
    return NAN;
}

static void print_times(const quiz *q, const quiz_times *t)
{
    char text[2 * QUIZ_NAME];

    printf("  %-20s %-10s %8s %8s\n", "operation", "stream", "begin", "end");
    for (size_t i = 0; i < q->op_count; i++) {
        quiz_op_text(&q->ops[i], text);
        printf("  %-20s %-10s %8.6g %8.6g\n", text,
               q->ops[i].stream < 0 ? "-" : q->streams[q->ops[i].stream].name, t->begin[i],
               t->end[i]);
    }
}

static void print_text(const quiz *q, const quiz_machine *machine, const quiz_times *t, int detail)
{
    double answer = answer_for(q, machine->copy_engines);

    printf("%d copy engine%s: %g", machine->copy_engines, machine->copy_engines == 1 ? "" : "s",
           t->total);
    if (!isnan(answer))
        printf(same(answer, t->total) ? ", as the file says" : ", but the file says %g", answer);
    putchar('\n');
    if (detail)
        print_times(q, t);
    quiz_print_rows(q, t);
}

static void print_races(const quiz *q, const quiz_times *t)
{
    char list[QUIZ_NAMES * (QUIZ_NAME + 2)], first[2 * QUIZ_NAME], second[2 * QUIZ_NAME];

    if (!t->races)
        return;
    array_list(q, t->races, list, sizeof list);
    quiz_op_text(&q->ops[t->racer[0]], first);
    quiz_op_text(&q->ops[t->racer[1]], second);
    printf("race: nothing orders '%s' and '%s' (array %s)\n", first, second, list);
}

static void print_json(const quiz *q, const quiz_machine *machine, const quiz_times *t)
{
    char text[2 * QUIZ_NAME], list[QUIZ_NAMES * (QUIZ_NAME + 2)];
    cli_json object, one;

    cli_json_begin(&object);
    cli_json_text(&object, "title", q->title);
    cli_json_f64(&object, "engines", machine->copy_engines, 3);
    cli_json_f64(&object, "total", t->total, 9);
    if (!isnan(answer_for(q, machine->copy_engines)))
        cli_json_f64(&object, "answer", answer_for(q, machine->copy_engines), 9);
    array_list(q, t->races, list, sizeof list);
    cli_json_text(&object, "races", list);
    cli_json_raw(&object, "operations", "[");
    for (size_t i = 0; i < q->op_count; i++) {
        if (i > 0)
            fputs(", ", stdout);
        quiz_op_text(&q->ops[i], text);
        cli_json_begin(&one);
        cli_json_text(&one, "operation", text);
        cli_json_text(&one, "stream",
                      q->ops[i].stream < 0 ? "" : q->streams[q->ops[i].stream].name);
        cli_json_f64(&one, "begin", t->begin[i], 9);
        cli_json_f64(&one, "end", t->end[i], 9);
        cli_json_end();
    }
    putchar(']');
    cli_json_end();
}

/* ---- the command ----------------------------------------------------------------------------- */

typedef struct request {
    const cli_arguments *arguments;
    cli_format format;
    quiz_machine machine;
    int engines_given, detail;
    size_t printed; /* rows */
} request;

/* Predicts for so many engines and prints. Returns whether the file's answers agree. */
static int predict_one(request *r, const quiz *q, const char *path, int engines, quiz_times *t)
{
    quiz_machine machine = r->machine;
    double answer = answer_for(q, engines);

    machine.copy_engines = engines;
    quiz_predict(q, &machine, t);
    if (r->format == CLI_JSON) {
        fputs(r->printed++ ? ",\n " : "{\"rows\": [\n ", stdout);
        print_json(q, &machine, t);
    } else if (r->format == CLI_CSV) {
        char list[QUIZ_NAMES * (QUIZ_NAME + 2)];

        if (r->printed++ == 0)
            puts("file,engines,total,answer,races");
        array_list(q, t->races, list, sizeof list);
        cli_csv_cell(path, stdout);
        printf(",%d,%.9g,%s%.9g,", engines, t->total, isnan(answer) ? "" : "",
               isnan(answer) ? t->total : answer);
        cli_csv_cell(list, stdout);
        putchar('\n');
    } else {
        print_text(q, &machine, t, r->detail);
    }
    return (isnan(answer) || same(answer, t->total)) && t->races == q->races;
}

static int answer_wrong(const request *r, const quiz *q, const char *path, const quiz_times *t)
{
    char said[QUIZ_NAMES * (QUIZ_NAME + 2)], found[QUIZ_NAMES * (QUIZ_NAME + 2)];

    array_list(q, q->races, said, sizeof said);
    array_list(q, t->races, found, sizeof found);
    if (t->races != q->races)
        return cli_failed(r->arguments->command, "%s: races for: %s; the file says: %s", path,
                          found[0] ? found : "nothing", said[0] ? said : "nothing");
    return cli_failed(r->arguments->command, "%s: the prediction is not the file's answer", path);
}

static int one_file(request *r, const char *path, quiz *q, quiz_times *t)
{
    char message[QUIZ_MESSAGE], drawn[HD__IO_MESSAGE];
    const char *plot = cli_option_value(r->arguments, "plot");
    int right = 1;

    if (quiz_read(path, q, message) < 0)
        return cli_failed(r->arguments->command, "%s", message);
    if (r->format == CLI_TEXT)
        printf("%s%s\n", r->printed++ ? "\n" : "", q->title[0] ? q->title : path);
    if (cli_option_given(r->arguments, "run"))
        return quiz_run(r->arguments, q, &r->machine);
    for (int engines = r->engines_given ? r->machine.copy_engines : 1;
         engines <= (r->engines_given ? r->machine.copy_engines : 2); engines++)
        right &= predict_one(r, q, path, engines, t);
    if (r->format == CLI_TEXT)
        print_races(q, t);
    if (plot && quiz_plot(q, t, plot, drawn) < 0)
        return cli_failed(r->arguments->command, "--plot: %s", drawn);
    return right || r->machine.queue != QUIZ_BY_ISSUE || r->machine.kernels_together
               ? CLI_DONE
               : answer_wrong(r, q, path, t);
}

static int read_request(const cli_arguments *arguments, request *r)
{
    static const char *const queues[] = {"issue", "ready"};
    uint64_t engines = 2;
    size_t queue = 0;
    int status = cli_format_read(arguments, &r->format);

    r->arguments = arguments;
    r->detail = cli_option_given(arguments, "times");
    r->engines_given = cli_option_given(arguments, "engines");
    r->machine.kernels_together = cli_option_given(arguments, "kernels-together");
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "engines", 2, 0, 2, &engines);
    if (status == CLI_DONE)
        status = cli_word_read(arguments, "queue", queues, 2, 0, &queue);
    if (status == CLI_DONE && arguments->operand_count > 1 &&
        (cli_option_given(arguments, "run") || cli_option_given(arguments, "plot")))
        status = cli_misused(arguments->command, "--run and --plot take one FILE");
    r->machine.copy_engines = (int)engines;
    r->machine.queue = (quiz_queue)queue;
    return status;
}

static int run(const cli_arguments *arguments)
{
    request r = {0};
    quiz *q = malloc(sizeof *q);
    quiz_times *t = malloc(sizeof *t);
    int status = read_request(arguments, &r), worst = status;

    if (status == CLI_DONE && (!q || !t))
        worst = status = cli_failed(arguments->command, "no memory for the quiz");
    for (size_t i = 0; i < arguments->operand_count && status == CLI_DONE; i++)
        if (one_file(&r, arguments->operands[i], q, t) != CLI_DONE)
            worst = CLI_FAILED;
    if (status == CLI_DONE && r.format == CLI_JSON && r.printed)
        puts("\n]}");
    free(q);
    free(t);
    return worst != CLI_DONE ? worst : cli_flush(arguments->command);
}

static const cli_option options[] = {
    {"engines", "N", "copy engines: 2 (in and out), 1, or 0: nothing overlaps; default 1 and 2"},
    {"queue", "WHICH",
     "issue: an engine works in the order of issue (the default); ready: in"
     " the order in which operations become ready"},
    {"kernels-together", NULL, "kernels of several streams do not wait for each other"},
    {"times", NULL, "print begin and end of every operation"},
    {"plot", "FILE", "draw the prediction as SVG, for the larger number of engines"},
    {"run", NULL, "run it on the device, and compare"},
    {"device", "DEVICE", "for --run: index, bus id, 'fastest' or 'free' (HEDDLE_DEVICE, else 0)"},
    {"json", NULL, "print one JSON object, with a row per file and number of engines"},
    {"csv", NULL, "print a row per file and number of engines"},
    {NULL, NULL, NULL}};

static const char notes[] =
    "A file has a statement per line, in the order of issue; # begins a comment:\n"
    "  in ARRAY STREAM          a copy to the device; out ARRAY STREAM: back\n"
    "  kernel NAME STREAM [reads A,B] [writes C]\n"
    "  host NAME [reads A] [writes B]    work of the host, on its side of the arrays\n"
    "  record EVENT STREAM, wait EVENT STREAM, sync [STREAM]\n"
    "  nonblocking STREAM       it does not synchronise with the stream called 'default'\n"
    "  title TEXT, answer TOTAL [engines N], race ARRAY\n"
    "An operation costs 1, or as much as 'cost T' behind it says. Exit status 1: an answer is not\n"
    "the prediction, or other arrays are raced for than the file says.\n"
    "--run gives each operation the same time on the device and predicts with what it measured.\n";

const cli_command cli_command_quiz = {
    "quiz",
    "when do copies and kernels of several streams run? a model, and the device's answer",
    "FILE...",
    options,
    notes,
    "  heddle quiz docs/quiz/depth-first.quiz --times\n"
    "  heddle quiz docs/quiz/*.quiz --csv\n"
    "  heddle quiz docs/quiz/breadth-first.quiz --run --timeline measured.svg\n",
    run};
