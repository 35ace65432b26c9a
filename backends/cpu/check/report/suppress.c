/* SPDX-License-Identifier: Apache-2.0 */
/* suppress.c - findings that the user knows and accepts: a file of lines

       CODE KERNEL  # reason

   where KERNEL is an fnmatch(3) pattern; * matches any kernel and host code. Blank lines and lines
   that start with # are skipped. A reason is required. */
#include "report.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static hd_check_suppression *first, **last = &first;

static const char SPACE[] = " \t\r\n\v\f";

/* The next word of the text, zero-terminated; NULL if there is none. */
static char *word(char **text)
{
    char *begin = *text + strspn(*text, SPACE), *end = begin + strcspn(begin, SPACE);

    if (begin == end)
        return NULL;
    *text = *end ? end + 1 : end;
    *end = '\0';
    return begin;
}

static int code_of(const char *name, hd_check_code *code)
{
    for (int i = 0; i < HD_CHECK_CODE_COUNT; i++)
        if (strcmp(hd_check_rules[i].code, name) == 0) {
            *code = (hd_check_code)i;
            return 1;
        }
    return 0;
}

static int add(hd_check_code code, const char *kernel, const char *reason, int line)
{
    hd_check_suppression *made = calloc(1, sizeof *made);

    if (!made || !(made->kernel = strdup(kernel)) || !(made->reason = strdup(reason))) {
        if (made)
            free(made->kernel);
        free(made);
        return 0;
    }
    made->code = code;
    made->line = line;
    *last = made;
    last = &made->next;
    return 1;
}

/* NULL, or the error in the line; *about is the word concerned, "" for none. */
static const char *read_line(char *text, int line, const char **about)
{
    char *hash, *name, *kernel, *reason;
    hd_check_code code;

    *about = "";
    text += strspn(text, SPACE);
    if (!*text || *text == '#')
        return NULL;
    hash = strchr(text, '#');
    reason = hash ? hash + 1 + strspn(hash + 1, SPACE) : NULL;
    if (hash)
        *hash = '\0';
    name = word(&text);
    kernel = word(&text);
    *about = name;
    if (!code_of(name, &code))
        return "is not the code of a finding";
    if (!kernel)
        return "stands without a kernel; write * for any";
    if ((*about = word(&text)) != NULL)
        return "is one word too many; a line is: CODE KERNEL  # reason";
    *about = name;
    if (reason)
        for (size_t end = strlen(reason); end > 0 && strchr(SPACE, reason[end - 1]); end--)
            reason[end - 1] = '\0';
    if (!reason || !*reason)
        return "stands without a reason; a line is: CODE KERNEL  # reason";
    return add(code, kernel, reason, line) ? NULL : "does not fit into memory";
}

int hd_check_suppressions_read(const char *file, char *text, size_t size)
{
    FILE *stream = fopen(file, "re");
    char *line = NULL;
    const char *wrong = NULL, *about;
    size_t room = 0;
    ssize_t length;

    errno = stream ? 0 : errno;
    for (int number = 1; stream && !wrong; number++) {
        errno = 0;
        length = getline(&line, &room, stream);
        if (length < 0)
            break;
        about = "";
        if (strlen(line) != (size_t)length)
            wrong = "is not text: it contains a zero byte";
        else
            wrong = read_line(line, number, &about);
        if (wrong)
            (void)snprintf(text, size, "%s:%d: %.40s %s", file, number, *about ? about : "line",
                           wrong);
    }
    if (!stream || (!wrong && errno))
        (void)snprintf(text, size, "%s: %s", file, strerror(errno));
    free(line);
    if (!stream)
        return -1;
    wrong = wrong || ferror(stream) ? text : NULL;
    (void)fclose(stream);
    return wrong ? -1 : 0;
}

hd_check_suppression *hd_check_suppression_of(hd_check_code code, const char *kernel,
                                              const char *other)
{
    for (hd_check_suppression *s = first; s; s = s->next)
        if (s->code == code &&
            (fnmatch(s->kernel, kernel, 0) == 0 || (*other && fnmatch(s->kernel, other, 0) == 0)))
            return s;
    return NULL;
}

hd_check_suppression *hd_check_suppressions(void)
{
    return first;
}
