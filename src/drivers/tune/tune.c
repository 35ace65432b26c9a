/* SPDX-License-Identifier: Apache-2.0 */
/* tune.c - hd_tune_choose, hd_tune_store, hd_tune_reset: choices in use and in the file. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "measure.h"
#include "runtime/backend.h"
#include "runtime/runtime.h"
#include "table.h"

/* Sets everything but bucket, values and speed-up. */
static hd_status entry_of(const hd_tune_kernel *kernel, int device, hd__tune_entry *entry)
{
    memset(entry, 0, sizeof *entry);
    (void)snprintf(entry->name, sizeof entry->name, "%s", kernel->name);
    (void)snprintf(entry->type, sizeof entry->type, "%s", kernel->type ? kernel->type : "");
    return hd__tune_place_of(device, kernel->source ? kernel->source : "", &entry->place);
}

/* ---- storing --------------------------------------------------------------------------------- */

typedef struct stored {
    hd__tune_entry entries[HD_TUNE_SIZES_MAX];
    size_t count;
} stored;

static hd_status put_entries(void *state, hd__tune_entries *entries)
{
    const stored *s = state;
    for (size_t i = 0; i < s->count; i++)
        HD_TRY(hd__tune_entries_put("hd_tune_store", entries, &s->entries[i]));
    return HD_OK;
}

/* One entry per bucket of the measured sizes. */
static void add_buckets(stored *s, const hd_tune_kernel *kernel, const hd_tune_result *result,
                        const hd__tune_entry *key)
{
    const hd_tune_candidate *chosen = &result->candidates[result->chosen];
    for (size_t i = 0; i < result->size_count; i++) {
        hd__tune_entry *entry = &s->entries[s->count];
        size_t before = 0;
        *entry = *key;
        entry->bucket = hd__tune_bucket(result->sizes[i]);
        entry->knob_count = kernel->knob_count;
        entry->speedup = result->chosen ? chosen->speedup : 1;
        for (size_t k = 0; k < kernel->knob_count; k++) {
            (void)snprintf(entry->knobs[k], sizeof entry->knobs[k], "%s", kernel->knobs[k].name);
            entry->values[k] = chosen->values[k];
        }
        while (before < s->count && s->entries[before].bucket != entry->bucket)
            before++;
        s->count += before == s->count;
    }
}

hd_status hd_tune_store(const hd_tune_kernel *kernel, const hd_tune_result *result)
{
    static const char call[] = "hd_tune_store";
    char path[PATH_MAX];
    hd__tune_entry key;
    if (!result)
        return hd__fail(HD_ERR_ARGUMENT, call, "result is NULL");
    HD_TRY(hd__tune_kernel_check(call, kernel));
    for (size_t k = 0; k < kernel->knob_count; k++)
        if (result->candidates[0].values[k] != kernel->knobs[k].values[0])
            return hd__fail(HD_ERR_ARGUMENT, call, "the result is not of kernel %s", kernel->name);
    HD_TRY(hd_tune_file(path, sizeof path));
    HD_TRY(entry_of(kernel, result->device, &key));
    stored *s = calloc(1, sizeof *s);
    if (!s)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for %zu bytes", sizeof *s);
    add_buckets(s, kernel, result, &key);
    hd__tune_learn(s->entries, s->count);
    const hd_status status = hd__tune_update(call, path, 0, put_entries, s);
    free(s);
    return status;
}

/* ---- choosing -------------------------------------------------------------------------------- */

/* Sets the values of a stored entry; 0 unless it has exactly the kernel's knobs. */
static int take_values(const hd_tune_kernel *kernel, const hd__tune_entry *entry, unsigned *values)
{
    if (entry->knob_count != kernel->knob_count)
        return 0;
    for (size_t k = 0; k < kernel->knob_count; k++) {
        const hd_tune_knob *knob = &kernel->knobs[k];
        size_t i = 0, v = 0;
        while (i < entry->knob_count && strcmp(entry->knobs[i], knob->name) != 0)
            i++;
        while (i < entry->knob_count && v < knob->count && knob->values[v] != entry->values[i])
            v++;
        if (i == entry->knob_count || v == knob->count)
            return 0;
        values[k] = entry->values[i];
    }
    return 1;
}

/* Measures and stores. A file that cannot be written costs only that the next process measures
   again. */
static hd_status choose_now(const hd_tune_kernel *kernel, size_t size, hd_stream *stream,
                            unsigned *values)
{
    const hd_tune_options options = {.sizes = &size, .size_count = 1};
    hd_tune_result *result = NULL;
    HD_TRY(hd_tune_measure(kernel, &options, stream, &result));
    memcpy(values, result->candidates[result->chosen].values, kernel->knob_count * sizeof *values);
    if (hd_tune_store(kernel, result) < 0)
        hd__tune_complain(hd_error_last()->message);
    return hd_tune_result_destroy(result);
}

hd_status hd_tune_choose(const hd_tune_kernel *kernel, size_t size, hd_stream *stream,
                         unsigned *values)
{
    static const char call[] = "hd_tune_choose";
    hd__tune_entry key, found;
    if (!stream || !values)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s is NULL", stream ? "values" : "stream");
    HD_TRY(hd__tune_kernel_check(call, kernel));
    const hd__tune_mode mode = hd__tune_mode_get();
    if (mode >= HD__TUNE_READ) {
        unsigned got[HD_TUNE_KNOBS_MAX];
        HD_TRY(entry_of(kernel, stream->device, &key));
        key.bucket = hd__tune_bucket(size);
        if (hd__tune_stored(&key, &found) && take_values(kernel, &found, got) &&
            (!kernel->accepts || kernel->accepts(kernel->state, size, got))) {
            memcpy(values, got, kernel->knob_count * sizeof *values);
            return HD_OK;
        }
        if (mode == HD__TUNE_NOW && size > 0)
            return choose_now(kernel, size, stream, values);
    }
    for (size_t k = 0; k < kernel->knob_count; k++)
        values[k] = kernel->knobs[k].values[0];
    return HD_OK;
}

/* ---- resetting ------------------------------------------------------------------------------- */

typedef struct reset {
    const char *name;
    size_t removed;
} reset;

static hd_status remove_named(void *state, hd__tune_entries *entries)
{
    reset *r = state;
    size_t kept = 0;
    for (size_t i = 0; i < entries->count; i++)
        if (r->name && strcmp(entries->all[i].name, r->name) != 0)
            entries->all[kept++] = entries->all[i];
    r->removed = entries->count - kept;
    entries->count = kept;
    return HD_OK;
}

hd_status hd_tune_reset(const char *name, size_t *removed)
{
    char path[PATH_MAX];
    reset r = {name, 0};
    HD_TRY(hd_tune_file(path, sizeof path));
    HD_TRY(hd__tune_update("hd_tune_reset", path, name == NULL, remove_named, &r));
    if (removed)
        *removed = r.removed;
    return HD_OK;
}
