/* SPDX-License-Identifier: Apache-2.0 */
/* exercise.h - what main.c of every exercise uses. The program ends with status 0 if its results
   are right, 1 if they are wrong, 2 if a call failed. */
#ifndef EXERCISE_H
#define EXERCISE_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/heddle.h>

/* Ends the program with a line about the call that failed. */
#define TRY(call) exercise_try(call, #call)

static inline void exercise_try(hd_status status, const char *call)
{
    char text[HD_ERROR_TEXT_MAX];

    if (status >= 0)
        return;
    fprintf(stderr, "error: %s\n  %s\n", call, hd_error_format(text, sizeof text));
    exit(2);
}

/* The number of elements: the program's argument, or without one the default. */
static inline size_t exercise_size(int argc, char **argv, size_t otherwise)
{
    char *end = NULL;
    unsigned long long n = argc > 1 ? strtoull(argv[1], &end, 10) : otherwise;

    if (argc > 1 && (end == argv[1] || *end)) {
        fprintf(stderr, "error: '%s' is not a number of elements\n", argv[1]);
        exit(2);
    }
    return (size_t)n;
}

/* "wrong: ..." on standard error, with what is wrong. Returns the program's exit status. */
__attribute__((format(printf, 1, 2))) static inline int exercise_wrong(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    fputs("wrong: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return 1;
}

/* The bits of a float, for output that must be equal everywhere. */
static inline uint32_t exercise_bits(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

#endif
