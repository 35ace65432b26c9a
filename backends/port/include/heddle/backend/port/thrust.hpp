/* SPDX-License-Identifier: Apache-2.0 */
/* thrust.hpp - the parts of Thrust that are translated: vectors, and calls by plain loops on the
   host. Orders of sums are those of plain loops. */
#ifndef HEDDLE_BACKEND_PORT_THRUST_HPP
#define HEDDLE_BACKEND_PORT_THRUST_HPP

#include <iostream>
#include <numeric>

#include <heddle/backend/port/thrust_iterators.hpp>

namespace thrust
{

/* ---- policies -------------------------------------------------------------------------------- */

struct hd_policy_ {
    hd_policy_ on(cudaStream_t) const
    {
        return {};
    }
};
static const hd_policy_ device HD_UNUSED_, host HD_UNUSED_;
/* Within one thread, of a kernel too: there is nothing to wait for. */
struct hd_seq_policy_ {
};
static const hd_seq_policy_ seq HD_UNUSED_;
namespace cuda
{
static const hd_policy_ par HD_UNUSED_, par_nosync HD_UNUSED_;
}

/* ---- vectors --------------------------------------------------------------------------------- */

template <class T> using device_ptr = T *;
template <class T> inline T *device_pointer_cast(T *p)
{
    return p;
}
template <class T> inline T *raw_pointer_cast(T *p)
{
    return p;
}

/* Before the host reads what kernels may still write. */
template <class V> inline V &hd_written_(V &value)
{
    (void)cudaDeviceSynchronize();
    return value;
}

template <class T> class host_vector : public std::vector<T>
{
  public:
    using std::vector<T>::vector;
    host_vector() = default;
    template <class V, class = decltype(((const V *)nullptr)->begin())>
    host_vector(const V &other) : std::vector<T>(hd_written_(other).begin(), other.end())
    {
    }
    template <class V> host_vector &operator=(const V &other)
    {
        this->assign(hd_written_(other).begin(), other.end());
        return *this;
    }
};
/* In managed memory: kernels use it, and so does the host, element by element. Iterators are
   pointers. A vector that grows copies its elements, so an allocation waits too. */
template <class T> struct hd_device_allocator_ {
    typedef T value_type;
    hd_device_allocator_() = default;
    template <class U> hd_device_allocator_(const hd_device_allocator_<U> &)
    {
    }
    T *allocate(size_t count)
    {
        T *memory = nullptr;
        (void)cudaDeviceSynchronize();
        if (cudaMallocManaged(&memory, count * sizeof(T)) != cudaSuccess)
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
    device_vector(const device_vector &other) : base(hd_written_(other))
    {
    }
    device_vector(device_vector &&other) = default;
    template <class V, class = decltype(((const V *)nullptr)->begin())>
    device_vector(const V &other) : base(hd_written_(other).begin(), other.end())
    {
    }
    device_vector &operator=(const device_vector &other)
    {
        base::operator=(hd_written_(other));
        return *this;
    }
    device_vector &operator=(device_vector &&other) = default;
    template <class V> device_vector &operator=(const V &other)
    {
        this->assign(hd_written_(other).begin(), other.end());
        return *this;
    }
    T &operator[](size_t i)
    {
        return hd_written_(*this).data()[i];
    }
    const T &operator[](size_t i) const
    {
        return hd_written_(*this).data()[i];
    }
    T &front()
    {
        return (*this)[0];
    }
    const T &front() const
    {
        return (*this)[0];
    }
    T &back()
    {
        return (*this)[this->size() - 1];
    }
    const T &back() const
    {
        return (*this)[this->size() - 1];
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

/* ---- calls ----------------------------------------------------------------------------------- */

/* name(first, last, ...) does `call`, an object; in a kernel only with thrust::seq. Other calls
   wait for the device's earlier work first. hd_port_host_reads_ is the backend's: it refuses a
   pointer that the host cannot read. */
#define HD_PORT_CALL_(name, call)                                                                  \
    template <class... A> inline auto name(A... arguments)                                         \
    {                                                                                              \
        (void)cudaDeviceSynchronize();                                                             \
        (hd_port_host_reads_(arguments), ...);                                                     \
        return call(arguments...);                                                                 \
    }                                                                                              \
    template <class... A> inline auto name(const hd_policy_ &, A... arguments)                     \
    {                                                                                              \
        (void)cudaDeviceSynchronize();                                                             \
        (hd_port_host_reads_(arguments), ...);                                                     \
        return call(arguments...);                                                                 \
    }                                                                                              \
    template <class... A> inline auto name(const hd_seq_policy_ &, A... arguments)                 \
    {                                                                                              \
        return call(arguments...);                                                                 \
    }

#include <heddle/backend/port/thrust_calls.inc>

#undef HD_PORT_CALL_

} // namespace thrust

#endif
