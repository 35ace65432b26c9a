/* SPDX-License-Identifier: Apache-2.0 */
/* files.c - writes the translated files and a CMakeLists.txt below the output folder. Nothing is
   written before all of it is known to be possible. */
#include "port.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/replace.h"

static const char list_name[] = "CMakeLists.txt";

static bool has_suffix(const char *name, const char *suffix)
{
    const size_t length = strlen(name), end = strlen(suffix);

    return length > end && strcmp(name + length - end, suffix) == 0;
}

bool port_is_unit(const port_file *file)
{
    static const char *const headers[] = {".h", ".cuh", ".hpp", ".hxx", ".inc", ".inl", ".hh"};

    if (!file->operand || file->included)
        return false;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        if (has_suffix(file->shown, headers[i]))
            return false;
    return true;
}

void port_output_name(const port_job *job, const port_file *file, char name[PATH_MAX])
{
    static const char *const suffixes[] = {".hip.cpp", ".cu.cpp", ".cu",  ".hip",
                                           ".cpp",     ".cc",     ".cxx", NULL};
    size_t length = strlen(file->shown);

    for (size_t i = 0; job->c11 && port_is_unit(file) && suffixes[i]; i++)
        if (has_suffix(file->shown, suffixes[i])) {
            length -= strlen(suffixes[i]);
            (void)snprintf(name, PATH_MAX, "%.*s.c", (int)length, file->shown);
            return;
        }
    (void)snprintf(name, PATH_MAX, "%s", file->shown);
}

/* A C file that needs no compiler for kernels. */
static bool is_plain(const port_job *job, const port_file *file)
{
    return has_suffix(file->shown, ".c") && !(job->c11 && file->foreign);
}

void port_program(const port_job *job, char name[64])
{
    const char *shown = job->files[0]->shown, *slash = strrchr(shown, '/');
    size_t length;

    shown = slash ? slash + 1 : shown;
    length = strcspn(shown, ".");
    if (length > 60)
        length = 60;
    memcpy(name, shown, length);
    name[length] = '\0';
    for (char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_' && *c != '-')
            *c = '_';
    if (!name[0] || strcmp(name, "test") == 0 || strcmp(name, "all") == 0 ||
        strcmp(name, "help") == 0 || strcmp(name, "clean") == 0 || strcmp(name, "install") == 0)
        strcat(name, "_");
}

/* A path as an argument of a CMake command. */
static void write_quoted(const char *path, FILE *to)
{
    fputc('"', to);
    for (; *path; path++) {
        if (strchr("\\\"$;", *path))
            fputc('\\', to);
        fputc(*path, to);
    }
    fputc('"', to);
}

static void write_sources(const port_job *job, bool kernels, FILE *to)
{
    for (size_t i = 0; i < job->file_count; i++) {
        const port_file *file = job->files[i];
        char name[PATH_MAX];

        if (!port_is_unit(file) || is_plain(job, file) == kernels)
            continue;
        port_output_name(job, file, name);
        fputs("\n    ", to);
        write_quoted(name, to);
    }
    fputs(")\n", to);
}

/* Folders of --include that hold files of the job, relative to the output. */
static void write_includes(const port_job *job, const char *program, FILE *to)
{
    for (size_t i = 0; i < job->include_count; i++) {
        char *folder = realpath(job->includes[i], NULL);
        size_t length = folder ? strlen(folder) : 0;
        bool used = false;

        for (size_t k = 0; folder && k < job->file_count; k++)
            used |= strncmp(job->files[k]->canonical, folder, length) == 0 &&
                    job->files[k]->canonical[length] == '/';
        if (used) {
            fprintf(to, "target_include_directories(%s PRIVATE ", program);
            write_quoted(length >= job->root ? folder + job->root : ".", to);
            fputs(")\n", to);
        }
        free(folder);
    }
}

static int write_list(FILE *to, void *state)
{
    const port_job *job = state;
    char program[64];
    bool plain = false;

    port_program(job, program);
    for (size_t i = 0; i < job->file_count; i++)
        plain |= port_is_unit(job->files[i]) && is_plain(job, job->files[i]);
    fprintf(to,
            "# Written by heddle port. The backend of the heddle that is found decides where the\n"
            "# program runs: cpu, cuda or hip.\n"
            "cmake_minimum_required(VERSION 3.25)\n"
            "project(%s LANGUAGES C%s)\n"
            "if(NOT CMAKE_BUILD_TYPE)\n"
            "    set(CMAKE_BUILD_TYPE Release)\n"
            "endif()\n"
            "%s"
            "find_package(heddle REQUIRED)\n"
            "add_executable(%s)\n"
            "set_target_properties(%s PROPERTIES LINKER_LANGUAGE %s)\n",
            program, job->c11 ? "" : " CXX", job->c11 ? "" : "set(CMAKE_CXX_STANDARD 17)\n",
            program, program, job->c11 ? "C" : "CXX");
    if (job->c11)
        fprintf(to,
                "# What C compilers accept with a warning, and C++ refuses.\n"
                "target_compile_options(%s PRIVATE $<$<COMPILE_LANGUAGE:C>:"
                "-Werror=implicit-function-declaration\n"
                "    -Werror=implicit-int -Werror=int-conversion "
                "-Werror=incompatible-pointer-types>)\n"
                "target_compile_definitions(%s PRIVATE $<$<COMPILE_LANGUAGE:C>:_GNU_SOURCE>)\n",
                program, program);
    write_includes(job, program, to);
    if (plain) {
        fprintf(to, "target_sources(%s PRIVATE", program);
        write_sources(job, false, to);
    }
    fprintf(to, "heddle_add_kernels(%s", program);
    write_sources(job, true, to);
    return ferror(to) ? -1 : 0;
}

static int write_file(FILE *to, void *state)
{
    return port_write_edited(state, to);
}

/* ---- folders --------------------------------------------------------------------------------- */

/* Makes the folders above the file. 0, or -1 with errno. */
static int make_folders(const char *path)
{
    char part[PATH_MAX];
    size_t length = strlen(path);

    if (length >= sizeof part) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(part, path, length + 1);
    for (char *slash = part + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        if (mkdir(part, 0777) < 0 && errno != EEXIST)
            return -1;
        *slash = '/';
    }
    return 0;
}

static int output_path(const port_job *job, const char *name, char path[PATH_MAX])
{
    if (snprintf(path, PATH_MAX, "%s/%s", job->folder, name) < PATH_MAX)
        return CLI_DONE;
    return cli_failed(job->command, "%s/%s: the path is too long", job->folder, name);
}

static bool is_input(const port_job *job, const struct stat *info)
{
    struct stat input;

    for (size_t i = 0; i < job->file_count; i++)
        if (stat(job->files[i]->path, &input) == 0 && input.st_dev == info->st_dev &&
            input.st_ino == info->st_ino)
            return true;
    return false;
}

/* Whether the file may be written: it is not an input, and if it exists, --force was given. */
static int check_place(const port_job *job, const char *name)
{
    char path[PATH_MAX];
    struct stat info;
    const int status = output_path(job, name, path);

    if (status != CLI_DONE || lstat(path, &info) != 0)
        return status;
    if (stat(path, &info) == 0 && is_input(job, &info))
        return cli_failed(job->command, "%s is an input: choose another folder with -o", path);
    if (!job->force)
        return cli_failed(job->command,
                          "%s exists: choose another folder with -o, or replace it with --force",
                          path);
    return CLI_DONE;
}

static int put(const port_job *job, const char *name, hd__replace_write write, void *state)
{
    char path[PATH_MAX];
    const int status = output_path(job, name, path);

    if (status != CLI_DONE)
        return status;
    if (make_folders(path) != 0 || hd__replace_file(path, write, state) != 0)
        return cli_unwritable(job->command, path);
    return CLI_DONE;
}

/* With --c, a.cu and a.c would both be written to a.c. */
static int check_twice(const port_job *job, size_t file, const char *name)
{
    char other[PATH_MAX];

    for (size_t i = 0; i < file; i++) {
        port_output_name(job, job->files[i], other);
        if (strcmp(other, name) == 0)
            return cli_failed(job->command, "%s and %s would both be written to %s: rename one",
                              job->files[i]->shown, job->files[file]->shown, name);
    }
    return CLI_DONE;
}

int port_write(port_job *job)
{
    int status = check_place(job, list_name);
    char name[PATH_MAX];
    struct stat info;

    if (stat(job->folder, &info) == 0 && !S_ISDIR(info.st_mode))
        return cli_failed(job->command, "-o: %s is not a folder", job->folder);
    for (size_t i = 0; i < job->file_count && status == CLI_DONE; i++) {
        port_output_name(job, job->files[i], name);
        status = check_place(job, name);
        if (status == CLI_DONE)
            status = check_twice(job, i, name);
    }
    for (size_t i = 0; i < job->file_count && status == CLI_DONE; i++) {
        port_output_name(job, job->files[i], name);
        status = put(job, name, write_file, job->files[i]);
    }
    return status == CLI_DONE ? put(job, list_name, write_list, job) : status;
}
