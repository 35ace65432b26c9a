/* SPDX-License-Identifier: Apache-2.0 */
/* csr.c - checks of sparse matrices. */
#include "spmv_plan.h"

#include "runtime/backend.h"

enum { MAX_EXTENT = INT32_MAX };

hd_status hd__csr_shape(const char *call, const hd_csr *m)
{
    if (!m)
        return hd__fail(HD_ERR_ARGUMENT, call, "matrix is NULL");
    if (m->type != HD_F32 && m->type != HD_F64)
        return hd__fail(HD_ERR_ARGUMENT, call, "values are f32 or f64");
    if (m->offset_type != HD_I32 && m->offset_type != HD_I64)
        return hd__fail(HD_ERR_ARGUMENT, call, "offsets are i32 or i64");
    if (m->rows > MAX_EXTENT || m->columns > MAX_EXTENT)
        return hd__fail(HD_ERR_OVERFLOW, call, "%zu rows or %zu columns are more than %d", m->rows,
                        m->columns, (int)MAX_EXTENT);
    if (m->offset_type == HD_I32 && m->entries > INT32_MAX)
        return hd__fail(HD_ERR_OVERFLOW, call, "%zu entries need 64-bit offsets", m->entries);
    if (m->entries > SIZE_MAX / 16)
        return hd__fail(HD_ERR_OVERFLOW, call, "%zu entries do not fit in memory", m->entries);
    return HD_OK;
}

static int64_t offset_at(const hd_csr *m, size_t i)
{
    return m->offset_type == HD_I32 ? ((const int32_t *)m->offsets)[i]
                                    : ((const int64_t *)m->offsets)[i];
}

static hd_status check_row(const char *call, const hd_csr *m, size_t row)
{
    const int64_t first = offset_at(m, row), end = offset_at(m, row + 1);
    if (end < first || (uint64_t)end > m->entries)
        return hd__fail(HD_ERR_ARGUMENT, call, "row %zu has entries %lld to %lld of %zu", row,
                        (long long)first, (long long)end, m->entries);
    for (int64_t i = first; i < end; i++)
        if (m->column[i] < 0 || (size_t)m->column[i] >= m->columns)
            return hd__fail(HD_ERR_ARGUMENT, call, "row %zu has column %d of %zu", row,
                            (int)m->column[i], m->columns);
    return HD_OK;
}

hd_status hd_csr_check(const hd_csr *host)
{
    static const char call[] = "hd_csr_check";
    HD_TRY(hd__csr_shape(call, host));
    if (!host->offsets || (host->entries && (!host->column || !host->value)))
        return hd__fail(HD_ERR_ARGUMENT, call, "an array of the matrix is NULL");
    if (offset_at(host, 0) != 0 || (uint64_t)offset_at(host, host->rows) != host->entries)
        return hd__fail(HD_ERR_ARGUMENT, call, "offsets go from %lld to %lld, not from 0 to %zu",
                        (long long)offset_at(host, 0), (long long)offset_at(host, host->rows),
                        host->entries);
    for (size_t row = 0; row < host->rows; row++)
        HD_TRY(check_row(call, host, row));
    return HD_OK;
}
