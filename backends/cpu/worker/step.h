/* SPDX-License-Identifier: Apache-2.0 */
/* step.h - traces a worker that has been in one block for long, at the request of stall.c. */
#ifndef HEDDLE_CPU_WORKER_STEP_H
#define HEDDLE_CPU_WORKER_STEP_H

#include "block/block.h"

/* Makes the worker trace its thread for a moment. If the thread polls, worker->polls is set to the
   serial of its block and, with `end`, the block is abandoned. With hd_cpu.lock held. */
void hd_cpu_trace(hd_cpu_worker *worker, int end);
/* Reports the result of a trace from worker->fault. */
void hd_cpu_poll_report(hd_cpu_worker *worker, hd_cpu_resident *block);

#endif
