/* SPDX-License-Identifier: Apache-2.0 */
/* source.c - reads the files of a job: those on the command line, and what they include. */
#include "port.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LARGEST = 256 << 20 }; /* bytes of a file */

/* ---- one file -------------------------------------------------------------------------------- */

static char *read_bytes(FILE *stream, size_t *size_out)
{
    char bytes[1 << 16], *text = NULL;
    size_t size = 0, got;
    FILE *to = open_memstream(&text, &size);

    if (!to)
        return NULL;
    while ((got = fread(bytes, 1, sizeof bytes, stream)) > 0 && ftell(to) < LARGEST)
        fwrite(bytes, 1, got, to);
    if (fclose(to) != 0 || ferror(stream)) {
        free(text);
        return NULL;
    }
    *size_out = size;
    return text;
}

static int check_text(const port_job *job, const port_file *file)
{
    const char *nul = memchr(file->text, '\0', file->size);
    unsigned line = 1;

    if (file->size >= LARGEST)
        return cli_failed(job->command, "%s: has more than %d MB", file->path, LARGEST >> 20);
    if (!nul)
        return CLI_DONE;
    for (const char *c = file->text; c < nul; c++)
        line += *c == '\n';
    return cli_failed(job->command, "%s:%u: a NUL byte: this is no source text", file->path, line);
}

static int load(port_job *job, port_file *file)
{
    struct stat info;
    FILE *stream = NULL;

    if (stat(file->path, &info) == 0 && S_ISDIR(info.st_mode))
        return cli_failed(job->command, "%s: is a folder; name its source files", file->path);
    stream = fopen(file->path, "re");
    if (!stream)
        return cli_failed(job->command, "%s: %s", file->path, strerror(errno));
    file->text = read_bytes(stream, &file->size);
    (void)fclose(stream);
    if (!file->text)
        return cli_failed(job->command, "%s: %s", file->path,
                          errno ? strerror(errno) : "cannot be read");
    return check_text(job, file);
}

static port_file *find(const port_job *job, const char *canonical)
{
    for (size_t i = 0; i < job->file_count; i++)
        if (strcmp(job->files[i]->canonical, canonical) == 0)
            return job->files[i];
    return NULL;
}

/* Adds a file unless the job has it. NULL, and a status in *status, if that fails. */
static port_file *add(port_job *job, const char *path, int *status)
{
    char *canonical = realpath(path, NULL);
    port_file *file = canonical ? find(job, canonical) : NULL;

    if (!canonical) {
        *status = cli_failed(job->command, "%s: %s", path, strerror(errno));
        return NULL;
    }
    if (file) {
        free(canonical);
        return file;
    }
    file = calloc(1, sizeof *file);
    if (!file ||
        !port_grow(job, &job->files, job->file_count, &job->file_room, sizeof *job->files)) {
        job->no_memory = true;
        free(file);
        free(canonical);
        return NULL;
    }
    file->canonical = canonical;
    file->path = port_print(job, "%s", path);
    job->files[job->file_count++] = file;
    *status = file->path ? load(job, file) : CLI_FAILED;
    if (*status != CLI_DONE)
        return NULL;
    port_lex(job, file);
    return file;
}

/* ---- included files -------------------------------------------------------------------------- */

bool port_include_name(const port_file *file, uint32_t hash, char name[256], uint32_t *first_out,
                       uint32_t *last_out)
{
    const uint32_t directive = file->tokens[hash].directive, from = hash + 2;
    uint32_t last = from;
    size_t length = 0;
    const port_token *t;

    if (!directive || !port_is(file, hash, "#") || !port_is(file, hash + 1, "include"))
        return false;
    if (file->tokens[from].directive != directive)
        return false;
    t = &file->tokens[from];
    if (t->kind == PORT_TEXT) {
        length = t->length < 2 ? 0 : t->length - 2;
    } else if (port_is(file, from, "<")) {
        while (file->tokens[last].directive == directive && !port_is(file, last, ">"))
            last++;
        if (file->tokens[last].directive != directive)
            return false;
        length = file->tokens[last].at - t->at - 1;
    }
    if (length == 0 || length > 255)
        return false;
    memcpy(name, file->text + t->at + 1, length);
    name[length] = '\0';
    *first_out = from;
    *last_out = last;
    return true;
}

static bool exists(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && !S_ISDIR(info.st_mode);
}

/* Looks beside the including file, then in the folders given. */
static bool locate(const port_job *job, const port_file *file, const char *name, bool beside,
                   char path[PATH_MAX])
{
    const char *slash = strrchr(file->path, '/');
    const int folder = slash ? (int)(slash - file->path) + 1 : 0;

    if (name[0] == '/') {
        snprintf(path, PATH_MAX, "%s", name);
        return exists(path);
    }
    if (beside && snprintf(path, PATH_MAX, "%.*s%s", folder, file->path, name) < PATH_MAX &&
        exists(path))
        return true;
    for (size_t i = 0; i < job->include_count; i++)
        if (snprintf(path, PATH_MAX, "%s/%s", job->includes[i], name) < PATH_MAX && exists(path))
            return true;
    return false;
}

static int read_included(port_job *job, port_file *file, uint32_t hash)
{
    char name[256], path[PATH_MAX];
    uint32_t first, last;
    port_file *included;
    int status = CLI_DONE;

    if (!port_include_name(file, hash, name, &first, &last))
        return CLI_DONE;
    if (!locate(job, file, name, file->tokens[first].kind == PORT_TEXT, path))
        return CLI_DONE; /* includes.c judges it */
    included = add(job, path, &status);
    if (included)
        included->included = true;
    return status;
}

static int read_all_included(port_job *job, port_file *file)
{
    int status = CLI_DONE;

    for (uint32_t i = 0; i + 2 < file->count && status == CLI_DONE; i++)
        if (file->tokens[i].directive && port_is(file, i, "#"))
            status = read_included(job, file, i);
    return status;
}

/* ---- the job --------------------------------------------------------------------------------- */

/* The deepest folder that holds all files. */
static void find_root(port_job *job)
{
    const char *first = job->files[0]->canonical;
    size_t root = (size_t)(strrchr(first, '/') - first) + 1;

    for (size_t i = 1; i < job->file_count; i++) {
        const char *other = job->files[i]->canonical;
        size_t same = 0;

        while (same < root && first[same] == other[same])
            same++;
        while (same && first[same - 1] != '/')
            same--;
        root = same;
    }
    job->root = root;
    for (size_t i = 0; i < job->file_count; i++)
        job->files[i]->shown = job->files[i]->canonical + root;
}

static void read_folders(port_job *job, const char *list)
{
    while (list && *list) {
        const size_t length = strcspn(list, ":");

        if (length && port_grow(job, &job->includes, job->include_count, &job->include_room,
                                sizeof *job->includes)) {
            job->includes[job->include_count] = port_print(job, "%.*s", (int)length, list);
            job->include_count += job->includes[job->include_count] != NULL;
        }
        list += length + (list[length] == ':');
    }
}

int port_read(port_job *job, const cli_arguments *arguments)
{
    int status = CLI_DONE;

    read_folders(job, cli_option_value(arguments, "include"));
    for (size_t i = 0; i < arguments->operand_count && status == CLI_DONE; i++) {
        port_file *file = add(job, arguments->operands[i], &status);

        if (file)
            file->operand = true;
    }
    for (size_t i = 0; i < job->file_count && status == CLI_DONE && !job->no_memory; i++)
        status = read_all_included(job, job->files[i]);
    if (job->no_memory)
        return cli_failed(job->command, "no memory for the sources");
    if (status == CLI_DONE)
        find_root(job);
    return status;
}
