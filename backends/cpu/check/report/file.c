/* SPDX-License-Identifier: Apache-2.0 */
/* file.c - the lines of JSON that a checked program appends to HEDDLE_CHECK_REPORT, each
   immediately, so that findings are kept however the program ends. Several processes may share the
   file. */
#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_FD = 100, ARGUMENTS = 1 << 16 };

static int report_fd = -1;
static struct stat report_made;

static void complain(void)
{
    static int complained;
    char text[PATH_MAX + 128];

    if (complained)
        return;
    complained = 1;
    (void)snprintf(text, sizeof text, "heddle check: HEDDLE_CHECK_REPORT=%s: %s\n",
                   hd_check_options.report, strerror(errno));
    hd_check_write(STDERR_FILENO, text, strlen(text));
}

/* Opens the file at a descriptor that programs do not normally use. */
static int file_open(void)
{
    int fd = open(hd_check_options.report, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    int moved = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FD);

    if (moved >= 0) {
        (void)close(fd);
        fd = moved;
    }
    if (fd < 0 || fstat(fd, &report_made) < 0) {
        complain();
        return -1;
    }
    return fd;
}

/* The program may have closed the descriptor and opened another file there. */
static int still_ours(void)
{
    struct stat now;

    return report_fd >= 0 && fstat(report_fd, &now) == 0 && now.st_dev == report_made.st_dev &&
           now.st_ino == report_made.st_ino;
}

void hd_check_report_append(const char *line, size_t bytes)
{
    ssize_t done;

    if (!hd_check_options.report)
        return;
    if (!still_ours())
        report_fd = file_open();
    if (report_fd < 0)
        return;
    do
        done = write(report_fd, line, bytes);
    while (done < 0 && errno == EINTR);
    if (done < 0)
        complain();
}

void hd_check_report_line(const char *json)
{
    hd_check_text text = {NULL, 0, 0};

    hd_check_put(&text, "%s\n", json);
    if (text.data)
        hd_check_report_append(text.data, text.used);
    free(text.data);
}

/* The command line of this process. */
static void put_arguments(hd_check_text *text)
{
    static char line[ARGUMENTS];
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? 0 : read(fd, line, sizeof line - 1);
    const char *at = line, *end = line + (length > 0 ? length : 0), *between = "";

    if (fd >= 0)
        (void)close(fd);
    hd_check_put(text, "[");
    for (at += strnlen(line, (size_t)(end - line)) + 1; at < end; at += strlen(at) + 1) {
        hd_check_put(text, "%s", between);
        hd_check_put_json(text, at);
        between = ",";
    }
    hd_check_put(text, "]");
}

void hd_check_report_open(void)
{
    const hd_cpu_config *config = hd_cpu_config_get();
    hd_check_text text = {NULL, 0, 0};
    char path[PATH_MAX] = "";
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);

    if (!hd_check_options.report)
        return;
    path[length > 0 ? length : 0] = '\0';
    hd_check_put(&text, "{\"type\":\"run\",\"program\":");
    hd_check_put_json(&text, path);
    hd_check_put(&text, ",\"arguments\":");
    put_arguments(&text);
    hd_check_put(&text, ",\"pid\":%ld,\"warp\":%u,\"seed\":%llu,\"streams\":", (long)getpid(),
                 config->warp_size, (unsigned long long)hd_check_options.seed);
    if (config->lazy)
        hd_check_put(&text, "\"lazy:%llu\"", (unsigned long long)config->seed);
    else
        hd_check_put(&text, "\"eager\"");
    hd_check_put(&text, ",\"version\":\"%s\"}\n", hd_version());
    if (text.data)
        hd_check_report_append(text.data, text.used);
    free(text.data);
}
