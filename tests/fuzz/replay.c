/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a fuzz target over files and folders of files, for compilers that have no libFuzzer. */
#define _POSIX_C_SOURCE 200809L

#include "fuzz.h"

#include <dirent.h>
#include <sys/stat.h>

static int replay_file(const char *path, size_t size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(size > 0 ? size : 1);
    int whole = file != NULL && data != NULL && fread(data, 1, size, file) == size;

    if (whole)
        LLVMFuzzerTestOneInput(data, size);
    else
        fprintf(stderr, "replay: cannot read %s\n", path);
    free(data);
    if (file != NULL)
        fclose(file);
    return whole;
}

/* Runs a file, or the files of a folder. Returns how many ran, or -1. */
static int replay_path(const char *path)
{
    struct stat facts;
    struct dirent *entry;
    DIR *folder;
    int ran = 0;

    if (stat(path, &facts) != 0) {
        fprintf(stderr, "replay: no %s\n", path);
        return -1;
    }
    if (!S_ISDIR(facts.st_mode))
        return replay_file(path, (size_t)facts.st_size) ? 1 : -1;
    folder = opendir(path);
    while (folder != NULL && ran >= 0 && (entry = readdir(folder)) != NULL) {
        char inner[4096];
        snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] == '.' || stat(inner, &facts) != 0)
            continue;
        ran = replay_file(inner, (size_t)facts.st_size) ? ran + 1 : -1;
    }
    if (folder != NULL)
        closedir(folder);
    return ran;
}

int main(int argc, char **argv)
{
    int total = 0, i;

    for (i = 1; i < argc; i++) {
        int ran = replay_path(argv[i]);
        if (ran < 0)
            return 1;
        total += ran;
    }
    printf("replayed %d inputs\n", total);
    return total > 0 ? 0 : 1;
}
