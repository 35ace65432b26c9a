/* SPDX-License-Identifier: Apache-2.0 */
/* report.h - what the files here share: places as text, suppressions, printing. */
#ifndef HEDDLE_CPU_CHECK_REPORT_H
#define HEDDLE_CPU_CHECK_REPORT_H

#include "check/check.h"

/* ---- places (place.c, symbolizer.c) ---------------------------------------------------------- */

/* A function at an address, and the line in it. Strings live for good. */
typedef struct hd_check_frame {
    const char *file; /* NULL: not known */
    int line;
    const char *function; /* NULL: not known */
} hd_check_frame;

enum { HD_CHECK_FRAMES = 12 };

/* The functions at a module's address: inlined ones first, then those that they stand in. How many;
   0: not known. Not for two threads at once. */
unsigned hd_check_symbolize(const char *module, uintptr_t address,
                            hd_check_frame frames[HD_CHECK_FRAMES]);
/* Ends the processes that know. At the end of the program; they also end with it. */
void hd_check_symbolize_end(void);
/* A copy that stays; equal texts have one copy. NULL: no memory. */
const char *hd_check_keep(const char *text);

/* The functions at a return address, as above. How many. */
unsigned hd_check_frames(uintptr_t pc, const hd_check_frame **frames);
/* A header of heddle's, of which users see what they call. */
int hd_check_in_headers(const char *file);
/* heddle's host code, told by the folder it was built in and by the names of its functions. */
int hd_check_in_library(const hd_check_frame *frame);
/* Two hashes of hd_check_calls stand for calls in two lines of one function: 1, and these. */
int hd_check_calls_part(uint64_t mine, uint64_t other, const hd_check_frame **at,
                        const hd_check_frame **other_at);

typedef struct hd_check_where {
    const char *file; /* NULL: no place at all */
    int line;         /* 0: file is a module */
    const char *function;
} hd_check_where;

/* Of a return address in a kernel, and of a call in host code: the user's own line, not one of
   heddle's. */
hd_check_where hd_check_where_pc(uintptr_t pc);
hd_check_where hd_check_where_stack(const uintptr_t stack[HD_CHECK_STACK]);

/* ---- suppressions (suppress.c) --------------------------------------------------------------- */

typedef struct hd_check_suppression {
    struct hd_check_suppression *next;
    hd_check_code code;
    char *kernel, *reason;
    int line;
    uint64_t used;
} hd_check_suppression;

/* Reads the file; 0, or -1 with a message in text. */
int hd_check_suppressions_read(const char *file, char *text, size_t size);
/* The first that matches the code and one of the kernels; NULL: none. */
hd_check_suppression *hd_check_suppression_of(hd_check_code code, const char *kernel,
                                              const char *other);
hd_check_suppression *hd_check_suppressions(void);

/* ---- findings as they are kept (findings.c) ------------------------------------------------- */

typedef struct hd_check_kept {
    struct hd_check_kept *next; /* in the order of their numbers */
    unsigned id;
    hd_check_code code;
    uint64_t count;
    int printed;
    hd_check_suppression *suppressed;  /* NULL: it counts */
    const char *kernel, *other_kernel; /* "": host code */
    hd_check_where where[HD_CHECK_SIDES];
} hd_check_kept;

typedef struct hd_check_totals {
    uint64_t findings[HD_CHECK_PERFORMANCE + 1]; /* by severity */
    uint64_t suppressed;
} hd_check_totals;

typedef struct hd_check_rule {
    const char *code, *title, *advice;
    hd_check_severity severity;
} hd_check_rule;

extern const hd_check_rule hd_check_rules[HD_CHECK_CODE_COUNT];
extern const char *const hd_check_severities[];

/* The first finding; others follow. New ones are only ever appended. */
hd_check_kept *hd_check_kept_first(void);
hd_check_totals hd_check_counted(void);

/* Who is given each new finding that is not suppressed, in the order in which they are added. */
typedef void hd_check_sink(hd_check_kept *kept, const hd_check_finding *finding);
void hd_check_sink_add(hd_check_sink *sink);

/* ---- text and JSON (text.c, print.c) --------------------------------------------------------- */

/* Text that grows. */
typedef struct hd_check_text {
    char *data;
    size_t used, room;
} hd_check_text;

void hd_check_put(hd_check_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* In quotes, escaped; invalid UTF-8 becomes U+FFFD. */
void hd_check_put_json(hd_check_text *text, const char *string);
/* Everything to a file descriptor; tries again where it was interrupted. */
void hd_check_write(int fd, const char *data, size_t bytes);

/* Sinks: for people, and for the report file. */
hd_check_sink hd_check_print, hd_check_print_json;

/* ---- the report file and the end (file.c, end.c) --------------------------------------------- */

void hd_check_report_open(void);
/* Appends a line, line feed included, by one write. */
void hd_check_report_append(const char *line, size_t bytes);

#endif
