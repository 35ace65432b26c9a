/* SPDX-License-Identifier: Apache-2.0 */
/* environment.c - the checker's environment variables. As with those of the engine, an invalid one
   makes every call fail. */
#include "check/check.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"

enum { LIMIT = 100, REPLAY_MAX = 1 << 20 };

static void __attribute__((format(printf, 2, 3)))
bad(hd_cpu_config *config, const char *format, ...)
{
    va_list args;

    if (config->status != HD_OK)
        return;
    config->status = HD_ERR_ARGUMENT;
    va_start(args, format);
    hd__text_put(config->text, sizeof config->text, format, args);
    va_end(args);
}

static uint64_t number(hd_cpu_config *config, const char *name, uint64_t high, uint64_t standard)
{
    const char *text = hd__environment(name);
    char *end;
    unsigned long long value;

    if (!text || !*text)
        return standard;
    errno = 0;
    value = strtoull(text, &end, 10);
    if (errno || *end || *text < '0' || *text > '9' || value > high) {
        bad(config, "%s=%s is not a number from 0 to %llu", name, text, (unsigned long long)high);
        return standard;
    }
    return value;
}

static int flag(hd_cpu_config *config, const char *name)
{
    const char *text = hd__environment(name);

    if (!text || !*text || strcmp(text, "0") == 0)
        return 0;
    if (strcmp(text, "1") != 0)
        bad(config, "%s=%s is not 0 or 1", name, text);
    return 1;
}

/* Absolute path of the file, so that it stays valid if the program changes its working directory.
   NULL: not set. */
static const char *file(const char *name)
{
    const char *text = hd__environment(name);
    char folder[PATH_MAX], *path;
    size_t size;

    if (!text || !*text)
        return NULL;
    if (text[0] == '/' || !getcwd(folder, sizeof folder))
        return strdup(text);
    size = strlen(folder) + strlen(text) + 2;
    path = malloc(size);
    if (path)
        (void)snprintf(path, size, "%s/%s", folder, text);
    return path;
}

void hd_check_environment(hd_cpu_config *config)
{
    hd_check_config *options = &hd_check_options;

    options->seed = number(config, "HEDDLE_CHECK_SEED", UINT64_MAX, 0);
    options->strict = flag(config, "HEDDLE_CHECK_STRICT");
    options->profile = (int)number(config, "HEDDLE_CHECK_PROFILE", HD_CHECK_NO_BLOCK, 0);
    options->library = flag(config, "HEDDLE_CHECK_LIBRARY");
    options->replay = (unsigned)number(config, "HEDDLE_CHECK_REPLAY", REPLAY_MAX, 0);
    options->limit = (unsigned)number(config, "HEDDLE_CHECK_LIMIT", UINT_MAX, LIMIT);
    options->report = file("HEDDLE_CHECK_REPORT");
    options->suppress = file("HEDDLE_CHECK_SUPPRESS");
}
