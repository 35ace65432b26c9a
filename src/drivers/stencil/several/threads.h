/* SPDX-License-Identifier: Apache-2.0 */
/* threads.h - host threads, one per device, that execute one job at a time together. */
#ifndef HEDDLE_DRIVERS_STENCIL_SEVERAL_THREADS_H
#define HEDDLE_DRIVERS_STENCIL_SEVERAL_THREADS_H

#include <heddle/status.h>

typedef struct hd__jacobi_threads hd__jacobi_threads;
typedef hd_status hd__jacobi_job(void *argument, unsigned index);

hd_status hd__jacobi_threads_create(const char *call, unsigned count, hd__jacobi_threads **threads);
/* Thread i calls job(argument, i). Returns when all are done: HD_OK, or the failure of the lowest
   thread that failed, with its detail. */
hd_status hd__jacobi_threads_run(hd__jacobi_threads *threads, const char *call, hd__jacobi_job *job,
                                 void *argument);
void hd__jacobi_threads_destroy(hd__jacobi_threads *threads); /* NULL is allowed */

#endif
