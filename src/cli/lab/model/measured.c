/* SPDX-License-Identifier: Apache-2.0 */
/* measured.c - latency alpha and rate of a link, from the JSON output of `heddle p2p` or `heddle
   mpi pingpong`. */
#include "measured.h"

#include <math.h>
#include <string.h>

#include "cli/app/devices.h"
#include "io/json.h"

/* Contents of a file; too few or too small messages give no rate. */
typedef enum found { NOTHING, FITTED_NOTHING, FITTED } found;

/* The members `alpha` in seconds and `rate` in units of `unit` bytes per second. */
static found read_pair(const hd__json *object, const char *alpha, const char *rate, double unit,
                       model_link *link)
{
    const hd__json *a = hd__json_member(object, alpha), *r = hd__json_member(object, rate);
    model_link read;

    if (!a || !r)
        return NOTHING;
    if (!hd__json_number(a, &read.alpha) || !hd__json_number(r, &read.rate))
        return FITTED_NOTHING;
    read.rate *= unit;
    if (read.alpha < 0 || read.rate <= 0 || !isfinite(read.rate))
        return FITTED_NOTHING;
    *link = read;
    return FITTED;
}

/* ---- heddle mpi pingpong --------------------------------------------------------------------- */

static found find_method(const hd__json *json, const char *name, model_link *link,
                         char from[MODEL_FROM])
{
    const hd__json *methods = hd__json_member(json, "methods");
    found result = NOTHING;

    for (size_t i = 0; i < hd__json_length(methods) && !result; i++)
        if (strcmp(hd__json_text(hd__json_at(methods, i), "method"), name) == 0)
            result = read_pair(hd__json_at(methods, i), "alpha", "rate", 1, link);
    (void)snprintf(from, MODEL_FROM, "heddle mpi pingpong, %s", name);
    return result;
}

/* ---- heddle p2p ------------------------------------------------------------------------------ */

/* Parts of a field are assigned to devices in list order, and rows are periodic. */
static bool neighbours(const hd__json *list, uint64_t from, uint64_t to)
{
    const size_t count = hd__json_length(list);

    for (size_t i = 0; i < count; i++) {
        const uint64_t a = hd__json_whole(hd__json_at(list, i));
        const uint64_t b = hd__json_whole(hd__json_at(list, (i + 1) % count));

        if ((from == a && to == b) || (from == b && to == a))
            return true;
    }
    return false;
}

static double seconds(const model_link *link, double bytes)
{
    return link->alpha + bytes / link->rate;
}

static found find_copies(const hd__json *json, double bytes, model_link *link,
                         char from[MODEL_FROM])
{
    const hd__json *fits = hd__json_member(json, "fits");
    const hd__json *devices = hd__json_member(json, "devices");
    found result = NOTHING;

    for (size_t i = 0; i < hd__json_length(fits); i++) {
        const hd__json *fit = hd__json_at(fits, i);
        const uint64_t a = hd__json_count(fit, "from"), b = hd__json_count(fit, "to");
        model_link one = {0, 0};
        if (strcmp(hd__json_text(fit, "method"), "copy") != 0 || !neighbours(devices, a, b))
            continue;
        if (read_pair(fit, "latency", "gbps", 1e9, &one) != FITTED)
            return FITTED_NOTHING;
        if (result == FITTED && seconds(&one, bytes) <= seconds(link, bytes))
            continue;
        *link = one;
        result = FITTED;
        (void)snprintf(from, MODEL_FROM,
                       "heddle p2p, copies from device %llu to %llu, the slowest of neighbours",
                       (unsigned long long)a, (unsigned long long)b);
    }
    return result;
}

/* ---- both ------------------------------------------------------------------------------------ */

static int report_missing(const cli_command *command, const char *path, found what,
                          bool between_nodes)
{
    if (what == FITTED_NOTHING)
        return cli_failed(
            command,
            "%s: its times give no alpha and rate: more and larger payloads for "
            "`heddle p2p` (--least, --most), larger --bytes for `heddle mpi pingpong`",
            path);
    if (between_nodes)
        return cli_failed(command,
                          "%s: no alpha and rate as `heddle mpi pingpong --json` prints them "
                          "between two nodes",
                          path);
    return cli_failed(command,
                      "%s: no alpha and rate as `heddle p2p --json` (of copies) or `heddle mpi "
                      "pingpong --json` prints them",
                      path);
}

int model_measured_read(const cli_command *command, const char *path, bool between_nodes,
                        double bytes, model_link *link_out, char from_out[MODEL_FROM])
{
    char message[HD__IO_MESSAGE];
    hd__json *json = hd__json_read_file(path, message);
    found what = NOTHING;

    if (!json)
        return cli_failed(command, "%s", message);
    if (!between_nodes)
        what = find_copies(json, bytes, link_out, from_out);
    if (what == NOTHING)
        what = find_method(json, "device", link_out, from_out);
    if (what == NOTHING)
        what = find_method(json, "staged", link_out, from_out);
    hd__json_free(json);
    return what == FITTED ? CLI_DONE : report_missing(command, path, what, between_nodes);
}
