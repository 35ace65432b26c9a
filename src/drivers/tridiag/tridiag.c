/* SPDX-License-Identifier: Apache-2.0 */
/* tridiag.c - hd_tridiag: checks the arguments and launches the kernels. */
#include "plan.h"

#include "drivers/array.h"
#include "drivers/tridiag/space.h"
#include "runtime/backend.h"
#include "drivers/scratch.h"

static const char call[] = "hd_tridiag";

#define NAME(name, text, what) text,
static const char *const names[] = {HD_TRIDIAG_ALGORITHM_LIST(NAME)};

const char *hd_tridiag_algorithm_name(hd_tridiag_algorithm algorithm)
{
    return (int)algorithm >= 0 && algorithm < HD_TRIDIAG_ALGORITHM_COUNT_ ? names[algorithm]
                                                                          : "unknown algorithm";
}

static hd_status check_rows(hd_tridiag_algorithm algorithm, size_t rows)
{
    const size_t most = algorithm == HD_TRIDIAG_PCR_SHUFFLE  ? HD__TRIDIAG_SHUFFLE
                        : algorithm == HD_TRIDIAG_PCR_SHARED ? 1024
                                                             : SIZE_MAX;
    if (rows > most)
        return hd__fail(HD_ERR_UNSUPPORTED, call, "%s takes at most %zu rows; the systems have %zu",
                        names[algorithm], most, rows);
    return HD_OK;
}

static hd_status check_batch(hd_tridiag_algorithm algorithm, const hd_tridiag_batch *batch)
{
    if (!batch)
        return hd__fail(HD_ERR_ARGUMENT, call, "batch is NULL");
    if ((int)algorithm < 0 || algorithm >= HD_TRIDIAG_ALGORITHM_COUNT_)
        return hd__fail(HD_ERR_ARGUMENT, call, "unknown algorithm %d", (int)algorithm);
    if (batch->type != HD_F32 && batch->type != HD_F64)
        return hd__fail(HD_ERR_UNSUPPORTED, call, "elements are %s, not f32 or f64",
                        hd_type_name(batch->type));
    if (batch->systems > 0 && (batch->width == 0 || batch->systems % batch->width != 0))
        return hd__fail(HD_ERR_ARGUMENT, call, "a width of %zu does not divide %zu systems",
                        batch->width, batch->systems);
    if (batch->rows && batch->systems > SIZE_MAX / 2 / hd_type_bytes(batch->type) / batch->rows)
        return hd__fail(HD_ERR_OVERFLOW, call, "%zu systems of %zu rows do not fit in memory",
                        batch->systems, batch->rows);
    return check_rows(algorithm, batch->rows);
}

static size_t needed(hd_tridiag_algorithm algorithm, const hd_tridiag_batch *batch)
{
    if (batch->rows == 0 || batch->systems == 0)
        return 0;
    if (algorithm == HD_TRIDIAG_THOMAS)
        return batch->rows * batch->systems * hd_type_bytes(batch->type);
    return algorithm == HD_TRIDIAG_AUTO ? hd__tridiag_smaller_bytes(batch) : 0;
}

hd_status hd_tridiag_workspace(const hd_tridiag_batch *batch, hd_tridiag_algorithm algorithm,
                               size_t *bytes)
{
    HD_TRY(check_batch(algorithm, batch));
    if (!bytes)
        return hd__fail(HD_ERR_ARGUMENT, "hd_tridiag_workspace", "bytes is NULL");
    *bytes = needed(algorithm, batch);
    return HD_OK;
}

/* x is identical to the array or does not overlap it. */
static hd_status check_apart(const void *x, const void *in, size_t bytes, const char *what)
{
    const uintptr_t p = (uintptr_t)x, q = (uintptr_t)in;
    if (p != q && p < q + bytes && q < p + bytes)
        return hd__fail(HD_ERR_ARGUMENT, call, "x and %s overlap, but are not the same array",
                        what);
    return HD_OK;
}

/* *singular is written before the arrays are read. */
static hd_status check_report(const void *report, const void *array, size_t bytes, const char *what)
{
    const uintptr_t p = (uintptr_t)report, q = (uintptr_t)array;
    if (p < q + bytes && q < p + sizeof(uint64_t))
        return hd__fail(HD_ERR_ARGUMENT, call, "singular overlaps %s", what);
    return HD_OK;
}

static hd_status take_arrays(hd__tridiag_task *task, const void *const in[4], void *x,
                             const void *report, const hd_tridiag_batch *batch, hd_stream *stream)
{
    static const char *const what[4] = {"lower", "diagonal", "upper", "right"};
    const size_t size = hd_type_bytes(batch->type), bytes = batch->rows * batch->systems * size;
    void *usable[5];
    uintptr_t bits = 0;
    for (int i = 0; i < 4; i++) {
        HD_TRY(hd__array_usable(call, what[i], in[i], bytes, size, stream, &usable[i]));
        HD_TRY(check_apart(x, in[i], bytes, what[i]));
        HD_TRY(check_report(report, usable[i], bytes, what[i]));
    }
    HD_TRY(hd__array_usable(call, "x", x, bytes, size, stream, &usable[4]));
    HD_TRY(check_report(report, usable[4], bytes, "x"));
    task->a = usable[0];
    task->b = usable[1];
    task->c = usable[2];
    task->d = usable[3];
    task->x = usable[4];
    for (int i = 0; i < 5; i++)
        bits |= (uintptr_t)usable[i];
    task->aligned = batch->width == 1 && bits % 16 == 0 && batch->rows * size % 16 == 0;
    return HD_OK;
}

/* What to run: an algorithm, and for HD_TRIDIAG_AUTO a tuned choice. */
typedef struct strategy {
    hd_tridiag_algorithm algorithm;
    hd__tune_choice choice;
} strategy;

static hd_status enqueue(strategy how, hd__tridiag_task *task, hd_type type, char *memory,
                         hd_stream *stream)
{
    switch (how.algorithm) {
    case HD_TRIDIAG_THOMAS:
        task->smaller[0] = memory;
        return hd__tridiag_by_thomas(task, type, stream);
    case HD_TRIDIAG_PCR_SHUFFLE:
        return hd__tridiag_by_shuffle(task, type, stream);
    case HD_TRIDIAG_PCR_SHARED:
        return hd__tridiag_by_shared(how.choice, task, type, stream);
    default:
        return hd__tridiag_chunked(how.choice, task, type, memory, stream);
    }
}

/* With workspace for intermediate results; holds the stream's scratch until the launches are
   enqueued. */
static hd_status enqueue_in(strategy how, hd__tridiag_task *task, hd_type type, size_t bytes,
                            hd_workspace *workspace, hd_stream *stream)
{
    static const char mark;
    void *memory = NULL;
    hd_status status;
    (void)pthread_mutex_lock(&stream->scratch_lock);
    status = hd__scratch(call, bytes, 0, &mark, workspace, stream, &memory);
    if (status >= 0)
        status = enqueue(how, task, type, (char *)memory, stream);
    (void)pthread_mutex_unlock(&stream->scratch_lock);
    return status;
}

hd_status hd_tridiag_with(hd_tridiag_algorithm algorithm, const hd_tridiag_batch *batch,
                          const void *lower, const void *diagonal, const void *upper,
                          const void *right, void *x, uint64_t *singular, hd_workspace *workspace,
                          hd_stream *stream)
{
    const void *const in[4] = {lower, diagonal, upper, right};
    hd__tridiag_task task = {0};
    strategy how = {algorithm, {{0}}};
    void *report = NULL;
    size_t bytes;
    int whole = 0;

    if (!stream)
        return hd__fail(HD_ERR_ARGUMENT, call, "stream is NULL");
    HD_TRY(check_batch(algorithm, batch));
    HD_TRY(hd__array_usable(call, "singular", singular, 8, 8, stream, &report));
    bytes = needed(algorithm, batch);
    if (batch->rows > 0 && batch->systems > 0)
        HD_TRY(take_arrays(&task, in, x, report, batch, stream));
    HD_TRY(hd_fill_bytes(report, 0xff, 1, 8, stream));
    if (batch->rows == 0 || batch->systems == 0)
        return HD_OK;
    task.singular = report;
    task.systems = batch->systems;
    task.width = batch->width;
    task.rows = batch->rows;
    if (algorithm == HD_TRIDIAG_AUTO)
        how.choice = hd__tune_choose(HD__TUNE_TRIDIAG,
                                     batch->width == 1 ? HD__TRIDIAG_KIND_CONTIGUOUS
                                                       : HD__TRIDIAG_KIND_INTERLEAVED,
                                     batch->type == HD_F64, batch->rows, stream->device);
    if (algorithm == HD_TRIDIAG_AUTO && bytes > 0)
        HD_TRY(hd__tridiag_whole(how.choice, &task, batch->type, stream, &whole));
    if (bytes == 0 || whole)
        return enqueue(how, &task, batch->type, NULL, stream);
    return enqueue_in(how, &task, batch->type, bytes, workspace, stream);
}

hd_status hd_tridiag(const hd_tridiag_batch *batch, const void *lower, const void *diagonal,
                     const void *upper, const void *right, void *x, uint64_t *singular,
                     hd_workspace *workspace, hd_stream *stream)
{
    return hd_tridiag_with(HD_TRIDIAG_AUTO, batch, lower, diagonal, upper, right, x, singular,
                           workspace, stream);
}

hd_status hd_tridiag_check(const uint64_t *singular, hd_stream *stream)
{
    uint64_t first = HD_TRIDIAG_NONE;
    if (!singular || !stream)
        return hd__fail(HD_ERR_ARGUMENT, "hd_tridiag_check", "%s is NULL",
                        singular ? "stream" : "singular");
    HD_TRY(hd_copy_blocking_bytes(&first, singular, 1, sizeof first, stream));
    if (first != HD_TRIDIAG_NONE)
        return hd__fail(HD_ERR_SINGULAR, "hd_tridiag_check",
                        "system %llu has a pivot of 0 or an element that is not finite",
                        (unsigned long long)first);
    return HD_OK;
}
