/* SPDX-License-Identifier: Apache-2.0 */
/* cell.c - values of fields and of rows. */
#include "table.h"

cli_cell cell_none(void)
{
    return (cli_cell){.kind = CLI_CELL_NONE};
}

cli_cell cell_text(const char *text)
{
    return (cli_cell){.kind = CLI_CELL_TEXT, .text = text};
}

cli_cell cell_digits(const char *digits)
{
    return (cli_cell){.kind = CLI_CELL_DIGITS, .text = digits};
}

cli_cell cell_count(uint64_t count)
{
    return (cli_cell){.kind = CLI_CELL_COUNT, .count = count};
}

cli_cell cell_number(double number)
{
    return (cli_cell){.kind = CLI_CELL_NUMBER, .number = number};
}

cli_cell cell_flag(bool flag)
{
    return (cli_cell){.kind = CLI_CELL_FLAG, .text = flag ? "true" : "false"};
}

cli_cell cell_list(const char *numbers)
{
    return (cli_cell){.kind = CLI_CELL_LIST, .text = numbers};
}

cli_cell cell_words(const char *names)
{
    return (cli_cell){.kind = CLI_CELL_WORDS, .text = names};
}

cli_cell cell_verdict(bool checked, bool right)
{
    return checked ? cell_flag(right) : cell_text("skipped");
}

cli_cell cell_if(bool there, cli_cell cell)
{
    return there ? cell : cell_none();
}

cli_cell cell_shown(cli_cell cell, const char *shown)
{
    cell.shown = shown;
    return cell;
}
