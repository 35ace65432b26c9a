/* SPDX-License-Identifier: Apache-2.0 */
/* place.c - places in code: as 32 bits in the shadow, and as the user's file and line in findings.

   The 32 bits contain a window number and the offset in this 16 MiB window: programs have code in
   few windows, and modules may be loaded and unloaded. */
#include "report.h"

#include <execinfo.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- addresses as 32 bits -------------------------------------------------------------------- */

enum { WINDOW_BITS = 24, WINDOWS = 1 << (32 - WINDOW_BITS) };

static uint64_t windows[WINDOWS]; /* address >> WINDOW_BITS of each; number 0 is unused */
static unsigned window_count = 1;
static uint64_t last_window = ~(uint64_t)0; /* cache: window, and its number in the low 8 bits */
static pthread_mutex_t window_lock = PTHREAD_MUTEX_INITIALIZER;

/* Number of the window; 0: too many. */
static unsigned window_find(uint64_t which)
{
    unsigned count = __atomic_load_n(&window_count, __ATOMIC_ACQUIRE), at = 1;

    while (at < count && windows[at] != which)
        at++;
    if (at < count)
        return at;
    (void)pthread_mutex_lock(&window_lock);
    for (at = 1; at < window_count && windows[at] != which;)
        at++;
    if (at == window_count && at < WINDOWS) {
        windows[at] = which;
        __atomic_store_n(&window_count, at + 1, __ATOMIC_RELEASE);
    }
    (void)pthread_mutex_unlock(&window_lock);
    return at < WINDOWS ? at : 0;
}

uint32_t hd_check_place_of(uintptr_t pc)
{
    uint64_t which = (uint64_t)pc >> WINDOW_BITS;
    uint64_t last = __atomic_load_n(&last_window, __ATOMIC_RELAXED);
    unsigned number = (unsigned)(last & (WINDOWS - 1));

    if (last >> (32 - WINDOW_BITS) != which || !number) {
        number = pc ? window_find(which) : 0;
        if (!number)
            return 0;
        __atomic_store_n(&last_window, which << (32 - WINDOW_BITS) | number, __ATOMIC_RELAXED);
    }
    return (uint32_t)number << WINDOW_BITS | (uint32_t)(pc & ((1u << WINDOW_BITS) - 1));
}

uintptr_t hd_check_place_pc(uint32_t place)
{
    unsigned number = place >> WINDOW_BITS;

    if (!number || number >= __atomic_load_n(&window_count, __ATOMIC_ACQUIRE))
        return 0;
    return (uintptr_t)(windows[number] << WINDOW_BITS) | (place & ((1u << WINDOW_BITS) - 1));
}

void hd_check_stack(uintptr_t stack[HD_CHECK_STACK])
{
    void *frames[HD_CHECK_STACK + 1]; /* the first frame is this function */
    int count = backtrace(frames, HD_CHECK_STACK + 1);

    memset(stack, 0, HD_CHECK_STACK * sizeof *stack);
    for (int i = 1; i < count; i++)
        stack[i - 1] = (uintptr_t)frames[i];
}

/* ---- modules --------------------------------------------------------------------------------- */

typedef struct module {
    uintptr_t pc, base; /* address looked up; start of its module */
    char path[PATH_MAX];
    int found;
} module;

static int module_holds(struct dl_phdr_info *info, size_t size, void *data)
{
    module *m = data;

    (void)size;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];

        if (part->p_type != PT_LOAD || m->pc - (info->dlpi_addr + part->p_vaddr) >= part->p_memsz)
            continue;
        m->base = info->dlpi_addr;
        m->found = 1;
        (void)snprintf(m->path, sizeof m->path, "%s", info->dlpi_name);
        return 1;
    }
    return 0;
}

/* The module's file name for the symbolizer, and its name for messages. */
static void module_names(const module *m, char file[PATH_MAX], char name[PATH_MAX])
{
    ssize_t length;

    (void)snprintf(file, PATH_MAX, "%s", m->path);
    (void)snprintf(name, PATH_MAX, "%s", m->path);
    if (m->path[0])
        return;
    (void)snprintf(file, PATH_MAX, "/proc/%ld/exe", (long)getpid());
    length = readlink(file, name, PATH_MAX - 1);
    name[length > 0 ? length : 0] = '\0';
}

/* ---- cache of symbolized addresses ----------------------------------------------------------- */

typedef struct spot {
    struct spot *next;
    uintptr_t pc;
    unsigned count;
    const char *offset; /* "module+0x12", if the address has no line */
    hd_check_frame frame[];
} spot;

enum { BUCKETS = 1024 };

static spot *spots[BUCKETS];
static pthread_mutex_t spots_lock = PTHREAD_MUTEX_INITIALIZER;
static struct { /* too large for the stack of a kernel's thread; guarded by the lock */
    module module;
    char file[PATH_MAX], name[PATH_MAX], offset[PATH_MAX + 32];
    hd_check_frame frames[HD_CHECK_FRAMES];
} scratch;

static spot *spot_make(uintptr_t pc)
{
    unsigned count = 0;
    spot *made;

    memset(&scratch.module, 0, sizeof scratch.module);
    scratch.module.pc = pc - 1;
    (void)dl_iterate_phdr(module_holds, &scratch.module);
    if (scratch.module.found) {
        uintptr_t offset = pc - 1 - scratch.module.base;

        module_names(&scratch.module, scratch.file, scratch.name);
        count = hd_check_symbolize(scratch.file, offset, scratch.frames);
        (void)snprintf(scratch.offset, sizeof scratch.offset, "%s+%#lx", scratch.name,
                       (unsigned long)offset);
    } else {
        (void)snprintf(scratch.offset, sizeof scratch.offset, "%#lx", (unsigned long)pc);
    }
    made = malloc(sizeof *made + count * sizeof *made->frame);
    if (!made)
        return NULL;
    made->pc = pc;
    made->count = count;
    made->offset = hd_check_keep(scratch.offset);
    memcpy(made->frame, scratch.frames, count * sizeof *made->frame);
    return made;
}

/* A return address is after its call instruction: the byte before it belongs to the call. */
static const spot *spot_of(uintptr_t pc)
{
    spot **bucket = &spots[(pc ^ pc >> 10) % BUCKETS], *at;

    (void)pthread_mutex_lock(&spots_lock);
    for (at = *bucket; at && at->pc != pc;)
        at = at->next;
    if (!at && (at = spot_make(pc)) != NULL) {
        at->next = *bucket;
        *bucket = at;
    }
    (void)pthread_mutex_unlock(&spots_lock);
    return at;
}

unsigned hd_check_frames(uintptr_t pc, const hd_check_frame **frames)
{
    const spot *at = spot_of(pc);

    *frames = at ? at->frame : NULL;
    return at ? at->count : 0;
}

/* ---- the user's own line --------------------------------------------------------------------- */

static int begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

int hd_check_in_headers(const char *file)
{
    return strstr(file, "/include/heddle/") != NULL;
}

/* This file's name in the debug information: __FILE__ may be relative to the build folder. */
static const char *own_file(void)
{
    const spot *at = spot_of((uintptr_t)hd_check_where_stack + 1);

    return at && at->count && at->frame[0].file ? at->frame[0].file : __FILE__;
}

int hd_check_in_library(const hd_check_frame *frame)
{
    static const char within[] = "backends/cpu/check/report/place.c";
    static const char *const folders[] = {"src/runtime/", "src/drivers/", "backends/"};
    const char *here = own_file();
    size_t length = strlen(here), root = length >= sizeof within ? length + 1 - sizeof within : 0;

    if (frame->function && (begins(frame->function, "hd_") || begins(frame->function, "hdb_")))
        return 1;
    if (!frame->file || !root || strncmp(frame->file, here, root) != 0)
        return 0;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (begins(frame->file + root, folders[i]))
            return 1;
    return 0;
}

/* Whether the frame is the function that HD_DECLARE generates for hd_launch: it calls
   hd_launch_kernel. */
static int is_launcher(const hd_check_frame *frame, const hd_check_frame *called)
{
    static const char end[] = "_launch_from_HD_DECLARE";
    size_t length = frame->function ? strlen(frame->function) : 0;

    return called && called->function && strcmp(called->function, "hd_launch_kernel") == 0 &&
           length >= sizeof end && strcmp(frame->function + length - (sizeof end - 1), end) == 0;
}

static hd_check_where where_of(const hd_check_frame *frame)
{
    hd_check_where where = {frame->file, frame->line, frame->function};

    return where;
}

hd_check_where hd_check_where_pc(uintptr_t pc)
{
    hd_check_where where = {NULL, 0, NULL};
    const spot *at = pc ? spot_of(pc) : NULL;

    if (!at)
        return where;
    for (unsigned i = 0; i < at->count; i++)
        if (at->frame[i].line && !hd_check_in_headers(at->frame[i].file))
            return where_of(&at->frame[i]);
    if (at->count && at->frame[0].line)
        return where_of(&at->frame[0]);
    where.file = at->offset;
    where.function = at->count ? at->frame[0].function : NULL;
    return where;
}

static int of_user(const hd_check_frame *frame, const hd_check_frame *called)
{
    return !hd_check_in_library(frame) && !is_launcher(frame, called) &&
           !(frame->file && hd_check_in_headers(frame->file));
}

hd_check_where hd_check_where_stack(const uintptr_t stack[HD_CHECK_STACK])
{
    hd_check_where fallback = {NULL, 0, NULL};
    const hd_check_frame *called = NULL;

    for (unsigned depth = 0; depth < HD_CHECK_STACK && stack[depth]; depth++) {
        const spot *at = spot_of(stack[depth]);

        for (unsigned i = 0; at && i < at->count; called = &at->frame[i++]) {
            const hd_check_frame *frame = &at->frame[i];

            if (!of_user(frame, called))
                continue;
            if (frame->line)
                return where_of(frame);
            if (!fallback.file) {
                fallback.file = at->offset;
                fallback.function = frame->function;
            }
        }
    }
    return fallback.file || !stack[0] ? fallback : hd_check_where_pc(stack[0]);
}

/* The name as programs write it: hd_copy is a macro over hd_copy_bytes, and the like. */
static const char *as_written(const char *function)
{
    static const char end[] = "_bytes";
    size_t length = strlen(function), rest = length - (sizeof end - 1);
    const char *kept;
    char name[64];

    if (length >= sizeof name || !strstr(function, "_copy") || strcmp(function + rest, end) != 0)
        return function;
    memcpy(name, function, rest);
    name[rest] = '\0';
    kept = hd_check_keep(name);
    return kept ? kept : function;
}

const char *hd_check_call_of(const uintptr_t stack[HD_CHECK_STACK], const char *otherwise)
{
    const char *call = otherwise;
    const hd_check_frame *called = NULL;

    for (unsigned depth = 0; depth < HD_CHECK_STACK && stack[depth]; depth++) {
        const spot *at = spot_of(stack[depth]);

        for (unsigned i = 0; at && i < at->count; called = &at->frame[i++]) {
            const hd_check_frame *frame = &at->frame[i];

            if (of_user(frame, called))
                return as_written(call);
            if (frame->function && begins(frame->function, "hd_") &&
                !begins(frame->function, "hd__"))
                call = frame->function;
        }
    }
    return otherwise;
}

int hd_check_locate(uintptr_t pc, const char **file, int *line, const char **function)
{
    hd_check_where where = hd_check_where_pc(pc);

    *file = where.file ? where.file : "?";
    *line = where.line;
    *function = where.function;
    return where.line > 0;
}
