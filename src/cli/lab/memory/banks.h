/* SPDX-License-Identifier: Apache-2.0 */
/* banks.h - cases of `heddle lab banks`, and what the model predicts of them. */
#ifndef HEDDLE_CLI_LAB_MEMORY_BANKS_H
#define HEDDLE_CLI_LAB_MEMORY_BANKS_H

#include "cli/lab/kernels/banks.h"

typedef struct banks_case {
    char name[24];
    unsigned bytes; /* of an element */
    banks_reads reads;
} banks_case;

typedef struct banks_model {
    unsigned passes; /* over the banks, for one request */
    unsigned degree; /* maximum number of words of one bank in a group of lanes */
    unsigned merged; /* passes if the hardware serves all groups together */
} banks_model;

/* 32 banks of 4 bytes. Elements of 4, 8 and 16 bytes are read by groups of 32, 16 and 8 lanes, one
   group after the other; a group takes as many passes as it reads different words of one bank. */
banks_model banks_predict(const banks_case *c, unsigned warp);

#endif
