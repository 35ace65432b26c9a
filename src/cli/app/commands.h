/* SPDX-License-Identifier: Apache-2.0 */
/* commands.h - the subcommands of the tool. To add one, add a file that defines cli_command_NAME
   and a line here; help, option checks and suggestions follow from its table. */
#ifndef HEDDLE_CLI_APP_COMMANDS_H
#define HEDDLE_CLI_APP_COMMANDS_H

#include "arguments.h"

/* X(name): the commands of a group, in the order in which help lists them. */
#define CLI_PRIMITIVE_LIST(X)                                                                      \
    X(reduce)                                                                                      \
    X(scan)                                                                                        \
    X(recurrence)                                                                                  \
    X(match)                                                                                       \
    X(histogram)                                                                                   \
    X(select)                                                                                      \
    X(partition)                                                                                   \
    X(unique)                                                                                      \
    X(transpose)                                                                                   \
    X(sort)                                                                                        \
    X(random)
#define CLI_SOLVER_LIST(X)                                                                         \
    X(batch)                                                                                       \
    X(montecarlo)                                                                                  \
    X(tridiag)                                                                                     \
    X(adi)                                                                                         \
    X(laplace)                                                                                     \
    X(laplace3d)                                                                                   \
    X(jacobi)                                                                                      \
    X(spmv)                                                                                        \
    X(cg)
#define CLI_DEVICE_LIST(X)                                                                         \
    X(info)                                                                                        \
    X(topology)                                                                                    \
    X(bandwidth)                                                                                   \
    X(p2p)                                                                                         \
    X(remote)                                                                                      \
    X(scaling)                                                                                     \
    X(collectives)                                                                                 \
    X(mpi)
#define CLI_STREAM_LIST(X)                                                                         \
    X(overlap)                                                                                     \
    X(graph)                                                                                       \
    X(streams_default)                                                                             \
    X(streams_priority)                                                                            \
    X(host_overlap)                                                                                \
    X(host_chunks)
/* Experiments of the laboratory, in the order of `heddle lab all` (docs/lab.md). */
#define CLI_EXPERIMENT_LIST(X)                                                                     \
    X(lab_coalescing)                                                                              \
    X(lab_banks)                                                                                   \
    X(lab_divergence)                                                                              \
    X(lab_branches)                                                                                \
    X(lab_layout)                                                                                  \
    X(lab_ilp)                                                                                     \
    X(lab_intensity)                                                                               \
    X(lab_registers)                                                                               \
    X(lab_roofline)                                                                                \
    X(lab_latency)                                                                                 \
    X(lab_constants)                                                                               \
    X(lab_contention)                                                                              \
    X(lab_precision)                                                                               \
    X(lab_residency)                                                                               \
    X(lab_aspect)                                                                                  \
    X(lab_workingset)                                                                              \
    X(lab_restrict)                                                                                \
    X(lab_recompute)                                                                               \
    X(lab_indices)                                                                                 \
    X(lab_managed)                                                                                 \
    X(lab_hostmemory)                                                                              \
    X(lab_energy)
#define CLI_LAB_LIST(X)                                                                            \
    X(quiz)                                                                                        \
    X(model)                                                                                       \
    CLI_EXPERIMENT_LIST(X)                                                                         \
    X(lab_occupancy)                                                                               \
    X(lab_references)                                                                              \
    X(lab_all)
#define CLI_COURSE_LIST(X)                                                                         \
    X(exercise_list)                                                                               \
    X(exercise_start)                                                                              \
    X(exercise_check)                                                                              \
    X(exercise_ladder)                                                                             \
    X(exercise_hint)                                                                               \
    X(exercise_show)                                                                               \
    X(exercise_mark)
#define CLI_TOOL_LIST(X)                                                                           \
    X(check)                                                                                       \
    X(timeline)                                                                                    \
    X(port)                                                                                        \
    X(tune)
#define CLI_BENCHMARK_LIST(X)                                                                      \
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

/* X(TITLE, LIST): groups of commands. */
#define CLI_GROUP_LIST(X)                                                                          \
    X("primitives", CLI_PRIMITIVE_LIST)                                                            \
    X("solvers", CLI_SOLVER_LIST)                                                                  \
    X("devices", CLI_DEVICE_LIST)                                                                  \
    X("streams", CLI_STREAM_LIST)                                                                  \
    X("lab", CLI_LAB_LIST)                                                                         \
    X("course", CLI_COURSE_LIST)                                                                   \
    X("tools", CLI_TOOL_LIST)                                                                      \
    X("benchmarks", CLI_BENCHMARK_LIST)

#define CLI_COMMAND_LIST(X)                                                                        \
    CLI_PRIMITIVE_LIST(X)                                                                          \
    CLI_SOLVER_LIST(X)                                                                             \
    CLI_DEVICE_LIST(X)                                                                             \
    CLI_STREAM_LIST(X)                                                                             \
    CLI_LAB_LIST(X)                                                                                \
    CLI_COURSE_LIST(X)                                                                             \
    CLI_TOOL_LIST(X)                                                                               \
    CLI_BENCHMARK_LIST(X)

/* X(NAME, WORDS): old names of commands, and the words that replace each. */
#define CLI_ALIAS_LIST(X)                                                                          \
    X("smallkernels", "graph", "--shape", "independent")                                           \
    X("hostoverlap", "host", "overlap")                                                            \
    X("hostwork", "host", "chunks")                                                                \
    X("defaultstream", "streams", "default")                                                       \
    X("priority", "streams", "priority")

#define CLI_DECLARE_COMMAND_(name) extern const cli_command cli_command_##name;
CLI_COMMAND_LIST(CLI_DECLARE_COMMAND_)
#undef CLI_DECLARE_COMMAND_

#endif
