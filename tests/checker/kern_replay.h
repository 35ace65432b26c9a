/* SPDX-License-Identifier: Apache-2.0 */
/* kern_replay.h - declares the kernels of kern_replay.c. */
#ifndef HEDDLE_TESTS_CHECKER_KERN_REPLAY_H
#define HEDDLE_TESTS_CHECKER_KERN_REPLAY_H

#include <heddle/kernel_decl.h>

HD_DECLARE(replay_say, float *)
HD_DECLARE(replay_same, float *)
HD_DECLARE(replay_width, float *)
HD_DECLARE(replay_fails, float *)
HD_DECLARE(replay_waits, float *, const unsigned *)

#endif
