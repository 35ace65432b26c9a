/* SPDX-License-Identifier: Apache-2.0 */
/* place.c - where tuned choices apply: source, compiler, device and driver; and where they are
   kept. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <heddle/devices.h>
#include <heddle/heddle.h>

#include "base/environment.h"
#include "base/error.h"
#include "runtime/backend.h"
#include "source_hash.h"
#include "store.h"

/* So that the file is valid JSON whatever a name contains. */
static void make_ascii(char *text)
{
    for (; *text; text++)
        if (*text < ' ' || *text > '~')
            *text = '?';
}

hd_status hd__tune_place_of(int device, const char *source, hd__tune_place *place)
{
    char arch[64] = "";
    int driver = 0;
    memset(place, 0, sizeof *place);
    HD_TRY(hd_device_name(device, place->device, sizeof place->device));
    HD_TRY(hd_device_arch(device, arch, sizeof arch));
    HD_TRY(hdb_driver_version(&driver));
    (void)snprintf(place->source, sizeof place->source, "%s", source ? source : HD__SOURCE_HASH);
    (void)snprintf(place->compiler, sizeof place->compiler, "%s", HEDDLE_KERNEL_COMPILER);
    (void)snprintf(place->driver, sizeof place->driver, "%s %d, %s", hd_backend_name(), driver,
                   arch);
    make_ascii(place->source);
    make_ascii(place->device);
    return HD_OK;
}

hd_status hd_tune_file(char *path, size_t size)
{
    static const char call[] = "hd_tune_file";
    const char *named = hd__environment("HEDDLE_TUNE_FILE");
    const char *cache = hd__environment("XDG_CACHE_HOME"), *home = hd__environment("HOME");
    int length;
    if (!path || size == 0)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s", path ? "size is 0" : "path is NULL");
    if (named && *named)
        length = snprintf(path, size, "%s", named);
    else if (cache && *cache == '/')
        length = snprintf(path, size, "%s/heddle/tune.json", cache);
    else if (home && *home == '/')
        length = snprintf(path, size, "%s/.cache/heddle/tune.json", home);
    else
        return hd__fail(HD_ERR_STATE, call,
                        "no file for tuned choices: none of HEDDLE_TUNE_FILE, XDG_CACHE_HOME and "
                        "HOME is set, or the program may not read them");
    if (length < 0 || (size_t)length >= size)
        return hd__fail(HD_ERR_ARGUMENT, call, "the path has %d bytes; there is room for %zu",
                        length, size - 1);
    return HD_OK;
}
