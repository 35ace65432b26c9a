/* SPDX-License-Identifier: Apache-2.0 */
/* partial.h - whether this version of the backend's runtime captures in part only. */
#ifndef HEDDLE_TESTS_PARTIAL_H
#define HEDDLE_TESTS_PARTIAL_H

#include <heddle/graph.h>

#include "conformance/rig.h"

#define PARTIAL                                                                                    \
    "this version of the backend's runtime captures no host functions and checks no calls"

TEST_UNUSED static void partial_nothing(void *argument)
{
    (void)argument;
}

/* Versions that cannot capture host functions do not check what else is called during a capture
   either. */
TEST_UNUSED static int captures_partially(void)
{
    hd_stream *stream = NULL;
    hd_graph *graph = NULL;
    hd_status status;

    rig_open();
    MUST(hd_stream_create_with(0, HD_STREAM_NON_BLOCKING, 0, &stream));
    MUST(hd_stream_capture_begin(stream));
    status = hd_stream_host_function(stream, partial_nothing, NULL);
    CHECK(status == HD_OK || status == HD_ERR_UNSUPPORTED);
    MUST(hd_stream_capture_end(stream, &graph)); /* refused or not, the capture goes on */
    MUST(hd_graph_destroy(graph));
    MUST(hd_stream_destroy(stream));
    return status == HD_ERR_UNSUPPORTED;
}

#endif
