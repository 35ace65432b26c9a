/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - the heddle tool. */
#include <assert.h>

#include "cli/app/commands.h"
#include "cli/app/program.h"

const cli_command *const cli_commands[] = {
#define CLI_COMMAND_ADDRESS_(name) &cli_command_##name,
    CLI_COMMAND_LIST(CLI_COMMAND_ADDRESS_)
#undef CLI_COMMAND_ADDRESS_
};
const size_t cli_command_count = sizeof cli_commands / sizeof *cli_commands;
static_assert(sizeof cli_commands / sizeof *cli_commands <= CLI_COMMANDS_MAX, "make room for more");

int main(int argc, char **argv)
{
    return cli_program(argc, argv);
}
