/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Graphs: work that is described once and launched many times. C11 and C++17. docs/graphs.md
 */
#ifndef HEDDLE_GRAPH_H
#define HEDDLE_GRAPH_H

#include <heddle/heddle.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup graph Graphs
 *  @brief Work that is described once and launched many times; docs/graphs.md.
 *
 *  A graph (hd_graph) is a set of nodes with edges: a node begins when all nodes it comes after are
 *  done, and nothing else orders two nodes. It is built from explicit nodes or recorded from a
 *  stream (capture). hd_graph_instantiate() makes it ready to launch (hd_graph_exec); a launch
 *  costs the host one call, whatever the number of nodes.
 *
 *  A graph belongs to one device, a kernel node to the device of its configuration's stream. One
 *  thread at a time uses a graph, and so an hd_graph_exec; several threads may build or capture
 *  different graphs at the same time.
 *
 *  Memory, events and the arguments of host functions that nodes name must exist as long as
 *  anything that launches them. Arguments of kernels are copied when the node is made. Failures of
 *  running nodes are those of the same call on a stream: the next call that waits returns them.
 *
 *  Each call that adds a node takes the nodes it comes after, all of the same graph and none twice,
 *  and checks its arguments like the call on a stream, with the same errors. Nothing runs.
 *  @{
 */

/** A graph. */
typedef struct hd_graph hd_graph;
/** A node: belongs to its graph, never freed by itself. */
typedef struct hd_graph_node hd_graph_node;
/** A graph that is ready to launch. */
typedef struct hd_graph_exec hd_graph_exec;

/** Makes an empty graph. The caller destroys it.
 *
 *  @param device  Index of the device of its nodes.
 *  @param graph   Receives the graph.
 *  @return HD_OK or one of the @ref common_errors; HD_ERR_NO_MEMORY.
 */
hd_status hd_graph_create(int device, hd_graph **graph);

/** Frees a graph and its nodes; what was instantiated from it remains.
 *
 *  @param graph  The graph; NULL is success.
 *  @return HD_OK, or HD_ERR_ARGUMENT if it was destroyed before.
 */
hd_status hd_graph_destroy(hd_graph *graph);

/** Returns the number of nodes of a graph, including captured ones.
 *
 *  @param graph  The graph.
 *  @param count  Receives the number.
 *  @return HD_OK or one of the @ref common_errors.
 */
hd_status hd_graph_node_count(hd_graph *graph, size_t *count);

/** hd_graph_kernel(graph, after, after_count, node, name, config, arguments...): adds a launch of
 *  the kernel `name`, typed like #hd_launch.
 *
 *  @param graph        The graph.
 *  @param after        after_count nodes that the new one comes after; NULL with 0.
 *  @param after_count  Number of these nodes.
 *  @param node         Receives the new node; may be NULL.
 *  @param name         Name of the kernel. In config, stream names the device and is not used
 *                      otherwise; NULL is the graph's device.
 *  @return As #hd_launch; HD_ERR_ARGUMENT also for nodes of another graph.
 */
#define hd_graph_kernel(graph, after, after_count, node, name, ...)                                \
    HD_CAT(name, _launch_from_HD_DECLARE)                                                          \
    (__FILE__, __LINE__, HD_GRAPH_INTO_(graph, after, after_count, node, __VA_ARGS__))

/** Adds a copy of count * size bytes. Usually called as #hd_graph_copy.
 *
 *  @param graph        The graph.
 *  @param after        after_count nodes that the new one comes after; NULL with 0.
 *  @param after_count  Number of these nodes.
 *  @param node         Receives the new node; may be NULL.
 *  @param to           Destination: memory of any kind except plain host memory.
 *  @param from         Source: likewise.
 *  @param count        Number of elements.
 *  @param size         Bytes per element.
 *  @return As hd_copy_bytes(); HD_ERR_POINTER for plain (pageable) host memory; HD_ERR_ARGUMENT
 *          also for nodes of another graph.
 */
hd_status hd_graph_copy_bytes(hd_graph *graph, hd_graph_node *const *after, size_t after_count,
                              hd_graph_node **node, void *to, const void *from, size_t count,
                              size_t size);

/** Adds a copy of elements: hd_graph_copy_bytes() with the element size from the type, which is
 *  that of both pointers.
 *
 *  @param graph        The graph.
 *  @param after        after_count nodes that the new one comes after; NULL with 0.
 *  @param after_count  Number of these nodes.
 *  @param node         Receives the new node; may be NULL.
 *  @param to           Typed pointer to the destination.
 *  @param from         Typed pointer to the source.
 *  @param count        Number of elements.
 *  @return As hd_graph_copy_bytes().
 */
#define hd_graph_copy(graph, after, after_count, node, to, from, count)                            \
    hd_graph_copy_bytes((graph), (after), (after_count), (node), (to), (from), (count),            \
                        sizeof *(1 ? (from) : (to)))

/** Adds a fill, as hd_fill_bytes().
 *
 *  @param graph        The graph.
 *  @param after        after_count nodes that the new one comes after; NULL with 0.
 *  @param after_count  Number of these nodes.
 *  @param node         Receives the new node; may be NULL.
 *  @param to           Memory that the device can use, aligned to size.
 *  @param value        The value; its low `size` bytes are used.
 *  @param size         Bytes per element: 1, 2 or 4.
 *  @param count        Number of elements.
 *  @return As hd_fill_bytes(); HD_ERR_ARGUMENT also for nodes of another graph.
 */
hd_status hd_graph_fill_bytes(hd_graph *graph, hd_graph_node *const *after, size_t after_count,
                              hd_graph_node **node, void *to, uint32_t value, size_t size,
                              size_t count);

/** Adds a function on a host thread, as hd_stream_host_function(). It must not call heddle.
 *
 *  @param graph        The graph.
 *  @param after        after_count nodes that the new one comes after; NULL with 0.
 *  @param after_count  Number of these nodes.
 *  @param node         Receives the new node; may be NULL.
 *  @param function     Called with argument at every launch.
 *  @param argument     Passed on.
 *  @return HD_OK or one of the @ref common_errors; HD_ERR_ARGUMENT also for nodes of another graph;
 *          HD_ERR_NO_MEMORY.
 */
hd_status hd_graph_host_function(hd_graph *graph, hd_graph_node *const *after, size_t after_count,
                                 hd_graph_node **node, void (*function)(void *), void *argument);

/** Adds a function on a worker thread, as hd_stream_host_try(): it may call heddle, and fail.
 *
 *  @param graph        The graph.
 *  @param after        after_count nodes that the new one comes after; NULL with 0.
 *  @param after_count  Number of these nodes.
 *  @param node         Receives the new node; may be NULL.
 *  @param function     Called with argument at every launch.
 *  @param argument     Passed on.
 *  @return As hd_graph_host_function().
 */
hd_status hd_graph_host_try(hd_graph *graph, hd_graph_node *const *after, size_t after_count,
                            hd_graph_node **node, hd_status (*function)(void *), void *argument);

/** Adds the record of an event, for whatever waits for it outside the graph.
 *
 *  @param graph        The graph.
 *  @param after        after_count nodes that the new one comes after; NULL with 0.
 *  @param after_count  Number of these nodes.
 *  @param node         Receives the new node; may be NULL.
 *  @param event        An event of the graph's device.
 *  @return As hd_graph_host_function(); HD_ERR_ARGUMENT also for an event of another device.
 */
hd_status hd_graph_record(hd_graph *graph, hd_graph_node *const *after, size_t after_count,
                          hd_graph_node **node, hd_event *event);

/** Adds a wait for what an event had recorded when the graph was launched; an event never recorded
 *  is not waited for. Nodes that come after it wait too.
 *
 *  @param graph        The graph.
 *  @param after        after_count nodes that the new one comes after; NULL with 0.
 *  @param after_count  Number of these nodes.
 *  @param node         Receives the new node; may be NULL.
 *  @param event        The event.
 *  @return As hd_graph_host_function().
 */
hd_status hd_graph_wait(hd_graph *graph, hd_graph_node *const *after, size_t after_count,
                        hd_graph_node **node, hd_event *event);

/** Adds a node that does nothing, to stand for many others in later edges.
 *
 *  @param graph        The graph.
 *  @param after        after_count nodes that the new one comes after; NULL with 0.
 *  @param after_count  Number of these nodes.
 *  @param node         Receives the new node; may be NULL.
 *  @return As hd_graph_host_function().
 */
hd_status hd_graph_join(hd_graph *graph, hd_graph_node *const *after, size_t after_count,
                        hd_graph_node **node);

/** Adds an edge: a node comes after another one too. hd_graph_instantiate() refuses cycles.
 *
 *  @param node   The node.
 *  @param after  The node it comes after.
 *  @return HD_OK or one of the @ref common_errors; HD_ERR_ARGUMENT also for nodes of different
 *          graphs, or the same node; HD_ERR_NO_MEMORY.
 */
hd_status hd_graph_depend(hd_graph_node *node, hd_graph_node *after);

/** Begins a capture: from now on work that is enqueued on the stream is recorded, not done.
 *
 *  A stream that waits for an event recorded in the capture (hd_stream_wait()) joins it, and has to
 *  be waited for in turn before the end. Until hd_stream_capture_end(), which the same thread
 *  calls:
 *  - nothing may wait for or query captured work (hd_stream_synchronize(), hd_stream_query(),
 *    hd_event_synchronize(), hd_event_query()), allocate, free or synchronise the device: this is
 *    HD_ERR_STATE and invalidates the capture (always for calls on the stream, for the others if
 *    the backend detects it);
 *  - hd_alloc_async_bytes(), hd_free_async(), copies from or to plain host memory and
 *    hd_graph_launch() on a captured stream are HD_ERR_STATE, and the capture continues without
 *    them;
 *  - drivers need a workspace of the caller's (@ref workspaces).
 *
 *  @param stream  The stream; not the legacy default stream, which must not be used meanwhile if
 *                 the stream synchronises with it.
 *  @return HD_OK or one of the @ref common_errors; HD_ERR_NO_MEMORY.
 */
hd_status hd_stream_capture_begin(hd_stream *stream);

/** Ends a capture and returns the graph that was recorded.
 *
 *  @param stream  The stream on which the calling thread began the capture.
 *  @param graph   Receives the graph; the caller destroys it.
 *  @return HD_OK or one of the @ref common_errors; HD_ERR_STATE if the thread began no capture on
 *          the stream, the capture was invalidated (the detail says by what) or a stream that
 *          joined was not waited for; HD_ERR_NO_MEMORY. The capture has ended in any case.
 */
hd_status hd_stream_capture_end(hd_stream *stream, hd_graph **graph);

/** Returns whether work on a stream is being recorded.
 *
 *  @param stream     The stream.
 *  @param capturing  Receives 1 or 0.
 *  @return HD_OK or one of the @ref common_errors.
 */
hd_status hd_stream_capturing(hd_stream *stream, int *capturing);

/** Makes a graph ready to launch; later changes of the graph have no effect on it.
 *
 *  @param graph  The graph.
 *  @param exec   Receives the executable graph; the caller destroys it.
 *  @return HD_OK or one of the @ref common_errors; HD_ERR_ARGUMENT also if edges form a cycle (the
 *          message names the nodes); HD_ERR_NO_MEMORY.
 */
hd_status hd_graph_instantiate(hd_graph *graph, hd_graph_exec **exec);

/** Launches a graph in stream order. Asynchronous.
 *
 *  It begins after earlier work of the stream and after the last launch of the same executable, on
 *  whatever stream; later work of the stream waits for all nodes.
 *
 *  @param exec    The executable graph.
 *  @param stream  The stream; of the graph's own device if the graph has hd_graph_host_try() nodes
 *                 or captured tasks.
 *  @return HD_OK or one of the @ref common_errors; HD_ERR_ARGUMENT also for a stream of another
 *          device in that case; HD_ERR_STATE if the stream is being captured.
 */
hd_status hd_graph_launch(hd_graph_exec *exec, hd_stream *stream);

/** hd_graph_exec_set_kernel(exec, node, name, config, arguments...): changes configuration and
 *  arguments of a kernel node in later launches. Launches under way are not affected.
 *
 *  @param exec  The executable graph.
 *  @param node  A kernel node of the graph from which exec was instantiated, which must still
 *               exist.
 *  @param name  Name of the node's kernel.
 *  @return As #hd_launch; HD_ERR_ARGUMENT also for a node of another graph, or one that does not
 *          launch that kernel.
 */
#define hd_graph_exec_set_kernel(exec, node, name, ...)                                            \
    HD_CAT(name, _launch_from_HD_DECLARE)                                                          \
    (__FILE__, __LINE__, HD_GRAPH_SET_(exec, node, __VA_ARGS__))

/** Makes later launches of an executable do what another graph says, which has the same nodes and
 *  edges, added in the same order, with other arguments.
 *
 *  @param exec   The executable graph.
 *  @param graph  The graph.
 *  @return HD_OK or one of the @ref common_errors; HD_ERR_STATE if nodes or edges differ, and then
 *          exec is unchanged; HD_ERR_ARGUMENT also if edges form a cycle; HD_ERR_NO_MEMORY.
 */
hd_status hd_graph_exec_update(hd_graph_exec *exec, hd_graph *graph);

/** Destroys an executable graph at any time: launches under way complete.
 *
 *  @param exec  The executable graph; NULL is success.
 *  @return HD_OK, or HD_ERR_ARGUMENT if it was destroyed before.
 */
hd_status hd_graph_exec_destroy(hd_graph_exec *exec);

/* config, arguments... */
#define HD_GRAPH_INTO_(graph, after, after_count, node, ...)                                       \
    hd_graph_into((graph), (after), (after_count), (node), (HD_ARG_FIRST(__VA_ARGS__)))            \
        HD_ARG_REST(__VA_ARGS__)
#define HD_GRAPH_SET_(exec, node, ...)                                                             \
    hd_graph_exec_into((exec), (node), (HD_ARG_FIRST(__VA_ARGS__))) HD_ARG_REST(__VA_ARGS__)

/** Returns the configuration for a launch that becomes a node. Used by #hd_graph_kernel.
 *
 *  @param graph        The graph.
 *  @param after        after_count nodes that the new one comes after; NULL with 0.
 *  @param after_count  Number of these nodes.
 *  @param node         Receives the new node; may be NULL.
 *  @param config       Configuration of the kernel.
 *  @return A configuration for one launch by the same thread.
 */
hd_launch_config hd_graph_into(hd_graph *graph, hd_graph_node *const *after, size_t after_count,
                               hd_graph_node **node, hd_launch_config config);

/** Returns the configuration for a launch that becomes the new version of a node. Used by
 *  #hd_graph_exec_set_kernel.
 *
 *  @param exec    The executable graph.
 *  @param node    The node.
 *  @param config  Configuration of the kernel.
 *  @return A configuration for one launch by the same thread.
 */
hd_launch_config hd_graph_exec_into(hd_graph_exec *exec, hd_graph_node *node,
                                    hd_launch_config config);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
