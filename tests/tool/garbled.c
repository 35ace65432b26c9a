/* SPDX-License-Identifier: Apache-2.0 */
/* garbled.c WHAT COMMAND ... - commands of the tool with a library that gives wrong results; run by
   test_wrong.sh. The linker (--wrap) puts the functions here between the commands and the library.
   WHAT:
     transfer   hd_transfer skips the last 16 bytes
     results    a bit of the bytes copied to the host is flipped
     cell       hd_jacobi_group_store of several devices flips a bit of the first cell
     norm       hd_jacobi_group_run of several devices changes its last norm to the next number
     nothing    the library is unmodified
   Any other WHAT is the name of a kernel, whose first argument (elements, iterations, steps) is
   decremented. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <heddle/jacobi_group.h>
#include <heddle/peer.h>

#include "cli/app/commands.h"
#include "cli/app/program.h"

static const char *what;

const cli_command *const cli_commands[] = {&cli_command_p2p, &cli_command_remote,
                                           &cli_command_collectives, &cli_command_jacobi,
                                           &cli_command_scaling};
const size_t cli_command_count = sizeof cli_commands / sizeof *cli_commands;
const cli_alias cli_aliases[] = {{NULL, {NULL}}};
const cli_group cli_groups[] = {{"commands", sizeof cli_commands / sizeof *cli_commands},
                                {NULL, 0}};

static int garbled(const char *name)
{
    return strcmp(what, name) == 0;
}

/* ---- between the commands and the library ---------------------------------------------------- */

/* For each function `f` the linker calls the library's original __real_f. */
#define WRAPPED(name, ...)                                                                         \
    hd_status __real_##name(__VA_ARGS__);                                                          \
    hd_status __wrap_##name(__VA_ARGS__);                                                          \
    hd_status __wrap_##name(__VA_ARGS__)

WRAPPED(hd_transfer, void *to, int to_device, const void *from, int from_device, size_t bytes,
        hd_stream *stream)
{
    return __real_hd_transfer(to, to_device, from, from_device,
                              garbled("transfer") ? bytes - 16 : bytes, stream);
}

WRAPPED(hd_copy_blocking_bytes, void *to, const void *from, size_t count, size_t size,
        hd_stream *stream)
{
    const hd_status status = __real_hd_copy_blocking_bytes(to, from, count, size, stream);
    hd_pointer_info info;

    if (status == HD_OK && garbled("results") && hd_pointer_get(to, &info) == HD_OK &&
        info.kind == HD_MEM_UNKNOWN)
        *(unsigned char *)to ^= 1;
    return status;
}

WRAPPED(hd_launch_kernel, const hd_kernel *kernel, hd_launch_config config, void **args,
        const char *file, int line)
{
    void *changed[1 + 24];
    size_t elements;
    uint32_t turns;

    if (!garbled(kernel->name))
        return __real_hd_launch_kernel(kernel, config, args, file, line);
    memcpy(changed, args, kernel->arg_count * sizeof *args);
    if (kernel->arg_sizes[0] == sizeof elements) {
        elements = *(const size_t *)args[0] - 1;
        changed[0] = &elements;
    } else {
        turns = *(const uint32_t *)args[0] - 1;
        changed[0] = &turns;
    }
    return __real_hd_launch_kernel(kernel, config, changed, file, line);
}

static int of_several(const hd_jacobi_group *group)
{
    hd_domain domain;

    return hd_jacobi_group_get(group, NULL, NULL, &domain) == HD_OK &&
           domain.tiles_x * domain.tiles_y > 1;
}

WRAPPED(hd_jacobi_group_store, hd_jacobi_group *group, void *field, size_t pitch)
{
    const hd_status status = __real_hd_jacobi_group_store(group, field, pitch);

    if (status == HD_OK && garbled("cell") && of_several(group))
        *(unsigned char *)field ^= 1;
    return status;
}

WRAPPED(hd_jacobi_group_run, hd_jacobi_group *group, size_t sweeps, size_t every, double *norms)
{
    const hd_status status = __real_hd_jacobi_group_run(group, sweeps, every, norms);

    if (status == HD_OK && garbled("norm") && norms && every && of_several(group))
        norms[(sweeps - 1) / every] = nextafter(norms[(sweeps - 1) / every], INFINITY);
    return status;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "garbled WHAT COMMAND ...\n");
        return CLI_MISUSED;
    }
    what = argv[1];
    return cli_program(argc - 1, argv + 1);
}
