/* SPDX-License-Identifier: Apache-2.0 */
/* zoo.c - runs one planted bug, or its corrected twin: `bugs NAME [fixed]`. `bugs list` prints the
   table. Exit status: 0, 1 wrong result of a twin, 2 wrong usage, 77 no device. */
#include "zoo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int zoo_bug = 1;
hd_stream *zoo_stream;
unsigned zoo_warp;

typedef struct zoo_entry {
    const char *name, *family, *code;
    int warps;
    const char *where;
    void (*run)(void);
} zoo_entry;

static const zoo_entry entries[] = {
#define ZOO_ENTRY(name, family, code, warps, where, also)                                          \
    {#name, #family, code, warps, #where, run_##name},
    BUGS(ZOO_ENTRY)
#undef ZOO_ENTRY
};

enum { ENTRIES = sizeof entries / sizeof entries[0] };

static void fail(void)
{
    fflush(stdout);
    exit(1);
}

int zoo_must(const char *file, int line, const char *text, hd_status status)
{
    char detail[HD_ERROR_TEXT_MAX];

    if (status == HD_OK)
        return 1;
    printf("%s:%d: %s: %s\n", file, line, text, hd_error_format(detail, sizeof detail));
    if (!zoo_bug)
        fail();
    return 0;
}

uint32_t zoo_sum(size_t first, size_t count)
{
    uint32_t sum = 0;

    for (size_t i = first; i < first + count; i++)
        sum += x(i);
    return sum;
}

static void *host_words(size_t n)
{
    void *words = calloc(n + 1, sizeof(uint32_t));

    if (!words) {
        printf("no host memory\n");
        fail();
    }
    return words;
}

uint32_t *zoo_raw(size_t n)
{
    uint32_t *device = NULL;

    MUST(hd_alloc(&device, n, 0));
    return device;
}

uint32_t *zoo_zeroed(size_t n)
{
    uint32_t *device = zoo_raw(n);

    MUST(hd_fill_zero(device, n, zoo_stream));
    return device;
}

uint32_t *zoo_input(size_t n)
{
    uint32_t *device = zoo_raw(n), *host = host_words(n);

    for (size_t i = 0; i < n; i++)
        host[i] = x(i);
    MUST(hd_copy_blocking(device, (const uint32_t *)host, n, zoo_stream));
    free(host);
    return device;
}

void zoo_drop(void *device)
{
    MUST(hd_stream_synchronize(zoo_stream));
    MUST(hd_free(device));
}

void zoo_expect(const uint32_t *device, size_t n, uint32_t (*want)(size_t i))
{
    uint32_t *host;

    MUST(hd_stream_synchronize(zoo_stream));
    if (zoo_bug)
        return;
    host = host_words(n);
    MUST(hd_copy_blocking(host, device, n, zoo_stream));
    for (size_t i = 0; i < n; i++) {
        if (host[i] != want(i)) {
            printf("element %zu is %u, wanted %u\n", i, host[i], want(i));
            fail();
        }
    }
    free(host);
}

void zoo_expect_value(const char *what, uint32_t got, uint32_t wanted)
{
    if (zoo_bug || got == wanted)
        return;
    printf("%s is %u, wanted %u\n", what, got, wanted);
    fail();
}

zoo_data zoo_begin(zoo_shape shape)
{
    zoo_data data;

    data.in = zoo_input((size_t)shape.grid * shape.block);
    data.out = zoo_zeroed(shape.outs);
    data.scratch = zoo_zeroed(ZOO_SCRATCH);
    data.outs = shape.outs;
    data.config = hd_launch_with(hd_dim(shape.grid, 1, 1), hd_dim(shape.block, 1, 1),
                                 shape.shared_bytes, zoo_stream);
    data.config.flags = shape.flags;
    return data;
}

void zoo_end(const zoo_data *data, uint32_t (*want)(size_t i))
{
    zoo_expect(data->out, data->outs, want);
    zoo_drop((void *)(uintptr_t)data->in);
    zoo_drop(data->out);
    zoo_drop(data->scratch);
}

static void list(void)
{
    for (size_t i = 0; i < ENTRIES; i++)
        printf("%s %s %s %d %s\n", entries[i].name, entries[i].family, entries[i].code,
               entries[i].warps, entries[i].where);
}

static int open_device(void)
{
    int count = 0;
    int64_t lanes = 0;

    if (hd_device_count(&count) != HD_OK || count == 0) {
        printf("skip: no device\n");
        return 0;
    }
    MUST(hd_stream_create(0, &zoo_stream));
    MUST(hd_device_get(0, HD_ATTR_WARP_SIZE, &lanes));
    zoo_warp = (unsigned)lanes;
    return 1;
}

int main(int argc, char **argv)
{
    size_t i = 0;

    if (argc == 2 && strcmp(argv[1], "list") == 0) {
        list();
        return 0;
    }
    while (argc > 1 && i < ENTRIES && strcmp(argv[1], entries[i].name) != 0)
        i++;
    if (argc < 2 || argc > 3 || i == ENTRIES || (argc == 3 && strcmp(argv[2], "fixed") != 0)) {
        fprintf(stderr, "usage: %s NAME [fixed] | list\n", argv[0]);
        return 2;
    }
    zoo_bug = argc == 2;
    if (!open_device())
        return 77;
    entries[i].run();
    MUST(hd_stream_synchronize(zoo_stream));
    MUST(hd_stream_destroy(zoo_stream));
    /* On a GPU, tools look for leaks when the device is given up. */
    if (strcmp(hd_backend_name(), "cpu") != 0)
        MUST(hd_device_reset(0));
    return 0;
}
