/* SPDX-License-Identifier: Apache-2.0 */
/* hostmemory.c - `heddle lab hostmemory`: copies from and to kinds of host memory. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <heddle/heddle.h>

#include "cli/app/commands.h"
#include "cli/app/progress.h"
#include "cli/app/words.h"
#include "cli/lab/experiment/lab.h"

enum { WORD = 4, DIRECTIONS = 2 };
static const uint64_t size_gpu = 64 << 20, size_cpu = 64 << 10, size_max = (uint64_t)1 << 36;

/* LOCKED: plain memory after mlock, whose pages stay in memory, but of which the driver does not
   know. */
typedef enum kind { PINNED, REGISTERED, LOCKED, PLAIN, KINDS } kind;
static const char *const kinds[KINDS] = {"pinned", "registered", "mlocked", "plain"};
static const char *const directions[DIRECTIONS] = {"to device", "to host"};

/* The band, of the time with pinned memory: registered memory is the same to the device; a copy
   from or to other memory goes through page-locked memory of the driver. */
static const double least_factor[KINDS] = {1, 0.8, 0.9, 0.9},
                    most_factor[KINDS] = {1, 1.25, 20, 20};

typedef struct hostmemory {
    lab lab;
    unsigned kinds; /* bits */
    uint64_t n;     /* words */
    uint32_t *device, *pinned, *plain, *results;
    double pinned_seconds[DIRECTIONS]; /* 0: not timed */
    int lock_error;                    /* errno of mlock; 0: none */
} hostmemory;

/* ---- copies ---------------------------------------------------------------------------------- */

static hd_status copy(const hostmemory *h, uint32_t *host, bool to_host)
{
    const size_t n = (size_t)h->n;

    if (to_host)
        return hd_copy(host, (const uint32_t *)h->device, n, h->lab.job.stream);
    return hd_copy(h->device, (const uint32_t *)host, n, h->lab.job.stream);
}

static uint32_t value_of(uint64_t i, bool to_host)
{
    return (uint32_t)i * 2654435761u + to_host;
}

/* Words that arrived. The other side is filled by copies that wait. */
static hd_status count(const hostmemory *h, uint32_t *host, bool to_host, uint64_t *words_out)
{
    const size_t n = (size_t)h->n;
    uint32_t *from = to_host ? h->results : host, *to = to_host ? host : h->results;

    for (size_t i = 0; i < n; i++)
        from[i] = value_of(i, to_host);
    memset(to, 0, n * WORD);
    if (to_host)
        HD_TRY(hd_copy_blocking(h->device, (const uint32_t *)from, n, h->lab.job.stream));
    HD_TRY(copy(h, host, to_host));
    HD_TRY(hd_stream_synchronize(h->lab.job.stream));
    if (!to_host)
        HD_TRY(hd_copy_blocking(to, (const uint32_t *)h->device, n, h->lab.job.stream));
    *words_out = 0;
    for (size_t i = 0; i < n; i++)
        *words_out += to[i] == value_of(i, to_host);
    return HD_OK;
}

typedef struct times {
    double returned, done; /* seconds until the call returns, and until the data is there */
} times;

static hd_status time_once(const hostmemory *h, uint32_t *host, bool to_host, times *t)
{
    const double began = cli_now();

    HD_TRY(copy(h, host, to_host));
    t->returned = cli_now() - began;
    HD_TRY(hd_stream_synchronize(h->lab.job.stream));
    t->done = cli_now() - began;
    return HD_OK;
}

/* The run with the median time. */
static hd_status time_copies(const hostmemory *h, uint32_t *host, bool to_host, times *t)
{
    const size_t runs = h->lab.job.runs;
    double *returned = malloc(runs * sizeof *returned), *done = malloc(runs * sizeof *done);
    hd_status status = returned && done ? HD_OK : cli_no_memory("%zu times", runs);

    for (size_t i = 0; i < runs && status >= 0; i++) {
        status = time_once(h, host, to_host, t);
        returned[i] = t->returned;
        done[i] = t->done;
    }
    if (status >= 0) {
        cli_sort_numbers(returned, runs);
        cli_sort_numbers(done, runs);
        *t = (times){returned[runs / 2], done[runs / 2]};
    }
    free(returned);
    free(done);
    return status;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static const cli_column columns[] = {
    {.key = "case", .heading = "\ncase", .width = -10},
    {.key = "direction", .heading = "\ncopy", .width = -9},
    {.key = "staged", .heading = "\nstaged", .width = 6},
    {.key = "predicted_words", .heading = "predicted\nwords", .width = 9},
    {.key = "counted_words", .heading = "counted\nwords", .width = 9},
    {.key = "returned_seconds",
     .heading = "measured us\nuntil it returns",
     .width = 16,
     .decimals = 1,
     .scale = 1e6},
    {.key = "seconds", .heading = "\nis done", .width = 9, .decimals = 1, .scale = 1e6},
    {.key = "gbps", .heading = "\nGB/s", .width = 7, .decimals = 1},
    {.key = "ratio", .heading = "\nto pinned", .width = 9, .decimals = 2},
    {.key = "least_ratio", .heading = "model\nfrom", .width = 6, .decimals = 2},
    {.key = "most_ratio", .heading = "\nto", .width = 6, .decimals = 2},
    {.key = "verdict", .heading = "\nverdict", .width = -8, .gap = 2},
};

static void row_print(hostmemory *h, kind k, bool to_host, uint64_t words, const times *t)
{
    const bool timed = t->done > 0, staged = k == PLAIN || k == LOCKED;
    const bool ratio = timed && k != PINNED && h->pinned_seconds[to_host] > 0;
    const double pinned = h->pinned_seconds[to_host];
    lab_row row = {.own = true, .equal = words == h->n, .seconds = t->done};

    row.point = lab_point_at(kinds[k], directions[to_host]);
    row.point.predicted = (double)h->n;
    if (h->lab.job.verify)
        row.point.counted = (double)words;
    if (ratio) {
        row.least = least_factor[k] * pinned;
        row.most = most_factor[k] * pinned;
        lab_point_time(&row.point, t->done / pinned, least_factor[k], most_factor[k]);
    }
    CLI_ROW(h->lab.result, cell_text(kinds[k]), cell_text(directions[to_host]),
            cell_shown(cell_flag(staged), staged ? "yes" : "no"), cell_count(h->n),
            cell_if(h->lab.job.verify, cell_count(words)), cell_if(timed, cell_number(t->returned)),
            cell_if(timed, cell_number(t->done)),
            cell_if(timed, cell_number(1e-9 * WORD * (double)h->n / t->done)),
            cell_if(ratio, cell_number(t->done / pinned)),
            cell_if(ratio, cell_number(least_factor[k])),
            cell_if(ratio, cell_number(most_factor[k])), lab_verdict(&h->lab, &row));
}

static hd_status run_direction(hostmemory *h, kind k, uint32_t *host, bool to_host)
{
    uint64_t words = 0;
    times t = {0, 0};

    if (h->lab.job.verify)
        HD_TRY(count(h, host, to_host, &words));
    if (h->lab.gpu)
        HD_TRY(time_copies(h, host, to_host, &t));
    if (k == PINNED)
        h->pinned_seconds[to_host] = t.done;
    row_print(h, k, to_host, words, &t);
    return HD_OK;
}

static hd_status run_directions(hostmemory *h, kind k)
{
    uint32_t *host = k == PINNED ? h->pinned : h->plain;

    HD_TRY(run_direction(h, k, host, false));
    return run_direction(h, k, host, true);
}

static hd_status run_registered(hostmemory *h)
{
    hd_status status = hd_host_register(h->plain, (size_t)h->n * WORD, h->lab.job.device);
    hd_status undone;

    if (status < 0)
        return status;
    status = run_directions(h, REGISTERED);
    undone = hd_host_unregister(h->plain);
    return status < 0 ? status : undone;
}

/* Without permission to lock so much, there are no rows. */
static hd_status run_locked(hostmemory *h)
{
    const size_t bytes = (size_t)h->n * WORD;
    hd_status status;

    h->lock_error = mlock(h->plain, bytes) == 0 ? 0 : errno;
    if (h->lock_error)
        return HD_OK;
    status = run_directions(h, LOCKED);
    (void)munlock(h->plain, bytes);
    return status;
}

static hd_status run_kind(hostmemory *h, kind k)
{
    return k == REGISTERED ? run_registered(h) : k == LOCKED ? run_locked(h) : run_directions(h, k);
}

static void run_rows(void *state)
{
    hostmemory *h = state;

    for (int k = 0; k < KINDS && h->lab.failed >= 0; k++)
        if (h->kinds >> k & 1)
            h->lab.failed = run_kind(h, (kind)k);
    h->lab.counts = h->lab.job.verify; /* the words that arrived */
}

static void say_lock(void *state)
{
    const hostmemory *h = state;

    if (h->lock_error)
        cli_say(h->lab.result, "\nno rows of mlocked memory: mlock: %s (ulimit -l)\n",
                strerror(h->lock_error));
}

/* ---- the command ----------------------------------------------------------------------------- */

static int read_options(void *state)
{
    hostmemory *h = state;
    const cli_arguments *arguments = h->lab.job.arguments;
    uint64_t size = 0;
    int status = cli_word_list_read(arguments, "kinds", kinds, KINDS, (1u << KINDS) - 1, &h->kinds);

    if (status == CLI_DONE)
        status = cli_count_read(arguments, "size", h->lab.gpu ? size_gpu : size_cpu, WORD, size_max,
                                &size);
    h->n = size / WORD;
    lab_field(&h->lab, "size", h->n * WORD);
    return status;
}

static hd_status open_memory(void *state)
{
    hostmemory *h = state;
    const size_t n = (size_t)h->n;

    HD_TRY(lab_alloc(&h->lab, &h->device, n));
    HD_TRY(lab_alloc_kind(&h->lab, &h->pinned, n, HD_MEM_PINNED));
    HD_TRY(lab_alloc_host(&h->lab, &h->plain, n));
    return lab_alloc_host(&h->lab, &h->results, n);
}

static const lab_about about = {
    "copies from and to kinds of host memory; staged: through page-locked memory of the driver",
    "bytes of a copy, one copy at a time",
    {"host memory", "words that arrived", "time / that of pinned memory"}};
static const lab_steps steps = {&about,  LAB_COLUMNS(columns), read_options, open_memory, run_rows,
                                say_lock};

static int run(const cli_arguments *arguments)
{
    hostmemory h;

    return lab_run(&h, sizeof h, arguments, &steps);
}

static const cli_option options[] = {
    {"kinds", "LIST", "some of pinned, registered, mlocked, plain (default: all)"},
    {"size", "BYTES", "bytes of a copy (default 64M; CPU: 64K)"},
    LAB_OPTIONS,
    {NULL, NULL, NULL}};

const cli_command cli_command_lab_hostmemory = {
    "lab hostmemory",
    "time copies from and to pageable, mlocked, registered and pinned memory",
    NULL,
    options,
    "pinned: allocated by hd_alloc_kind; registered: plain memory after hd_host_register;\n"
    "mlocked: plain memory after mlock, which the driver does not know; plain: of malloc. Words\n"
    "that arrived are counted everywhere. Times are measured on GPUs only: until the call\n"
    "returns, and until the data is there. Exit status 1 if a row disagrees with the model.\n"
    "\n"
    "JSON keys: size rows (case direction staged predicted_words counted_words\n"
    "returned_seconds seconds gbps ratio least_ratio most_ratio verdict)\n" LAB_KEYS,
    "  heddle lab hostmemory\n"
    "  heddle lab hostmemory --size 1G --kinds pinned,plain\n",
    run};
