/* SPDX-License-Identifier: Apache-2.0 */
/* labels: once */
/* The picture of an experiment: its panels, and where bars and dots stand. Devices by name. */
#define _POSIX_C_SOURCE 200809L

#include "../test.h"

#include <stdlib.h>

#include "cli/lab/experiment/plot.h"
#include "cli/lab/experiment/references.h"
#include "../io/scratch.h"

static const cli_command command = {.name = "lab test"};
static const lab_axes axes = {"across", "counts", "times"};

static size_t count_of(const char *text, const char *what)
{
    size_t count = 0;

    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what))
        count++;
    return count;
}

/* Draws the points and returns the picture's text. */
static char *drawn(lab_plot *plot)
{
    char *text = calloc(1, 1 << 20);
    FILE *file;

    plot->path = scratch_path("picture.svg");
    CHECK_STATUS(lab_plot_write(plot, &command, "title", &axes), CLI_DONE);
    lab_plot_free(plot);
    file = fopen(scratch_path("picture.svg"), "rb");
    if (!text || !file)
        abort();
    CHECK(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

static void add(lab_plot *plot, const char *label, const char *series, double predicted,
                double counted, double measured)
{
    lab_point p = lab_point_at(label, series);

    p.predicted = predicted;
    p.counted = counted;
    p.measured = measured;
    if (measured > 0) {
        p.least = measured / 2;
        p.most = measured * 2;
    }
    lab_plot_add(plot, &p);
}

/* Without times there is one panel; a row has a bar, and a dot if it was counted. */
TEST(counts_without_times)
{
    lab_plot plot = {.path = "some"};
    char *text;

    add(&plot, "one", "s", 4, 4, LAB_NONE);
    add(&plot, "one", "t", 8, LAB_NONE, LAB_NONE);
    add(&plot, "two", "s", 2, 2, LAB_NONE);
    add(&plot, "", "s", 2, 2, LAB_NONE);
    text = drawn(&plot);
    CHECK(count_of(text, "<circle") == 2);
    CHECK(count_of(text, "</rect>") == 3);
    CHECK(count_of(text, ">counts<") == 1);
    CHECK(count_of(text, ">times<") == 0);
    CHECK(count_of(text, ">one<") == 1);
    CHECK(count_of(text, ">two<") == 1);
    free(text);
}

/* The dot of a count that equals the prediction stands on the top edge of the bar: the axis goes
   from 0 at y = 84 + 230 to 1.08 * 8 at y = 84. */
TEST(dots_on_bars)
{
    const double top = 84 + 230 * (1 - 8 / (1.08 * 8));
    lab_plot plot = {.path = "some"};
    char *text, bar[32], dot[32];

    add(&plot, "one", "", 8, 8, LAB_NONE);
    add(&plot, "two", "", 4, 4, LAB_NONE);
    text = drawn(&plot);
    (void)snprintf(bar, sizeof bar, "y=\"%.2f\"", top);
    (void)snprintf(dot, sizeof dot, "cy=\"%.2f\"", top);
    CHECK(strstr(text, bar) != NULL);
    CHECK(strstr(text, dot) != NULL);
    free(text);
}

/* Times have a panel of their own, with the band and the dash of a published value. */
TEST(bands_of_times)
{
    lab_plot plot = {.path = "some"};
    char *text;

    for (int i = 0; i < 200; i++) {
        char label[LAB_LABEL];

        (void)snprintf(label, sizeof label, "row %d", i);
        add(&plot, label, "", 1 + i, LAB_NONE, 100 + i);
    }
    text = drawn(&plot);
    CHECK(count_of(text, "<circle") == 200);
    CHECK(count_of(text, "</rect>") == 400);
    CHECK(count_of(text, ">times<") == 1);
    free(text);
}

/* Points are not kept unless a picture is wanted; an empty one is a picture too. */
TEST(no_picture)
{
    lab_plot plot = {.path = NULL};
    char *text;

    add(&plot, "one", "", 8, 8, LAB_NONE);
    CHECK(plot.count == 0);
    CHECK_STATUS(lab_plot_write(&plot, &command, "title", &axes), CLI_DONE);
    text = drawn(&plot);
    CHECK(count_of(text, "<circle") == 0);
    free(text);
}

/* Names as drivers report them. */
TEST(devices_by_name)
{
    CHECK(lab_device_find("NVIDIA H100 PCIe") == LAB_H100_PCIE);
    CHECK(lab_device_find("NVIDIA H100 80GB HBM3") == LAB_H100);
    CHECK(lab_device_find("NVIDIA H200") == LAB_H200);
    CHECK(lab_device_find("AMD Instinct MI300X") == LAB_MI300X);
    CHECK(lab_device_find("NVIDIA H200 NVL") == LAB_NO_DEVICE);
    CHECK(lab_device_find("NVIDIA H100 80GB HBM3 MIG 1g.10gb") == LAB_NO_DEVICE);
    CHECK(lab_device_find("AMD EPYC 9654") == LAB_NO_DEVICE);
    CHECK(lab_reference(LAB_NO_DEVICE, LAB_READ) <= 0);
    CHECK(lab_reference_read(LAB_H100_PCIE) >= 1942 && lab_reference_read(LAB_H100_PCIE) <= 1942);
    CHECK(lab_reference_read(LAB_H200) >= 4570 && lab_reference_read(LAB_H200) <= 4570);
}

TEST_MAIN
