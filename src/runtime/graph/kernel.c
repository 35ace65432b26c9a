/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - kernel nodes. Their arguments pass through the launcher that HD_DECLARE generates, so
   that they are checked like those of hd_launch:

       hd_graph_into      stores the destination under a ticket of the calling thread;
                          config.flags = ticket number
       launcher           checks and packs the arguments, calls hd_launch_kernel
       hd_launch_kernel   HD__LAUNCH_NODE is set: the launch becomes a node instead */
#include "graph.h"

typedef struct ticket {
    int update; /* 1: not a new node, but a new version of `target` in `exec` */
    hd__place at;
    hd_graph_exec *exec;
    hd_graph_node *target;
} ticket;

static _Thread_local ticket tickets[HD__TICKETS];
static _Thread_local unsigned next_ticket;

static hd_status node_launch(const hd_kernel *kernel, hd_launch_config config, void **args)
{
    const ticket taken = tickets[config.flags >> HD__TICKET_SHIFT & (HD__TICKETS - 1)];
    const hd__place *at = &taken.at;
    hd__node_work work = {.kind = HD__NODE_KERNEL, .kernel = kernel, .args = args};
    config.flags &= ~((unsigned)HD__LAUNCH_NODE | (HD__TICKETS - 1u) << HD__TICKET_SHIFT);
    if (taken.update)
        return hd__graph_exec_kernel(taken.exec, taken.target, kernel, &config, args);
    hd_status status = hd__place_check(at);
    if (status < 0)
        return status;
    int device = config.stream ? config.stream->device : at->graph->device;
    status = hd__launch_check(kernel, &config, device);
    if (status < 0)
        return status;
    work.config = &config;
    work.ordinal = hd__device_at(device)->ordinal;
    return hd__node_add(at, work);
}

static hd_launch_config ticket_take(ticket taken, hd_launch_config config)
{
    unsigned number = next_ticket++ % HD__TICKETS;
    tickets[number] = taken;
    hd__on_node_launch(node_launch);
    config.flags |= (unsigned)HD__LAUNCH_NODE | number << HD__TICKET_SHIFT;
    return config;
}

hd_launch_config hd_graph_into(hd_graph *graph, hd_graph_node *const *after, size_t after_count,
                               hd_graph_node **node, hd_launch_config config)
{
    const ticket taken = {0, {"hd_graph_kernel", graph, after, after_count, node}, NULL, NULL};
    return ticket_take(taken, config);
}

hd_launch_config hd_graph_exec_into(hd_graph_exec *exec, hd_graph_node *node,
                                    hd_launch_config config)
{
    const ticket taken = {1, {"hd_graph_exec_set_kernel", NULL, NULL, 0, NULL}, exec, node};
    return ticket_take(taken, config);
}
