/* SPDX-License-Identifier: Apache-2.0 */
/* program.c - HEDDLE_TRACE: traces the whole program and writes the file when it ends. There
   is nobody to return an error to, so it is one line on standard error. */
#include "trace.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "path.h"

/* Seconds that a program which ends may wait for what it left running. */
static const double patience = 0.5;

static char path[PATH_MAX];
static pid_t owner;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Once is enough. */
static void complain(const char *why)
{
    static atomic_int told;
    if (!atomic_exchange(&told, 1))
        (void)fprintf(stderr, "heddle: HEDDLE_TRACE=%s: %s\n", path, why);
}

/* Children that were forked leave the file to their parent. */
static void program_ends(void)
{
    if (getpid() != owner || !hd__trace_stop_by(hd__trace_now() + patience))
        return;
    if (hd_trace_write(path) < 0)
        complain(strerror(errno));
}

/* The vendor has come up by now, and goes down before what was registered earlier. A program that
   is killed from now on leaves a trace of nothing instead of an older file. */
static void device_in_use(void)
{
    const hd__trace_file nothing = {NULL, 0, 0, 0};
    if (hd__trace_json(path, &nothing) != 0)
        complain(errno ? strerror(errno) : "write error");
    (void)atexit(program_ends);
}

void hd__trace_program_uses_device(void)
{
    if (path[0] && getpid() == owner)
        (void)pthread_once(&once, device_in_use);
}

__attribute__((constructor)) static void program_begins(void)
{
    const char *text = hd__environment("HEDDLE_TRACE");
    if (!text || !*text)
        return;
    owner = getpid();
    if (!hd__trace_path(text, path, sizeof path)) {
        complain("the name is too long");
        path[0] = 0;
    } else if (hd_trace_start(0) >= 0) {
        (void)atexit(program_ends);
    }
}
