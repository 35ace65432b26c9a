/* SPDX-License-Identifier: Apache-2.0 */
/* print.c - a finding as readable text on standard error, and as a line of JSON. */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"

typedef struct colours {
    const char *bold, *severity[HD_CHECK_PERFORMANCE + 1], *plain;
} colours;

static const colours *colours_get(void)
{
    static const colours none = {"", {"", "", ""}, ""};
    static const colours some = {"\033[1m", {"\033[1;31m", "\033[1;33m", "\033[1;36m"}, "\033[0m"};
    const char *terminal = hd__environment("TERM"), *without = hd__environment("NO_COLOR");

    if ((without && *without) || !isatty(STDERR_FILENO) || !terminal ||
        strcmp(terminal, "dumb") == 0)
        return &none;
    return &some;
}

static hd_dim3 unfold(uint32_t linear, hd_dim3 of)
{
    hd_dim3 at = {0, 0, 0};

    if (!of.x || !of.y)
        return at;
    at.x = linear % of.x;
    at.y = linear / of.x % of.y;
    at.z = linear / of.x / of.y;
    return at;
}

static void put_at(hd_check_text *text, const char *what, hd_dim3 at)
{
    hd_check_put(text, "%s(%u,%u,%u)", what, at.x, at.y, at.z);
}

static void put_size(hd_check_text *text, const char *what, hd_dim3 size)
{
    hd_check_put(text, "%s%ux%ux%u", what, size.x, size.y, size.z);
}

static void json_dim(hd_check_text *text, const char *key, hd_dim3 d)
{
    hd_check_put(text, ",\"%s\":[%u,%u,%u]", key, d.x, d.y, d.z);
}

static const hd_kernel *kernel_of(const hd_check_side *side)
{
    return side->op ? side->op->kernel : NULL;
}

/* The launch that the finding is about: that of its first side that is a kernel. */
static const hd_check_op *launch_of(const hd_check_finding *f)
{
    for (int i = 0; i < HD_CHECK_SIDES; i++)
        if (f->side[i].verb && kernel_of(&f->side[i]))
            return f->side[i].op;
    return NULL;
}

static void put_where(hd_check_text *text, const char *before, const hd_check_where *where)
{
    if (where->file && where->line)
        hd_check_put(text, "%s%s:%d", before, where->file, where->line);
    else if (where->file)
        hd_check_put(text, "%s%s%s%s%s", before, where->file, where->function ? " (" : "",
                     where->function ? where->function : "", where->function ? ")" : "");
}

/* Whether the side is about the whole launch rather than a place in it. */
static int is_launch(const hd_check_side *side)
{
    return kernel_of(side) && !side->pc && !side->file && side->thread == ~0u;
}

/* Whether the side's block is the one in the first line of the finding. */
static int block_named(const hd_check_finding *f, const hd_check_side *side)
{
    const hd_check_side *first = &f->side[0];

    return kernel_of(first) && !is_launch(first) && side->op == first->op &&
           side->block == first->block;
}

static const char *call_of(const hd_check_op *op)
{
    return hd_check_call_of(op->stack, op->what);
}

/* "thread (3,0,0)", with kernel and block if they differ from those of the first line. */
static void put_who(hd_check_text *text, const hd_check_finding *f, const hd_check_side *side)
{
    if (!kernel_of(side)) {
        hd_check_put(text, "%s", side->op ? call_of(side->op) : "host code");
        return;
    }
    if (side->op != launch_of(f))
        hd_check_put(text, "kernel %s, ", side->op->kernel->name);
    if (is_launch(side))
        hd_check_put(text, "the launch");
    else if (side->thread == ~0u && block_named(f, side))
        hd_check_put(text, "the block");
    else if (!block_named(f, side))
        put_at(text, "block ", unfold(side->block, side->op->grid));
    if (side->thread != ~0u)
        put_at(text, block_named(f, side) ? "thread " : " thread ",
               unfold(side->thread, side->op->block));
}

/* A verb is a word, or the collective in which the thread waits. */
static void put_verb(hd_check_text *text, const char *verb)
{
    hd_check_put(text, " %s%s", strncmp(verb, "hd_", 3) == 0 ? "waits in " : "", verb);
}

static void put_side(hd_check_text *text, const hd_check_kept *kept, const hd_check_finding *f,
                     int i)
{
    const hd_check_side *side = &f->side[i];

    put_who(text, f, side);
    put_verb(text, side->verb);
    put_where(text, " at ", &kept->where[i]);
    if (side->op && (!kernel_of(side) || side->op != launch_of(f)))
        hd_check_put(text, " (operation %u)", side->op->number);
}

static void put_launch(hd_check_text *text, const hd_check_op *op)
{
    hd_check_where where = hd_check_where_stack(op->stack);

    hd_check_put(text, "  launched");
    put_where(text, " at ", &where);
    put_size(text, ": grid ", op->grid);
    put_size(text, ", block ", op->block);
    if (op->shared_bytes)
        hd_check_put(text, ", %zu bytes of dynamic shared memory", op->shared_bytes);
    hd_check_put(text, " (operation %u)\n", op->number);
}

static void put_subject(hd_check_text *text, const hd_check_finding *f)
{
    const hd_check_op *launch = launch_of(f);
    const char *between = "";

    if (!launch && !f->object[0])
        return;
    hd_check_put(text, "  ");
    if (launch) {
        hd_check_put(text, "kernel %s", launch->kernel->name);
        between = ", ";
    }
    if (kernel_of(&f->side[0]) && !is_launch(&f->side[0]))
        put_at(text, ", block ", unfold(f->side[0].block, launch->grid));
    if (f->object[0])
        hd_check_put(text, "%s%s", between, f->object);
    hd_check_put(text, "\n");
}

static void put_finding(hd_check_text *text, const hd_check_kept *kept, const hd_check_finding *f)
{
    const hd_check_rule *rule = &hd_check_rules[f->code];
    const hd_check_op *launch = launch_of(f);
    const colours *c = colours_get();

    hd_check_put(text, "heddle check: %s%s%s %s%s%s: %s\n", c->severity[rule->severity],
                 hd_check_severities[rule->severity], c->plain, c->bold, rule->code, c->plain,
                 rule->title);
    put_subject(text, f);
    for (int i = 0; i < HD_CHECK_SIDES; i++) {
        if (!f->side[i].verb || (f->side[i].op == launch && is_launch(&f->side[i])))
            continue;
        hd_check_put(text, "  ");
        put_side(text, kept, f, i);
        hd_check_put(text, "\n");
    }
    if (launch)
        put_launch(text, launch);
    if (f->detail[0])
        hd_check_put(text, "  %s\n", f->detail);
    hd_check_put(text, "  fix: %s\n", rule->advice);
}

void hd_check_print(hd_check_kept *kept, const hd_check_finding *finding)
{
    static unsigned printed;
    hd_check_text text = {NULL, 0, 0};

    if (hd_check_options.limit && printed == hd_check_options.limit)
        hd_check_put(&text,
                     "heddle check: more than %u findings: the others are counted, not printed "
                     "(HEDDLE_CHECK_LIMIT)\n",
                     hd_check_options.limit);
    else if (!hd_check_options.limit || printed < hd_check_options.limit) {
        put_finding(&text, kept, finding);
        kept->printed = 1;
    }
    printed++;
    if (text.data)
        hd_check_write(STDERR_FILENO, text.data, text.used);
    free(text.data);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void json_string(hd_check_text *text, const char *key, const char *value)
{
    hd_check_put(text, ",\"%s\":", key);
    hd_check_put_json(text, value);
}

static void json_where(hd_check_text *text, const hd_check_where *where)
{
    if (where->file && where->line) {
        json_string(text, "file", where->file);
        hd_check_put(text, ",\"line\":%d", where->line);
    } else if (where->file) {
        json_string(text, "module", where->file);
    }
    if (where->function)
        json_string(text, "function", where->function);
}

static void json_side(hd_check_text *text, const hd_check_side *side, const hd_check_where *where)
{
    hd_check_put(text, "{\"verb\":");
    hd_check_put_json(text, side->verb);
    if (kernel_of(side)) {
        json_string(text, "kernel", side->op->kernel->name);
        if (!is_launch(side))
            json_dim(text, "block", unfold(side->block, side->op->grid));
        if (side->thread != ~0u)
            json_dim(text, "thread", unfold(side->thread, side->op->block));
    } else {
        hd_check_put(text, ",\"host\":true");
        if (side->op)
            json_string(text, "call", call_of(side->op));
    }
    json_where(text, where);
    if (side->op)
        hd_check_put(text, ",\"operation\":%u", side->op->number);
    hd_check_put(text, "}");
}

static void json_launch(hd_check_text *text, const hd_check_op *op)
{
    hd_check_where where = hd_check_where_stack(op->stack);

    hd_check_put(text, ",\"launch\":{\"number\":%u", op->number);
    json_string(text, "kernel", op->kernel->name);
    json_dim(text, "grid", op->grid);
    json_dim(text, "block", op->block);
    hd_check_put(text, ",\"shared_bytes\":%zu", op->shared_bytes);
    json_where(text, &where);
    hd_check_put(text, "}");
}

static void json_message(hd_check_text *text, const hd_check_kept *kept, const hd_check_finding *f)
{
    hd_check_text line = {NULL, 0, 0};

    for (int i = 0; i < HD_CHECK_SIDES; i++) {
        if (!f->side[i].verb)
            continue;
        hd_check_put(&line, "%s", i ? ", " : "");
        put_side(&line, kept, f, i);
    }
    if (f->object[0])
        hd_check_put(&line, "%s%s", line.used ? ": " : "", f->object);
    json_string(text, "message", line.data ? line.data : "");
    free(line.data);
}

void hd_check_print_json(hd_check_kept *kept, const hd_check_finding *f)
{
    const hd_check_rule *rule = &hd_check_rules[f->code];
    const hd_check_op *launch = launch_of(f);
    hd_check_text text = {NULL, 0, 0};
    int sides = 0;

    if (!hd_check_options.report)
        return;
    hd_check_put(&text, "{\"type\":\"finding\",\"id\":%u", kept->id);
    json_string(&text, "code", rule->code);
    json_string(&text, "severity", hd_check_severities[rule->severity]);
    json_string(&text, "title", rule->title);
    json_string(&text, "kernel", launch ? launch->kernel->name : "");
    json_message(&text, kept, f);
    json_string(&text, "object", f->object);
    json_string(&text, "detail", f->detail);
    hd_check_put(&text, ",\"sides\":[");
    for (int i = 0; i < HD_CHECK_SIDES; i++)
        if (f->side[i].verb) {
            hd_check_put(&text, "%s", sides++ ? "," : "");
            json_side(&text, &f->side[i], &kept->where[i]);
        }
    hd_check_put(&text, "]");
    if (launch)
        json_launch(&text, launch);
    json_string(&text, "advice", rule->advice);
    hd_check_put(&text, ",\"pid\":%ld}\n", (long)getpid());
    if (text.data)
        hd_check_report_append(text.data, text.used);
    free(text.data);
}
