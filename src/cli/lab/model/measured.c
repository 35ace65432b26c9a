/* SPDX-License-Identifier: Apache-2.0 */
/* measured.c - alpha and rate of a link, from what `heddle p2p` or `heddle mpi pingpong`
   printed as JSON. */
#include "measured.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/app/devices.h"
#include "cli/trace/json_reader.h"

enum { FILE_MOST = 1 << 24 };

/* What a file has; few or small messages give no rate. */
typedef enum found { NOTHING, FITTED_NOTHING, FITTED } found;

static char *read_file(const cli_command *command, const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = file ? malloc(FILE_MOST) : NULL;
    size_t length;

    if (!text) {
        cli_failed(command, "%s: %s", path, strerror(file ? ENOMEM : errno));
        if (file)
            fclose(file);
        return NULL;
    }
    length = fread(text, 1, FILE_MOST - 1, file);
    text[length] = '\0';
    fclose(file);
    return text;
}

/* The members `alpha` in seconds and `rate` in units of `unit` bytes per second. */
static found read_pair(const json_value *object, const char *alpha, const char *rate, double unit,
                       model_link *link)
{
    const json_value *a = json_member(object, alpha), *r = json_member(object, rate);
    model_link read;

    if (!a || !r)
        return NOTHING;
    if (a->type != JSON_NUMBER || r->type != JSON_NUMBER)
        return FITTED_NOTHING;
    read.alpha = strtod(a->text, NULL);
    read.rate = unit * strtod(r->text, NULL);
    if (read.alpha < 0 || read.rate <= 0)
        return FITTED_NOTHING;
    *link = read;
    return FITTED;
}

/* ---- heddle mpi pingpong --------------------------------------------------------------------- */

static found find_way(const json_value *json, const char *name, model_link *link,
                      char from[MODEL_FROM])
{
    const json_value *ways = json_member(json, "ways");
    found result = NOTHING;

    for (const json_value *way = ways ? ways->first : NULL; way && !result; way = way->next)
        if (strcmp(json_text(way, "way"), name) == 0)
            result = read_pair(way, "alpha", "rate", 1, link);
    (void)snprintf(from, MODEL_FROM, "heddle mpi pingpong, %s", name);
    return result;
}

/* ---- heddle p2p ------------------------------------------------------------------------------ */

/* Parts of a field go to the devices in the order of the list, and rows are periodic. */
static bool neighbours(const json_value *list, uint64_t from, uint64_t to)
{
    for (const json_value *v = list ? list->first : NULL; v; v = v->next) {
        const json_value *next = v->next ? v->next : list->first;
        const uint64_t a = strtoull(v->text ? v->text : "", NULL, 10);
        const uint64_t b = strtoull(next->text ? next->text : "", NULL, 10);

        if ((from == a && to == b) || (from == b && to == a))
            return true;
    }
    return false;
}

static double seconds(const model_link *link, double bytes)
{
    return link->alpha + bytes / link->rate;
}

static found find_copies(const json_value *json, double bytes, model_link *link,
                         char from[MODEL_FROM])
{
    const json_value *fits = json_member(json, "fits");
    const json_value *devices = json_member(json, "devices");
    found result = NOTHING;

    for (const json_value *fit = fits ? fits->first : NULL; fit; fit = fit->next) {
        const uint64_t a = json_count(fit, "from"), b = json_count(fit, "to");
        model_link one = {0, 0};
        if (strcmp(json_text(fit, "method"), "copy") != 0 || !neighbours(devices, a, b))
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

/* ---- either ---------------------------------------------------------------------------------- */

static int tell_missing(const cli_command *command, const char *path, found what,
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
    char *text = read_file(command, path);
    json_value *json;
    found what = NOTHING;

    if (!text)
        return CLI_FAILED;
    json = json_read(text);
    free(text);
    if (json && !between_nodes)
        what = find_copies(json, bytes, link_out, from_out);
    if (json && what == NOTHING)
        what = find_way(json, "device", link_out, from_out);
    if (json && what == NOTHING)
        what = find_way(json, "staged", link_out, from_out);
    json_free(json);
    return what == FITTED ? CLI_DONE : tell_missing(command, path, what, between_nodes);
}
