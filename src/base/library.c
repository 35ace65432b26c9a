/* SPDX-License-Identifier: Apache-2.0 */
/* library.c - libraries that are loaded on first use, so that only programs that use them need
   them. They stay loaded. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "library.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Looks up all names; returns the first missing one, or NULL. */
static const char *find_all(void *from, const hd__library_name *names)
{
    for (; names->name; names++) {
        void *found = dlsym(from, names->name);
        if (!found)
            return names->name;
        memcpy(names->slot, &found, sizeof found);
    }
    return NULL;
}

/* If none of several files could be loaded, the error is about one that lacks a symbol, otherwise
   about the first. */
static hd_status load(const char *call, const char *what, const char *const *files,
                      const hd__library_name *names, void **library)
{
    char why[HD_ERROR_TEXT_MAX] = "";

    for (const char *const *file = files; *file && !*library; file++) {
        void *opened = dlopen(*file, RTLD_NOW | RTLD_LOCAL);
        const char *missing = opened ? find_all(opened, names) : NULL;
        if (missing) {
            (void)snprintf(why, sizeof why, "%s lacks %s", *file, missing);
            (void)dlclose(opened);
        } else if (opened) {
            *library = opened;
        } else if (!why[0]) {
            (void)snprintf(why, sizeof why, "%s", dlerror());
        }
    }
    return *library ? HD_OK : hd__fail(HD_ERR_UNSUPPORTED, call, "%s: %s", what, why);
}

hd_status hd__library_load(const char *call, const char *what, const char *const *files,
                           const hd__library_name *names, void **library)
{
    hd_status status;

    (void)pthread_mutex_lock(&lock);
    status = *library ? HD_OK : load(call, what, files, names, library);
    (void)pthread_mutex_unlock(&lock);
    return status;
}
