/* SPDX-License-Identifier: Apache-2.0 */
/* graph.h - graphs: work that is described once and launched many times. C11 and C++17.

   A graph (hd_graph) is a set of nodes with edges: a node begins when all nodes it comes after are
   done, and nothing else orders two nodes. It is put together from explicit nodes or recorded from
   a stream (capture). hd_graph_instantiate makes it ready to launch (hd_graph_exec); a launch costs
   the host one call, whatever the number of nodes.

   A graph belongs to one device, a kernel node to the device of its configuration's stream. Graphs
   that are put together or captured by several threads at once are different graphs: one graph is
   used by one thread at a time, and so is one hd_graph_exec.

   Memory, events and the arguments of host functions that nodes name have to live as long as
   anything that launches them. The arguments of kernels are copied when the node is made.
   Errors of nodes while they run are those of the same call on a stream: the next synchronising
   call reports them. */
#ifndef HEDDLE_GRAPH_H
#define HEDDLE_GRAPH_H

#include <heddle/heddle.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_graph hd_graph;
typedef struct hd_graph_node hd_graph_node; /* belongs to its graph, never freed by itself */
typedef struct hd_graph_exec hd_graph_exec;

/* An empty graph. The caller destroys it. */
hd_status hd_graph_create(int device, hd_graph **graph);
/* Frees the graph and its nodes; what was instantiated from it stays. NULL is success. */
hd_status hd_graph_destroy(hd_graph *graph);
/* Nodes of the graph, captured ones too. */
hd_status hd_graph_node_count(hd_graph *graph, size_t *count);

/* ---- nodes ---------------------------------------------------------------------------------- */

/* Every call below adds one node that comes after the `after_count` nodes of `after` (NULL with 0),
   all of the same graph, else HD_ERR_ARGUMENT. *node is the new node; `node` may be NULL. Arguments
   are checked like those of the call on a stream, with its errors. Nothing runs. */

/* hd_graph_kernel(graph, after, after_count, node, name, config, arguments...): a launch of the
   kernel `name`, typed like hd_launch. config.stream names the device and is not used otherwise;
   NULL is the graph's device. */
#define hd_graph_kernel(graph, after, after_count, node, name, ...)                                \
    HD_CAT(name, _launch)                                                                          \
    (__FILE__, __LINE__, HD_GRAPH_INTO_(graph, after, after_count, node, __VA_ARGS__))
/* A copy of count * size bytes. Plain (pageable) host memory is HD_ERR_POINTER: use pinned. */
hd_status hd_graph_copy_bytes(hd_graph *graph, hd_graph_node *const *after, size_t after_count,
                              hd_graph_node **node, void *to, const void *from, size_t count,
                              size_t size);
/* Typed: both pointers point to the same type, which gives the element size. */
#define hd_graph_copy(graph, after, after_count, node, to, from, count)                            \
    hd_graph_copy_bytes((graph), (after), (after_count), (node), (to), (from), (count),            \
                        sizeof *(1 ? (from) : (to)))
/* Sets `count` elements of 1, 2 or 4 bytes to the low bytes of `value`. */
hd_status hd_graph_fill_bytes(hd_graph *graph, hd_graph_node *const *after, size_t after_count,
                              hd_graph_node **node, void *to, uint32_t value, size_t size,
                              size_t count);
/* function(argument) on a host thread; it must not call heddle. */
hd_status hd_graph_host_function(hd_graph *graph, hd_graph_node *const *after, size_t after_count,
                                 hd_graph_node **node, void (*function)(void *), void *argument);
/* The same on a worker thread: may call heddle, and fail (see hd_stream_host_try). */
hd_status hd_graph_host_try(hd_graph *graph, hd_graph_node *const *after, size_t after_count,
                            hd_graph_node **node, hd_status (*function)(void *), void *argument);
/* Records the event, for whatever waits for it outside the graph. */
hd_status hd_graph_record(hd_graph *graph, hd_graph_node *const *after, size_t after_count,
                          hd_graph_node **node, hd_event *event);
/* Waits for what the event had recorded when the graph was launched; never recorded: for nothing.
   Nodes that come after it wait too. */
hd_status hd_graph_wait(hd_graph *graph, hd_graph_node *const *after, size_t after_count,
                        hd_graph_node **node, hd_event *event);
/* Does nothing: one node that stands for many others. */
hd_status hd_graph_join(hd_graph *graph, hd_graph_node *const *after, size_t after_count,
                        hd_graph_node **node);
/* `node` comes after `after` too. Of one graph; a cycle is refused by hd_graph_instantiate. */
hd_status hd_graph_depend(hd_graph_node *node, hd_graph_node *after);

/* ---- capture -------------------------------------------------------------------------------- */

/* From now on work that is enqueued on `stream` is not done but recorded. A stream that waits for
   an event recorded in the capture (hd_stream_wait) joins it; it has to be waited for in turn
   before the end. Not the legacy default stream, which must not be used meanwhile if the stream
   synchronises with it. Between begin and end, by the same thread:
   - nothing may wait for or ask about captured work (hd_stream_synchronize, _query, hd_event_...),
     allocate, free or synchronise the device: HD_ERR_STATE, and the capture is lost (always with
     the stream's calls, with the others where the backend says so);
   - hd_alloc_async, hd_free_async, copies from or to plain host memory and hd_graph_launch on a
     captured stream are HD_ERR_STATE, and the capture goes on without them.
   Drivers need a caller's workspace. */
hd_status hd_stream_capture_begin(hd_stream *stream);
/* Ends the capture that began on `stream`, by the thread that began it. *graph is what was
   recorded; the caller destroys it. HD_ERR_STATE where the capture was lost (the detail says by
   what) or a stream that joined was not waited for: the capture has ended all the same. */
hd_status hd_stream_capture_end(hd_stream *stream, hd_graph **graph);
/* *capturing is 1 while work on the stream is recorded. */
hd_status hd_stream_capturing(hd_stream *stream, int *capturing);

/* ---- launching ------------------------------------------------------------------------------ */

/* Makes the graph ready to launch; later changes of the graph do not matter. The caller destroys
   *exec. HD_ERR_ARGUMENT with the nodes where edges form a cycle. */
hd_status hd_graph_instantiate(hd_graph *graph, hd_graph_exec **exec);
/* Launches the graph in stream order: after earlier work of the stream and after the last launch of
   the same exec, whatever its stream; later work of the stream waits for all nodes. One with
   hd_graph_host_try or captured tasks goes to a stream of its own device. */
hd_status hd_graph_launch(hd_graph_exec *exec, hd_stream *stream);
/* hd_graph_exec_set_kernel(exec, node, name, config, arguments...): later launches of exec run the
   kernel node with this configuration and these arguments. `name` is the node's kernel, its graph,
   of which exec was instantiated, is still there. Launches under way are not affected. */
#define hd_graph_exec_set_kernel(exec, node, name, ...)                                            \
    HD_CAT(name, _launch)(__FILE__, __LINE__, HD_GRAPH_SET_(exec, node, __VA_ARGS__))
/* Later launches of exec do what `graph` says, which has the same nodes and edges, made in the same
   order, with other arguments. HD_ERR_STATE where it has not; exec is as before then. */
hd_status hd_graph_exec_update(hd_graph_exec *exec, hd_graph *graph);
/* At any time: launches under way run to their end. NULL is success. */
hd_status hd_graph_exec_destroy(hd_graph_exec *exec);

/* ---- behind the macros ----------------------------------------------------------------------- */

#define HD_GRAPH_INTO_(graph, after, after_count, node, config, ...)                               \
    hd_graph_into((graph), (after), (after_count), (node), (config)), ##__VA_ARGS__
#define HD_GRAPH_SET_(exec, node, config, ...)                                                     \
    hd_graph_exec_into((exec), (node), (config)), ##__VA_ARGS__

/* The configuration for a launch that becomes the node, or the exec's new version of it. Good for
   one launch by the same thread. */
hd_launch_config hd_graph_into(hd_graph *graph, hd_graph_node *const *after, size_t after_count,
                               hd_graph_node **node, hd_launch_config config);
hd_launch_config hd_graph_exec_into(hd_graph_exec *exec, hd_graph_node *node,
                                    hd_launch_config config);

#ifdef __cplusplus
}
#endif
#endif
