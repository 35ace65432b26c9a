/* SPDX-License-Identifier: Apache-2.0 */
/* program.c - HEDDLE_TRACE: traces the whole program and writes the file when it ends. Errors are
   printed to standard error in one line, because there is no caller to return them to. */
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

/* Maximum time in seconds that the end of the program waits for running work. */
static const double patience = 0.5;

static char path[PATH_MAX];
static pid_t owner;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Prints the first problem only. */
static void complain(const char *why)
{
    static atomic_int told;
    if (!atomic_exchange(&told, 1))
        (void)fprintf(stderr, "heddle: HEDDLE_TRACE=%s: %s\n", path, why);
}

/* Forked children leave the file to their parent. */
static void program_ends(void)
{
    if (getpid() != owner || !hd__trace_stop_by(hd__trace_now() + patience))
        return;
    if (hd_trace_write(path) < 0)
        complain(strerror(errno));
}

/* Registers the exit handler now: the vendor's runtime is initialised, so its own exit handlers run
   later. Replaces an old file now: if the program is killed, an empty trace is left instead of an
   older file. */
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
