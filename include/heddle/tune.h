/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Autotuning: finds the fastest of several ways to launch a kernel that all give the same bits,
 *  and remembers it per device.
 */
#ifndef HEDDLE_TUNE_H
#define HEDDLE_TUNE_H

#include <stddef.h>
#include <stdint.h>

#include <heddle/status.h>
#include <heddle/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup tune Autotuning
 *  @brief Choosing launch shapes by measurement, without changing results.
 *
 *  The result of every candidate is compared with the default's bit for bit before the candidate is
 *  timed; one that differs is never chosen. The environment variable HEDDLE_TUNE selects what
 *  hd_tune_choose() and heddle's own primitives use: `off`, the defaults; unset, the choices that
 *  heddle ships for devices that were measured; `read`, the file of hd_tune_file() before those;
 *  `now`, as `read`, and hd_tune_choose() measures what the file does not have. docs/tuning.md
 *  explains files, keys and search.
 *  @{
 */

/** Maximum numbers and lengths. */
enum {
    HD_TUNE_KNOBS_MAX = 8,       /**< Knobs of a kernel. */
    HD_TUNE_VALUES_MAX = 64,     /**< Values of a knob. */
    HD_TUNE_SIZES_MAX = 16,      /**< Sizes of one measurement. */
    HD_TUNE_ROUNDS_MAX = 100000, /**< Rounds of one measurement. */
    HD_TUNE_NAME_MAX = 64,       /**< Bytes of a name or type, with the terminator. */
    HD_TUNE_SOURCE_MAX = 160,    /**< Bytes of a source, with the terminator. */
    HD_TUNE_WHY_MAX = 160        /**< Bytes of a reason, with the terminator. */
};

/** A parameter of a launch and the values that it can take. */
typedef struct hd_tune_knob {
    const char *name;       /**< Name, unique in its kernel. */
    const unsigned *values; /**< The values; the first is the default. */
    size_t count;           /**< Number of values, 1 to #HD_TUNE_VALUES_MAX. */
} hd_tune_knob;

/** What is tuned: a kernel, or several compiled instances of one, and how to run it.
 *
 *  Callbacks run on the calling thread. `values` has one value per knob, in the order of `knobs`.
 */
typedef struct hd_tune_kernel {
    const char *name; /**< Key in the file: printable ASCII without blanks; not empty. */
    /** Identifies the source, in printable ASCII: stored choices apply only to the same text, so it
        has to change when the kernel does. A hash of the source file that the build computes is
        best. NULL: "". */
    const char *source;
    const char *type;          /**< Element type or other variant, part of the key. NULL: "". */
    const hd_tune_knob *knobs; /**< The knobs. */
    size_t knob_count;         /**< Number of knobs, 1 to #HD_TUNE_KNOBS_MAX. */
    /** Allocates and fills what runs of this size need; called before the first run of each size
        and again for the next size. NULL: nothing to prepare. */
    hd_status (*prepare)(void *state, size_t size, hd_stream *stream);
    /** Enqueues one run. It must give the same result every time. */
    hd_status (*run)(void *state, size_t size, const unsigned *values, hd_stream *stream);
    /** Returns the device memory that holds the result of a run, which is overwritten between
        candidates and must not be an input. */
    hd_status (*result)(void *state, size_t size, void **memory, size_t *bytes);
    /** Whether these values make sense for the size; otherwise they are not run at this size, and
        hd_tune_choose() returns the defaults for it. NULL: all do. The default is always run. */
    int (*accepts)(void *state, size_t size, const unsigned *values);
    void *state; /**< Passed to the callbacks. */
} hd_tune_kernel;

/** How to measure. Zeros stand for the defaults. */
typedef struct hd_tune_options {
    const size_t *sizes;     /**< Sizes that are measured. */
    const double *weights;   /**< Weight of each size, above 0; NULL: equal weights. */
    size_t size_count;       /**< Number of sizes, 1 to #HD_TUNE_SIZES_MAX. */
    unsigned rounds;         /**< Timed rounds per candidate and size; default 7, at most
                                   #HD_TUNE_ROUNDS_MAX. */
    unsigned candidates_max; /**< Most candidates that are measured; default 200. A space with more
                                   is searched from the default, one knob at a time. */
    double seconds;          /**< Time after which no further candidates are tried; default 30. */
    double gain;             /**< Least speed-up over the default that is worth a change; default
                                   1.03. */
    /** Called between runs with the number of steps done and in total. NULL: not called. */
    void (*progress)(void *state, size_t done, size_t total);
    void *progress_state; /**< Passed to progress. */
} hd_tune_options;

/** The outcome for a candidate. */
typedef enum hd_tune_verdict {
    HD_TUNE_UNTRIED,  /**< The time ran out before its turn. */
    HD_TUNE_MEASURED, /**< Equal bits, and timed at every size. */
    HD_TUNE_DIFFERS,  /**< Rejected: its result differs from the default's. */
    HD_TUNE_FAILED    /**< Rejected: a call failed. */
} hd_tune_verdict;

/** A candidate and what was measured of it. */
typedef struct hd_tune_candidate {
    unsigned values[HD_TUNE_KNOBS_MAX]; /**< Value of every knob. */
    hd_tune_verdict verdict;            /**< Its outcome. */
    size_t rejected_size;               /**< Size at which it was rejected. */
    char why[HD_TUNE_WHY_MAX];          /**< Why it was rejected; "" otherwise. */
    double seconds[HD_TUNE_SIZES_MAX];  /**< Median time of a run at each size; the default's at a
                                             size that `accepts` refuses. */
    double spread[HD_TUNE_SIZES_MAX];   /**< Interquartile range of the time over the median. */
    double speedup;                     /**< Weighted geometric mean of the default's time over
                                                 this one's; 0 unless measured. */
} hd_tune_candidate;

/** The outcome of hd_tune_measure(). */
typedef struct hd_tune_result {
    hd_tune_candidate *candidates; /**< The first is the default. */
    size_t count;                  /**< Number of candidates. */
    size_t chosen;                 /**< Index of the fastest; 0 unless another one gains enough. */
    size_t space;                  /**< Number of combinations of values that exist. */
    int searched;                  /**< 1: only part of the space was tried; 0: all of it. */
    int device;                    /**< The device. */
    size_t sizes[HD_TUNE_SIZES_MAX]; /**< The sizes. */
    size_t size_count;               /**< Number of sizes. */
} hd_tune_result;

/** Measures the candidates of a kernel.
 *
 *  First every candidate runs once per size and its result is compared with the default's; then all
 *  that are equal are timed in rounds whose order rotates. The fastest is timed against the default
 *  once more before it is chosen. Waits for the stream many times; keeps two copies of the result
 *  in host memory. Stores nothing.
 *
 *  @param kernel   The kernel.
 *  @param options  Sizes and limits.
 *  @param stream   A stream that is not being captured; nothing else should run on the device.
 *  @param result   Receives the outcome; the caller frees it with hd_tune_result_destroy().
 *  @retval HD_ERR_ARGUMENT   A description is incomplete or out of its limits, or a size or weight
 *                            is 0; or the default's results of two runs differ, so that nothing can
 *                            be compared.
 *  @retval HD_ERR_NO_MEMORY  No host memory.
 *  @return Otherwise HD_OK, or the failure of the default's run or of a callback.
 */
hd_status hd_tune_measure(const hd_tune_kernel *kernel, const hd_tune_options *options,
                          hd_stream *stream, hd_tune_result **result);

/** Frees a result.
 *
 *  @param result  The result; NULL is success.
 *  @return HD_OK.
 */
hd_status hd_tune_result_destroy(hd_tune_result *result);

/** Stores the chosen candidate in the file of hd_tune_file(), for all sizes between the same powers
 *  of 4 as a measured size.
 *
 *  Replaces earlier choices with the same key and keeps all others. The file is replaced as a
 *  whole, so readers see the old or the new one. Another process that stores at the same time is
 *  waited for (2 s at most).
 *
 *  @param kernel  The kernel that was measured.
 *  @param result  The outcome.
 *  @retval HD_ERR_ARGUMENT     An argument is NULL, or the kernel is not the measured one.
 *  @retval HD_ERR_FORMAT       The file is damaged or of another version; it was not changed.
 *  @retval HD_ERR_TIMEOUT      Another process is writing the file; it was not changed.
 *  @retval HD_ERR_UNSUPPORTED  The file exists, and libjansson, which reads it, was not found.
 *  @retval HD_ERR_STATE        There is no file: see hd_tune_file().
 *  @retval HD_ERR_OVERFLOW     The file is full (4096 choices); it was not changed.
 *  @retval HD_ERR_IO           The file cannot be read or written.
 *  @return Otherwise HD_OK, or one of the @ref common_errors.
 */
hd_status hd_tune_store(const hd_tune_kernel *kernel, const hd_tune_result *result);

/** Returns the values to use for a size.
 *
 *  With HEDDLE_TUNE=off or unset these are the defaults. With `read` or `now` they are the stored
 *  ones if the file has them for this source, compiler, device, driver, type and size; with `now`
 *  they are measured and stored otherwise. The file is read once per process. Problems with the
 *  file are printed on standard error in one line, once, and the defaults are used. Costs a search
 *  of the stored choices in host memory: call it once per plan rather than once per launch.
 *
 *  @param kernel  The kernel.
 *  @param size    The size.
 *  @param stream  A stream of the device; with `now` as for hd_tune_measure().
 *  @param values  Receives one value per knob.
 *  @return As hd_tune_measure() if it measures; otherwise HD_OK or HD_ERR_ARGUMENT.
 */
hd_status hd_tune_choose(const hd_tune_kernel *kernel, size_t size, hd_stream *stream,
                         unsigned *values);

/** Returns the path of the file: HEDDLE_TUNE_FILE, otherwise heddle/tune.json in XDG_CACHE_HOME or
 *  ~/.cache.
 *
 *  A program with more privileges than its caller (setuid) has none.
 *
 *  @param path  Receives the terminated path.
 *  @param size  Bytes at path.
 *  @retval HD_ERR_ARGUMENT  path is NULL or too short.
 *  @retval HD_ERR_STATE     There is no file: none of the variables is set, or they must not be
 *                           read.
 */
hd_status hd_tune_file(char *path, size_t size);

/** Removes stored choices from the file.
 *
 *  @param name     Name of the kernel; NULL: all, even if the file is damaged.
 *  @param removed  Receives their number; may be NULL.
 *  @return As hd_tune_store().
 */
hd_status hd_tune_reset(const char *name, size_t *removed);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
