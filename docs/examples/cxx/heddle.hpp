/* SPDX-License-Identifier: Apache-2.0 */
/* heddle.hpp - owners of heddle's objects and exceptions for its errors: what a C++ program may
   want around the C interface. Copy it and add what you use. */
#ifndef CXX_HEDDLE_HPP
#define CXX_HEDDLE_HPP

#include <stdexcept>
#include <utility>
#include <vector>

#include <heddle/heddle.h>

namespace heddle
{

/* What hd_error_format says of the call that failed. */
class error : public std::runtime_error
{
  public:
    explicit error(hd_status status) : std::runtime_error(text()), status_(status)
    {
    }
    hd_status status() const
    {
        return status_;
    }

  private:
    static std::string text()
    {
        char buffer[HD_ERROR_TEXT_MAX];
        return hd_error_format(buffer, sizeof buffer);
    }
    hd_status status_;
};

/* For every call: an error becomes an exception. HD_NOT_READY is no error. */
inline hd_status check(hd_status status)
{
    if (status < 0)
        throw error(status);
    return status;
}

class stream
{
  public:
    explicit stream(int device = 0)
    {
        check(hd_stream_create(device, &handle_));
    }
    ~stream()
    {
        hd_stream_destroy(handle_);
    }
    stream(const stream &) = delete;
    stream &operator=(const stream &) = delete;

    operator hd_stream *() const
    {
        return handle_;
    }
    void synchronize() const
    {
        check(hd_stream_synchronize(handle_));
    }
    int device() const
    {
        int device;
        check(hd_stream_device(handle_, &device));
        return device;
    }

  private:
    hd_stream *handle_ = nullptr;
};

/* An array in the memory of the stream's device. Moves like a std::unique_ptr. */
template <typename T> class array
{
  public:
    array(std::size_t count, const stream &s) : count_(count)
    {
        check(hd_alloc(&data_, count, s.device()));
    }
    array(const std::vector<T> &host, const stream &s) : array(host.size(), s)
    {
        check(hd_copy(data_, host.data(), count_, s));
    }
    array(array &&other) noexcept
        : data_(std::exchange(other.data_, nullptr)), count_(std::exchange(other.count_, 0))
    {
    }
    array &operator=(array &&other) noexcept
    {
        std::swap(data_, other.data_);
        std::swap(count_, other.count_);
        return *this;
    }
    ~array()
    {
        hd_free(data_);
    } /* waits for work that may use it */

    T *data() const
    {
        return data_;
    }
    std::size_t size() const
    {
        return count_;
    }
    /* Waits for the work before it in the stream. */
    std::vector<T> to_host(const stream &s) const
    {
        std::vector<T> host(count_);
        check(hd_copy_blocking(host.data(), data_, count_, s));
        return host;
    }

  private:
    T *data_ = nullptr;
    std::size_t count_;
};

} // namespace heddle

#endif
