/* SPDX-License-Identifier: Apache-2.0 */
/* info.c - `heddle info`: the devices that this build can use, their properties, and GPUs that it
   does not use. */
#include <dirent.h>
#include <inttypes.h>
#include <string.h>

#include <heddle/heddle.h>

#include "table.h"

enum { NAME_BYTES = 128, CONTROLLERS_MAX = 16 };

typedef struct device_text {
    char name[NAME_BYTES], bus_id[NAME_BYTES], arch[NAME_BYTES];
    size_t free_bytes, total_bytes;
} device_text;

typedef struct attribute {
    hd_device_attribute id;
    const char *key; /* as in HD_ATTR_WARP_SIZE */
    const char *text;
} attribute;

static const attribute attributes[] = {
#define INFO_ATTRIBUTE_(name, text) {name, #name, text},
    HD_DEVICE_ATTRIBUTE_LIST(INFO_ATTRIBUTE_)
#undef INFO_ATTRIBUTE_
};
enum { ATTRIBUTE_COUNT = sizeof attributes / sizeof *attributes };

static hd_status read_device(int device, device_text *text)
{
    HD_TRY(hd_device_name(device, text->name, sizeof text->name));
    HD_TRY(hd_device_bus_id(device, text->bus_id, sizeof text->bus_id));
    HD_TRY(hd_device_arch(device, text->arch, sizeof text->arch));
    HD_TRY(hd_device_memory(device, &text->free_bytes, &text->total_bytes));
    return HD_OK;
}

/* "warp_size" for "HD_ATTR_WARP_SIZE". */
static void attribute_key(const attribute *a, char key[NAME_BYTES])
{
    const char *from = a->key + strlen("HD_ATTR_");
    size_t i = 0;

    for (; from[i] && i + 1 < NAME_BYTES; i++)
        key[i] = from[i] >= 'A' && from[i] <= 'Z' ? (char)(from[i] - 'A' + 'a') : from[i];
    key[i] = '\0';
}

/* Returns 0 if the backend does not know the value: 0 is no valid value of these attributes. A
   minor architecture number may be 0, but only with a major one. */
static int read_attribute(int device, hd_device_attribute id, int64_t *value)
{
    static const hd_device_attribute positive[] = {
        HD_ATTR_REGISTERS_PER_BLOCK, HD_ATTR_L2_BYTES,  HD_ATTR_MEMORY_BUS_BITS,
        HD_ATTR_MEMORY_CLOCK_KHZ,    HD_ATTR_CLOCK_KHZ, HD_ATTR_ARCH_MAJOR};
    const hd_device_attribute told = id == HD_ATTR_ARCH_MINOR ? HD_ATTR_ARCH_MAJOR : id;
    int64_t sign = 0;

    if (hd_device_get(device, id, value) < 0 || hd_device_get(device, told, &sign) < 0)
        return 0;
    for (size_t i = 0; i < sizeof positive / sizeof *positive; i++)
        if (told == positive[i] && sign <= 0)
            return 0;
    return 1;
}

/* ---- GPUs that this build does not use ------------------------------------------------------ */

/* Reads a number such as "0x030200" from a file of /sys; 0 if there is none. */
static unsigned long read_hex(const char *address, const char *file)
{
    char path[300];
    unsigned long value = 0;
    FILE *stream;

    snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/%s", address, file);
    stream = fopen(path, "r");
    if (!stream)
        return 0;
    if (fscanf(stream, "%lx", &value) != 1)
        value = 0;
    fclose(stream);
    return value;
}

/* Lists PCI controllers of the classes that GPUs belong to: 0300 VGA, 0302 3-D, 0380 display, 1200
   processing accelerator. Format: "0000:3b:00.0 (10de:2330)". */
static size_t find_controllers(char list[CONTROLLERS_MAX][64])
{
    static const unsigned long classes[] = {0x0300, 0x0302, 0x0380, 0x1200};
    DIR *directory = opendir("/sys/bus/pci/devices");
    struct dirent *entry;
    size_t count = 0;

    while (directory && count < CONTROLLERS_MAX && (entry = readdir(directory)) != NULL) {
        unsigned long class = read_hex(entry->d_name, "class") >> 8;

        for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
            if (class == classes[i])
                snprintf(list[count++], sizeof *list, "%.32s (%04lx:%04lx)", entry->d_name,
                         read_hex(entry->d_name, "vendor"), read_hex(entry->d_name, "device"));
    }
    if (directory)
        closedir(directory);
    return count;
}

/* Explains in one line why no GPU is used; "" if one is used. */
static void gpu_reason(char *text, size_t size)
{
    char list[CONTROLLERS_MAX][64];
    size_t count;

    text[0] = '\0';
    if (strcmp(hd_backend_name(), "cpu") != 0)
        return;
    count = find_controllers(list);
    if (count == 0)
        snprintf(text, size, "none is on this machine's PCI bus, and this build is for the CPU");
    else
        snprintf(text, size,
                 "%s%s not used, because this build is for the CPU; configure with "
                 "-DHEDDLE_BACKEND=auto where its toolkit is installed",
                 list[0], count > 1 ? " and others are" : " is");
}

/* ---- printing ------------------------------------------------------------------------------- */

static hd_status print_device_text(int device)
{
    device_text text;
    char free_text[CLI_NUMBER], total_text[CLI_NUMBER];

    HD_TRY(read_device(device, &text));
    cli_text_bytes((double)text.free_bytes, free_text);
    cli_text_bytes((double)text.total_bytes, total_text);
    printf("\ndevice %d\n  %-52s %s\n  %-52s %s\n  %-52s %s\n  %-52s %s of %s\n", device, "name",
           text.name, "bus id", text.bus_id, "architecture", text.arch, "memory free", free_text,
           total_text);
    for (size_t i = 0; i < ATTRIBUTE_COUNT; i++) {
        int64_t value;

        if (read_attribute(device, attributes[i].id, &value))
            printf("  %-52s %" PRId64 "\n", attributes[i].text, value);
        else
            printf("  %-52s -\n", attributes[i].text);
    }
    return HD_OK;
}

static hd_status print_peers_text(int count)
{
    if (count < 2)
        return HD_OK;
    printf("\npeer access (row reaches column)\n      ");
    for (int peer = 0; peer < count; peer++)
        printf("%4d", peer);
    putchar('\n');
    for (int device = 0; device < count; device++) {
        printf("  %4d", device);
        for (int peer = 0; peer < count; peer++) {
            int can = 1;

            if (peer != device)
                HD_TRY(hd_peer_possible(device, peer, &can));
            printf("%4s", peer == device ? "-" : can ? "yes" : "no");
        }
        putchar('\n');
    }
    return HD_OK;
}

static hd_status print_text(int count, const char *reason)
{
    printf("heddle %s, backend %s, %d device%s\n", hd_version(), hd_backend_name(), count,
           count == 1 ? "" : "s");
    if (reason[0])
        printf("GPU: %s\n", reason);
    for (int device = 0; device < count; device++)
        HD_TRY(print_device_text(device));
    return print_peers_text(count);
}

static hd_status print_device_fields(int device, cli_result *result)
{
    device_text text;
    char key[NAME_BYTES], number[CLI_NUMBER];

    HD_TRY(read_device(device, &text));
    cli_object_begin(result);
    cli_field(result, "name", cell_text(text.name));
    cli_field(result, "bus_id", cell_text(text.bus_id));
    cli_field(result, "arch", cell_text(text.arch));
    cli_field(result, "free_bytes", cell_count(text.free_bytes));
    for (size_t i = 0; i < ATTRIBUTE_COUNT; i++) {
        int64_t value = 0;
        const int known = read_attribute(device, attributes[i].id, &value);

        attribute_key(&attributes[i], key);
        snprintf(number, sizeof number, "%" PRId64, value);
        cli_field(result, key, cell_if(known, cell_digits(number)));
    }
    cli_object_end(result);
    return HD_OK;
}

static hd_status print_json(const cli_command *command, int count, const char *reason)
{
    hd_status status = HD_OK;
    cli_result result;

    cli_result_begin(&result, command, CLI_JSON, 0);
    cli_field(&result, "gpu_unused", cell_text(reason));
    cli_list_begin(&result, "devices", true);
    for (int device = 0; device < count && status >= 0; device++)
        status = print_device_fields(device, &result);
    cli_list_end(&result);
    (void)cli_result_end(&result);
    return status;
}

static int run(const cli_arguments *arguments)
{
    char reason[HD_ERROR_TEXT_MAX];
    hd_status status;
    int count;

    if (hd_device_count(&count) < 0)
        return cli_failed_call(arguments->command);
    if (count == 0)
        return cli_failed(arguments->command, "no device of backend %s", hd_backend_name());
    gpu_reason(reason, sizeof reason);
    status = cli_option_given(arguments, "json") ? print_json(arguments->command, count, reason)
                                                 : print_text(count, reason);
    return status < 0 ? cli_failed_call(arguments->command) : cli_flush(arguments->command);
}

static const cli_option options[] = {
    {"json", NULL, "print one JSON object"},
    {NULL, NULL, NULL},
};

const cli_command cli_command_info = {
    "info",
    "list devices and their properties",
    NULL,
    options,
    "A CPU build says here why it does not use a GPU that the machine has. What a device does not\n"
    "tell is '-', in JSON null.\n",
    "  heddle info\n"
    "  heddle info --json\n"
    "  HEDDLE_CPU_DEVICES=2 heddle info\n",
    run,
};
