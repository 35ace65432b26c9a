/* SPDX-License-Identifier: Apache-2.0 */
/* fabric.c - reports the kernel's support for direct paths between networks, storage and device
   memory.

   A file that is missing means "no" only if the folder that would list it can be read: in a
   container /sys and /proc may be absent or empty. Otherwise the answer is unknown: "-", in JSON
   null. docs/storage.md says what each line means. */
#include "fabric.h"

#include <dirent.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "table.h"

enum { TEXT = 160 };

/* ---- files ----------------------------------------------------------------------------------- */

/* A path of the machine, below HEDDLE_LINKS_ROOT if that is set. */
__attribute__((format(printf, 2, 3))) static void path_of(char path[PATH_MAX], const char *format,
                                                          ...)
{
    const char *root = hd__environment("HEDDLE_LINKS_ROOT");
    const int length = snprintf(path, PATH_MAX, "%s/", root ? root : "");
    va_list args;

    if (length < 0 || length >= PATH_MAX)
        return;
    va_start(args, format);
    (void)vsnprintf(path + length, PATH_MAX - (size_t)length, format, args);
    va_end(args);
}

/* The first line, without blanks at its end. 0 if the file cannot be read or begins with an empty
   line. */
static int read_line(const char *path, char text[TEXT])
{
    FILE *stream = fopen(path, "r");
    size_t length;

    text[0] = '\0';
    if (!stream)
        return 0;
    if (!fgets(text, TEXT, stream))
        text[0] = '\0';
    (void)fclose(stream);
    length = strlen(text);
    while (length > 0 && strchr(" \t\n", text[length - 1]))
        length--;
    text[length] = '\0';
    return length > 0;
}

/* Whether a file has a line that is `line`, or begins with it if that ends with a blank. -1: the
   file cannot be read. */
static int has_line(const char *path, const char *line)
{
    const size_t length = strlen(line);
    const int whole = length == 0 || line[length - 1] != ' ';
    FILE *stream = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;
    int found = 0;

    if (!stream)
        return -1;
    while (!found && getline(&text, &size, stream) > 0)
        found = strncmp(text, line, length) == 0 &&
                (!whole || text[length] == '\n' || text[length] == '\0');
    free(text);
    (void)fclose(stream);
    return found;
}

static int visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Names in a folder, mlx5_2 before mlx5_10; -1: it cannot be read. Free each, and the list. */
static int list_folder(const char *path, struct dirent ***names_out)
{
    return scandir(path, names_out, visible, versionsort);
}

static void free_list(struct dirent **names, int count)
{
    for (int i = 0; i < count; i++)
        free(names[i]);
    if (count >= 0)
        free(names);
}

/* The NUMA node in a file; empty if it is negative, the kernel's value for "no node". */
static cli_cell read_node(const char *path)
{
    char text[TEXT];
    const long node = read_line(path, text) ? strtol(text, NULL, 10) : -1;

    return cell_if(node >= 0, cell_number((double)node));
}

static cli_cell text_or_none(const char *text)
{
    return cell_if(text[0] != '\0', cell_text(text));
}

/* ---- kernel and IOMMU ------------------------------------------------------------------------ */

/* "off", "passthrough" if every group of devices uses physical addresses, "translating" if one
   does not, "on" if the kernel does not show the types; "": unknown. */
static const char *iommu_state(void)
{
    char path[PATH_MAX], type[TEXT];
    struct dirent **groups;
    const char *state;
    int count;

    path_of(path, "sys/kernel/iommu_groups");
    count = list_folder(path, &groups);
    state = count < 0 ? "" : count == 0 ? "off" : "passthrough";
    for (int i = 0; i < count && strcmp(state, "translating") != 0; i++) {
        path_of(path, "sys/kernel/iommu_groups/%s/type", groups[i]->d_name);
        if (!read_line(path, type))
            state = "on";
        else if (strcmp(type, "identity") != 0)
            state = "translating";
    }
    free_list(groups, count);
    return state;
}

static void print_kernel(cli_result *result)
{
    char path[PATH_MAX], release[TEXT];
    const char *iommu = iommu_state();
    int p2pdma = -1;

    path_of(path, "proc/sys/kernel/osrelease");
    if (read_line(path, release)) {
        path_of(path, "boot/config-%s", release);
        p2pdma = has_line(path, "CONFIG_PCI_P2PDMA=y");
    }
    cli_field(result, "kernel", text_or_none(release));
    cli_field(result, "iommu", text_or_none(iommu));
    cli_field(result, "pci_p2pdma", cell_if(p2pdma >= 0, cell_flag(p2pdma > 0)));
    cli_say(result, "kernel                    %s\n", release[0] ? release : "-");
    cli_say(result, "IOMMU                     %s\n", iommu[0] ? iommu : "-");
    cli_say(result, "PCI peer-to-peer DMA      %s\n\n", p2pdma < 0 ? "-" : p2pdma ? "yes" : "no");
}

/* ---- modules --------------------------------------------------------------------------------- */

typedef struct module {
    const char *name, *use;
    const char *files[3]; /* if set, one of these files must exist, instead of a module */
} module;

static const module modules[] = {
    {"nvidia", "driver of NVIDIA devices", {NULL}},
    {"nvidia_fs", "storage to NVIDIA devices (GPUDirect Storage)", {NULL}},
    {"nvidia_peermem", "network cards to NVIDIA devices (GPUDirect RDMA)", {NULL}},
    {"nv_peer_mem", "the same, before driver 470", {NULL}},
    {"gdrdrv", "the CPU to NVIDIA devices (GDRCopy)", {NULL}},
    {"amdgpu", "driver of AMD devices", {NULL}},
    {"amdkfd",
     "network cards to AMD devices (peer memory)",
     {"sys/kernel/mm/memory_peers/amdkfd/version", "sys/kernel/memory_peers/amdkfd/version",
      "sys/memory_peers/amdkfd/version"}},
    {"ib_uverbs", "RDMA by programs", {NULL}},
};
enum { MODULE_COUNT = sizeof modules / sizeof *modules };

/* 1: the driver has registered with the peer memory interface, 0: no, -1: /sys cannot be read. */
static int registered(const module *m, char version[TEXT])
{
    char path[PATH_MAX];

    for (size_t i = 0; i < sizeof m->files / sizeof *m->files; i++) {
        path_of(path, "%s", m->files[i]);
        if (access(path, F_OK) == 0) {
            (void)read_line(path, version);
            return 1;
        }
    }
    path_of(path, "sys/kernel");
    return access(path, F_OK) == 0 ? 0 : -1;
}

/* Whether a module is loaded, or built into the kernel: a built-in one has a folder in /sys/module
   if it has parameters or a version. -1: neither /proc/modules nor /sys/module can be read. */
static int loaded(const module *m, char version[TEXT])
{
    char path[PATH_MAX], line[TEXT];
    int in_list, in_folder;

    version[0] = '\0';
    if (m->files[0])
        return registered(m, version);
    path_of(path, "sys/module/%s/version", m->name);
    (void)read_line(path, version);
    (void)snprintf(line, sizeof line, "%s ", m->name);
    path_of(path, "proc/modules");
    in_list = has_line(path, line);
    path_of(path, "sys/module/%s", m->name);
    in_folder = access(path, F_OK) == 0;
    path_of(path, "sys/module");
    if (in_list > 0 || in_folder)
        return 1;
    return in_list == 0 || access(path, F_OK) == 0 ? 0 : -1;
}

static void print_modules(cli_result *result)
{
    static const cli_column columns[] = {
        {.key = "name", .heading = "module", .width = -14},
        {.key = "loaded", .heading = "loaded", .width = -6, .gap = 2},
        {.key = "version", .heading = "version", .width = -14, .gap = 2},
        {.key = "use", .heading = "connects", .width = -1, .gap = 2},
    };

    CLI_TABLE(result, "modules", columns);
    for (size_t i = 0; i < MODULE_COUNT; i++) {
        char version[TEXT];
        const int is = loaded(&modules[i], version);

        CLI_ROW(result, cell_text(modules[i].name),
                cell_if(is >= 0, cell_shown(cell_flag(is > 0), is > 0 ? "yes" : "no")),
                text_or_none(version), cell_text(modules[i].use));
    }
    cli_table_end(result);
}

/* ---- network cards --------------------------------------------------------------------------- */

/* The PCI address that a card's link `device` ends with; "" without one. */
static void card_address(const char *card, char address[TEXT])
{
    char path[PATH_MAX], target[PATH_MAX];
    const char *name;
    ssize_t length;

    path_of(path, "sys/class/infiniband/%s/device", card);
    length = readlink(path, target, sizeof target - 1);
    target[length > 0 ? length : 0] = '\0';
    name = strrchr(target, '/');
    (void)snprintf(address, TEXT, "%.*s", TEXT - 1, name ? name + 1 : target);
}

static void print_port(cli_result *result, const char *card, const char *port)
{
    char path[PATH_MAX], layer[TEXT], state[TEXT], rate[TEXT], address[TEXT];
    const char *word;

    path_of(path, "sys/class/infiniband/%s/ports/%s/link_layer", card, port);
    (void)read_line(path, layer);
    path_of(path, "sys/class/infiniband/%s/ports/%s/state", card, port);
    (void)read_line(path, state);
    path_of(path, "sys/class/infiniband/%s/ports/%s/rate", card, port);
    (void)read_line(path, rate);
    card_address(card, address);
    path_of(path, "sys/class/infiniband/%s/device/numa_node", card);
    word = strstr(state, ": "); /* of "4: ACTIVE" */
    CLI_ROW(result, cell_text(card), cell_number((double)strtol(port, NULL, 10)),
            text_or_none(layer), text_or_none(word ? word + 2 : state), text_or_none(rate),
            text_or_none(address), read_node(path));
}

static void print_ports(cli_result *result)
{
    static const cli_column columns[] = {
        {.key = "card", .heading = "\nRDMA card", .width = -14},
        {.key = "port", .heading = "\nport", .width = 4, .gap = 2},
        {.key = "link_layer", .heading = "\nlink layer", .width = -10, .gap = 2},
        {.key = "state", .heading = "\nstate", .width = -8, .gap = 2},
        {.key = "rate", .heading = "\nrate", .width = -20, .gap = 2},
        {.key = "bus_id", .heading = "\nbus id", .width = -12, .gap = 2},
        {.key = "numa_node", .heading = "\nNUMA node", .width = 9, .gap = 2},
    };
    char path[PATH_MAX];
    struct dirent **cards, **ports;
    int card_count, port_count;

    path_of(path, "sys/class/infiniband");
    card_count = list_folder(path, &cards);
    CLI_TABLE(result, "ports", columns);
    for (int i = 0; i < card_count; i++) {
        path_of(path, "sys/class/infiniband/%s/ports", cards[i]->d_name);
        port_count = list_folder(path, &ports);
        for (int k = 0; k < port_count; k++)
            print_port(result, cards[i]->d_name, ports[k]->d_name);
        free_list(ports, port_count);
    }
    cli_table_end(result);
    if (card_count <= 0)
        cli_say(result, "none\n");
    free_list(cards, card_count);
}

/* ---- drives ---------------------------------------------------------------------------------- */

static void print_drive(cli_result *result, const char *drive)
{
    char path[PATH_MAX], transport[TEXT], address[TEXT], model[TEXT];

    path_of(path, "sys/class/nvme/%s/transport", drive);
    (void)read_line(path, transport);
    path_of(path, "sys/class/nvme/%s/address", drive);
    (void)read_line(path, address);
    path_of(path, "sys/class/nvme/%s/model", drive);
    (void)read_line(path, model);
    path_of(path, "sys/class/nvme/%s/numa_node", drive);
    CLI_ROW(result, cell_text(drive), text_or_none(transport), text_or_none(address),
            read_node(path), text_or_none(model));
}

static void print_drives(cli_result *result)
{
    static const cli_column columns[] = {
        {.key = "drive", .heading = "\nNVMe drive", .width = -14},
        {.key = "transport", .heading = "\ntransport", .width = -9, .gap = 2},
        {.key = "address", .heading = "\naddress", .width = -12, .gap = 2},
        {.key = "numa_node", .heading = "\nNUMA node", .width = 9, .gap = 2},
        {.key = "model", .heading = "\nmodel", .width = -1, .gap = 2},
    };
    char path[PATH_MAX];
    struct dirent **drives;
    int count;

    path_of(path, "sys/class/nvme");
    count = list_folder(path, &drives);
    CLI_TABLE(result, "drives", columns);
    for (int i = 0; i < count; i++)
        print_drive(result, drives[i]->d_name);
    cli_table_end(result);
    if (count <= 0)
        cli_say(result, "none\n");
    free_list(drives, count);
}

int fabric_print(const cli_command *command, cli_format format)
{
    cli_result result;

    cli_result_begin(&result, command, format, CLI_NO_DEVICE);
    print_kernel(&result);
    print_modules(&result);
    print_ports(&result);
    print_drives(&result);
    return cli_result_end(&result);
}
