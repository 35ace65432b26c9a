/* SPDX-License-Identifier: Apache-2.0 */
/* polling_kernels.h - declares the kernels of kern_polling.c. */
#ifndef HEDDLE_TESTS_POLLING_KERNELS_H
#define HEDDLE_TESTS_POLLING_KERNELS_H

#include <heddle/kernel_decl.h>

enum { POLL_ACQUIRE, POLL_VOLATILE, POLL_CAS, POLL_EXCHANGE, POLL_ADD, POLL_WAYS };
enum { BUSY_ADD, BUSY_CAS, BUSY_UNTIL, BUSY_SEARCH, BUSY_TURNS, BUSY_COUNT, BUSY_WAYS };

HD_DECLARE(polling_loop, unsigned, unsigned *)
HD_DECLARE(polling_list, unsigned, const unsigned *)
HD_DECLARE(polling_busy, unsigned, unsigned long long, unsigned *, unsigned long long *)
HD_DECLARE(polling_late, unsigned long long, unsigned *, unsigned long long *)

#endif
