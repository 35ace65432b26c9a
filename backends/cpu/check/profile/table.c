/* SPDX-License-Identifier: Apache-2.0 */
/* table.c - results of the profile: performance findings, and the table by source line. */
#include "profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- findings -------------------------------------------------------------------------------- */

/* Thresholds that ordinary kernels do not reach. Unaligned rows of a tile take up to twice as many
   sectors as necessary. Small excess, in absolute numbers or relative to all such transactions of
   the kernel, is not reported. */
enum {
    WASTE_MIN = 32,
    SECTORS_FACTOR = 2,
    CONFLICT_FACTOR = 2,
    WORK_MIN = 64,
    LOOP_MIN = 16,
    BLOCKS_MIN = 4
};
static const double split_max = 0.4, idle_max = 0.5, waste_share = 0.05;

static const char *const verbs[] = {
    [HD_CHECK_READ] = "reads", [HD_CHECK_WRITE] = "writes", [HD_CHECK_BRANCH] = "goes"};

static double per(double sum, unsigned long long count)
{
    return count ? sum / (double)count : 0;
}

static hd_check_finding about(const hd_check_sample *sample, hd_check_code code,
                              const hd_check_site *site)
{
    const hd_check_block *block = sample->block->check;
    int here = site->launch == block->op->number;
    hd_check_finding f;

    memset(&f, 0, sizeof f);
    f.code = code;
    f.side[0].verb = verbs[site->what & 3];
    f.side[0].op = block->op;
    f.side[0].block = here ? site->block : block->serial - block->op->serial;
    f.side[0].thread = here ? site->thread : ~0u;
    f.side[0].pc = site->pc;
    if (here && site->what != HD_CHECK_BRANCH) {
        hd_cpu_resident *before = hd_check_me.block;

        hd_check_me.block = sample->block; /* all of its threads may have returned */
        hd_check_describe(site->address, f.object, sizeof f.object);
        hd_check_me.block = before;
    }
    return f;
}

/* Transactions of the kernel in shared memory or in global memory. */
static double all_transactions(const hd_check_profiled *kernel, unsigned shared)
{
    double sum = 0;

    for (uint32_t i = kernel->sites; i; i = hd_check_sites[i].next) {
        const hd_check_site *s = &hd_check_sites[i];

        if (s->what != HD_CHECK_BRANCH && (s->what & HD_CHECK_SHARED_SITE) == shared)
            sum += (double)s->transactions;
    }
    return sum;
}

static int matters(const hd_check_sample *sample, const hd_check_site *site, double waste)
{
    return waste >= WASTE_MIN &&
           waste >=
               waste_share * all_transactions(sample->kernel, site->what & HD_CHECK_SHARED_SITE);
}

static void judge_global(const hd_check_sample *sample, hd_check_site *site)
{
    hd_check_finding f;

    if (site->busy_transactions <= SECTORS_FACTOR * site->busy_ideal ||
        !matters(sample, site, (double)(site->busy_transactions - site->busy_ideal)))
        return;
    site->reported = 1;
    f = about(sample, HD_CHECK_UNCOALESCED, site);
    (void)snprintf(f.detail, sizeof f.detail,
                   "%.1f sectors of 32 bytes per request on average, %.1f would do (%llu requests)",
                   per((double)site->transactions, site->requests),
                   per((double)site->ideal, site->requests), site->requests);
    hd_check_report(&f);
}

static void judge_shared(const hd_check_sample *sample, hd_check_site *site)
{
    hd_check_finding f;

    if (site->transactions < CONFLICT_FACTOR * site->ideal ||
        !matters(sample, site, (double)(site->transactions - site->ideal)))
        return;
    site->reported = 1;
    f = about(sample, HD_CHECK_BANK_CONFLICT, site);
    (void)snprintf(f.detail, sizeof f.detail,
                   "%.1f passes per request on average, %.1f would do; at worst %u words of one "
                   "bank at once (%llu requests)",
                   per((double)site->transactions, site->requests),
                   per((double)site->ideal, site->requests), site->degree, site->requests);
    hd_check_report(&f);
}

static hd_check_site *worst_branch(const hd_check_profiled *kernel, int split)
{
    hd_check_site *worst = NULL;
    double most = 0;

    for (uint32_t i = kernel->sites; i; i = hd_check_sites[i].next) {
        hd_check_site *s = &hd_check_sites[i];
        double cost = split ? s->split : s->idle;

        if (s->what != HD_CHECK_BRANCH || cost <= most)
            continue;
        most = cost;
        worst = s;
    }
    return worst;
}

/* Reports a kernel if too much of its work is done by partial warps: while other lanes execute
   another branch, or by few lanes in long loops. Needs several blocks, because a single one may be
   at an edge of the data. */
static void judge_branches(const hd_check_sample *sample)
{
    hd_check_profiled *kernel = sample->kernel;
    double all = (double)kernel->work;
    int split = kernel->split > split_max * all;
    hd_check_site *worst;
    hd_check_finding f;

    if (kernel->reported || kernel->work < WORK_MIN ||
        (kernel->blocks < BLOCKS_MIN && kernel->blocks < sample->block->check->op->blocks) ||
        (!split && kernel->idle <= idle_max * all))
        return;
    worst = worst_branch(kernel, split);
    if (!worst || (!split && worst->requests < (unsigned long long)LOOP_MIN * kernel->blocks))
        return;
    kernel->reported = 1;
    f = about(sample, HD_CHECK_DIVERGENT_BRANCH, worst);
    (void)snprintf(f.detail, sizeof f.detail,
                   "%.1f of %.1f lanes come here on average (%llu times); branches cost %.0f %% of "
                   "the kernel's work",
                   per((double)worst->lanes, worst->requests),
                   per((double)worst->slots, worst->requests), worst->requests,
                   100 * kernel->idle / all);
    hd_check_report(&f);
}

void hd_check_profile_judge(hd_check_sample *sample)
{
    if (!hd_check_judged(sample->kernel->kernel))
        return;
    for (uint32_t i = sample->kernel->sites; i; i = hd_check_sites[i].next) {
        hd_check_site *s = &hd_check_sites[i];

        if (s->reported)
            continue;
        if (s->what == HD_CHECK_READ || s->what == HD_CHECK_WRITE)
            judge_global(sample, s);
        if (s->what == (HD_CHECK_READ | HD_CHECK_SHARED_SITE) ||
            s->what == (HD_CHECK_WRITE | HD_CHECK_SHARED_SITE))
            judge_shared(sample, s);
    }
    judge_branches(sample);
}

/* ---- the table ------------------------------------------------------------------------------- */

/* All sites of one kind on one source line. */
typedef struct row {
    hd_check_site sum;
    const char *file;
    int line;
} row;

static const char *const kinds[] = {
    [HD_CHECK_READ] = "global read",
    [HD_CHECK_WRITE] = "global write",
    [HD_CHECK_ATOMIC] = "global atomic",
    [HD_CHECK_BRANCH] = "branch",
    [HD_CHECK_SHARED_SITE | HD_CHECK_READ] = "shared read",
    [HD_CHECK_SHARED_SITE | HD_CHECK_WRITE] = "shared write",
    [HD_CHECK_SHARED_SITE | HD_CHECK_ATOMIC] = "shared atomic",
};

/* Transactions in excess, or work lost by inactive lanes. */
static double waste(const hd_check_site *s)
{
    return s->what == HD_CHECK_BRANCH ? s->idle : (double)s->transactions - (double)s->ideal;
}

static int row_order(const void *one, const void *other)
{
    const row *a = one, *b = other;
    double more = waste(&b->sum) - waste(&a->sum);
    int names;

    if (more > 0 || more < 0)
        return more > 0 ? 1 : -1;
    names = strcmp(a->sum.kernel->kernel->name, b->sum.kernel->kernel->name);
    return names ? names : a->line - b->line;
}

static void row_add(row *r, const hd_check_site *s)
{
    r->sum.requests += s->requests;
    r->sum.lanes += s->lanes;
    r->sum.slots += s->slots;
    r->sum.transactions += s->transactions;
    r->sum.ideal += s->ideal;
    r->sum.lines += s->lines;
    r->sum.idle += s->idle;
    if (r->sum.degree < s->degree)
        r->sum.degree = s->degree;
}

/* Adds the kernel's lines to the `count` rows so far; returns the new number. Branches that almost
   all lanes take are left out. */
static unsigned rows_of(const hd_check_profiled *kernel, row *rows, unsigned count)
{
    unsigned first = count;

    for (uint32_t i = kernel->sites; i; i = hd_check_sites[i].next) {
        const hd_check_site *s = &hd_check_sites[i];
        const char *file = "?", *function;
        unsigned at = first;
        int line = 0;

        if (!s->requests || (s->what == HD_CHECK_BRANCH && s->idle < 1))
            continue;
        (void)hd_check_locate(s->pc, &file, &line, &function);
        while (at < count && (rows[at].line != line || rows[at].sum.what != s->what ||
                              strcmp(rows[at].file, file) != 0))
            at++;
        if (at < count)
            row_add(&rows[at], s);
        else
            rows[count++] = (row){*s, file, line};
    }
    return count;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* The text without characters that JSON strings do not allow, or with them escaped. */
static const char *escaped(const char *text, char *to, size_t size)
{
    size_t at = 0;

    for (; *text && at + 3 < size; text++) {
        if (*text == '"' || *text == '\\')
            to[at++] = '\\';
        if ((unsigned char)*text >= ' ')
            to[at++] = *text;
    }
    to[at] = 0;
    return to;
}

static void row_json(const row *r)
{
    const hd_check_site *s = &r->sum;
    char file[512], json[1024];

    (void)snprintf(json, sizeof json,
                   "{\"type\":\"profile\",\"kernel\":\"%s\",\"file\":\"%s\",\"line\":%d,"
                   "\"access\":\"%s\",\"requests\":%llu,\"transactions\":%.2f,\"ideal\":%.2f,"
                   "\"lines\":%.2f,\"lanes\":%.2f,\"of\":%.2f,\"conflict\":%u}",
                   s->kernel->kernel->name, escaped(r->file, file, sizeof file), r->line,
                   kinds[s->what], s->requests, per((double)s->transactions, s->requests),
                   per((double)s->ideal, s->requests), per((double)s->lines, s->requests),
                   per((double)s->lanes, s->requests), per((double)s->slots, s->requests),
                   s->degree);
    hd_check_report_line(json);
}

static void row_print(const row *r, int kernel_width, int place_width)
{
    const hd_check_site *s = &r->sum;
    char place[128], traffic[64] = "", conflict[16] = "";

    (void)snprintf(place, sizeof place, "%s:%d", last_part(r->file), r->line);
    if (s->what != HD_CHECK_BRANCH)
        (void)snprintf(traffic, sizeof traffic, "%8.2f %8.2f",
                       per((double)s->transactions, s->requests),
                       per((double)s->ideal, s->requests));
    if (s->what & HD_CHECK_SHARED_SITE)
        (void)snprintf(conflict, sizeof conflict, "%u", s->degree);
    (void)fprintf(stderr, "%-*s  %-*s  %-13s %12llu %17s %6.1f/%-4.1f %8s\n", kernel_width,
                  s->kernel->kernel->name, place_width, place, kinds[s->what], s->requests, traffic,
                  per((double)s->lanes, s->requests), per((double)s->slots, s->requests), conflict);
}

static int widest(const row *rows, unsigned count, int places)
{
    int most = places ? 5 : 6;

    for (unsigned i = 0; i < count; i++) {
        const char *text = places ? last_part(rows[i].file) : rows[i].sum.kernel->kernel->name;
        int width = (int)strlen(text) + (places ? snprintf(NULL, 0, ":%d", rows[i].line) : 0);

        most = most < width ? width : most;
    }
    return most < 60 ? most : 60;
}

static void table_print(row *rows, unsigned count)
{
    int kernel_width = widest(rows, count, 0), place_width = widest(rows, count, 1);

    qsort(rows, count, sizeof *rows, row_order);
    (void)fprintf(stderr,
                  "\nProfile: transactions (32-byte sectors, passes over shared memory) and "
                  "lanes per request of a warp\n");
    (void)fprintf(stderr, "%-*s  %-*s  %-13s %12s %8s %8s %6s/%-4s %8s\n", kernel_width, "kernel",
                  place_width, "place", "access", "requests", "per req.", "ideal", "lanes", "of",
                  "conflict");
    for (unsigned i = 0; i < count; i++) {
        row_print(&rows[i], kernel_width, place_width);
        row_json(&rows[i]);
    }
}

/* If a kernel never ends, its worker keeps the lock, and no table is printed. */
void hd_check_profile_print(void)
{
    struct timespec until;
    unsigned count = 0;
    row *rows;

    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    if (pthread_mutex_timedlock(&hd_check_lock, &until) != 0)
        return;
    rows = malloc((hd_check_site_count + 1) * sizeof *rows);
    for (const hd_check_profiled *k = hd_check_profiled_kernels; rows && k; k = k->next)
        count = rows_of(k, rows, count);
    (void)pthread_mutex_unlock(&hd_check_lock);
    if (count)
        table_print(rows, count);
    free(rows);
}
