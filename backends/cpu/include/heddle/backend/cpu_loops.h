/* SPDX-License-Identifier: Apache-2.0 */
/* cpu_loops.h - HD_FOR, HD_FOR2, HD_FOR3. Included by dialect.h. */
#ifndef HEDDLE_BACKEND_CPU_LOOPS_H
#define HEDDLE_BACKEND_CPU_LOOPS_H

#if HD_CPU_CHECK

/* As on GPUs, every thread has its share, and neighbouring threads process neighbouring elements.
   But each block has a contiguous range, so that the next thread, which runs after this one, finds
   its data in the caches. */
typedef struct hd_cpu_part {
    size_t from, end, step;
} hd_cpu_part;

HD_CPU_ALWAYS_ hd_cpu_part hd_cpu_part_(size_t n)
{
    const size_t blocks = hd_grid_blocks(), threads = hd_block_threads();
    const size_t range = (n / blocks + threads) / threads * threads; /* blocks * range > n */
    const size_t first = hd_block_linear() * range;
    hd_cpu_part part = {first + hd_thread_linear(), n, threads};

    if (first < n && n - first > range)
        part.end = first + range;
    return part;
}

HD_CPU_ALWAYS_ size_t hd_cpu_size_y_(void)
{
    return (size_t)HD_CPU_GET_(hd_dims_.grid_dim.y) * HD_CPU_GET_(hd_dims_.block_dim.y);
}

HD_CPU_ALWAYS_ size_t hd_cpu_size_z_(void)
{
    return (size_t)HD_CPU_GET_(hd_dims_.grid_dim.z) * HD_CPU_GET_(hd_dims_.block_dim.z);
}

#define HD_CPU_LOOP_(i, n, from, step)                                                             \
    for (size_t i = (from), i##_n_ = (n), i##_step_ = (step); i < i##_n_; i += i##_step_)
#define HD_FOR(i, n)                                                                               \
    for (hd_cpu_part i##_part_ = hd_cpu_part_(n); i##_part_.step; i##_part_.step = 0)              \
    HD_CPU_LOOP_(i, i##_part_.end, i##_part_.from, i##_part_.step)
#define HD_FOR2(j, ny, i, nx)                                                                      \
    HD_CPU_LOOP_(j, ny, hd_global_y() + hd_cpu_size_y_() * hd_global_z(),                          \
                 hd_cpu_size_y_() * hd_cpu_size_z_())                                              \
    HD_CPU_LOOP_(i, nx, hd_global_x(), hd_global_size_x())
#define HD_FOR3(k, nz, j, ny, i, nx)                                                               \
    HD_CPU_LOOP_(k, nz, hd_global_z(), hd_cpu_size_z_())                                           \
    HD_CPU_LOOP_(j, ny, hd_global_y(), hd_cpu_size_y_())                                           \
    HD_CPU_LOOP_(i, nx, hd_global_x(), hd_global_size_x())

#else

/* Iterations are divided into one contiguous range per block, executed by its first thread: a plain
   loop that vectorises. Whole rows are assigned if there are enough, otherwise each row is
   split. */
typedef struct hd_cpu_span {
    size_t row, row_end, from, to;
} hd_cpu_span;

HD_CPU_ALWAYS_ size_t hd_cpu_share_(size_t n, size_t part, size_t parts)
{
    size_t each = n / parts, more = n % parts;

    return each * part + (part < more ? part : more);
}

HD_CPU_ALWAYS_ hd_cpu_span hd_cpu_span_(size_t rows, size_t n)
{
    hd_cpu_span span = {0, 0, 0, 0};
    size_t blocks = hd_grid_blocks(), block = hd_block_linear();
    size_t pieces = rows && rows < blocks ? blocks / rows : 1; /* pieces per row */
    size_t parts = pieces > 1 || rows < blocks ? rows * pieces : blocks;

    if (hd_thread_.linear != 0 || block >= parts)
        return span;
    span.row = pieces > 1 ? block / pieces : hd_cpu_share_(rows, block, parts);
    span.row_end = pieces > 1 ? span.row + 1 : hd_cpu_share_(rows, block + 1, parts);
    span.from = hd_cpu_share_(n, block % pieces, pieces);
    span.to = hd_cpu_share_(n, block % pieces + 1, pieces);
    return span;
}

typedef struct hd_cpu_rows {
    hd_cpu_span span;
    size_t height_; /* ny; named differently because the macro below uses that name */
} hd_cpu_rows;

HD_CPU_ALWAYS_ hd_cpu_rows hd_cpu_rows_(size_t nz, size_t ny, size_t nx)
{
    hd_cpu_rows rows = {hd_cpu_span_(nz * ny, nx), ny};

    return rows;
}

#define HD_FOR(i, n)                                                                               \
    for (size_t i##_n_ = (n), i##_whole_ = hd_thread_.linear == 0, i##_b_ = hd_block_linear(),     \
                i##_g_ = hd_grid_blocks(),                                                         \
                i = i##_whole_ ? hd_cpu_share_(i##_n_, i##_b_, i##_g_) : 0,                        \
                i##_to_ = i##_whole_ ? hd_cpu_share_(i##_n_, i##_b_ + 1, i##_g_) : 0;              \
         i < i##_to_; i++)
#define HD_FOR2(j, ny, i, nx)                                                                      \
    for (hd_cpu_span i##_span_ = hd_cpu_span_((ny), (nx)); i##_span_.row_end;                      \
         i##_span_.row_end = 0)                                                                    \
        for (size_t j = i##_span_.row, j##_to_ = i##_span_.row_end; j < j##_to_; j++)              \
            for (size_t i = i##_span_.from, i##_to_ = i##_span_.to; i < i##_to_; i++)
#define HD_FOR3(k, nz, j, ny, i, nx)                                                               \
    for (hd_cpu_rows i##_rows_ = hd_cpu_rows_((nz), (ny), (nx));                                   \
         i##_rows_.span.row < i##_rows_.span.row_end; i##_rows_.span.row++)                        \
        for (size_t i##_row_ = i##_rows_.span.row, k = i##_row_ / i##_rows_.height_,               \
                    j = i##_row_ % i##_rows_.height_, i##_once_ = 1;                               \
             i##_once_; i##_once_ = 0)                                                             \
            for (size_t i = i##_rows_.span.from, i##_to_ = i##_rows_.span.to; i < i##_to_; i++)

#endif
#endif
