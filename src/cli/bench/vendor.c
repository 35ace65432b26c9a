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

#define LIBRARY "libheddle_vendor.so"

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
        snprintf(message, size, "the vendor library lacks %s", name);
        return -1;
    }
    memcpy(pointer, &found, sizeof found);
    return 0;
}

static int load(const char *path, cli_vendor *vendor, char *message, unsigned long size)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

    if (!library) {
        snprintf(message, size,
                 "no vendor library: %s (built from tests/vendor, or named by HEDDLE_VENDOR)",
                 dlerror());
        return -1;
    }
#define CLI_VENDOR_FIND_(what)                                                                     \
    if (find_function(library, "heddle_vendor_" #what, &vendor->what, message, size) < 0)          \
        return -1;
    CLI_VENDOR_LIST(CLI_VENDOR_FIND_)
#undef CLI_VENDOR_FIND_
    if (vendor->interface() != HEDDLE_VENDOR_INTERFACE) {
        snprintf(message, size, "%s has interface %d, not %d: rebuild it", path,
                 vendor->interface(), (int)HEDDLE_VENDOR_INTERFACE);
        return -1;
    }
    return 0;
}

/* The library that the environment names; NULL: none. */
static const char *named(void)
{
    const char *path = hd__environment("HEDDLE_VENDOR");

    if (!path || !*path)
        path = hd__environment("HEDDLE_PEERS");
    return path && *path ? path : NULL;
}

int cli_vendor_named(void)
{
    return named() != NULL;
}

int cli_vendor_load(cli_vendor *vendor, char *message, unsigned long size)
{
    char path[PATH_MAX];

    if (cli_vendor_named())
        return load(named(), vendor, message, size);
    path_beside_tool(path);
    return load(path, vendor, message, size);
}
