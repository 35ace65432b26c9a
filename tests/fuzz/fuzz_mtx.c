/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: any bytes as a Matrix Market file. What is read must be well-formed rows with
 * ascending columns; a symmetric matrix must be its own mirror image.
 */
#include "fuzz.h"

#include "../../src/io/mtx/mtx.h"

enum { FUZZ_EXTENT = 1000 };

/* The value at (row, column), NULL where there is none. */
static const double *fuzz_at(const hd__mtx *m, size_t row, int32_t column)
{
    for (int64_t k = m->offsets[row]; k < m->offsets[row + 1]; k++)
        if (m->column[k] == column)
            return m->value + k;
    return NULL;
}

static void fuzz_row(const hd__mtx *m, size_t row)
{
    for (int64_t k = m->offsets[row]; k < m->offsets[row + 1]; k++) {
        const double *mirrored;
        FUZZ_MUST(m->column[k] >= 0 && (size_t)m->column[k] < m->columns);
        FUZZ_MUST(k == m->offsets[row] || m->column[k] > m->column[k - 1]);
        if (m->symmetry == HD__MTX_GENERAL)
            continue;
        mirrored = fuzz_at(m, (size_t)m->column[k], (int32_t)row);
        FUZZ_MUST(mirrored != NULL);
        if (m->value[k] == m->value[k])
            FUZZ_MUST(*mirrored == (m->symmetry == HD__MTX_SKEW ? -m->value[k] : m->value[k]));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char message[HD__IO_MESSAGE];
    hd__mtx m = {0};
    const int status = hd__mtx_read_memory(data, size, "fuzz.mtx", FUZZ_EXTENT, &m, message);

    if (status != 0) {
        fuzz_check_message(message, sizeof message, "fuzz.mtx: ");
        FUZZ_MUST(m.offsets == NULL);
        return 0;
    }
    FUZZ_MUST(m.rows <= FUZZ_EXTENT && m.columns <= FUZZ_EXTENT);
    FUZZ_MUST(m.offsets[0] == 0 && (size_t)m.offsets[m.rows] == m.entries);
    for (size_t row = 0; row < m.rows; row++)
        fuzz_row(&m, row);
    hd__mtx_free(&m);
    return 0;
}
