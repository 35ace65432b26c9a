/* SPDX-License-Identifier: Apache-2.0 */
/* environment.h - environment variables. A program that runs with more rights than its caller has
   (setuid, setgid, file capabilities: the kernel sets AT_SECURE) reads none of them: the caller
   must not choose what file it writes and what library or program it loads. */
#ifndef HEDDLE_BASE_ENVIRONMENT_H
#define HEDDLE_BASE_ENVIRONMENT_H

#include <stdlib.h>
#include <sys/auxv.h>

/* The value; NULL where the variable is not set or must not be read. */
static inline const char *hd__environment(const char *name)
{
    return secure_getenv(name);
}

/* Whether other libraries may be called that read variables themselves. */
static inline int hd__environment_is_trusted(void)
{
    return getauxval(AT_SECURE) == 0;
}

#endif
