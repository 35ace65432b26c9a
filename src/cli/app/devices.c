/* SPDX-License-Identifier: Apache-2.0 */
/* devices.c - reads --devices and checks --device. */
#include "devices.h"

#include <heddle/heddle.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char digits[] = "0123456789";

/* A device number that is too large, or not a number. */
static int no_device(const cli_arguments *arguments, const char *option, const char *word)
{
    int count = 0;
    char range[40] = "the only one is 0";

    (void)hd_device_count(&count);
    if (count != 1)
        snprintf(range, sizeof range, "devices are 0 to %d", count - 1);
    return cli_misused(arguments->command,
                       word[strspn(word, digits)] ? "--%s: '%s' is not a device; %s"
                                                  : "--%s: there is no device %s; %s",
                       option, word, range);
}

static int device_add(const cli_arguments *arguments, const char *word, cli_devices *devices)
{
    int device = -1;

    if (word[0] == '-' || hd_device_select(word, &device) < 0 || device < 0)
        return no_device(arguments, "devices", word);
    for (unsigned i = 0; i < devices->count; i++)
        if (devices->device[i] == device)
            return cli_misused(arguments->command, "--devices: device %d is listed twice", device);
    if (devices->count == CLI_DEVICES_MAX)
        return cli_misused(arguments->command, "--devices: at most %d devices are possible",
                           CLI_DEVICES_MAX);
    devices->device[devices->count++] = device;
    return CLI_DONE;
}

/* "0-3": only digits on both sides, which no bus id has. */
static int is_range(const char *word)
{
    const size_t first = strspn(word, digits);

    return first && word[first] == '-' && word[first + 1] &&
           !word[first + 1 + strspn(word + first + 1, digits)];
}

static int range_add(const cli_arguments *arguments, const char *word, cli_devices *devices)
{
    const unsigned long from = strtoul(word, NULL, 10),
                        to = strtoul(strchr(word, '-') + 1, NULL, 10);
    int status = CLI_DONE, count = 0;

    if (from > to)
        return cli_misused(arguments->command, "--devices: the range %s is descending", word);
    (void)hd_device_count(&count);
    for (unsigned long at = from; at <= to && status == CLI_DONE; at++) {
        char one[24];
        (void)snprintf(one, sizeof one, "%lu", at);
        status = at < (unsigned long)count ? device_add(arguments, one, devices)
                                           : no_device(arguments, "devices", one);
    }
    return status;
}

static int word_add(const cli_arguments *arguments, const char *text, size_t length,
                    cli_devices *devices)
{
    char word[64];

    if (length == 0 || length >= sizeof word)
        return cli_misused(
            arguments->command,
            "--devices: '%.*s' is not a device; use a list such as 0,3 or 0-3, or all", (int)length,
            text);
    memcpy(word, text, length);
    word[length] = '\0';
    if (strcmp(word, "all") == 0)
        return cli_misused(arguments->command,
                           "--devices: 'all' cannot be combined with other devices");
    return is_range(word) ? range_add(arguments, word, devices)
                          : device_add(arguments, word, devices);
}

/* The list, or the machine, has too few devices. */
static int too_few(const cli_arguments *arguments, unsigned made, unsigned least)
{
    int count = 0;

    (void)hd_device_count(&count);
    if (cli_option_given(arguments, "devices") && count >= (int)least)
        return cli_misused(arguments->command,
                           "--devices: %u given, %u are needed; devices are 0 to %d", made, least,
                           count - 1);
    return cli_failed(arguments->command,
                      "there %s %u device%s; %u are needed (on the CPU set HEDDLE_CPU_DEVICES=%u)",
                      made == 1 ? "is" : "are", made, made == 1 ? "" : "s", least, least);
}

int cli_devices_read(const cli_arguments *arguments, unsigned least, cli_devices *devices_out)
{
    const char *text = cli_option_value(arguments, "devices");
    cli_devices made = {0, {0}};
    int count = 0, status = CLI_DONE;

    if (hd_device_count(&count) < 0)
        return cli_failed_call(arguments->command);
    if (count == 0 && hd_device_select("0", &count) < 0) /* prints why */
        return cli_failed_call(arguments->command);
    if (!text || strcmp(text, "all") == 0) {
        for (int i = 0; i < count && i < CLI_DEVICES_MAX; i++)
            made.device[made.count++] = i;
        text = NULL;
    }
    while (text && status == CLI_DONE) {
        const size_t length = strcspn(text, ",");
        status = word_add(arguments, text, length, &made);
        text = text[length] ? text + length + 1 : NULL;
    }
    if (status == CLI_DONE && made.count < least)
        return too_few(arguments, made.count, least);
    if (status == CLI_DONE)
        *devices_out = made;
    return status;
}

int cli_device_check(const cli_arguments *arguments)
{
    const char *named = cli_option_value(arguments, "device");
    int device = -1;
    hd_status status = named ? hd_device_select(named, &device) : HD_OK;

    if (status == HD_ERR_DEVICE_INDEX || status == HD_ERR_ARGUMENT)
        return no_device(arguments, "device", named);
    return status < 0 ? cli_failed_call(arguments->command) : CLI_DONE;
}

void cli_devices_text(const cli_devices *devices, char text[CLI_DEVICES_TEXT])
{
    size_t at = 0;

    text[0] = '\0';
    for (unsigned i = 0; i < devices->count; i++)
        at += (size_t)snprintf(text + at, CLI_DEVICES_TEXT - at, i ? ",%d" : "%d",
                               devices->device[i]);
}
