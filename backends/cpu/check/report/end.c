/* SPDX-License-Identifier: Apache-2.0 */
/* end.c - the end of the program: findings that appear only then, the summary, the exit status; and
   the output if a signal ends the program. */
#include "report.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CALLS = 8 };

static void (*calls[CALLS])(void);
static unsigned call_count;
static pid_t owner; /* 0: nothing was checked */
static int ended, interrupted;

void hd_check_at_exit(void (*function)(void))
{
    if (call_count < CALLS)
        calls[call_count++] = function;
}

/* ---- summary --------------------------------------------------------------------------------- */

static const char *ending(uint64_t n)
{
    return n == 1 ? "" : "s";
}

static void put_totals(char *text, size_t size, const char *before)
{
    hd_check_totals t = hd_check_counted();

    (void)snprintf(
        text, size,
        "heddle check: %s%llu error%s, %llu portability, %llu performance, %llu "
        "suppressed\n",
        before, (unsigned long long)t.findings[HD_CHECK_ERROR], ending(t.findings[HD_CHECK_ERROR]),
        (unsigned long long)t.findings[HD_CHECK_PORTABILITY],
        (unsigned long long)t.findings[HD_CHECK_PERFORMANCE], (unsigned long long)t.suppressed);
}

static void put_places(hd_check_text *text, const hd_check_kept *kept)
{
    const char *between = " at ";

    for (int i = 0; i < HD_CHECK_SIDES; i++) {
        const hd_check_where *where = &kept->where[i];

        if (!where->file)
            continue;
        hd_check_put(text, "%s%s", between, where->file);
        if (where->line)
            hd_check_put(text, ":%d", where->line);
        between = " and ";
    }
}

/* Prints how often each finding was seen; nothing if there was none. */
static void print_counts(void)
{
    hd_check_text text = {NULL, 0, 0};
    char line[256];

    if (hd_check_kept_first()) {
        put_totals(line, sizeof line, "");
        hd_check_put(&text, "%s", line);
    }
    for (const hd_check_kept *k = hd_check_kept_first(); k; k = k->next) {
        if (!k->printed)
            continue;
        hd_check_put(&text, "  %llu x %s", (unsigned long long)k->count,
                     hd_check_rules[k->code].code);
        if (k->kernel[0])
            hd_check_put(&text, " in kernel %s", k->kernel);
        put_places(&text, k);
        hd_check_put(&text, "\n");
    }
    if (text.data)
        hd_check_write(STDERR_FILENO, text.data, text.used);
    free(text.data);
}

/* Lists unused suppressions, unless a report is written: its reader can combine the runs. */
static void print_unused(void)
{
    hd_check_text text = {NULL, 0, 0};

    for (const hd_check_suppression *s = hd_check_suppressions(); s; s = s->next)
        if (!s->used)
            hd_check_put(&text, "heddle check: %s:%d: nothing to suppress: %s %s\n",
                         hd_check_options.suppress, s->line, hd_check_rules[s->code].code,
                         s->kernel);
    if (text.data && !hd_check_options.report)
        hd_check_write(STDERR_FILENO, text.data, text.used);
    free(text.data);
}

static void write_counts(void)
{
    char line[128];

    for (const hd_check_kept *k = hd_check_kept_first(); k; k = k->next) {
        if (k->suppressed)
            continue;
        (void)snprintf(line, sizeof line,
                       "{\"type\":\"count\",\"id\":%u,\"count\":%llu,\"pid\":%ld}\n", k->id,
                       (unsigned long long)k->count, (long)owner);
        hd_check_report_append(line, strlen(line));
    }
}

static void write_suppressions(void)
{
    for (const hd_check_suppression *s = hd_check_suppressions(); s; s = s->next) {
        hd_check_text text = {NULL, 0, 0};

        hd_check_put(&text, "{\"type\":\"suppression\",\"file\":");
        hd_check_put_json(&text, hd_check_options.suppress);
        hd_check_put(&text, ",\"line\":%d,\"code\":\"%s\",\"kernel\":", s->line,
                     hd_check_rules[s->code].code);
        hd_check_put_json(&text, s->kernel);
        hd_check_put(&text, ",\"reason\":");
        hd_check_put_json(&text, s->reason);
        hd_check_put(&text, ",\"used\":%llu}\n", (unsigned long long)s->used);
        if (text.data)
            hd_check_report_append(text.data, text.used);
        free(text.data);
    }
}

static void write_end(void)
{
    hd_check_totals t = hd_check_counted();
    char line[256];

    (void)snprintf(line, sizeof line,
                   "{\"type\":\"end\",\"errors\":%llu,\"portability\":%llu,\"performance\":%llu,"
                   "\"suppressed\":%llu,\"pid\":%ld}\n",
                   (unsigned long long)t.findings[HD_CHECK_ERROR],
                   (unsigned long long)t.findings[HD_CHECK_PORTABILITY],
                   (unsigned long long)t.findings[HD_CHECK_PERFORMANCE],
                   (unsigned long long)t.suppressed, (long)owner);
    hd_check_report_append(line, strlen(line));
}

static int failed(void)
{
    hd_check_totals t = hd_check_counted();

    return t.findings[HD_CHECK_ERROR] > 0 ||
           (hd_check_options.strict &&
            t.findings[HD_CHECK_PORTABILITY] + t.findings[HD_CHECK_PERFORMANCE] > 0);
}

static void at_end(void)
{
    for (unsigned i = 0; i < call_count; i++)
        calls[i]();
    print_counts();
    print_unused();
    write_counts();
    write_suppressions();
    write_end();
    hd_check_symbolize_end();
}

/* The first call in this process; not in a forked child, which has no findings of its own. */
static int is_first(int *flag)
{
    return owner == getpid() && !__atomic_exchange_n(flag, 1, __ATOMIC_RELAXED);
}

#ifdef __GLIBC__
static void end(int status, void *argument)
{
    (void)argument;
    if (!is_first(&ended))
        return;
    at_end();
    if (status == 0 && failed())
        exit(1); /* continues with the remaining handlers */
}
#else
static void end(void)
{
    if (!is_first(&ended))
        return;
    at_end();
    if (failed()) { /* regardless of the program's own status, which is unknown here */
        (void)fflush(NULL);
        _exit(1);
    }
}
#endif

/* Registered before main, so that it runs after the program's own exit handlers, which may free
   memory. */
static void __attribute__((constructor(101))) end_register(void)
{
#ifdef __GLIBC__
    (void)on_exit(end, NULL);
#else
    (void)atexit(end);
#endif
}

/* ---- signals --------------------------------------------------------------------------------- */

static const struct {
    int number;
    const char *name;
} fatal[] = {{SIGABRT, "SIGABRT"},
             {SIGSEGV, "SIGSEGV"},
             {SIGBUS, "SIGBUS"},
             {SIGFPE, "SIGFPE"},
             {SIGILL, "SIGILL"}};
enum { FATAL = sizeof fatal / sizeof *fatal };
static struct sigaction before[FATAL];

static void report_signal(int i)
{
    char text[256], what[64];

    (void)snprintf(what, sizeof what, "the program gets %s; findings so far: ", fatal[i].name);
    put_totals(text, sizeof text, what);
    hd_check_write(STDERR_FILENO, text, strlen(text));
    write_counts();
    hd_check_symbolize_end();
}

/* Runs after the engine's handlers, if they did not handle the signal. A fault recurs when this
   returns; a signal that was sent is sent again. Both then reach the previous handler. */
static void handle(int number, siginfo_t *info, void *context)
{
    int i = 0;

    (void)context;
    while (fatal[i].number != number)
        i++;
    if (is_first(&interrupted))
        report_signal(i);
    (void)sigaction(number, &before[i], NULL);
    if (number == SIGABRT || info->si_code <= 0)
        (void)raise(number);
}

void hd_check_report_start(void)
{
    struct sigaction action;
    uintptr_t stack[HD_CHECK_STACK];

    hd_check_report_open();
    hd_check_sink_add(hd_check_print_json);
    hd_check_sink_add(hd_check_print);
    hd_check_stack(stack); /* loads the unwinder now, not in a signal handler */
    owner = getpid();
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    (void)sigemptyset(&action.sa_mask);
    for (int i = 0; i < FATAL; i++)
        (void)sigaction(fatal[i].number, &action, &before[i]);
}

/* Also in the report: whoever started the program must see why nothing was checked. */
static void report_invalid(const hd_cpu_config *config)
{
    hd_check_text text = {NULL, 0, 0};

    hd_check_put(&text, "heddle check: %s\n", config->text);
    if (text.data)
        hd_check_write(STDERR_FILENO, text.data, text.used);
    text.used = 0;
    hd_check_put(&text, "{\"type\":\"invalid\",\"message\":");
    hd_check_put_json(&text, config->text);
    hd_check_put(&text, ",\"pid\":%ld}", (long)getpid());
    if (text.data)
        hd_check_report_line(text.data);
    free(text.data);
}

void hd_check_report_configured(hd_cpu_config *config)
{
    const char *file = hd_check_options.suppress;
    char why[sizeof config->text];

    if (file && hd_check_suppressions_read(file, why, sizeof why) < 0 && config->status == HD_OK) {
        config->status = HD_ERR_ARGUMENT;
        (void)snprintf(config->text, sizeof config->text, "HEDDLE_CHECK_SUPPRESS: %.*s",
                       (int)(sizeof why - sizeof "HEDDLE_CHECK_SUPPRESS: "), why);
    }
    if (config->status != HD_OK)
        report_invalid(config);
}
