/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_module.h - what kernel files and the GPU runtime share: the state of one kernel file, and the
   page on which a failed assertion leaves its record. C11 and C++17. */
#ifndef HEDDLE_BACKEND_GPU_MODULE_H
#define HEDDLE_BACKEND_GPU_MODULE_H

#include <heddle/kernel_decl.h>

/* One per device, in host memory that the device writes in place. The host counts generations: a
   record is pending when `ready` equals `generation`, and reading it moves to the next generation.
   Of the threads that fail in one generation the first to raise *claim writes the record. */
typedef struct hd_gpu_assert_page {
    unsigned *claim; /* in device memory: the last generation that has a record */
    unsigned generation;
    unsigned ready;
    unsigned block[3];
    unsigned thread[3];
    int line;
    char function[96];
    char condition[256];
    char file[256];
} hd_gpu_assert_page;

/* A kernel in the list of its file. */
typedef struct hd_gpu_entry {
    const hd_kernel *kernel;
    struct hd_gpu_entry *next;
} hd_gpu_entry;

/* One per kernel file. `slot` is the handle of the file's device variable that points at the page
   of the device; bit d of `bound` is set once it does so on device d and the kernels are loaded. */
struct hd_module {
    const void *slot;
    uint64_t bound;
    hd_gpu_entry *entries;
    struct hd_module *next;
};

/* Called before main, or while a library is loaded; and when it goes. */
HD_EXTERN void hd_gpu_enlist(hd_module *module);
HD_EXTERN void hd_gpu_delist(hd_module *module);

#endif
