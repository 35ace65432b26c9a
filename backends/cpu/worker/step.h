/* SPDX-License-Identifier: Apache-2.0 */
/* step.h - tracing of a worker that has been in one block for long (stall.c asks for it). */
#ifndef HEDDLE_CPU_WORKER_STEP_H
#define HEDDLE_CPU_WORKER_STEP_H

#include "block/block.h"

/* Makes the worker trace its thread for a moment. If that polls, worker->polls becomes the
   serial of its block; `end`: and the block is given up. Under hd_cpu.lock. */
void hd_cpu_trace(hd_cpu_worker *worker, int end);
/* Reports the result of a trace, described by worker->fault. */
void hd_cpu_poll_report(hd_cpu_worker *worker, hd_cpu_resident *block);

#endif
