/* SPDX-License-Identifier: Apache-2.0 */
/* table.c - which choices are in use. A table per device holds the choices of all families, indexed
   by family, kind, type and bucket, so that drivers find one with a single load. */
#include "table.h"

#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"
#include "base/error.h"
#include "spaces.h"

/* Choices as integers, so that they can be replaced while drivers read them. */
typedef struct device_table {
    _Atomic uint64_t of[HD__TUNE_FAMILIES][HD__TUNE_KINDS][HD__TUNE_TYPES][HD__TUNE_BUCKETS];
} device_table;
static_assert(sizeof(hd__tune_choice) == sizeof(uint64_t), "a choice is one integer");

atomic_uint hd__tune_state = 1;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static hd__tune_mode mode;
static hd__tune_entries loaded; /* of the file */
static _Atomic(device_table *) tables[HD__TUNE_DEVICES];

/* ---- the environment ------------------------------------------------------------------------- */

/* There is no caller to return a problem to. Prints the first one only. */
static void complain(const char *what, const char *why)
{
    static atomic_int printed;
    if (!atomic_exchange(&printed, 1))
        (void)fprintf(stderr, "heddle: HEDDLE_TUNE=%s: %s; defaults are used\n", what, why);
}

void hd__tune_complain(const char *why)
{
    complain(mode == HD__TUNE_NOW ? "now" : "read", why);
}

static hd__tune_mode read_mode(void)
{
    static const char *const words[] = {"off", "", "read", "now"};
    const char *text = hd__environment("HEDDLE_TUNE");
    for (size_t i = 0; text && i < sizeof words / sizeof *words; i++)
        if (strcmp(text, words[i]) == 0)
            return (hd__tune_mode)i;
    if (text)
        complain(text, "unknown; use off, read or now");
    return HD__TUNE_SHIPPED;
}

static void begin(void)
{
    char path[PATH_MAX];
    mode = read_mode();
    if (mode >= HD__TUNE_READ &&
        (hd_tune_file(path, sizeof path) < 0 || hd__tune_read("hd_tune_choose", path, &loaded) < 0))
        hd__tune_complain(hd_error_last()->message);
    if (mode == HD__TUNE_OFF ||
        (mode == HD__TUNE_SHIPPED && hd__tune_shipped_count <= 1)) /* nothing but the sentinel */
        (void)atomic_fetch_and(&hd__tune_state, ~1u);
}

hd__tune_mode hd__tune_mode_get(void)
{
    (void)pthread_once(&once, begin);
    return mode;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void put(device_table *table, const char *family, const char *type, unsigned bucket,
                hd__tune_choice choice)
{
    const int f = hd__tune_family_named(family);
    unsigned t, k;
    uint64_t bits;
    if (f == HD__TUNE_FAMILIES || bucket >= HD__TUNE_BUCKETS ||
        !hd__tune_type_read(&hd__tune_spaces[f], type, &t, &k))
        return;
    memcpy(&bits, &choice, sizeof bits);
    atomic_store_explicit(&table->of[f][k][t][bucket], bits, memory_order_relaxed);
}

/* The entry's values in the order of the family's knobs; 0 if one is unknown. */
static int choice_of(const hd__tune_entry *entry, hd__tune_choice *choice)
{
    const int family = hd__tune_family_named(entry->name);
    memset(choice, 0, sizeof *choice);
    if (family == HD__TUNE_FAMILIES)
        return 0;
    const hd__tune_space *space = &hd__tune_spaces[family];
    for (size_t i = 0; i < entry->knob_count; i++) {
        size_t k = 0;
        while (k < space->knob_count && strcmp(space->knobs[k].name, entry->knobs[i]) != 0)
            k++;
        if (k == space->knob_count || !hd__tune_value_known(&space->knobs[k], entry->values[i]))
            return 0;
        choice->of[k] = (uint16_t)entry->values[i];
    }
    return 1;
}

static void put_entries(device_table *table, const hd__tune_place *place,
                        const hd__tune_entry *entries, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        hd__tune_entry here = entries[i];
        hd__tune_choice choice;
        here.place = *place;
        if (hd__tune_family_named(here.name) != HD__TUNE_FAMILIES &&
            hd__tune_same_key(&here, &entries[i])) {
            if (choice_of(&entries[i], &choice))
                put(table, here.name, here.type, here.bucket, choice);
            else
                hd__tune_complain("the file has a value that is not one of its knob's");
        }
    }
}

static device_table *make_table(int device)
{
    device_table *table = calloc(1, sizeof *table);
    hd__tune_place place;
    if (!table || hd__tune_place_of(device, NULL, &place) < 0)
        return table;
    for (size_t i = 0; i < hd__tune_shipped_count; i++) {
        const hd__tune_shipped_row *row = &hd__tune_shipped[i];
        if (strcmp(row->device, place.device) == 0)
            put(table, row->family, row->type, row->bucket, row->choice);
    }
    put_entries(table, &place, loaded.all, loaded.count);
    return table;
}

/* NULL: no memory for one, or too many devices. */
static device_table *table_of(int device)
{
    if (device >= HD__TUNE_DEVICES)
        return NULL;
    device_table *table = atomic_load_explicit(&tables[device], memory_order_acquire);
    if (table)
        return table;
    (void)pthread_mutex_lock(&lock);
    table = atomic_load_explicit(&tables[device], memory_order_acquire);
    if (!table) {
        hd__error_mute(1);
        table = make_table(device);
        hd__error_mute(0);
        atomic_store_explicit(&tables[device], table, memory_order_release);
    }
    (void)pthread_mutex_unlock(&lock);
    return table;
}

/* ---- what drivers and kernels of users ask --------------------------------------------------- */

/* The choice that this thread tries out. */
static _Thread_local struct {
    int active, family;
    hd__tune_choice choice;
} trial;

void hd__tune_try(int family, hd__tune_choice choice)
{
    trial.active = 1;
    trial.family = family;
    trial.choice = choice;
    (void)atomic_fetch_add(&hd__tune_state, 2);
}

void hd__tune_try_end(void)
{
    trial.active = 0;
    (void)atomic_fetch_sub(&hd__tune_state, 2);
}

unsigned hd__tune_bucket(size_t n)
{
    unsigned bucket = 0;
    while (n >>= 2)
        bucket++;
    return bucket;
}

hd__tune_choice hd__tune_find(int family, unsigned kind, unsigned type, size_t n, int device)
{
    hd__tune_choice choice = {{0}};
    if (trial.active)
        return trial.family == family ? trial.choice : choice;
    const hd__tune_mode now = hd__tune_mode_get();
    device_table *table = now == HD__TUNE_OFF || type >= HD__TUNE_TYPES ? NULL : table_of(device);
    if (table) {
        const uint64_t bits = atomic_load_explicit(
            &table->of[family][kind][type][hd__tune_bucket(n)], memory_order_relaxed);
        memcpy(&choice, &bits, sizeof choice);
    }
    return choice;
}

int hd__tune_stored(const hd__tune_entry *key, hd__tune_entry *found)
{
    int got = 0;
    (void)hd__tune_mode_get();
    (void)pthread_mutex_lock(&lock);
    for (size_t i = 0; i < loaded.count; i++)
        if (loaded.all[i].bucket == key->bucket && hd__tune_same_key(&loaded.all[i], key)) {
            *found = loaded.all[i];
            got = 1;
        }
    (void)pthread_mutex_unlock(&lock);
    return got;
}

void hd__tune_learn(const hd__tune_entry *entries, size_t count)
{
    if (hd__tune_mode_get() < HD__TUNE_READ)
        return;
    (void)pthread_mutex_lock(&lock);
    hd__error_mute(1);
    for (size_t i = 0; i < count; i++)
        (void)hd__tune_entries_put("hd_tune_store", &loaded, &entries[i]);
    for (int device = 0; device < HD__TUNE_DEVICES; device++) {
        device_table *table = atomic_load_explicit(&tables[device], memory_order_acquire);
        hd__tune_place place;
        if (table && hd__tune_place_of(device, NULL, &place) >= 0)
            put_entries(table, &place, entries, count);
    }
    hd__error_mute(0);
    (void)pthread_mutex_unlock(&lock);
}
