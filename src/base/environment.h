/* SPDX-License-Identifier: Apache-2.0 */
/* environment.h - environment variables. A program with more privileges than its caller (setuid,
   setgid, file capabilities: the kernel sets AT_SECURE) reads none of them: the caller must not
   choose the files that it writes or the libraries and programs that it loads. */
#ifndef HEDDLE_BASE_ENVIRONMENT_H
#define HEDDLE_BASE_ENVIRONMENT_H

#include <stdlib.h>
#include <sys/auxv.h>

/* The value; NULL if the variable is not set or must not be read. */
static inline const char *hd__environment(const char *name)
{
    return secure_getenv(name);
}

/* Whether other libraries that read environment variables themselves may be called. */
static inline int hd__environment_is_trusted(void)
{
    return getauxval(AT_SECURE) == 0;
}

#endif
