/* SPDX-License-Identifier: Apache-2.0 */
/* ends.c - a checked program with a race, which ends in many ways: `ends MODE`. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <heddle/heddle.h>

#include "ends.h"

enum { THREADS = 256, HOST_THREADS = 4, TIMES = 25 };

static unsigned *out;
static hd_stream *stream;

static void must(hd_status status)
{
    char text[HD_ERROR_TEXT_MAX];

    if (status == HD_OK)
        return;
    fprintf(stderr, "ends: %s\n", hd_error_format(text, sizeof text));
    exit(2);
}

static void begin(void)
{
    must(hd_stream_create(0, &stream));
    must(hd_alloc(&out, THREADS, 0));
}

static void finish(void)
{
    must(hd_free(out));
    must(hd_stream_destroy(stream));
}

static void race(void)
{
    must(hd_launch(ends_race, hd_launch_1d(THREADS, THREADS, stream), out)); /* LAUNCH */
    must(hd_stream_synchronize(stream));
}

/* ---- the modes ------------------------------------------------------------------------------- */

static int ends_well(void)
{
    finish();
    return 0;
}

static int ends_badly(void)
{
    finish();
    return 7;
}

static int aborts(void)
{
    abort();
}

static int faults(void)
{
    int *volatile nowhere = (int *)8;

    *nowhere = 1;
    return 0;
}

static void own_handler(int number)
{
    static const char text[] = "my handler\n";

    (void)number;
    (void)!write(1, text, sizeof text - 1);
    _exit(9);
}

static int leaves_in_the_middle(void)
{
    _exit(0);
}

static int forks(void)
{
    int status;
    pid_t child = fork();

    if (child == 0)
        exit(0);
    (void)waitpid(child, &status, 0);
    finish();
    return 0;
}

/* The program has no children: nothing may be waited for. */
static int waits(void)
{
    if (wait(NULL) != -1 || errno != ECHILD)
        printf("a child that is not ours\n");
    finish();
    return 0;
}

/* Closes what it does not know and opens a file of its own in its place. */
static int closes(void)
{
    int fd = 0;

    for (int i = 3; i < 1024; i++)
        (void)close(i);
    while (fd >= 0 && fd < 200)
        fd = open("own", O_RDWR | O_CREAT, 0600);
    must(hd_launch(ends_unrolled, hd_launch_1d(THREADS, THREADS, stream), out));
    must(hd_stream_synchronize(stream));
    finish();
    return 0;
}

static void *races(void *argument)
{
    unsigned *mine = NULL;
    hd_stream *own = NULL;

    (void)argument;
    must(hd_stream_create(0, &own));
    must(hd_alloc(&mine, THREADS, 0));
    for (int i = 0; i < TIMES; i++) {
        must(hd_launch(ends_race, hd_launch_1d(THREADS, THREADS, own), mine));
        must(hd_stream_synchronize(own));
    }
    must(hd_free(mine));
    must(hd_stream_destroy(own));
    return NULL;
}

static int threads(void)
{
    pthread_t thread[HOST_THREADS];

    for (int i = 0; i < HOST_THREADS; i++)
        (void)pthread_create(&thread[i], NULL, races, NULL);
    for (int i = 0; i < HOST_THREADS; i++)
        (void)pthread_join(thread[i], NULL);
    finish();
    return 0;
}

static int moves(void)
{
    (void)!chdir("/");
    must(hd_launch(ends_unrolled, hd_launch_1d(THREADS, THREADS, stream), out));
    must(hd_stream_synchronize(stream));
    finish();
    return 0;
}

static int plugs(void)
{
    void *module = dlopen(getenv("HEDDLE_PLUGIN"), RTLD_NOW), *args[] = {&out, NULL};
    ends_plugin *plug = module ? (ends_plugin *)dlsym(module, "ends_plug") : NULL;

    if (!plug)
        return 2;
    must(plug(hd_launch_kernel, hd_kernel_of(ends_unrolled), hd_launch_1d(THREADS, THREADS, stream),
              args));
    must(hd_stream_synchronize(stream));
    finish();
    return 0;
}

/* Reads what three calls bring before the stream is done. */
static int reads_early(void)
{
    unsigned *to = NULL, sum;

    must(hd_alloc_kind(&to, 2 * THREADS, HD_MEM_PINNED, 0));
    must(hd_symbol_read(to, hd_symbol_of(ends_variable), 0, sizeof *to, stream));
    sum = to[0];
    must(hd_copy(to, (const unsigned *)out, THREADS, stream));
    sum += to[1];
    must(hd_copy_2d(to + THREADS, 4, out, 4, 4, 1, stream));
    printf("%u\n", sum + to[THREADS]);
    must(hd_stream_synchronize(stream));
    must(hd_free(to));
    finish();
    return 0;
}

typedef struct mode {
    const char *name;
    int (*run)(void);
} mode;

static const mode modes[] = {
    {"well", ends_well},  {"badly", ends_badly},  {"abort", aborts},
    {"fault", faults},    {"own", faults},        {"_exit", leaves_in_the_middle},
    {"fork", forks},      {"wait", waits},        {"close", closes},
    {"threads", threads}, {"move", moves},        {"plugin", plugs},
    {"atexit", NULL},     {"early", reads_early},
};

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "well";

    if (strcmp(name, "own") == 0)
        (void)signal(SIGSEGV, own_handler);
    if (strcmp(name, "atexit") == 0)
        (void)atexit(finish); /* before the first call of heddle's */
    begin();
    race();
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (strcmp(modes[i].name, name) == 0)
            return modes[i].run ? modes[i].run() : 0;
    return 2;
}
