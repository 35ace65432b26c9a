/* SPDX-License-Identifier: Apache-2.0 */
/* vendor.c - loads the library of vendor primitives. */
#include "vendor.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"

#define LIBRARY "libheddle_peers.so"

/* The library's path next to the tool's executable. */
static void path_beside_tool(char path[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - sizeof LIBRARY - 1);
    char *slash;

    path[length > 0 ? length : 0] = '\0';
    slash = strrchr(path, '/');
    strcpy(slash ? slash + 1 : path, LIBRARY);
}

static int find_function(void *library, const char *name, void *pointer, char *message,
                         unsigned long size)
{
    void *found = dlsym(library, name);

    if (!found) {
        snprintf(message, size, "the library of peers lacks %s", name);
        return -1;
    }
    memcpy(pointer, &found, sizeof found);
    return 0;
}

static int load(const char *path, cli_peers *peers, char *message, unsigned long size)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

    if (!library) {
        snprintf(message, size,
                 "no library of peers: %s (built from tests/peers, or named by HEDDLE_PEERS)",
                 dlerror());
        return -1;
    }
#define CLI_PEER_FIND_(what)                                                                       \
    if (find_function(library, "heddle_peer_" #what, &peers->what, message, size) < 0)             \
        return -1;
    CLI_PEER_LIST(CLI_PEER_FIND_)
#undef CLI_PEER_FIND_
    if (peers->interface() != HEDDLE_PEER_INTERFACE) {
        snprintf(message, size, "%s has interface %d, not %d: build it anew", path,
                 peers->interface(), (int)HEDDLE_PEER_INTERFACE);
        return -1;
    }
    return 0;
}

int cli_peers_named(void)
{
    const char *named = hd__environment("HEDDLE_PEERS");

    return named && *named;
}

int cli_peers_load(cli_peers *peers, char *message, unsigned long size)
{
    char path[PATH_MAX];

    if (cli_peers_named())
        return load(hd__environment("HEDDLE_PEERS"), peers, message, size);
    path_beside_tool(path);
    return load(path, peers, message, size);
}
