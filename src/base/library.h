/* SPDX-License-Identifier: Apache-2.0 */
/* library.h - shared libraries that are loaded on first use. */
#ifndef HEDDLE_BASE_LIBRARY_H
#define HEDDLE_BASE_LIBRARY_H

#include <heddle/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* For backends: loads a library on first use, from the first of `files` (NULL-terminated) that has
   all names (terminated by a NULL name); slots are function pointers. *library is NULL before the
   first call. HD_ERR_UNSUPPORTED, with the reason, if there is none. */
typedef struct hd__library_name {
    const char *name;
    void *slot;
} hd__library_name;
hd_status hd__library_load(const char *call, const char *what, const char *const *files,
                           const hd__library_name *names, void **library);

#ifdef __cplusplus
}
#endif

#endif
