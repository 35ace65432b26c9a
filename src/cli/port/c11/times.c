/* SPDX-License-Identifier: Apache-2.0 */
/* times.c - the clocks of <chrono>, with which C++ programs time themselves, as nanoseconds:

       auto start = std::chrono::steady_clock::now();    int64_t start = HD_PORT_NOW();
       duration_cast<microseconds>(end - start).count()   ((end - start) / 1000)
       duration<double> t = end - start; ... t.count()    double t = 1e-9 * (end - start); ... t

   Where namespaces are written out, too. What is left of <chrono> is an error (cxx.c). */
#include "c11.h"

#include <stdlib.h>
#include <string.h>

typedef struct unit {
    const char *name, *ratio; /* of chrono, and of std */
    const char *nanoseconds;
    const char *factor; /* a nanosecond in this unit */
} unit;

static const unit units[] = {{"nanoseconds", "nano", "1", "1.0"},
                             {"microseconds", "micro", "1000", "1e-3"},
                             {"milliseconds", "milli", "1000000", "1e-6"},
                             {"seconds", "", "1000000000", "1e-9"}};
enum { UNITS = sizeof units / sizeof *units };

/* The token behind std::chrono:: at the token, the token itself if there is none. */
static uint32_t skip_names(const port_file *file, uint32_t i)
{
    if (port_is(file, i, "std") && port_is(file, i + 1, "::"))
        i += 2;
    if (port_is(file, i, "chrono") && port_is(file, i + 1, "::"))
        i += 2;
    return i;
}

static void replace(port_job *job, port_file *file, uint32_t first, uint32_t last, char *text)
{
    for (uint32_t i = first; i <= last && i < file->count; i++)
        file->done[i] = true;
    port_replace(job, file, first, last, text);
}

/* `auto name =` before the token gets a type. */
static void give_type(port_job *job, port_file *file, uint32_t i, const char *type)
{
    if (i > 2 && port_is(file, i - 1, "=") && port_is(file, i - 3, "auto"))
        replace(job, file, i - 3, i - 3, port_print(job, "%s", type));
}

static bool is_clock(const port_file *file, uint32_t i)
{
    static const char *const clocks[] = {"steady_clock", "system_clock", "high_resolution_clock",
                                         NULL};

    return c11_is_one_of(file, i, clocks) && port_is(file, i + 1, "::");
}

/* steady_clock::now() and steady_clock::time_point. */
static void one_clock(port_job *job, port_file *file, uint32_t begin, uint32_t i)
{
    if (port_is(file, i + 2, "time_point"))
        replace(job, file, begin, i + 2, port_print(job, "int64_t"));
    if (!port_is(file, i + 2, "now") || !port_is(file, i + 3, "(") || !port_is(file, i + 4, ")"))
        return;
    give_type(job, file, begin, "int64_t");
    replace(job, file, begin, i + 4, port_print(job, "HD_PORT_NOW()"));
}

/* Whether `(expression).count()` begins at the token. */
static bool is_counted(const port_file *file, uint32_t open)
{
    const uint32_t close = file->tokens[open].match;

    return port_is(file, open, "(") && close > open && port_is(file, close + 1, ".") &&
           port_is(file, close + 2, "count") && port_is(file, close + 3, "(") &&
           port_is(file, close + 4, ")");
}

/* duration_cast<unit>(expression).count() */
static void one_cast(port_job *job, port_file *file, uint32_t begin, uint32_t i)
{
    const uint32_t name = skip_names(file, i + 2), open = name + 2;

    if (!port_is(file, i + 1, "<") || !port_is(file, name + 1, ">") || !is_counted(file, open))
        return;
    for (int k = 0; k < UNITS; k++) {
        const uint32_t close = file->tokens[open].match;

        if (!port_is(file, name, units[k].name))
            continue;
        give_type(job, file, begin, "int64_t");
        replace(job, file, begin, open, port_print(job, "(("));
        replace(job, file, close, close + 4, port_print(job, ") / %s)", units[k].nanoseconds));
    }
}

/* name.count() becomes name, where the name is visible. */
static void uncount(port_job *job, port_file *file, uint32_t name)
{
    const uint32_t end = port_scope_end(file, name);

    for (uint32_t i = name + 1; i + 4 < end; i++)
        if (file->tokens[i].length == file->tokens[name].length &&
            port_is(file, i, port_text(file, name)) && port_is(file, i + 1, ".") &&
            port_is(file, i + 2, "count") && port_is(file, i + 3, "("))
            replace(job, file, i + 1, i + 4, port_print(job, "%s", ""));
}

/* duration<double, std::milli>(expression).count(), or a variable of that type */
static void one_duration(port_job *job, port_file *file, uint32_t begin, uint32_t i)
{
    const uint32_t behind = port_is(file, i + 1, "<") ? port_skip_angles(file, i + 1) : 0;
    const bool seconds = behind == i + 4;
    const uint32_t ratio = behind - 2;

    if (behind < i + 4 || !(port_is(file, i + 2, "double") || port_is(file, i + 2, "float")))
        return;
    for (int k = 0; k < UNITS; k++) {
        const uint32_t close = file->tokens[behind].match;
        uint32_t end = behind + 1;

        if (!(seconds ? units[k].ratio[0] == '\0' : port_is(file, ratio, units[k].ratio)))
            continue;
        if (is_counted(file, behind)) {
            give_type(job, file, begin, "double");
            replace(job, file, begin, behind, port_print(job, "(%s * (", units[k].factor));
            replace(job, file, close, close + 4, port_print(job, "))"));
        } else if (port_is_name(file, behind) && port_is(file, behind + 1, "=")) {
            while (end < file->count && !port_is(file, end, ";"))
                end++;
            replace(job, file, begin, behind - 1, port_print(job, "double"));
            replace(job, file, behind + 1, behind + 1,
                    port_print(job, "= %s * (", units[k].factor));
            replace(job, file, end, end, port_print(job, ");"));
            uncount(job, file, behind);
        }
    }
}

void c11_times(port_job *job, port_file *file)
{
    file->done = calloc(file->count, sizeof *file->done);
    if (!file->done) {
        job->no_memory = true;
        return;
    }
    for (uint32_t i = 0; i + 4 < file->count; i++) {
        const uint32_t name = skip_names(file, i);

        if (file->done[i])
            continue;
        if (is_clock(file, name))
            one_clock(job, file, i, name);
        else if (port_is(file, name, "duration_cast"))
            one_cast(job, file, i, name);
        else if (port_is(file, name, "duration"))
            one_duration(job, file, i, name);
    }
}
