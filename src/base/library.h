/* SPDX-License-Identifier: Apache-2.0 */
/* library.h - shared libraries that are loaded on first use. */
#ifndef HEDDLE_BASE_LIBRARY_H
#define HEDDLE_BASE_LIBRARY_H

#include <heddle/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* For backends: a library that is loaded when it is first asked for, by the first of `files` (up to
   NULL) that has all names (up to one that is NULL); slots are pointers to functions. *library is
   NULL before. HD_ERR_UNSUPPORTED, with the reason. */
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
