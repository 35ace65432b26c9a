/* SPDX-License-Identifier: Apache-2.0 */
/* report.h - shared by the files of this folder: places as text, suppressions, printing. */
#ifndef HEDDLE_CPU_CHECK_REPORT_H
#define HEDDLE_CPU_CHECK_REPORT_H

#include "check/check.h"

/* ---- places (place.c, symbolizer.c) ---------------------------------------------------------- */

/* A function at an address, and the line in it. The strings stay valid. */
typedef struct hd_check_frame {
    const char *file; /* NULL: unknown */
    int line;
    const char *function; /* NULL: unknown */
} hd_check_frame;

enum { HD_CHECK_FRAMES = 12 };

/* The functions at a module's address: inlined ones first, then those that contain them. Returns
   their number; 0: unknown. Not thread-safe. */
unsigned hd_check_symbolize(const char *module, uintptr_t address,
                            hd_check_frame frames[HD_CHECK_FRAMES]);
/* Ends the addr2line processes. At the end of the program they also end by themselves. */
void hd_check_symbolize_end(void);
/* A permanent copy; equal texts share one copy. NULL: out of memory. */
const char *hd_check_keep(const char *text);

/* As hd_check_symbolize, for a return address; cached and thread-safe. */
unsigned hd_check_frames(uintptr_t pc, const hd_check_frame **frames);
/* Whether the file is a header of heddle: findings show the user's line instead. */
int hd_check_in_headers(const char *file);
/* Whether the frame is heddle's host code, by the build folder and function names. */
int hd_check_in_library(const hd_check_frame *frame);
/* If two hashes of hd_check_calls are of calls from different lines of one function: 1, and the two
   frames. */
int hd_check_calls_part(uint64_t mine, uint64_t other, const hd_check_frame **at,
                        const hd_check_frame **other_at);

typedef struct hd_check_where {
    const char *file; /* NULL: no place */
    int line;         /* 0: `file` is a module */
    const char *function;
} hd_check_where;

/* The user's line, not one of heddle's, for a return address in a kernel and for a call in host
   code. */
hd_check_where hd_check_where_pc(uintptr_t pc);
hd_check_where hd_check_where_stack(const uintptr_t stack[HD_CHECK_STACK]);
/* The public function that the user's line calls in this stack; `otherwise` if it is unknown. */
const char *hd_check_call_of(const uintptr_t stack[HD_CHECK_STACK], const char *otherwise);

/* ---- suppressions (suppress.c) --------------------------------------------------------------- */

typedef struct hd_check_suppression {
    struct hd_check_suppression *next;
    hd_check_code code;
    char *kernel, *reason;
    int line;
    uint64_t used;
} hd_check_suppression;

/* Reads the file. Returns 0, or -1 with a message in text. */
int hd_check_suppressions_read(const char *file, char *text, size_t size);
/* The first one that matches the code and one of the kernels; NULL: none. */
hd_check_suppression *hd_check_suppression_of(hd_check_code code, const char *kernel,
                                              const char *other);
hd_check_suppression *hd_check_suppressions(void);

/* ---- stored findings (findings.c) ------------------------------------------------------------ */

typedef struct hd_check_kept {
    struct hd_check_kept *next; /* in order of their numbers */
    unsigned id;
    hd_check_code code;
    uint64_t count;
    int printed;
    hd_check_suppression *suppressed;  /* NULL: not suppressed */
    const char *kernel, *other_kernel; /* "" for host code */
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

/* The first finding, linked to the others. New ones are only appended. */
hd_check_kept *hd_check_kept_first(void);
hd_check_totals hd_check_counted(void);

/* Function that receives each new finding that is not suppressed; called in the order of
   registration. */
typedef void hd_check_sink(hd_check_kept *kept, const hd_check_finding *finding);
void hd_check_sink_add(hd_check_sink *sink);

/* ---- text and JSON (text.c, print.c) --------------------------------------------------------- */

/* Growing text. */
typedef struct hd_check_text {
    char *data;
    size_t used, room;
} hd_check_text;

void hd_check_put(hd_check_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Appends the string quoted and escaped; invalid UTF-8 becomes U+FFFD. */
void hd_check_put_json(hd_check_text *text, const char *string);
/* Writes all bytes to a file descriptor; retries after interruptions. */
void hd_check_write(int fd, const char *data, size_t bytes);

/* Sinks: readable text, and the report file. */
hd_check_sink hd_check_print, hd_check_print_json;

/* ---- report file and end of the program (file.c, end.c) -------------------------------------- */

void hd_check_report_open(void);
/* Appends a line, including its line feed, with a single write. */
void hd_check_report_append(const char *line, size_t bytes);

#endif
