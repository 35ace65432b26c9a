/* SPDX-License-Identifier: Apache-2.0 */
/* test_fault.c - a kernel that uses an address it may not use: the device is lost, and every call
   says so; nothing crashes. */
#include "child.h"
#include "conformance/rig.h"
#include "unit_kernels.h"

#include <heddle/graph.h>

static hd_event *event;
static int *memory;

/* What a program does before it prints why it ends. */
static void clean_up_keeps_the_cause(void)
{
    char before[512], after[512];

    hd_error_format(before, sizeof before);
    (void)hd_event_destroy(event);
    (void)hd_free(memory);
    CHECK_EQ_STR(hd_error_format(after, sizeof after), before);
    CHECK(strstr(after, "HD_ERR_ILLEGAL_ADDRESS") == after);
}

static void poke(int *address)
{
    int back = 0, *x = NULL;
    void *p = NULL;

    rig_open();
    CHECK_STATUS(hd_device_state(0), HD_OK);
    MUST(hd_event_create(0, 0, &event));
    MUST(hd_alloc(&memory, 100, 0));
    MUST(hd_launch(unit_poke, rig_flat(1, 1), address));
    CHECK_STATUS(hd_stream_synchronize(rig_stream), HD_ERR_ILLEGAL_ADDRESS);
    CHECK_EQ_I64(hd_error_last()->status, HD_ERR_ILLEGAL_ADDRESS);
    NOTE("%s", hd_error_last()->message);
    if (rig_on_cpu()) {
        CHECK(strstr(hd_error_last()->message, "unit_poke") != NULL);
        CHECK(strstr(hd_error_last()->message, address ? "(0x10000)" : "(0x0)") != NULL);
    }
    clean_up_keeps_the_cause();
    CHECK_STATUS(hd_device_state(0), HD_ERR_DEVICE_LOST);
    CHECK(!rig_on_cpu() || strstr(hd_error_last()->message, "unit_poke") != NULL);
    CHECK_STATUS(hd_launch(unit_poke, rig_flat(1, 1), NULL), HD_ERR_DEVICE_LOST);
    CHECK(hd_stream_synchronize(rig_stream) < 0);
    CHECK(hd_alloc_bytes(&p, 4, 1, HD_MEM_DEVICE, 0) < 0);
    CHECK(p == NULL);
    if (hd_device_reset(0) == HD_OK) {
        hd_stream *stream = NULL;
        CHECK_STATUS(hd_device_state(0), HD_OK);
        MUST(hd_stream_create(0, &stream));
        MUST(hd_alloc(&x, 1, 0));
        MUST(hd_launch(unit_set, hd_launch_1d(1, 1, stream), (size_t)1, x, 9));
        MUST(hd_copy_blocking(&back, (const int *)x, 1, stream));
        CHECK_EQ_I64(back, 9);
    }
}

static void poke_null(void)
{
    poke(NULL);
}

static void poke_unmapped(void)
{
    poke((int *)(uintptr_t)0x10000);
}

/* The node of a graph that faults; what is left of the graph can be destroyed. */
static void a_node(void)
{
    hd_graph *graph = NULL;
    hd_graph_exec *exec = NULL;

    rig_open();
    MUST(hd_graph_create(0, &graph));
    MUST(hd_graph_kernel(graph, NULL, 0, NULL, unit_poke, rig_flat(1, 1), NULL));
    MUST(hd_graph_instantiate(graph, &exec));
    MUST(hd_graph_launch(exec, rig_stream));
    CHECK_STATUS(hd_stream_synchronize(rig_stream), HD_ERR_ILLEGAL_ADDRESS);
    CHECK_STATUS(hd_device_state(0), HD_ERR_DEVICE_LOST);
    CHECK_STATUS(hd_graph_launch(exec, rig_stream), HD_ERR_DEVICE_LOST);
    CHECK_STATUS(hd_graph_join(graph, NULL, 0, NULL), HD_ERR_DEVICE_LOST);
    (void)hd_graph_exec_destroy(exec);
    (void)hd_graph_destroy(graph);
}

/* Other devices are not lost with the first. */
static void the_other_device_lives(void)
{
    hd_stream *stream = NULL;
    int devices = 0, back = 0, *x = NULL;

    rig_open();
    MUST(hd_device_count(&devices));
    MUST(hd_launch(unit_poke, rig_flat(1, 1), NULL));
    CHECK_STATUS(hd_device_synchronize(0), HD_ERR_ILLEGAL_ADDRESS);
    if (devices < 2 || !rig_on_cpu())
        return;
    CHECK_STATUS(hd_device_state(1), HD_OK);
    MUST(hd_stream_create(1, &stream));
    MUST(hd_alloc(&x, 1, 1));
    MUST(hd_launch(unit_set, hd_launch_1d(1, 1, stream), (size_t)1, x, 3));
    MUST(hd_copy_blocking(&back, (const int *)x, 1, stream));
    CHECK_EQ_I64(back, 3);
}

#if defined(__SANITIZE_ADDRESS__)
#define FAULT_REPORTED_BY_OTHERS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FAULT_REPORTED_BY_OTHERS 1
#endif
#endif
#ifndef FAULT_REPORTED_BY_OTHERS
#define FAULT_REPORTED_BY_OTHERS 0
#endif

/* A sanitizer takes the fault for itself and ends the program. */
static void run(void (*body)(void))
{
    static char *two[] = {"HEDDLE_CPU_DEVICES=2", NULL};

    if (FAULT_REPORTED_BY_OTHERS && rig_on_cpu())
        SKIP("the sanitizer reports the fault");
    CHECK_EQ_I64(child_run(two, body), 0);
}

TEST(null)
{
    run(poke_null);
}

TEST(an_unmapped_address)
{
    run(poke_unmapped);
}

TEST(in_a_graph)
{
    run(a_node);
}

TEST(one_device_of_several)
{
    run(the_other_device_lives);
}

TEST_MAIN
