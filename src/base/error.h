/* SPDX-License-Identifier: Apache-2.0 */
/* error.h - the calling thread's error detail: how it is recorded and preserved. */
#ifndef HEDDLE_BASE_ERROR_H
#define HEDDLE_BASE_ERROR_H

#include <heddle/status.h>

#include <stdarg.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Records the calling thread's error detail; returns `status`. `call` is the public function. */
hd_status hd__fail(hd_status status, const char *call, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
hd_status hd__fail_native(hd_status status, const char *call, int code, const char *name,
                          const char *text);

/* Readable text of any length: truncated text ends in "...". */
void hd__text_put(char *text, size_t size, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

/* While muted, failures of the calling thread do not replace the detail of its last error.
   Nests. */
void hd__error_mute(int muted);

/* HD__RELEASING is the first statement of every call that releases something (destroy, free,
   unregister, end). Until the call ends, failures do not replace an error after which the thread
   has made only such calls, so that cleaning up after a failure preserves its detail. Nests: of
   several releases within one, the first failure is reported. Checked by ci/lint.sh. */
#define HD__RELEASING                                                                              \
    const int hd_releasing_ __attribute__((cleanup(hd__release_end), unused)) = hd__release_begin()
int hd__release_begin(void);
void hd__release_end(const int *before);
/* A call that uses a device begins: the last error is no longer preserved, unless the call is part
   of a release. */
void hd__error_passed(void);

#ifdef __cplusplus
}
#endif

#endif
