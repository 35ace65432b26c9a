/* SPDX-License-Identifier: Apache-2.0 */
/* config.c - the engine's environment variables, read once on first use. An invalid one makes every
   call fail with an error that names the variable. */
#include "core/config.h"
#include "core/sanitizer.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "observe.h"

/* Stack frames of unoptimised kernels are several times as large. */
#ifdef __OPTIMIZE__
#define OPTIMIZED 1
#else
#define OPTIMIZED 0
#endif

static hd_cpu_config config;
static const char units[] = "KMGT"; /* powers of 1024 */
static pthread_once_t config_once = PTHREAD_ONCE_INIT;

static void __attribute__((format(printf, 1, 2))) bad(const char *format, ...)
{
    va_list args;

    if (config.status != HD_OK)
        return;
    config.status = HD_ERR_ARGUMENT;
    va_start(args, format);
    hd__text_put(config.text, sizeof config.text, format, args);
    va_end(args);
}

/* Size as text in the largest unit that divides it, e.g. "16T". */
enum { SIZE_TEXT = 24 };
static void size_text(size_t size, char text[SIZE_TEXT])
{
    size_t unit = 0;

    while (size && size % 1024 == 0 && unit < sizeof units - 1) {
        size /= 1024;
        unit++;
    }
    (void)snprintf(text, SIZE_TEXT, unit ? "%zu%c" : "%zu", size, unit ? units[unit - 1] : 0);
}

static void bad_number(const char *name, const char *text, size_t low, size_t high, int sizes)
{
    char least[SIZE_TEXT], most[SIZE_TEXT];

    size_text(low, least);
    size_text(high, most);
    if (sizes)
        bad("%s=%s is not a number of bytes from %s to %s; K, M, G or T may follow", name, text,
            least, most);
    else
        bad("%s=%s is not a whole number from %zu to %zu", name, text, low, high);
}

static int digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A whole number in [low, high], with an optional K, M, G or T suffix if `sizes` is set. */
static size_t number(const char *name, size_t low, size_t high, size_t standard, int sizes)
{
    const char *text = hd__environment(name), *unit;
    char *end;
    unsigned long long value;
    unsigned shift = 0;

    if (!text)
        return standard;
    errno = 0;
    value = strtoull(text, &end, 10);
    if (sizes && *end && (unit = strchr(units, *end))) {
        shift = 10 * (unsigned)(unit - units + 1);
        end++;
    }
    if (errno || !digit(*text) || *end || value > high >> shift || (size_t)value << shift < low) {
        bad_number(name, text, low, high, sizes);
        return standard;
    }
    return (size_t)value << shift;
}

static unsigned cpus(void)
{
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return (unsigned)CPU_COUNT(&set);
    return 1;
}

typedef unsigned char pairs[HD_CPU_MAX_DEVICES][HD_CPU_MAX_DEVICES];

static void pair_set(pairs which, unsigned long a, unsigned long b)
{
    which[a][b] = 1;
    which[b][a] = 1;
}

/* Parses "0-1,1-2"; `wanted` completes the error message. */
static void pairs_list(const char *name, const char *text, pairs which, const char *wanted)
{
    const unsigned long devices = (unsigned long)config.devices;
    const char *at = text;

    for (;;) {
        char *end;
        unsigned long a = strtoul(at, &end, 10), b = a;

        if (digit(*at) && *end == '-' && digit(end[1]))
            b = strtoul(end + 1, &end, 10);
        if (a == b || (*end && *end != ',')) {
            bad("%s=%s is %s like 0-1,1-2", name, text, wanted);
            return;
        }
        if (a >= devices || b >= devices) {
            bad("%s=%s: there is no device %lu; devices are 0 to %lu", name, text,
                a >= devices ? a : b, devices - 1);
            return;
        }
        pair_set(which, a, b);
        if (!*end)
            return;
        at = end + 1;
    }
}

static void peers_read(void)
{
    const char *text = hd__environment("HEDDLE_CPU_PEERS"),
               *broken = hd__environment("HEDDLE_CPU_PEERS_BROKEN");
    unsigned long devices = (unsigned long)config.devices;

    config.any_broken = broken && *broken;
    if (config.any_broken)
        pairs_list("HEDDLE_CPU_PEERS_BROKEN", broken, config.broken,
                   "not a list of pairs of devices");
    if (text && strcmp(text, "none") == 0)
        return;
    if (text && strcmp(text, "all") != 0) {
        pairs_list("HEDDLE_CPU_PEERS", text, config.peers, "not all, none or pairs of devices");
        return;
    }
    for (unsigned long a = 0; a < devices; a++)
        for (unsigned long b = 0; b < a; b++)
            pair_set(config.peers, a, b);
}

static void streams_read(void)
{
    const char *text = hd__environment("HEDDLE_CPU_STREAMS");
    char *end;

    if (!text || strcmp(text, "eager") == 0)
        return;
    config.lazy = 1;
    if (strncmp(text, "lazy:", 5) == 0 && digit(text[5])) {
        errno = 0;
        config.seed = strtoull(text + 5, &end, 10);
        if (!*end && !errno)
            return;
    }
    bad("HEDDLE_CPU_STREAMS=%s is not eager or lazy:SEED, with a SEED from 0 to %llu", text,
        (unsigned long long)UINT64_MAX);
}

static void watchdog_read(void)
{
    static const double watchdog_max = 1e6;
    const char *text = hd__environment("HEDDLE_CPU_WATCHDOG");
    char *end;

    config.watchdog = 10;
    if (!text)
        return;
    errno = 0;
    config.watchdog = strtod(text, &end);
    if (errno || !digit(*text) || text[strspn(text, "0123456789.e+-")] || *end ||
        !(config.watchdog >= 0) || config.watchdog > watchdog_max)
        bad("HEDDLE_CPU_WATCHDOG=%s is not a number of seconds from 0 (off) to %.0f", text,
            watchdog_max);
}

static void warp_read(void)
{
    const char *text = hd__environment("HEDDLE_CPU_WARP");

    config.warp_size = text && strcmp(text, "64") == 0 ? 64 : 32;
    if (text && strcmp(text, "32") != 0 && strcmp(text, "64") != 0)
        bad("HEDDLE_CPU_WARP=%s is not 32 or 64", text);
}

static void config_read(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t memory = (size_t)sysconf(_SC_PHYS_PAGES) * page;

    warp_read();
    config.cpus = cpus();
    config.workers = (unsigned)number("HEDDLE_CPU_THREADS", 1, HD_CPU_MAX_WORKERS, config.cpus, 0);
    if (HD_OBSERVED) /* what the checker finds must not depend on timing */
        config.workers = 1;
    config.devices = (int)number("HEDDLE_CPU_DEVICES", 1, HD_CPU_MAX_DEVICES, 1, 0);
    memory /= 2;
    if (HD_OBSERVED) /* the checker's shadow has room for this much */
        memory = ((size_t)64 << 30) / (unsigned)(config.devices < 16 ? 16 : config.devices);
    config.memory = number("HEDDLE_CPU_MEMORY", 1 << 20, (size_t)1 << 44, memory, 1);
    config.memory = (config.memory + page - 1) & ~(page - 1);
    config.shared = number("HEDDLE_CPU_SHARED", HD_CPU_SHARED, HD_CPU_SHARED_MAX,
                           HD_CPU_SHARED_STANDARD, 1);
    config.stack = number("HEDDLE_CPU_STACK", 16 << 10, 64 << 20,
                          HD_CPU_ASAN || HD_OBSERVED || !OPTIMIZED ? 256 << 10 : 64 << 10, 1);
    config.stack = (config.stack + page - 1) & ~(page - 1);
    watchdog_read();
    streams_read();
    peers_read();
    HD_OBSERVE(configured(&config));
}

const hd_cpu_config *hd_cpu_config_get(void)
{
    (void)pthread_once(&config_once, config_read);
    return &config;
}
