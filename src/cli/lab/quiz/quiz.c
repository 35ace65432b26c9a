/* SPDX-License-Identifier: Apache-2.0 */
/* quiz.c - `heddle quiz`: predicts when the copies and kernels of an issue order run and which
   arrays have races, and compares with the answers in the file, or with a run. */
#include "quiz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/source.h"
#include "cli/app/table.h"
#include "cli/trace/timeline.h"
#include "cli/app/words.h"

/* ---- the picture ----------------------------------------------------------------------------- */

int quiz_plot(const quiz *q, const quiz_times *times, const char *path, char *message)
{
    static const hd_trace_kind kinds[] = {HD_TRACE_COPY_IN, HD_TRACE_COPY_OUT, HD_TRACE_KERNEL,
                                          HD_TRACE_RANGE};
    hd_trace_span *spans = calloc(q->op_count, sizeof *spans);
    cli_timeline timeline = {.title = q->title,
                             .unit = "time / units",
                             .scale = 1,
                             .spans = spans,
                             .streams = 1,
                             .whole = 1,
                             .from = 1};
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

/* The names of a bit set: "a, b". */
static void array_list(const quiz *q, uint64_t bits, char *text, size_t size)
{
    text[0] = '\0';
    for (size_t i = 0; i < q->array_count; i++)
        if (bits >> i & 1)
            snprintf(text + strlen(text), size - strlen(text), "%s%s", text[0] ? ", " : "",
                     q->arrays[i]);
}

/* The total that the file states as answer; NaN: none. */
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

/* ---- the command ----------------------------------------------------------------------------- */

typedef struct request {
    const cli_arguments *arguments;
    cli_format format;
    quiz_machine machine;
    int engines_given, detail;
    size_t printed; /* number of titles */
    cli_result output;
} request;

static const cli_column columns[] = {
    {.key = "file"},
    {.key = "engines"},
    {.key = "total", .digits = 9},
    {.key = "answer", .digits = 9},
    {.key = "races"},
    {.key = "title"},
    {.key = "verified"},
};

/* Whether this agrees with the file's answer, if there is one. */
static bool agrees(const quiz *q, int engines, const quiz_times *t)
{
    const double answer = answer_for(q, engines);

    return (isnan(answer) || same(answer, t->total)) && t->races == q->races;
}

/* One row per operation. */
static void print_operations(const quiz *q, const quiz_times *t, cli_result *result)
{
    char text[2 * QUIZ_NAME];

    cli_list_begin(result, "operations", false);
    for (size_t i = 0; i < q->op_count; i++) {
        quiz_op_text(&q->ops[i], text);
        cli_object_begin(result);
        cli_field(result, "operation", cell_text(text));
        cli_field(result, "stream",
                  cell_text(q->ops[i].stream < 0 ? "" : q->streams[q->ops[i].stream].name));
        cli_field_digits(result, "begin", t->begin[i], 9);
        cli_field_digits(result, "end", t->end[i], 9);
        cli_object_end(result);
    }
    cli_list_end(result);
}

static void print_row(request *r, const quiz *q, const char *path, int engines, const quiz_times *t)
{
    const double answer = answer_for(q, engines);
    const bool compared = !isnan(answer) || q->races || t->races;
    char races[QUIZ_NAMES * (QUIZ_NAME + 2)];

    array_list(q, t->races, races, sizeof races);
    CLI_ROW_BEGIN(&r->output, cell_text(path), cell_number(engines), cell_number(t->total),
                  cell_if(!isnan(answer), cell_number(answer)), cell_words(races),
                  cell_text(q->title), cell_verdict(compared, agrees(q, engines, t)));
    print_operations(q, t, &r->output);
    cli_row_end(&r->output);
}

/* Predicts for a device with `engines` copy engines and prints. Returns whether the file's answers
   agree. */
static int predict_one(request *r, const quiz *q, const char *path, int engines, quiz_times *t)
{
    quiz_machine machine = r->machine;

    machine.copy_engines = engines;
    quiz_predict(q, &machine, t);
    if (r->format == CLI_TEXT)
        print_text(q, &machine, t, r->detail);
    else
        print_row(r, q, path, engines, t);
    return agrees(q, engines, t);
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
        return quiz_run(r->arguments, r->format, q, &r->machine);
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

static void begin_rows(request *r)
{
    cli_result_begin(&r->output, r->arguments->command, r->format, CLI_NO_DEVICE);
    CLI_TABLE(&r->output, "rows", columns);
}

static int end_rows(request *r)
{
    cli_table_end(&r->output);
    return cli_result_end(&r->output);
}

static int run(const cli_arguments *arguments)
{
    request r = {0};
    quiz *q = malloc(sizeof *q);
    quiz_times *t = malloc(sizeof *t);
    int status = read_request(arguments, &r), worst = status;

    if (status == CLI_DONE && (!q || !t))
        worst = status = cli_failed(arguments->command, "no memory for the quiz");
    if (status == CLI_DONE && !cli_option_given(arguments, "run"))
        begin_rows(&r);
    for (size_t i = 0; i < arguments->operand_count && status == CLI_DONE; i++)
        if (one_file(&r, arguments->operands[i], q, t) != CLI_DONE)
            worst = CLI_FAILED;
    if (status == CLI_DONE && !cli_option_given(arguments, "run"))
        status = end_rows(&r);
    free(q);
    free(t);
    return worst != CLI_DONE ? worst : status;
}

static const cli_option options[] = {
    {"engines", "N", "copy engines: 2 (in and out), 1, or 0 (no overlap) (default 1 and 2)"},
    {"queue", "WHICH",
     "issue (default): engines work in issue order; ready: in the order in which operations "
     "become ready"},
    {"kernels-together", NULL, "let kernels of different streams run concurrently"},
    {"times", NULL, "print start and end of every operation"},
    {"plot", "FILE", "draw the prediction for the larger number of engines as SVG"},
    {"run", NULL, "run the operations on the device and compare"},
    {"device", "DEVICE",
     "device of --run: index, bus id, 'fastest' or 'free' (the first whose "
     "compute mode lets this process use it)"},
    {"json", NULL, "print one JSON object, with a row per file and number of engines"},
    {"csv", NULL, "print CSV: a row per file and number of engines"},
    {NULL, NULL, NULL}};

static const char notes[] =
    "A file has a statement per line, in issue order; # starts a comment:\n"
    "  in ARRAY STREAM, out ARRAY STREAM           copy to the device, back to the host\n"
    "  kernel NAME STREAM [reads A,B] [writes C]\n"
    "  host NAME [reads A] [writes B]              host work on the host copies of the arrays\n"
    "  record EVENT STREAM, wait EVENT STREAM, sync [STREAM]\n"
    "  nonblocking STREAM                          no synchronization with the stream 'default'\n"
    "  title TEXT, answer TOTAL [engines N], race ARRAY\n"
    "An operation takes time 1, or T if 'cost T' follows it. Exit status 1 if an answer differs\n"
    "from the prediction, or the races found are not those that the file states.\n"
    "--run gives each operation the same time on the device and predicts with measured times.\n";

const cli_command cli_command_quiz = {
    "quiz",
    "print how a model expects the operations in FILE to overlap on streams",
    "FILE...",
    options,
    notes,
    "  heddle quiz docs/quiz/depth-first.quiz --times\n"
    "  heddle quiz docs/quiz/*.quiz --csv\n"
    "  heddle quiz docs/quiz/breadth-first.quiz --run --timeline measured.svg\n",
    run};
