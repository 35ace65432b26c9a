/* SPDX-License-Identifier: Apache-2.0 */
/* findings.c - findings: known ones are counted, new ones are passed to the sinks immediately.

   Two keys decide whether a finding is known. The first consists of code addresses: fast, for the
   same instruction again. The second consists of kernels, files and lines: unrolled loops and
   inlined functions have many addresses for one line. */
#include "check/report/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- known findings -------------------------------------------------------------------------- */

typedef struct key {
    uintptr_t code, kernel, place[HD_CHECK_SIDES];
} key;

typedef struct entry {
    struct entry *next;
    key key;
    hd_check_kept *kept;
} entry;

enum { BUCKETS = 4096, SINKS = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static entry *entries[BUCKETS];
static hd_check_kept *kept_first, *kept_last;
static hd_check_totals totals;
static hd_check_sink *sinks[SINKS];
static unsigned sink_count;

void hd_check_sink_add(hd_check_sink *sink)
{
    if (sink_count < SINKS)
        sinks[sink_count++] = sink;
}

hd_check_kept *hd_check_kept_first(void)
{
    return __atomic_load_n(&kept_first, __ATOMIC_ACQUIRE);
}

hd_check_totals hd_check_counted(void)
{
    return totals;
}

static uintptr_t mix(uintptr_t hash, uintptr_t value)
{
    hash = (hash ^ value) * (uintptr_t)0x9e3779b97f4a7c15;
    return hash ^ hash >> 29;
}

static entry **bucket_of(const key *k)
{
    uintptr_t hash = mix(mix(mix(k->code, k->kernel), k->place[0]), k->place[1]);

    return &entries[hash % BUCKETS];
}

static hd_check_kept *find(const key *k)
{
    for (entry *e = *bucket_of(k); e; e = e->next)
        if (memcmp(&e->key, k, sizeof *k) == 0)
            return e->kept;
    return NULL;
}

static void learn(const key *k, hd_check_kept *kept)
{
    entry *made = malloc(sizeof *made), **bucket = bucket_of(k);

    if (!made)
        return;
    made->key = *k;
    made->kept = kept;
    made->next = *bucket;
    *bucket = made;
}

static void count(hd_check_kept *kept)
{
    __atomic_store_n(&kept->count, kept->count + 1, __ATOMIC_RELAXED);
    if (kept->suppressed)
        kept->suppressed->used++;
}

/* ---- keys ------------------------------------------------------------------------------------ */

static uintptr_t stack_hash(const uintptr_t stack[HD_CHECK_STACK])
{
    uintptr_t hash = 1;

    for (unsigned i = 0; i < HD_CHECK_STACK && stack[i]; i++)
        hash = mix(hash, stack[i]);
    return hash;
}

static uintptr_t place_key(const hd_check_side *side)
{
    if (!side->verb)
        return 0;
    if (side->pc)
        return side->pc;
    if (side->file)
        return mix((uintptr_t)side->file, (uintptr_t)side->line);
    if (side->stack[0])
        return stack_hash(side->stack);
    return side->op ? stack_hash(side->op->stack) : 1;
}

static const hd_kernel *kernel_of(const hd_check_side *side)
{
    return side->verb && side->op ? side->op->kernel : NULL;
}

static key key_of(const hd_check_finding *f)
{
    key k = {(uintptr_t)f->code,
             (uintptr_t)kernel_of(&f->side[0]),
             {place_key(&f->side[0]), place_key(&f->side[1])}};

    return k;
}

/* The line of a side; for copies and whole launches that of the call. */
static hd_check_where where_of(const hd_check_side *side)
{
    hd_check_where where = {NULL, 0, NULL};

    if (!side->verb)
        return where;
    if (side->pc)
        return hd_check_where_pc(side->pc);
    if (side->file) {
        where.file = side->file;
        where.line = side->line;
        return where;
    }
    if (side->stack[0])
        return hd_check_where_stack(side->stack);
    return side->op ? hd_check_where_stack(side->op->stack) : where;
}

static int same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static int same_side(const hd_check_kept *a, int i, const hd_check_kept *b, int j)
{
    const hd_check_where *x = &a->where[i], *y = &b->where[j];
    const char *left = i ? a->other_kernel : a->kernel, *right = j ? b->other_kernel : b->kernel;

    return x->line == y->line && same_text(x->file, y->file) && same_text(left, right);
}

/* A known finding with the same lines, possibly with the sides swapped. */
static hd_check_kept *find_alike(const hd_check_kept *like)
{
    for (hd_check_kept *k = kept_first; k; k = k->next)
        if (k->code == like->code && ((same_side(k, 0, like, 0) && same_side(k, 1, like, 1)) ||
                                      (same_side(k, 0, like, 1) && same_side(k, 1, like, 0))))
            return k;
    return NULL;
}

/* ---- reporting ------------------------------------------------------------------------------- */

static void append(hd_check_kept *kept)
{
    hd_check_kept **end = kept_last ? &kept_last->next : &kept_first;

    kept->id = kept_last ? kept_last->id + 1 : 1;
    __atomic_store_n(end, kept, __ATOMIC_RELEASE);
    kept_last = kept;
    if (kept->suppressed)
        totals.suppressed++;
    else
        totals.findings[hd_check_rules[kept->code].severity]++;
}

static const char *name_of(const hd_kernel *kernel)
{
    return kernel ? kernel->name : "";
}

/* Stores the finding; NULL if it equals a known one, which is counted instead. */
static hd_check_kept *keep(const hd_check_finding *f, const key *k)
{
    hd_check_kept *kept = calloc(1, sizeof *kept), *alike;

    if (!kept)
        return NULL;
    kept->code = f->code;
    kept->kernel = name_of(kernel_of(&f->side[0]));
    kept->other_kernel = name_of(kernel_of(&f->side[1]));
    for (int i = 0; i < HD_CHECK_SIDES; i++)
        kept->where[i] = where_of(&f->side[i]);
    alike = find_alike(kept);
    learn(k, alike ? alike : kept);
    count(alike ? alike : kept);
    if (alike) {
        free(kept);
        return NULL;
    }
    kept->suppressed = hd_check_suppression_of(f->code, kept->kernel, kept->other_kernel);
    if (kept->suppressed)
        kept->suppressed->used++;
    append(kept);
    return kept;
}

int hd_check_judged(const hd_kernel *kernel)
{
    return !kernel || hd_check_options.library || strncmp(kernel->name, "hd__", 4) != 0;
}

void hd_check_report(const hd_check_finding *finding)
{
    int kept_errno = errno; /* host code's hooks call this: errno must not change */
    key k = key_of(finding);
    hd_check_kept *kept;

    if (hd_check_replaying || (hd_check_rules[finding->code].severity != HD_CHECK_ERROR &&
                               !hd_check_judged(kernel_of(&finding->side[0]))))
        return;
    (void)pthread_mutex_lock(&lock);
    kept = find(&k);
    if (kept) {
        count(kept);
    } else {
        kept = keep(finding, &k);
        for (unsigned i = 0; kept && !kept->suppressed && i < sink_count; i++)
            sinks[i](kept, finding);
    }
    (void)pthread_mutex_unlock(&lock);
    errno = kept_errno;
}

int hd_check_again(hd_check_code code, uintptr_t pc, uintptr_t other_pc)
{
    const hd_check_block *check = hd_check_me.check;
    key k = {(uintptr_t)code, (uintptr_t)(check ? check->op->kernel : NULL), {pc, other_pc}};
    hd_check_kept *kept;

    (void)pthread_mutex_lock(&lock);
    kept = find(&k);
    if (kept)
        count(kept);
    (void)pthread_mutex_unlock(&lock);
    return kept != NULL;
}
