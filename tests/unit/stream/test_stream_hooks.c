/* SPDX-License-Identifier: Apache-2.0 */
/* test_stream_hooks.c - every function that was registered for the end of streams is called with
   each stream that goes, once. labels: once */
#include "conformance/rig.h"
#include "runtime/runtime.h"

enum { HOOKS = 5 };

static const hd_stream *ended[HOOKS];
static int calls[HOOKS];

#define ENDS(i)                                                                                    \
    static void ends_##i(const hd_stream *stream)                                                  \
    {                                                                                              \
        ended[i] = stream;                                                                         \
        calls[i]++;                                                                                \
    }
ENDS(0)
ENDS(1)
ENDS(2)
ENDS(3)
ENDS(4)

TEST(all_hooks_are_called)
{
    static hd__stream_hook hooks[HOOKS] = {
        {ends_0, NULL}, {ends_1, NULL}, {ends_2, NULL}, {ends_3, NULL}, {ends_4, NULL}};
    hd_stream *stream = NULL;

    rig_open();
    for (int i = 0; i < HOOKS; i++)
        hd__on_stream_end(&hooks[i]);
    MUST(hd_stream_create(0, &stream));
    MUST(hd_stream_destroy(stream));
    for (int i = 0; i < HOOKS; i++) {
        CHECK_EQ_I64(calls[i], 1);
        CHECK(ended[i] == stream);
    }
}

TEST_MAIN
