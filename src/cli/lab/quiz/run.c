/* SPDX-License-Identifier: Apache-2.0 */
/* run.c - `heddle quiz --run`: scales every operation to about the same time on the device,
   measures each alone, predicts again with these times, then runs and traces the order of the
   file. */
#include "quiz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/lab/kernels/streams.h"
#include "cli/app/table.h"
#include "cli/app/progress.h"
#include "cli/trace/timeline.h"

enum { BLOCK = 256, ALONE = 3, FIRST_TURNS = 256, LEAST_N = 1 << 16, MAX_N = 1 << 26 };
static const double unit = 1e-3; /* target seconds of an operation of cost 1 */
static const char range[] = "quiz", alone[] = "alone";

typedef struct runner {
    quiz *q;
    int device;
    hd_stream *stream; /* for calibration */
    hd_stream *streams[QUIZ_NAMES];
    hd_event *events[QUIZ_NAMES];
    float *on_device[QUIZ_NAMES], *on_host[QUIZ_NAMES];
    float *own[QUIZ_NAMES]; /* one array per stream, for kernels */
    size_t n;               /* elements of a copy of cost 1 */
    size_t room;
    unsigned turns; /* iterations of a kernel of cost 1 */
} runner;

/* Measured begin and end of each operation; NAN without a span. */
typedef struct measured {
    double begin[QUIZ_OPS], end[QUIZ_OPS];
    double cost[QUIZ_HOST + 1]; /* seconds of cost 1, measured alone */
    double total;
} measured;

/* ---- resources ------------------------------------------------------------------------------- */

static hd_status make_streams(runner *r)
{
    for (size_t i = 0; i < r->q->stream_count; i++) {
        const quiz_stream *s = &r->q->streams[i];

        if (s->legacy)
            HD_TRY(hd_stream_default(r->device, HD_DEFAULT_LEGACY, &r->streams[i]));
        else
            HD_TRY(hd_stream_create_with(r->device,
                                         s->blocking ? HD_STREAM_DEFAULT : HD_STREAM_NON_BLOCKING,
                                         0, &r->streams[i]));
    }
    for (size_t i = 0; i < r->q->event_count; i++)
        HD_TRY(hd_event_create(r->device, 0, &r->events[i]));
    return hd_stream_create(r->device, &r->stream);
}

static hd_status make_arrays(runner *r, size_t n)
{
    double most = 1;

    for (size_t i = 0; i < r->q->op_count; i++)
        most = fmax(most, r->q->ops[i].cost);
    r->n = n;
    r->room = (size_t)ceil(most * (double)n);
    for (size_t i = 0; i < QUIZ_NAMES && (i == 0 || i < r->q->array_count); i++) {
        HD_TRY(hd_free(r->on_device[i]));
        HD_TRY(hd_free(r->on_host[i]));
        r->on_device[i] = r->on_host[i] = NULL;
        HD_TRY(hd_alloc(&r->on_device[i], r->room, r->device));
        HD_TRY(hd_alloc_kind(&r->on_host[i], r->room, HD_MEM_PINNED, r->device));
        for (size_t k = 0; k < r->room; k++)
            r->on_host[i][k] = (float)(k % 100);
        HD_TRY(hd_copy(r->on_device[i], r->on_host[i], r->room, r->stream));
    }
    for (size_t i = 0; i < QUIZ_NAMES && (i == 0 || i < r->q->stream_count); i++) {
        HD_TRY(hd_free(r->own[i]));
        r->own[i] = NULL;
        HD_TRY(hd_alloc(&r->own[i], n / 4, r->device));
        HD_TRY(hd_fill_zero(r->own[i], n / 4, r->stream));
    }
    return hd_stream_synchronize(r->stream);
}

static void release(runner *r)
{
    for (size_t i = 0; i < QUIZ_NAMES; i++) {
        hd_free(r->on_device[i]);
        hd_free(r->on_host[i]);
        hd_free(r->own[i]);
        hd_event_destroy(r->events[i]);
        if (r->streams[i] && !r->q->streams[i].legacy)
            hd_stream_destroy(r->streams[i]);
    }
    hd_stream_destroy(r->stream);
}

/* ---- operations ------------------------------------------------------------------------------ */

/* The first or last array of a set; the set is not empty. */
static float *array_in(const runner *r, uint64_t set, int last)
{
    return r->on_device[last ? 63 - __builtin_clzll(set) : __builtin_ctzll(set)];
}

/* A kernel reads two arrays and writes one, all from the sets in the quiz. If a set is empty, the
   stream's own array is used. */
static hd_status launch(const runner *r, const quiz_op *op, hd_stream *stream)
{
    float *own = r->own[op->stream];
    const float *first = op->reads ? array_in(r, op->reads, 0) : own;
    const float *second = op->reads ? array_in(r, op->reads, 1) : own;
    size_t n = r->n / 4;

    return hd_launch(stream_work, hd_launch_loop(n, BLOCK, stream), n,
                     (unsigned)(op->cost * r->turns), first, second,
                     op->writes ? array_in(r, op->writes, 0) : own);
}

static void host_work(double seconds)
{
    double until = cli_now() + seconds;

    while (cli_now() < until)
        continue;
}

static hd_status issue(runner *r, const quiz_op *op, hd_stream *stream)
{
    size_t n = (size_t)ceil(op->cost * (double)r->n), array = 0;
    uint64_t set = op->kind == QUIZ_IN ? op->writes : op->reads;

    while (array + 1 < r->q->array_count && !(set >> array & 1))
        array++;
    switch (op->kind) {
    case QUIZ_IN:
        return hd_copy(r->on_device[array], (const float *)r->on_host[array], n, stream);
    case QUIZ_OUT:
        return hd_copy(r->on_host[array], (const float *)r->on_device[array], n, stream);
    case QUIZ_KERNEL:
        return launch(r, op, stream);
    case QUIZ_HOST:
        HD_TRY(hd_range_push(op->name));
        host_work(op->cost * unit);
        return hd_range_pop();
    case QUIZ_RECORD:
        return hd_event_record(r->events[op->event], stream);
    case QUIZ_WAIT:
        return hd_stream_wait(stream, r->events[op->event]);
    default:
        return op->stream < 0 ? hd_device_synchronize(r->device) : hd_stream_synchronize(stream);
    }
}

/* Seconds of one operation while nothing else runs. */
static hd_status time_alone(runner *r, const quiz_op *op, double *seconds_out)
{
    double best = 1e300;

    for (int i = 0; i < ALONE; i++) {
        double began = cli_now();

        HD_TRY(issue(r, op, r->stream));
        HD_TRY(hd_stream_synchronize(r->stream));
        best = fmin(best, cli_now() - began);
    }
    *seconds_out = best;
    return HD_OK;
}

/* Finds the sizes for which a copy and a kernel take one unit each. */
static hd_status calibrate(runner *r)
{
    quiz_op op = {.kind = QUIZ_IN, .stream = 0, .cost = 1};
    double copy = 0, kernel = 0;

    HD_TRY(make_arrays(r, LEAST_N * 16));
    HD_TRY(time_alone(r, &op, &copy));
    double n = (double)r->n * unit / copy;

    HD_TRY(make_arrays(r, n < LEAST_N ? LEAST_N : n > MAX_N ? MAX_N : (size_t)n));
    HD_TRY(time_alone(r, &op, &copy));
    op.kind = QUIZ_KERNEL;
    r->turns = FIRST_TURNS;
    HD_TRY(time_alone(r, &op, &kernel));
    r->turns = (unsigned)fmax(1, fmin(1e8, FIRST_TURNS * copy / kernel));
    HD_TRY(time_alone(r, &op, &kernel));
    r->turns = (unsigned)fmax(1, fmin(1e8, r->turns * copy / kernel));
    return HD_OK;
}

static hd_status run_alone(runner *r)
{
    quiz_op op = {.kind = QUIZ_IN, .stream = 0, .cost = 1};
    double unused;

    HD_TRY(hd_range_push(alone));
    for (; op.kind <= QUIZ_KERNEL; op.kind++)
        HD_TRY(time_alone(r, &op, &unused));
    return hd_range_pop();
}

static hd_status run_quiz(runner *r)
{
    HD_TRY(hd_range_push(range));
    for (size_t i = 0; i < r->q->op_count; i++) {
        const quiz_op *op = &r->q->ops[i];

        HD_TRY(issue(r, op, op->stream < 0 ? NULL : r->streams[op->stream]));
    }
    HD_TRY(hd_device_synchronize(r->device));
    return hd_range_pop();
}

/* ---- reading the trace ----------------------------------------------------------------------- */

static const hd_trace_kind kinds[] = {HD_TRACE_COPY_IN, HD_TRACE_COPY_OUT, HD_TRACE_KERNEL,
                                      HD_TRACE_RANGE};

/* Begin and end of the range with that name. */
static int find_range(const char *name, double *begin, double *end)
{
    hd_trace_span s;

    for (size_t i = 0; hd_trace_get(i, &s) >= 0; i++)
        if (s.kind == HD_TRACE_RANGE && strcmp(s.name, name) == 0) {
            *begin = s.asked;
            *end = s.left;
            return 1;
        }
    return 0;
}

static void read_costs(measured *m)
{
    double begin = 0, end = 0;
    hd_trace_span s;

    for (int k = QUIZ_IN; k <= QUIZ_KERNEL; k++)
        m->cost[k] = 1e300;
    m->cost[QUIZ_HOST] = unit;
    if (!find_range(alone, &begin, &end))
        return;
    for (size_t i = 0; hd_trace_get(i, &s) >= 0; i++)
        for (int k = QUIZ_IN; k <= QUIZ_KERNEL; k++)
            if (s.kind == kinds[k] && s.begin <= s.end && s.asked > begin && s.left < end)
                m->cost[k] = fmin(m->cost[k], s.end - s.begin);
}

/* Spans are in the order in which calls returned, which is the file's order. */
static int read_times(const quiz *q, measured *m)
{
    double begin = 0, end = 0, first = 1e300, last = 0;
    size_t op = 0;
    hd_trace_span s;

    if (!find_range(range, &begin, &end))
        return 0;
    for (size_t i = 0; hd_trace_get(i, &s) >= 0 && op < q->op_count; i++) {
        while (op < q->op_count && q->ops[op].kind > QUIZ_HOST)
            m->begin[op] = m->end[op] = NAN, op++;
        if (op == q->op_count || s.asked <= begin || s.left >= end ||
            s.kind != kinds[q->ops[op].kind])
            continue;
        m->begin[op] = s.stream ? s.begin : s.asked;
        m->end[op] = s.stream ? s.end : s.left;
        first = fmin(first, m->begin[op]);
        last = fmax(last, m->end[op]);
        op++;
    }
    for (size_t i = 0; i < q->op_count; i++) {
        m->begin[i] -= first;
        m->end[i] -= first;
    }
    m->total = last - first;
    return 1;
}

/* An operation's span begins when its stream reaches it; if its engine was busy, the operation
   began when the engine became free. */
static void free_engines(const quiz *q, measured *m)
{
    for (size_t i = 0; i < q->op_count; i++)
        for (size_t j = 0; j < q->op_count; j++)
            if (q->ops[i].kind <= QUIZ_KERNEL && q->ops[j].kind == q->ops[i].kind &&
                m->end[j] < m->end[i] && m->begin[i] < m->end[j])
                m->begin[i] = m->end[j];
}

/* ---- the answer ------------------------------------------------------------------------------ */

static void print_both(const quiz *q, const quiz_times *p, const measured *m)
{
    char text[2 * QUIZ_NAME];

    printf("  %-20s %-10s %21s %21s\n", "milliseconds", "stream", "predicted", "measured");
    for (size_t i = 0; i < q->op_count; i++) {
        if (q->ops[i].kind > QUIZ_HOST)
            continue;
        quiz_op_text(&q->ops[i], text);
        printf("  %-20s %-10s %10.3f %10.3f %10.3f %10.3f\n", text,
               q->ops[i].stream < 0 ? "-" : q->streams[q->ops[i].stream].name, 1e3 * p->begin[i],
               1e3 * p->end[i], 1e3 * m->begin[i], 1e3 * m->end[i]);
    }
}

static void print_text(const quiz *q, const quiz_machine *machine, const quiz_times *p,
                       const measured *m)
{
    quiz_times shown = *p;

    printf("alone: copy in %.3f ms, kernel %.3f ms, copy out %.3f ms; %d copy engines\n",
           1e3 * m->cost[QUIZ_IN], 1e3 * m->cost[QUIZ_KERNEL], 1e3 * m->cost[QUIZ_OUT],
           machine->copy_engines);
    print_both(q, p, m);
    printf("predicted %.3f ms\n", 1e3 * p->total);
    quiz_print_rows(q, p);
    for (size_t i = 0; i < q->op_count; i++) {
        shown.begin[i] = q->ops[i].kind > QUIZ_HOST ? 0 : m->begin[i];
        shown.end[i] = q->ops[i].kind > QUIZ_HOST ? 0 : m->end[i];
    }
    shown.total = fmax(m->total, p->total);
    printf("measured %.3f ms, %.2f of the prediction\n", 1e3 * m->total, m->total / p->total);
    quiz_print_rows(q, &shown);
}

static int print_fields(const cli_arguments *arguments, cli_format format, int device,
                        const quiz *q, const quiz_machine *machine, const quiz_times *p,
                        const measured *m)
{
    cli_result result;

    cli_result_begin(&result, arguments->command, format, device);
    cli_field(&result, "title", cell_text(q->title));
    cli_field(&result, "engines", cell_number(machine->copy_engines));
    cli_field(&result, "copy_in_seconds", cell_number(m->cost[QUIZ_IN]));
    cli_field(&result, "copy_out_seconds", cell_number(m->cost[QUIZ_OUT]));
    cli_field(&result, "kernel_seconds", cell_number(m->cost[QUIZ_KERNEL]));
    cli_field(&result, "predicted_seconds", cell_number(p->total));
    cli_field(&result, "seconds", cell_number(m->total));
    cli_field_digits(&result, "ratio", m->total / p->total, 4);
    return cli_result_end(&result);
}

/* The number of copy engines of the device; the CPU engine executes one operation at a time. */
static int copy_engines(const cli_arguments *arguments, int device, int given)
{
    int64_t engines = 0;

    if (cli_option_given(arguments, "engines"))
        return given;
    if (hd_device_get(device, HD_ATTR_ASYNC_ENGINES, &engines) < 0)
        hd_error_clear();
    return engines > 2 ? 2 : (int)engines;
}

static int compare(const cli_arguments *arguments, cli_format format, runner *r,
                   const quiz_machine *given)
{
    quiz_machine machine = *given;
    quiz_times *p = malloc(sizeof *p);
    measured *m = calloc(1, sizeof *m);
    int status = CLI_DONE;

    if (!p || !m) {
        status = cli_failed(arguments->command, "no memory for the times");
    } else {
        read_costs(m);
        if (!read_times(r->q, m))
            status = cli_failed(arguments->command, "the trace does not hold the run");
        free_engines(r->q, m);
        for (size_t i = 0; i < r->q->op_count; i++)
            if (r->q->ops[i].kind <= QUIZ_HOST)
                r->q->ops[i].cost *= m->cost[r->q->ops[i].kind];
        machine.copy_engines = copy_engines(arguments, r->device, given->copy_engines);
        quiz_predict(r->q, &machine, p);
        if (status == CLI_DONE && format == CLI_TEXT)
            print_text(r->q, &machine, p, m);
        else if (status == CLI_DONE)
            status = print_fields(arguments, format, r->device, r->q, &machine, p, m);
    }
    free(p);
    free(m);
    return status;
}

static hd_status run_all(const cli_arguments *arguments, runner *r)
{
    HD_TRY(hd_device_select(cli_option_value(arguments, "device"), &r->device));
    HD_TRY(make_streams(r));
    HD_TRY(calibrate(r));
    if (!arguments->trace && !arguments->timeline)
        HD_TRY(hd_trace_start(0));
    HD_TRY(run_alone(r));
    HD_TRY(run_quiz(r));
    return hd_trace_stop();
}

int quiz_run(const cli_arguments *arguments, cli_format format, quiz *q,
             const quiz_machine *machine)
{
    runner r = {.q = q};
    int status = CLI_DONE;

    if (run_all(arguments, &r) < 0)
        status = cli_failed_call(arguments->command);
    if (status == CLI_DONE)
        status = compare(arguments, format, &r, machine);
    release(&r);
    return status;
}
