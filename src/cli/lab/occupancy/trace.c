/* SPDX-License-Identifier: Apache-2.0 */
/* trace.c - kernels of a trace, one element for each block size and size of shared memory. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "io/json.h"
#include "io/message.h"
#include "cli/app/output.h"
#include "use.h"

/* "4 x 2 x 1": threads of a block; 0: no such text. */
static unsigned threads_in(const char *text)
{
    unsigned x = 0, y = 0, z = 0;
    char more;

    if (sscanf(text, "%5u x %5u x %5u%c", &x, &y, &z, &more) != 3)
        return 0;
    return x * y * z;
}

static use *find(uses *list, const char *name, unsigned threads, uint64_t dynamic)
{
    for (size_t i = 0; i < list->count; i++) {
        use *u = &list->list[i];

        if (u->threads == threads && u->dynamic_shared == dynamic && strcmp(u->name, name) == 0)
            return u;
    }
    return NULL;
}

static unsigned small(const hd__json *object, const char *key)
{
    const uint64_t value = hd__json_count(object, key);

    return value > UINT_MAX ? UINT_MAX : (unsigned)value;
}

/* Backends without registers write neither them nor local memory. */
static void read_needs(const hd__json *needs, use *u)
{
    u->registers = small(needs, "registers");
    u->local_known = u->resident_known = u->registers > 0;
    u->local = hd__json_count(needs, "local_bytes");
    u->static_shared = hd__json_count(needs, "static_shared_bytes");
    u->resident = small(needs, "resident_blocks");
}

/* false: no memory. */
static bool read_kernel(const hd__json *event, uses *list)
{
    const hd__json *needs = hd__json_member(event, "args");
    const unsigned threads = threads_in(hd__json_text(needs, "block"));
    const uint64_t dynamic = hd__json_count(needs, "shared_bytes");
    const char *name = hd__json_text(event, "name");
    use *u = find(list, name, threads, dynamic);

    if (threads == 0)
        return true;
    if (!u) {
        u = uses_add(list, name);
        if (!u)
            return false;
        u->threads = threads;
        u->dynamic_shared = dynamic;
        read_needs(needs, u);
    }
    u->launches++;
    return true;
}

static bool is(const hd__json *event, const char *key, const char *text)
{
    return strcmp(hd__json_text(event, key), text) == 0;
}

static bool read_event(const hd__json *event, uses *list)
{
    if (is(event, "ph", "M") && is(event, "name", "process_name") && list->device == LAB_NO_DEVICE)
        list->device = lab_device_find(hd__json_text(hd__json_member(event, "args"), "name"));
    if (is(event, "ph", "X") && is(event, "cat", "kernel"))
        return read_kernel(event, list);
    return true;
}

int uses_read_trace(const cli_arguments *arguments, const char *path, uses *list)
{
    char name[HD__IO_NAME], message[HD__IO_MESSAGE];
    hd__json *tree = hd__json_read_file(path, message);
    const hd__json *events = hd__json_member(tree, "traceEvents");
    int status = CLI_DONE;

    hd__io_printable_path(path, name, sizeof name);
    if (!tree)
        return cli_failed(arguments->command, "%s", message);
    if (!hd__json_is_array(events))
        status = cli_failed(arguments->command, "%s: not a trace: it has no array \"traceEvents\"",
                            name);
    for (size_t i = 0; i < hd__json_length(events) && status == CLI_DONE; i++)
        if (!read_event(hd__json_at(events, i), list))
            status = cli_failed(arguments->command, "no memory for %zu kernels", list->count);
    hd__json_free(tree);
    return status;
}
