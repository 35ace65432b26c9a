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
const cli_group cli_groups[] = {
#define CLI_ONE_MORE_(name) +1
#define CLI_GROUP_(title, list) {title, 0 list(CLI_ONE_MORE_)},
    CLI_GROUP_LIST(CLI_GROUP_)
#undef CLI_GROUP_
#undef CLI_ONE_MORE_
        {NULL, 0}};
const cli_alias cli_aliases[] = {
#define CLI_ALIAS_(name, ...) {name, {__VA_ARGS__}},
    CLI_ALIAS_LIST(CLI_ALIAS_)
#undef CLI_ALIAS_
        {NULL, {NULL}}};
static_assert(sizeof cli_commands / sizeof *cli_commands +
                      sizeof cli_aliases / sizeof *cli_aliases <=
                  CLI_COMMANDS_MAX,
              "make room for more");

int main(int argc, char **argv)
{
    return cli_program(argc, argv);
}
