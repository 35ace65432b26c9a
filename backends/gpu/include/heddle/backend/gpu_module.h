/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_module.h - shared by kernel files and the GPU runtime: the state of a kernel file, and the
   page on which a failed assertion leaves its record. C11 and C++17. */
#ifndef HEDDLE_BACKEND_GPU_MODULE_H
#define HEDDLE_BACKEND_GPU_MODULE_H

#include <heddle/kernel_decl.h>

/* One per device, in mapped host memory. The host counts generations: a record is pending if
   `ready` equals `generation`, and reading it starts the next generation. Of the threads that fail
   in one generation, the first one to raise *claim writes the record.

       kernel   claim < generation: raises it, writes the record, ready = generation
       host     ready == generation: reads the record, generation + 1 */
typedef struct hd_gpu_assert_page {
    unsigned *claim; /* in device memory: last generation with a record */
    unsigned generation;
    unsigned ready;
    unsigned block[3];
    unsigned thread[3];
    int line;
    char function[96];
    char condition[256];
    char file[256];
} hd_gpu_assert_page;

/* A kernel in its file's list. */
typedef struct hd_gpu_entry {
    const hd_kernel *kernel;
    struct hd_gpu_entry *next;
} hd_gpu_entry;

/* One per kernel file. `slot` is the handle of the file's device variable that points to the
   device's page. Bit d of `bound` is set once the variable is set on device d and the kernels are
   loaded. */
struct hd_module {
    const void *slot;
    uint64_t bound;
    hd_gpu_entry *entries;
    struct hd_module *next;
};

/* Called before main or when a library is loaded; and when it is unloaded. */
HD_EXTERN void hd_gpu_enlist(hd_module *module);
HD_EXTERN void hd_gpu_delist(hd_module *module);

#endif
