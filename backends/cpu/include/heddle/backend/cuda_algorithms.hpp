/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_algorithms.hpp (CPU) - the parts of CUB and Thrust that are translated: block and warp
   collectives by shared memory and shuffles, and device calls by plain loops on the host, since
   device memory is memory of the program here. Orders of sums are those of plain loops. */
#ifndef HEDDLE_BACKEND_CUDA_ALGORITHMS_HPP
#define HEDDLE_BACKEND_CUDA_ALGORITHMS_HPP

#include <numeric>

/* ---- CUB ------------------------------------------------------------------------------------- */

/* names: cub: Sum Max Min BlockReduceAlgorithm BLOCK_REDUCE_RAKING BLOCK_REDUCE_WARP_REDUCTIONS
   BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY BlockReduce BlockScanAlgorithm BLOCK_SCAN_RAKING
   BLOCK_SCAN_WARP_SCANS BLOCK_SCAN_RAKING_MEMOIZE BlockScan WarpReduce */
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

template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1>
class BlockScan
{
  public:
    typedef hd_values_<T, X * Y * Z> TempStorage;
    explicit BlockScan(TempStorage &storage) : temp(storage)
    {
    }
    template <class Op> void InclusiveScan(T in, T &out, Op op, T &total)
    {
        const int me = (int)hd_thread_linear();
        T sum, whole;
        temp.all()[me] = in;
        hd_sync_block();
        sum = whole = temp.all()[0];
        for (int i = 1; i < X * Y * Z; i++) {
            whole = op(whole, temp.all()[i]);
            if (i <= me)
                sum = whole;
        }
        out = sum;
        total = whole;
    }
    template <class Op> void InclusiveScan(T in, T &out, Op op)
    {
        T total;
        InclusiveScan(in, out, op, total);
    }
    void InclusiveSum(T in, T &out)
    {
        InclusiveScan(in, out, cub::Sum());
    }
    void InclusiveSum(T in, T &out, T &total)
    {
        InclusiveScan(in, out, cub::Sum(), total);
    }
    template <class Op> void ExclusiveScan(T in, T &out, T first, Op op, T &total)
    {
        const int me = (int)hd_thread_linear();
        T whole = first;
        temp.all()[me] = in;
        hd_sync_block();
        for (int i = 0; i < X * Y * Z; i++) {
            if (i == me)
                out = whole;
            whole = op(whole, temp.all()[i]);
        }
        total = whole;
    }
    template <class Op> void ExclusiveScan(T in, T &out, T first, Op op)
    {
        T total;
        ExclusiveScan(in, out, first, op, total);
    }
    void ExclusiveSum(T in, T &out)
    {
        ExclusiveScan(in, out, T(), cub::Sum());
    }
    void ExclusiveSum(T in, T &out, T &total)
    {
        ExclusiveScan(in, out, T(), cub::Sum(), total);
    }

  private:
    TempStorage &temp;
};

template <class T, int LANES = 32> class WarpReduce
{
  public:
    struct TempStorage {
    };
    explicit WarpReduce(TempStorage &)
    {
    }
    template <class Op> T Reduce(T value, Op op)
    {
        for (int d = LANES / 2; d; d /= 2)
            value = op(value, __shfl_down_sync(0xffffffffu, value, d, LANES));
        return value;
    }
    T Sum(T value)
    {
        return Reduce(value, cub::Sum());
    }

  private:
};

} // namespace cub

/* ---- Thrust ---------------------------------------------------------------------------------- */

/* names: thrust: device host device_ptr device_pointer_cast raw_pointer_cast device_vector
   host_vector plus multiplies minimum maximum less greater negate identity reduce
   transform_reduce sort stable_sort sort_by_key stable_sort_by_key inclusive_scan
   exclusive_scan transform fill copy sequence count max_element min_element */
namespace thrust
{

struct hd_policy_ {
};
static const hd_policy_ device HD_UNUSED_, host HD_UNUSED_;
template <class T> using device_ptr = T *;
template <class T> inline T *device_pointer_cast(T *p)
{
    return p;
}
template <class T> inline T *raw_pointer_cast(T *p)
{
    return p;
}

template <class T> class host_vector : public std::vector<T>
{
  public:
    using std::vector<T>::vector;
    host_vector() = default;
    template <class V, class = decltype(((const V *)nullptr)->begin())>
    host_vector(const V &other) : std::vector<T>(other.begin(), other.end())
    {
    }
    template <class V> host_vector &operator=(const V &other)
    {
        this->assign(other.begin(), other.end());
        return *this;
    }
};
/* In device memory, so that kernels may use it; iterators are pointers. */
template <class T> struct hd_device_allocator_ {
    typedef T value_type;
    hd_device_allocator_() = default;
    template <class U> hd_device_allocator_(const hd_device_allocator_<U> &)
    {
    }
    T *allocate(size_t count)
    {
        T *memory = nullptr;
        if (cudaMalloc(&memory, count * sizeof(T)) != cudaSuccess)
            abort();
        return memory;
    }
    void deallocate(T *memory, size_t)
    {
        (void)cudaFree(memory);
    }
    bool operator==(const hd_device_allocator_ &) const
    {
        return true;
    }
    bool operator!=(const hd_device_allocator_ &) const
    {
        return false;
    }
};
template <class T> class device_vector : public std::vector<T, hd_device_allocator_<T>>
{
    typedef std::vector<T, hd_device_allocator_<T>> base;

  public:
    using base::base;
    typedef T *iterator;
    device_vector() = default;
    template <class V, class = decltype(((const V *)nullptr)->begin())>
    device_vector(const V &other) : base(other.begin(), other.end())
    {
    }
    template <class V> device_vector &operator=(const V &other)
    {
        (void)cudaDeviceSynchronize();
        this->assign(other.begin(), other.end());
        return *this;
    }
    T *begin()
    {
        return this->data();
    }
    T *end()
    {
        return this->data() + this->size();
    }
    const T *begin() const
    {
        return this->data();
    }
    const T *end() const
    {
        return this->data() + this->size();
    }
};

template <class T = void> using plus = std::plus<T>;
template <class T = void> using multiplies = std::multiplies<T>;
template <class T = void> using less = std::less<T>;
template <class T = void> using greater = std::greater<T>;
template <class T = void> using negate = std::negate<T>;
template <class T> struct minimum {
    T operator()(const T &a, const T &b) const
    {
        return b < a ? b : a;
    }
};
template <class T> struct maximum {
    T operator()(const T &a, const T &b) const
    {
        return a < b ? b : a;
    }
};
template <class T> struct identity {
    T operator()(const T &a) const
    {
        return a;
    }
};

/* Calls wait for the device's earlier work, then do theirs on the host. */
#define HD_PORT_CALL_ON_HOST_(name, call)                                                          \
    template <class... A> inline auto name(A... arguments)                                         \
    {                                                                                              \
        (void)cudaDeviceSynchronize();                                                             \
        return call(arguments...);                                                                 \
    }                                                                                              \
    template <class... A> inline auto name(const hd_policy_ &, A... arguments)                     \
    {                                                                                              \
        return name(arguments...);                                                                 \
    }
struct hd_reduce_ {
    template <class I> auto operator()(I first, I last) const
    {
        typedef typename std::iterator_traits<I>::value_type T;
        return std::accumulate(first, last, T());
    }
    template <class I, class T> T operator()(I first, I last, T start) const
    {
        return std::accumulate(first, last, start);
    }
    template <class I, class T, class Op> T operator()(I first, I last, T start, Op op) const
    {
        return std::accumulate(first, last, start, op);
    }
};
struct hd_scan_ {
    template <class I, class O> O operator()(I first, I last, O out) const
    {
        typedef typename std::iterator_traits<I>::value_type T;
        return std::exclusive_scan(first, last, out, T());
    }
    template <class I, class O, class T> O operator()(I first, I last, O out, T start) const
    {
        return std::exclusive_scan(first, last, out, start);
    }
    template <class I, class O, class T, class Op>
    O operator()(I first, I last, O out, T start, Op op) const
    {
        return std::exclusive_scan(first, last, out, start, op);
    }
};
struct hd_sort_by_key_ {
    template <class K, class V, class Less = std::less<>>
    void operator()(K first, K last, V values, Less less_than = Less()) const
    {
        typedef typename std::iterator_traits<K>::value_type Key;
        typedef typename std::iterator_traits<V>::value_type Value;
        std::vector<std::pair<Key, Value>> pairs;
        for (K k = first; k != last; ++k)
            pairs.push_back({*k, values[k - first]});
        std::stable_sort(pairs.begin(), pairs.end(),
                         [&](const auto &a, const auto &b) { return less_than(a.first, b.first); });
        for (size_t i = 0; i < pairs.size(); i++) {
            first[i] = pairs[i].first;
            values[i] = pairs[i].second;
        }
    }
};
struct hd_sequence_ {
    template <class I, class T = int> void operator()(I first, I last, T start = T()) const
    {
        std::iota(first, last, start);
    }
};
#define HD_PORT_FORWARD_(name)                                                                     \
    struct hd_std_##name##_ {                                                                      \
        template <class... A> auto operator()(A... arguments) const                                \
        {                                                                                          \
            return std::name(arguments...);                                                        \
        }                                                                                          \
    };                                                                                             \
    HD_PORT_CALL_ON_HOST_(name, hd_std_##name##_())
HD_PORT_CALL_ON_HOST_(reduce, hd_reduce_())
HD_PORT_CALL_ON_HOST_(exclusive_scan, hd_scan_())
HD_PORT_CALL_ON_HOST_(sort_by_key, hd_sort_by_key_())
HD_PORT_CALL_ON_HOST_(stable_sort_by_key, hd_sort_by_key_())
HD_PORT_CALL_ON_HOST_(sequence, hd_sequence_())
HD_PORT_FORWARD_(sort)
HD_PORT_FORWARD_(stable_sort)
HD_PORT_FORWARD_(inclusive_scan)
HD_PORT_FORWARD_(transform)
HD_PORT_FORWARD_(fill)
HD_PORT_FORWARD_(copy)
HD_PORT_FORWARD_(count)
HD_PORT_FORWARD_(max_element)
HD_PORT_FORWARD_(min_element)
struct hd_transform_reduce_ {
    template <class I, class F, class T, class Op>
    T operator()(I first, I last, F function, T start, Op op) const
    {
        for (; first != last; ++first)
            start = op(start, function(*first));
        return start;
    }
};
HD_PORT_CALL_ON_HOST_(transform_reduce, hd_transform_reduce_())

} // namespace thrust

#endif
