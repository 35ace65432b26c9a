/* SPDX-License-Identifier: Apache-2.0 */
/* error.h - the calling thread's error detail: how it is recorded, and what keeps it. */
#ifndef HEDDLE_BASE_ERROR_H
#define HEDDLE_BASE_ERROR_H

#include <heddle/status.h>

#include <stdarg.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Record the calling thread's error detail; return `status`. `call` is the public function. */
hd_status hd__fail(hd_status status, const char *call, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
hd_status hd__fail_native(hd_status status, const char *call, int code, const char *name,
                          const char *text);

/* Text for people, of any length: what does not fit ends in "...". */
void hd__text_put(char *text, size_t size, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

/* While muted, the calling thread's failures leave the detail of its last error alone. Nests. */
void hd__error_mute(int muted);

/* HD__RELEASING stands first in every call that gives something back (destroy, free, unregister,
   end): whatever fails until its end leaves an error alone that no other kind of call has followed,
   so that cleaning up after a failure does not replace its detail. Nests: of several releases in
   one the first that fails is the one that is reported. ci/lint.sh looks for it. */
#define HD__RELEASING                                                                              \
    const int hd_releasing_ __attribute__((cleanup(hd__release_end), unused)) = hd__release_begin()
int hd__release_begin(void);
void hd__release_end(const int *before);
/* A call begins that uses a device: the last error is history, unless this is part of a release. */
void hd__error_passed(void);

#ifdef __cplusplus
}
#endif

#endif
