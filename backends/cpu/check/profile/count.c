/* SPDX-License-Identifier: Apache-2.0 */
/* count.c - counts of one kernel's requests for the host program (runtime/counters.h). */
#include "profile.h"

static void site_clear(hd_check_site *site)
{
    site->requests = site->lanes = site->slots = 0;
    site->transactions = site->ideal = site->lines = site->words = 0;
    site->busy_transactions = site->busy_ideal = 0;
    site->degree = 0;
    site->idle = site->split = 0;
}

int hd_check_count_start(const hd_kernel *kernel)
{
    hd_check_profiled *p;

    (void)pthread_mutex_lock(&hd_check_lock);
    p = hd_check_profiled_of(kernel);
    if (p) {
        p->counting = 1;
        p->blocks = 0;
        p->work = 0;
        p->idle = p->split = 0;
    }
    for (uint32_t i = p ? p->sites : 0; i; i = hd_check_sites[i].next)
        site_clear(&hd_check_sites[i]);
    (void)pthread_mutex_unlock(&hd_check_lock);
    return p != NULL;
}

static void site_add(hdb_access_counts *counts, const hd_check_site *site)
{
    counts->requests += site->requests;
    counts->lanes += site->lanes;
    counts->transactions += site->transactions;
    counts->lines += site->lines;
    counts->words += site->words;
    if (counts->degree < site->degree)
        counts->degree = site->degree;
}

void hd_check_count_stop(const hd_kernel *kernel, hdb_counters *counters_out)
{
    hd_check_profiled *p;

    (void)pthread_mutex_lock(&hd_check_lock);
    p = hd_check_profiled_of(kernel);
    if (p) {
        counters_out->blocks = p->blocks;
        p->counting = 0;
    }
    for (uint32_t i = p ? p->sites : 0; i; i = hd_check_sites[i].next) {
        const hd_check_site *s = &hd_check_sites[i];

        if (s->what == HD_CHECK_READ)
            site_add(&counters_out->global_read, s);
        else if (s->what == HD_CHECK_WRITE)
            site_add(&counters_out->global_write, s);
        else if (s->what == (HD_CHECK_READ | HD_CHECK_SHARED_SITE))
            site_add(&counters_out->shared_read, s);
        else if (s->what == (HD_CHECK_WRITE | HD_CHECK_SHARED_SITE))
            site_add(&counters_out->shared_write, s);
    }
    (void)pthread_mutex_unlock(&hd_check_lock);
}
