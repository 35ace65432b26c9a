/* SPDX-License-Identifier: Apache-2.0 */
/* cub.hpp - the parts of CUB that kernels call: block and warp collectives by shared
   memory and shuffles. Orders of sums are those of plain loops. */
#ifndef HEDDLE_BACKEND_PORT_CUB_HPP
#define HEDDLE_BACKEND_PORT_CUB_HPP

namespace cub
{

struct Sum {
    template <class A, class B> auto operator()(const A &a, const B &b) const
    {
        return a + b;
    }
};
struct Max {
    template <class T> T operator()(const T &a, const T &b) const
    {
        return a < b ? b : a;
    }
};
struct Min {
    template <class T> T operator()(const T &a, const T &b) const
    {
        return b < a ? b : a;
    }
};
struct ArgMax {
    template <class P> P operator()(const P &a, const P &b) const
    {
        return a.value < b.value || (!(b.value < a.value) && b.key < a.key) ? b : a;
    }
};
struct ArgMin {
    template <class P> P operator()(const P &a, const P &b) const
    {
        return b.value < a.value || (!(a.value < b.value) && b.key < a.key) ? b : a;
    }
};
struct Equality {
    template <class A, class B> bool operator()(const A &a, const B &b) const
    {
        return a == b;
    }
};
template <class K, class V> struct KeyValuePair {
    typedef K Key;
    typedef V Value;
    K key;
    V value;
    KeyValuePair() = default;
    KeyValuePair(const K &k, const V &v) : key(k), value(v)
    {
    }
    bool operator!=(const KeyValuePair &other) const
    {
        return key != other.key || value != other.value;
    }
};
enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

/* The block's values in memory that one barrier makes visible. */
template <class T, int THREADS> struct hd_values_ {
    alignas(T) unsigned char bytes[sizeof(T) * THREADS];
    T *all()
    {
        return (T *)(void *)bytes;
    }
};

template <class T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1>
class BlockReduce
{
  public:
    typedef hd_values_<T, X * Y * Z> TempStorage;
    explicit BlockReduce(TempStorage &storage) : temp(storage)
    {
    }
    /* As CUB's, the result is that of thread 0. */
    template <class Op> T Reduce(T value, Op op, int count = X * Y * Z)
    {
        temp.all()[hd_thread_linear()] = value;
        hd_sync_block();
        if (hd_thread_linear() == 0)
            for (int i = 1; i < count; i++)
                value = op(value, temp.all()[i]);
        return value;
    }
    template <int N, class Op> T Reduce(T (&values)[N], Op op)
    {
        T total = values[0];
        for (int i = 1; i < N; i++)
            total = op(total, values[i]);
        return Reduce(total, op);
    }
    template <class V> T Sum(V &&value)
    {
        return Reduce(value, cub::Sum());
    }
    T Sum(T value, int count)
    {
        return Reduce(value, cub::Sum(), count);
    }

  private:
    TempStorage &temp;
};

/* Each value combined with its neighbour of the thread to the left or right. */
template <class T, int X, int Y = 1, int Z = 1> class BlockAdjacentDifference
{
  public:
    typedef hd_values_<T, X * Y * Z> TempStorage;
    explicit BlockAdjacentDifference(TempStorage &storage) : temp(storage)
    {
    }
    template <int N, class O, class Op> void SubtractLeft(T (&in)[N], O (&out)[N], Op op)
    {
        const int me = (int)hd_thread_linear();
        temp.all()[me] = in[N - 1];
        hd_sync_block();
        for (int i = N - 1; i > 0; i--)
            out[i] = op(in[i], in[i - 1]);
        out[0] = me == 0 ? (O)in[0] : (O)op(in[0], temp.all()[me - 1]);
    }
    template <int N, class O, class Op> void SubtractRight(T (&in)[N], O (&out)[N], Op op)
    {
        const int me = (int)hd_thread_linear();
        temp.all()[me] = in[0];
        hd_sync_block();
        for (int i = 0; i < N - 1; i++)
            out[i] = op(in[i], in[i + 1]);
        out[N - 1] = me == X * Y * Z - 1 ? (O)in[N - 1] : (O)op(in[N - 1], temp.all()[me + 1]);
    }

  private:
    TempStorage &temp;
};

/* Logical warps of LANES lanes: what WarpReduce and WarpScan share. */
template <int LANES> struct hd_warp_ {
    static_assert(LANES >= 1 && LANES <= 32 && (LANES & (LANES - 1)) == 0,
                  "logical warps have 1, 2, 4 ... 32 lanes");
    static constexpr unsigned every = 0xffffffffu >> (32 - LANES);
    static unsigned lane()
    {
        return hd_lane() & (LANES - 1u);
    }
    static unsigned first()
    {
        return hd_lane() & 31u & ~(LANES - 1u);
    }
    static unsigned mask()
    {
        return every << first() & hd_port_lanes_();
    }
};

/* As CUB's, the result is that of lane 0, or of the first lane of a segment. */
template <class T, int LANES = 32> class WarpReduce
{
    typedef hd_warp_<LANES> Warp;
    /* Of the lanes from the calling one to `last`. */
    template <class Op> static T upto(T value, Op op, int last)
    {
        const unsigned mask = Warp::mask();
        const int lane = (int)Warp::lane();
        for (int d = 1; d < LANES; d *= 2) {
            const T other = __shfl_down_sync(mask, value, d, LANES);
            if (lane + d <= last)
                value = op(value, other);
        }
        return value;
    }
    /* The last lane before the first one of `ends`. */
    static int before(unsigned ends)
    {
        return (ends ? __builtin_ctz(ends) : LANES) - 1;
    }
    template <class Flag> static unsigned flagged(Flag flag)
    {
        return __ballot_sync(Warp::mask(), flag ? 1 : 0) >> Warp::first() & Warp::every;
    }

  public:
    struct TempStorage {
    };
    explicit WarpReduce(TempStorage &)
    {
    }
    template <class Op> T Reduce(T value, Op op, int count = LANES)
    {
        return upto(value, op, count - 1);
    }
    T Sum(T value, int count = LANES)
    {
        return upto(value, cub::Sum(), count - 1);
    }
    template <class Flag, class Op> T HeadSegmentedReduce(T value, Flag head, Op op)
    {
        return upto(value, op, before(flagged(head) & ~((2u << Warp::lane()) - 1)));
    }
    template <class Flag> T HeadSegmentedSum(T value, Flag head)
    {
        return HeadSegmentedReduce(value, head, cub::Sum());
    }
    template <class Flag, class Op> T TailSegmentedReduce(T value, Flag tail, Op op)
    {
        return upto(value, op, before((flagged(tail) & ~((1u << Warp::lane()) - 1)) << 1));
    }
    template <class Flag> T TailSegmentedSum(T value, Flag tail)
    {
        return TailSegmentedReduce(value, tail, cub::Sum());
    }
};

/* ---- loads and stores of several values per thread, blocked ---------------------------------- */

enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE
};
enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT,
    BLOCK_STORE_STRIPED,
    BLOCK_STORE_VECTORIZE,
    BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE
};

template <class T, int X, int N, BlockLoadAlgorithm algorithm = BLOCK_LOAD_DIRECT, int Y = 1,
          int Z = 1>
class BlockLoad
{
    static int place(int i)
    {
        const int me = (int)hd_thread_linear();
        return algorithm == BLOCK_LOAD_STRIPED ? i * X * Y * Z + me : me * N + i;
    }

  public:
    struct TempStorage {
    };
    BlockLoad() = default;
    explicit BlockLoad(TempStorage &)
    {
    }
    template <class I> void Load(I from, T (&values)[N])
    {
        for (int i = 0; i < N; i++)
            values[i] = from[place(i)];
    }
    template <class I> void Load(I from, T (&values)[N], int count)
    {
        for (int i = 0; i < N; i++)
            if (place(i) < count)
                values[i] = from[place(i)];
    }
    template <class I, class D> void Load(I from, T (&values)[N], int count, D otherwise)
    {
        for (int i = 0; i < N; i++)
            values[i] = place(i) < count ? (T)from[place(i)] : (T)otherwise;
    }
};

template <class T, int X, int N, BlockStoreAlgorithm algorithm = BLOCK_STORE_DIRECT, int Y = 1,
          int Z = 1>
class BlockStore
{
    static int place(int i)
    {
        const int me = (int)hd_thread_linear();
        return algorithm == BLOCK_STORE_STRIPED ? i * X * Y * Z + me : me * N + i;
    }

  public:
    struct TempStorage {
    };
    BlockStore() = default;
    explicit BlockStore(TempStorage &)
    {
    }
    template <class O> void Store(O to, T (&values)[N], int count = X * Y * Z * N)
    {
        for (int i = 0; i < N; i++)
            if (place(i) < count)
                to[place(i)] = values[i];
    }
};

} // namespace cub

#include <heddle/backend/port/cub_scan.hpp>

#endif
