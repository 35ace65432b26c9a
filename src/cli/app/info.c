/* SPDX-License-Identifier: Apache-2.0 */
/* info.c - `heddle info`: the devices that this build can use, their properties, and GPUs that it
   does not use. */
#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/heddle.h>

#include "fabric.h"
#include "info.h"
#include "program.h"
#include "table.h"

enum { CONTROLLERS_MAX = 16 };

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

/* "warp_size" of "HD_ATTR_WARP_SIZE" */
static void attribute_key(const attribute *a, char key[INFO_TEXT])
{
    const char *from = a->key + strlen("HD_ATTR_");
    size_t i = 0;

    for (; from[i] && i + 1 < INFO_TEXT; i++)
        key[i] = from[i] >= 'A' && from[i] <= 'Z' ? (char)(from[i] - 'A' + 'a') : from[i];
    key[i] = '\0';
}

/* Returns false if the backend does not know the attribute: it reports 0 for attributes that are
   always positive. A minor architecture number may be 0; it is known if the major one is. */
static bool read_attribute(int device, hd_device_attribute id, int64_t *value)
{
    static const hd_device_attribute positive[] = {
        HD_ATTR_REGISTERS_PER_BLOCK, HD_ATTR_L2_BYTES,  HD_ATTR_MEMORY_BUS_BITS,
        HD_ATTR_MEMORY_CLOCK_KHZ,    HD_ATTR_CLOCK_KHZ, HD_ATTR_ARCH_MAJOR};
    const hd_device_attribute judged = id == HD_ATTR_ARCH_MINOR ? HD_ATTR_ARCH_MAJOR : id;
    int64_t sign = 0;

    if (hd_device_get(device, id, value) < 0 || hd_device_get(device, judged, &sign) < 0)
        return false;
    for (size_t i = 0; i < sizeof positive / sizeof *positive; i++)
        if (judged == positive[i] && sign <= 0)
            return false;
    return true;
}

static hd_status read_device(int device, info_device *d)
{
    HD_TRY(hd_device_name(device, d->name, sizeof d->name));
    HD_TRY(hd_device_bus_id(device, d->bus_id, sizeof d->bus_id));
    HD_TRY(hd_device_arch(device, d->arch, sizeof d->arch));
    HD_TRY(hd_device_memory(device, &d->free_bytes, &d->total_bytes));
    for (size_t i = 0; i < ATTRIBUTE_COUNT; i++) {
        const hd_device_attribute id = attributes[i].id;

        d->value[id] = 0;
        d->known[id] = read_attribute(device, id, &d->value[id]);
        if (!d->known[id])
            d->value[id] = 0;
    }
    return HD_OK;
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

static void print_properties(int device, const info_device *d)
{
    char free_text[CLI_NUMBER], total_text[CLI_NUMBER];

    cli_text_bytes((double)d->free_bytes, free_text);
    cli_text_bytes((double)d->total_bytes, total_text);
    printf("\ndevice %d\n  %-52s %s\n  %-52s %s\n  %-52s %s\n  %-52s %s of %s\n", device, "name",
           d->name, "bus id", d->bus_id, "architecture", d->arch, "memory free", free_text,
           total_text);
    for (size_t i = 0; i < ATTRIBUTE_COUNT; i++)
        if (d->known[attributes[i].id])
            printf("  %-52s %" PRId64 "\n", attributes[i].text, d->value[attributes[i].id]);
        else
            printf("  %-52s -\n", attributes[i].text);
}

static hd_status print_text(const info_device *devices, int count, const char *reason, bool all)
{
    printf("heddle %s, backend %s, %d device%s, compiled with %s\n", hd_version(),
           hd_backend_name(), count, count == 1 ? "" : "s", cli_compiler());
    if (reason[0])
        printf("GPU: %s\n", reason);
    if (all)
        for (int device = 0; device < count; device++)
            print_properties(device, &devices[device]);
    else
        info_print_groups(devices, count);
    HD_TRY(info_print_peers(count, all));
    if (!all)
        printf("\nAll properties of each device: heddle info --all\n");
    return HD_OK;
}

static void print_device_fields(const info_device *d, cli_result *result)
{
    char key[INFO_TEXT], number[CLI_NUMBER];

    cli_object_begin(result);
    cli_field(result, "name", cell_text(d->name));
    cli_field(result, "bus_id", cell_text(d->bus_id));
    cli_field(result, "arch", cell_text(d->arch));
    cli_field(result, "free_bytes", cell_count(d->free_bytes));
    for (size_t i = 0; i < ATTRIBUTE_COUNT; i++) {
        const hd_device_attribute id = attributes[i].id;

        attribute_key(&attributes[i], key);
        snprintf(number, sizeof number, "%" PRId64, d->value[id]);
        cli_field(result, key, cell_if(d->known[id], cell_digits(number)));
    }
    cli_object_end(result);
}

static void print_json(const cli_command *command, const info_device *devices, int count,
                       const char *reason)
{
    cli_result result;

    cli_result_begin(&result, command, CLI_JSON, 0);
    cli_field(&result, "gpu_unused", cell_text(reason));
    cli_list_begin(&result, "devices", true);
    for (int device = 0; device < count; device++)
        print_device_fields(&devices[device], &result);
    cli_list_end(&result);
    (void)cli_result_end(&result);
}

static hd_status print_devices(const cli_arguments *arguments, info_device *devices, int count)
{
    char reason[HD_ERROR_TEXT_MAX];

    for (int device = 0; device < count; device++)
        HD_TRY(read_device(device, &devices[device]));
    gpu_reason(reason, sizeof reason);
    if (!cli_option_given(arguments, "json"))
        return print_text(devices, count, reason, cli_option_given(arguments, "all"));
    print_json(arguments->command, devices, count, reason);
    return HD_OK;
}

static int run(const cli_arguments *arguments)
{
    info_device *devices;
    hd_status status;
    int count;

    if (cli_option_given(arguments, "links"))
        return fabric_print(arguments->command,
                            cli_option_given(arguments, "json") ? CLI_JSON : CLI_TEXT);
    if (hd_device_count(&count) < 0)
        return cli_failed_call(arguments->command);
    if (count == 0)
        return cli_failed(arguments->command, "no device of backend %s", hd_backend_name());
    devices = calloc((size_t)count, sizeof *devices);
    if (!devices)
        return cli_failed(arguments->command, "no memory");
    status = print_devices(arguments, devices, count);
    free(devices);
    return status < 0 ? cli_failed_call(arguments->command) : cli_flush(arguments->command);
}

static const cli_option options[] = {
    {"all", NULL, "print all properties of each device"},
    {"links", NULL,
     "show network cards and drives and what lets them access device memory directly, instead "
     "of the devices"},
    {"json", NULL, "print one JSON object with all properties"},
    {NULL, NULL, NULL},
};

const cli_command cli_command_info = {
    "info",
    "list devices and their properties",
    NULL,
    options,
    "Devices with the same properties are listed once. A CPU build prints why it does not use a\n"
    "GPU of the machine. Unknown properties are printed as '-', in JSON as null.\n"
    "\n"
    "--links shows kernel modules for direct transfers (GPUDirect Storage, GPUDirect RDMA, peer\n"
    "memory), RDMA cards and NVMe drives: docs/storage.md explains them. It reads files of\n"
    "/proc, /sys and /boot, or of a copy of them below the folder that\n"
    "HEDDLE_LINKS_ROOT names.\n"
    "\n"
    "JSON keys of --links: kernel iommu pci_p2pdma\n"
    "modules (name loaded version use)\n"
    "ports (card port link_layer state rate bus_id numa_node)\n"
    "drives (drive transport address numa_node model) verified\n",
    "  heddle info\n"
    "  heddle info --all\n"
    "  heddle info --json\n"
    "  heddle info --links\n"
    "  HEDDLE_CPU_DEVICES=2 heddle info\n",
    run,
};
