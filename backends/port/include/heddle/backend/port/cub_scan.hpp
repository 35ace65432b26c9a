/* SPDX-License-Identifier: Apache-2.0 */
/* cub_scan.hpp - BlockScan and WarpScan of CUB. Included by cub.hpp. */
#ifndef HEDDLE_BACKEND_PORT_CUB_SCAN_HPP
#define HEDDLE_BACKEND_PORT_CUB_SCAN_HPP

namespace cub
{

/* The scans of one thread's N values. `before` combines the values of the threads before it, of
   which there are some if `any`. The first result of an exclusive scan without an initial value is
   open in CUB. */
template <bool inclusive, int N, class T, class Op>
void hd_scan_own_(const T *in, T *out, T before, bool any, Op &op)
{
    for (int i = 0; i < N; i++) {
        const T upto = any ? (T)op(before, in[i]) : in[i];
        out[i] = inclusive || !any ? upto : before;
        before = upto;
        any = true;
    }
}

/* The overloads that a scan has for a value or an array. The class defines
   scan<inclusive, N>(in, out, first, op, total), where `first` is a pointer to an initial value or
   null, and the total is, as CUB's, that of the inputs without it. */
#define HD_PORT_SCANS_(Scan, ScanSum, inclusive, IN, OUT)                                          \
    template <int N = 1, class Op> void Scan(IN, OUT, Op op)                                       \
    {                                                                                              \
        T total;                                                                                   \
        scan<inclusive, N>((const T *)&in, (T *)&out, nullptr, op, total);                         \
    }                                                                                              \
    template <int N = 1, class Op> void Scan(IN, OUT, Op op, T &total)                             \
    {                                                                                              \
        scan<inclusive, N>((const T *)&in, (T *)&out, nullptr, op, total);                         \
    }                                                                                              \
    template <int N = 1, class Op> void Scan(IN, OUT, T first, Op op)                              \
    {                                                                                              \
        T total;                                                                                   \
        scan<inclusive, N>((const T *)&in, (T *)&out, &first, op, total);                          \
    }                                                                                              \
    template <int N = 1, class Op> void Scan(IN, OUT, T first, Op op, T &total)                    \
    {                                                                                              \
        scan<inclusive, N>((const T *)&in, (T *)&out, &first, op, total);                          \
    }                                                                                              \
    template <int N = 1> void ScanSum(IN, OUT, T &total)                                           \
    {                                                                                              \
        const T first = T();                                                                       \
        scan<inclusive, N>((const T *)&in, (T *)&out, inclusive ? nullptr : &first, cub::Sum(),    \
                           total);                                                                 \
    }                                                                                              \
    template <int N = 1> void ScanSum(IN, OUT)                                                     \
    {                                                                                              \
        T total;                                                                                   \
        ScanSum(in, out, total);                                                                   \
    }
/* With a functor that the first warp calls with the total, and that returns the initial value. */
#define HD_PORT_SCANS_AFTER_(Scan, ScanSum, inclusive, IN, OUT)                                    \
    template <int N = 1, class Op, class Prefix> void Scan(IN, OUT, Op op, Prefix &prefix)         \
    {                                                                                              \
        scan_after<inclusive, N>((const T *)&in, (T *)&out, op, prefix);                           \
    }                                                                                              \
    template <int N = 1, class Prefix> void ScanSum(IN, OUT, Prefix &prefix)                       \
    {                                                                                              \
        scan_after<inclusive, N>((const T *)&in, (T *)&out, cub::Sum(), prefix);                   \
    }

template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1>
class BlockScan
{
    enum { THREADS = X * Y * Z };

  public:
    typedef hd_values_<T, THREADS + 1> TempStorage; /* the last one: of a prefix functor */
    explicit BlockScan(TempStorage &storage) : temp(storage)
    {
    }
    HD_PORT_SCANS_(InclusiveScan, InclusiveSum, true, T in, T &out)
    HD_PORT_SCANS_(ExclusiveScan, ExclusiveSum, false, T in, T &out)
    HD_PORT_SCANS_(InclusiveScan, InclusiveSum, true, T (&in)[N], T (&out)[N])
    HD_PORT_SCANS_(ExclusiveScan, ExclusiveSum, false, T (&in)[N], T (&out)[N])
    HD_PORT_SCANS_AFTER_(InclusiveScan, InclusiveSum, true, T in, T &out)
    HD_PORT_SCANS_AFTER_(ExclusiveScan, ExclusiveSum, false, T in, T &out)
    HD_PORT_SCANS_AFTER_(InclusiveScan, InclusiveSum, true, T (&in)[N], T (&out)[N])
    HD_PORT_SCANS_AFTER_(ExclusiveScan, ExclusiveSum, false, T (&in)[N], T (&out)[N])

  private:
    /* Replaces the threads' values in shared memory by their inclusive scan; returns the total. */
    template <int N, class Op> T combine(const T *in, Op &op)
    {
        const int me = (int)hd_thread_linear();
        T *const all = temp.all();
        T mine = in[0];
        for (int i = 1; i < N; i++)
            mine = op(mine, in[i]);
        all[me] = mine;
        hd_sync_block();
        if (me == 0)
            for (int i = 1; i < THREADS; i++)
                all[i] = op(all[i - 1], all[i]);
        hd_sync_block();
        return all[THREADS - 1];
    }
    template <bool inclusive, int N, class Op>
    void after(const T *in, T *out, const T *first, Op &op)
    {
        const int me = (int)hd_thread_linear();
        const T *const all = temp.all();
        if (me == 0)
            hd_scan_own_<inclusive, N>(in, out, first ? *first : in[0], first != nullptr, op);
        else
            hd_scan_own_<inclusive, N>(in, out, first ? (T)op(*first, all[me - 1]) : all[me - 1],
                                       true, op);
    }
    template <bool inclusive, int N, class Op>
    void scan(const T *given, T *out, const T *first, Op op, T &total)
    {
        T in[N];
        for (int i = 0; i < N; i++)
            in[i] = given[i];
        total = combine<N>(in, op);
        after<inclusive, N>(in, out, first, op);
    }
    template <bool inclusive, int N, class Op, class Prefix>
    void scan_after(const T *given, T *out, Op op, Prefix &prefix)
    {
        T in[N];
        for (int i = 0; i < N; i++)
            in[i] = given[i];
        const T total = combine<N>(in, op);
        if (hd_thread_linear() < 32) {
            const T first = prefix(total);
            if (hd_thread_linear() == 0)
                temp.all()[THREADS] = first;
        }
        hd_sync_block();
        after<inclusive, N>(in, out, &temp.all()[THREADS], op);
    }
    TempStorage &temp;
};

template <class T, int LANES = 32> class WarpScan
{
    typedef hd_warp_<LANES> Warp;

  public:
    struct TempStorage {
    };
    explicit WarpScan(TempStorage &)
    {
    }
    HD_PORT_SCANS_(InclusiveScan, InclusiveSum, true, T in, T &out)
    HD_PORT_SCANS_(ExclusiveScan, ExclusiveSum, false, T in, T &out)
    template <class Op> void Scan(T in, T &inclusive, T &exclusive, Op op)
    {
        InclusiveScan(in, inclusive, op);
        ExclusiveScan(in, exclusive, op);
    }
    template <class Op> void Scan(T in, T &inclusive, T &exclusive, T first, Op op)
    {
        InclusiveScan(in, inclusive, first, op);
        ExclusiveScan(in, exclusive, first, op);
    }
    T Broadcast(T value, unsigned lane)
    {
        return __shfl_sync(Warp::mask(), value, (int)lane, LANES);
    }

  private:
    template <bool inclusive, int N, class Op>
    void scan(const T *in, T *out, const T *first, Op op, T &total)
    {
        const unsigned mask = Warp::mask(), lane = Warp::lane();
        T upto = *in;
        for (int d = 1; d < LANES; d *= 2) {
            const T before = __shfl_up_sync(mask, upto, d, LANES);
            if (lane >= (unsigned)d)
                upto = op(before, upto);
        }
        total = __shfl_sync(mask, upto, LANES - 1, LANES);
        T before = __shfl_up_sync(mask, upto, 1, LANES);
        if (first)
            before = lane == 0 ? *first : (T)op(*first, before);
        hd_scan_own_<inclusive, N>(in, out, before, first || lane > 0, op);
    }
};
#undef HD_PORT_SCANS_
#undef HD_PORT_SCANS_AFTER_

} // namespace cub

#endif
