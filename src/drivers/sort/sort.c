/* SPDX-License-Identifier: Apache-2.0 */
/* sort.c - hd_sort_keys and hd_sort_pairs: checks and workspace. */
#include "plan.h"

#include "drivers/array.h"
#include "drivers/sort/space.h"
#include "runtime/backend.h"
#include "runtime/runtime.h"
#include "drivers/scratch.h"

hd_status hd_sort_workspace(size_t n, hd_type type, size_t value_bytes, size_t *bytes)
{
    static const char call[] = "hd_sort_workspace";
    hd__sort_plan plan;
    if (!bytes)
        return hd__fail(HD_ERR_ARGUMENT, call, "bytes is NULL");
    HD_TRY(hd__sort_split(call, n, type, value_bytes, &plan));
    *bytes = plan.small ? 0 : plan.bytes;
    return HD_OK;
}

/* Keys to codes, see kernels/sort/sort.h. */
static hd__sort_order order_of(hd_type type, int descending)
{
    const uint64_t top = (uint64_t)1 << (8 * hd_type_bytes(type) - 1);
    const int is_float = type == HD_F32 || type == HD_F64;
    hd__sort_order order = {0, 0};
    if (type != HD_U32 && type != HD_U64)
        order.always = top;
    if (is_float)
        order.negative = top - 1;
    if (descending)
        order.always = ~order.always;
    return order;
}

static hd_status take_options(const char *call, hd_type type, const hd_sort_options *options,
                              hd__sort_job *job)
{
    static const hd_sort_options none;
    const hd_sort_options o = options ? *options : none;
    const unsigned bits = 8 * (unsigned)hd_type_bytes(type);
    const unsigned end = o.end_bit ? o.end_bit : bits;
    if (end > bits || o.first_bit > end)
        return hd__fail(HD_ERR_ARGUMENT, call, "bits %u to %u of keys that have %u", o.first_bit,
                        end, bits);
    const unsigned used = end - o.first_bit;
    job->order = order_of(type, o.descending);
    job->first_bit = o.first_bit;
    job->bits = used;
    job->passes = (used + HD__SORT_BITS - 1) / HD__SORT_BITS;
    job->last_mask = used % HD__SORT_BITS ? (1u << used % HD__SORT_BITS) - 1 : HD__SORT_BINS - 1;
    return HD_OK;
}

static int overlap(const void *a, const void *b, size_t a_bytes, size_t b_bytes)
{
    return (uintptr_t)a < (uintptr_t)b + b_bytes && (uintptr_t)b < (uintptr_t)a + a_bytes;
}

/* Checks an array's input and output; they must be identical or not overlap. */
static hd_status check_buffers(const char *call, const char *in_name, const char *out_name,
                               const void *in, void *out, size_t n, size_t size, hd_stream *stream,
                               hd__sort_buffers *buffers)
{
    void *usable;
    HD_TRY(hd__array_usable(call, in_name, in, n * size, size, stream, &usable));
    buffers->in = usable;
    HD_TRY(hd__array_usable(call, out_name, out, n * size, size, stream, &buffers->out));
    if (buffers->in != buffers->out && overlap(buffers->in, buffers->out, n * size, n * size))
        return hd__fail(HD_ERR_ARGUMENT, call, "%s and %s overlap", in_name, out_name);
    return HD_OK;
}

/* Keys and values may be the same array only if both are only read: in place, an input is also an
   output. */
static hd_status check_pairs(const char *call, const hd__sort_job *job)
{
    const size_t keys = job->plan.n * job->plan.key_bytes;
    const size_t values = job->plan.n * job->plan.value_bytes;
    const hd__sort_buffers *k = &job->keys, *v = &job->values;
    if (overlap(k->in, v->out, keys, values) || overlap(k->out, v->in, keys, values) ||
        overlap(k->out, v->out, keys, values))
        return hd__fail(HD_ERR_ARGUMENT, call, "keys and values overlap");
    return HD_OK;
}

/* No bits to compare: the input is copied. */
static hd_status copy_through(const hd__sort_buffers *buffers, size_t bytes, hd_stream *stream)
{
    return bytes && buffers->in != buffers->out
               ? hd_copy_bytes(buffers->out, buffers->in, 1, bytes, stream)
               : HD_OK;
}

static hd__tune_choice choice_for(const hd__sort_plan *plan, const hd_stream *stream)
{
    const unsigned kind = plan->value_bytes == 0   ? HD__SORT_KIND_KEYS
                          : plan->value_bytes == 4 ? HD__SORT_KIND_PAIRS_4
                                                   : HD__SORT_KIND_PAIRS_8;
    return hd__tune_choose(HD__TUNE_SORT, kind, plan->key_bytes == 8, plan->n, stream->device);
}

static hd_status run(const char *call, hd__sort_job *job, hd_workspace *workspace,
                     hd_stream *stream)
{
    static const char mark;
    void *memory = NULL;
    size_t room = 0;
    hd_status status;
    if (job->passes == 0) {
        HD_TRY(copy_through(&job->keys, job->plan.n * job->plan.key_bytes, stream));
        return copy_through(&job->values, job->plan.n * job->plan.value_bytes, stream);
    }
    if (job->plan.small)
        return hd__sort_small(job, stream);
    job->choice = choice_for(&job->plan, stream);
    if (job->choice.of[HD__SORT_KNOB_PASSES])
        job->plan.merged = 0;
    if (job->plan.merged)
        HD_TRY(hd__shared_max(call, stream->device, &room));
    (void)pthread_mutex_lock(&stream->scratch_lock);
    status = hd__scratch(call, job->plan.bytes, HD__SORT_HEADER_BYTES, &mark, workspace, stream,
                         &memory);
    if (status >= 0)
        status = job->plan.merged && job->plan.n * job->plan.key_bytes <= room
                     ? hd__sort_merged(job, memory, stream)
                     : hd__sort_passes(job, memory, stream);
    (void)pthread_mutex_unlock(&stream->scratch_lock);
    return status;
}

hd_status hd_sort_keys(const void *keys_in, void *keys_out, size_t n, hd_type type,
                       const hd_sort_options *options, hd_workspace *workspace, hd_stream *stream)
{
    static const char call[] = "hd_sort_keys";
    hd__sort_job job = {0};
    if (!stream)
        return hd__fail(HD_ERR_ARGUMENT, call, "stream is NULL");
    HD_TRY(hd__sort_split(call, n, type, 0, &job.plan));
    HD_TRY(take_options(call, type, options, &job));
    if (n == 0)
        return HD_OK;
    HD_TRY(check_buffers(call, "keys_in", "keys_out", keys_in, keys_out, n, job.plan.key_bytes,
                         stream, &job.keys));
    return run(call, &job, workspace, stream);
}

hd_status hd_sort_pairs(const void *keys_in, const void *values_in, void *keys_out,
                        void *values_out, size_t n, hd_type type, size_t value_bytes,
                        const hd_sort_options *options, hd_workspace *workspace, hd_stream *stream)
{
    static const char call[] = "hd_sort_pairs";
    hd__sort_job job = {0};
    if (!stream)
        return hd__fail(HD_ERR_ARGUMENT, call, "stream is NULL");
    if (value_bytes != 4 && value_bytes != 8)
        return hd__fail(HD_ERR_ARGUMENT, call, "value_bytes is %zu, neither 4 nor 8", value_bytes);
    HD_TRY(hd__sort_split(call, n, type, value_bytes, &job.plan));
    HD_TRY(take_options(call, type, options, &job));
    if (n == 0)
        return HD_OK;
    HD_TRY(check_buffers(call, "keys_in", "keys_out", keys_in, keys_out, n, job.plan.key_bytes,
                         stream, &job.keys));
    HD_TRY(check_buffers(call, "values_in", "values_out", values_in, values_out, n, value_bytes,
                         stream, &job.values));
    HD_TRY(check_pairs(call, &job));
    return run(call, &job, workspace, stream);
}
