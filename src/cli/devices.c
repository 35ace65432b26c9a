/* SPDX-License-Identifier: Apache-2.0 */
/* devices.c - reads --devices. */
#include "devices.h"

#include <heddle/heddle.h>

#include <string.h>

static int device_add(const cli_arguments *arguments, const char *text, size_t length,
                      cli_devices *devices)
{
    char word[64];
    int device = -1, count = 0;

    if (length == 0 || length >= sizeof word)
        return cli_misused(arguments->command,
                           "--devices: '%.*s' is no device; a list as 0,3 is wanted, or all",
                           (int)length, text);
    memcpy(word, text, length);
    word[length] = '\0';
    if (word[0] == '-' || hd_device_select(word, &device) < 0 || device < 0) {
        (void)hd_device_count(&count);
        return cli_misused(arguments->command, "--devices: there is no device %s, but 0 to %d",
                           word, count - 1);
    }
    for (unsigned i = 0; i < devices->count; i++)
        if (devices->device[i] == device)
            return cli_misused(arguments->command, "--devices: device %d is there twice", device);
    if (devices->count == CLI_DEVICES_MAX)
        return cli_misused(arguments->command, "--devices: %d devices at most", CLI_DEVICES_MAX);
    devices->device[devices->count++] = device;
    return CLI_DONE;
}

int cli_devices_read(const cli_arguments *arguments, unsigned least, cli_devices *devices_out)
{
    const char *text = cli_option_value(arguments, "devices");
    cli_devices made = {0, {0}};
    int count = 0, status = CLI_DONE;

    if (hd_device_count(&count) < 0)
        return cli_failed_call(arguments->command);
    if (count == 0)
        return cli_failed(arguments->command, "no device");
    if (!text || strcmp(text, "all") == 0) {
        for (int i = 0; i < count && i < CLI_DEVICES_MAX; i++)
            made.device[made.count++] = i;
        text = NULL;
    }
    while (text && status == CLI_DONE) {
        const size_t length = strcspn(text, ",");
        status = device_add(arguments, text, length, &made);
        text = text[length] ? text + length + 1 : NULL;
    }
    if (status == CLI_DONE && made.count < least)
        return cli_failed(arguments->command,
                          "%u device%s, but %u are needed (on the CPU HEDDLE_CPU_DEVICES=%u "
                          "makes them)",
                          made.count, made.count == 1 ? "" : "s", least, least);
    if (status == CLI_DONE)
        *devices_out = made;
    return status;
}

void cli_devices_text(const cli_devices *devices, char text[CLI_DEVICES_TEXT])
{
    size_t at = 0;

    text[0] = '\0';
    for (unsigned i = 0; i < devices->count; i++)
        at += (size_t)snprintf(text + at, CLI_DEVICES_TEXT - at, i ? ",%d" : "%d",
                               devices->device[i]);
}
