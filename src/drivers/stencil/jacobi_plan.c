/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi_plan.c - which kernels run, and into how many shares a field is split on a device. */
#include "jacobi_plan.h"

#include "runtime/backend.h"

hd__jacobi_force hd__jacobi_forced;

int hd__jacobi_lanes(void)
{
    return !HD_SERIAL_THREADS || hd__jacobi_forced.lanes;
}

uint32_t hd__jacobi_chunks(uint32_t bands, uint32_t band, uint64_t columns, uint64_t slots,
                           uint32_t extra)
{
    uint32_t best = 1;
    uint64_t least = UINT64_MAX;
    if (hd__jacobi_forced.chunks)
        return hd__jacobi_forced.chunks < bands ? hd__jacobi_forced.chunks : bands;
    for (uint64_t each = 1; each <= bands; each++) {
        const uint64_t chunks = (bands + each - 1) / each;
        const uint64_t turns = (columns * chunks + slots - 1) / slots;
        const uint64_t cost = turns * (each * band + extra);
        if (cost < least) {
            least = cost;
            best = (uint32_t)chunks;
        }
    }
    return best;
}

hd_status hd__jacobi_slots(const hd_kernel *kernel, unsigned threads, size_t shared_bytes,
                           hd_stream *stream, uint64_t *blocks)
{
    int64_t units = 1;
    unsigned resident = 1;
    HD_TRY(hd_device_get(stream->device, HD_ATTR_COMPUTE_UNITS, &units));
    HD_TRY(hd_occupancy(kernel, stream->device, threads, shared_bytes, &resident));
    *blocks = (uint64_t)(units > 0 ? units : 1) * (resident ? resident : 1);
    return HD_OK;
}
