/* SPDX-License-Identifier: Apache-2.0 */
/* commands.h - the subcommands of the tool. A new one is a file that defines cli_command_NAME and a
   line here; help, option checks and suggestions follow from its table. */
#ifndef HEDDLE_CLI_APP_COMMANDS_H
#define HEDDLE_CLI_APP_COMMANDS_H

#include "arguments.h"

/* X(name): in the order in which help lists them. */
#define CLI_COMMAND_LIST(X)                                                                        \
    X(reduce)                                                                                      \
    X(scan)                                                                                        \
    X(recurrence)                                                                                  \
    X(match)                                                                                       \
    X(batch)                                                                                       \
    X(histogram)                                                                                   \
    X(select)                                                                                      \
    X(partition)                                                                                   \
    X(unique)                                                                                      \
    X(transpose)                                                                                   \
    X(sort)                                                                                        \
    X(random)                                                                                      \
    X(montecarlo)                                                                                  \
    X(tridiag)                                                                                     \
    X(adi)                                                                                         \
    X(laplace)                                                                                     \
    X(laplace3d)                                                                                   \
    X(jacobi)                                                                                      \
    X(spmv)                                                                                        \
    X(cg)                                                                                          \
    X(overlap)                                                                                     \
    X(bandwidth)                                                                                   \
    X(topology)                                                                                    \
    X(p2p)                                                                                         \
    X(remote)                                                                                      \
    X(scaling)                                                                                     \
    X(collectives)                                                                                 \
    X(graph)                                                                                       \
    X(smallkernels)                                                                                \
    X(timeline)                                                                                    \
    X(priority)                                                                                    \
    X(quiz)                                                                                        \
    X(defaultstream)                                                                               \
    X(hostoverlap)                                                                                 \
    X(hostwork)                                                                                    \
    X(info)                                                                                        \
    X(check)                                                                                       \
    X(mpi)                                                                                         \
    X(model)                                                                                       \
    X(bench_histogram)                                                                             \
    X(bench_select)                                                                                \
    X(bench_partition)                                                                             \
    X(bench_unique)                                                                                \
    X(bench_spmv)                                                                                  \
    X(bench_cg)                                                                                    \
    X(bench_tridiag)                                                                               \
    X(bench_adi)                                                                                   \
    X(bench_scan)                                                                                  \
    X(bench_recurrence)                                                                            \
    X(bench_reduce)                                                                                \
    X(bench_match)                                                                                 \
    X(bench_batch)                                                                                 \
    X(bench_transpose)                                                                             \
    X(bench_sort)                                                                                  \
    X(bench_random)                                                                                \
    X(bench_montecarlo)                                                                            \
    X(bench_launch)                                                                                \
    X(bench_pipeline)                                                                              \
    X(bench_engine)                                                                                \
    X(bench_checker)                                                                               \
    X(bench_laplace)                                                                               \
    X(bench_laplace3d)

#define CLI_DECLARE_COMMAND_(name) extern const cli_command cli_command_##name;
CLI_COMMAND_LIST(CLI_DECLARE_COMMAND_)
#undef CLI_DECLARE_COMMAND_

#endif
