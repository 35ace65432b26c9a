#include <heddle/kernel.h>

#include <heddle/heddle.h>

#include <cstdio>
#include <vector>

struct vec2 {
    float x, y;

    HD_METHOD_BOTH float dot(const vec2 &o) const
    {
        return x * o.x + y * o.y;
    }
};

template <class T, int n> HD_DEVICE T block_sum(T value)
{
    HD_SHARED(T, values, n);
    T sum = 0;

    values[hd_thread_x()] = value;
    hd_sync_block();
    for (int i = 0; i < n; i++)
        sum += values[i];
    return sum;
}

template <class T, int n> HD_KERNEL void norms(const vec2 *in, T *out)
{
    const vec2 v = in[hd_global_x()];
    const T sum = block_sum<T, n>((T)v.dot(v));

    if (hd_thread_x() == 0)
        out[hd_block_x()] = sum;
}

static hd_status run(hd_stream *stream, vec2 *v, double *sums)
{
    const float scale = 2.0f;
    const auto fill = [=] HD_LAMBDA(float y) {
        v[hd_global_x()] = {scale * (float)hd_block_x(), y};
    };
    hd_status status = hd_launch(fill, hd_launch_1d(256, 64, stream), 1.0f);

    if (status == HD_OK)
        status = hd_launch((norms<double, 64>), hd_launch_1d(256, 64, stream), v, sums);
    return status;
}

int main()
{
    hd_stream *stream = nullptr;
    vec2 *v = nullptr;
    double *sums = nullptr;
    std::vector<double> host(4);
    char text[HD_ERROR_TEXT_MAX];
    hd_status status = hd_stream_create(0, &stream);

    if (status == HD_OK)
        status = hd_alloc(&v, 256, 0);
    if (status == HD_OK)
        status = hd_alloc(&sums, host.size(), 0);
    if (status == HD_OK)
        status = run(stream, v, sums);
    if (status == HD_OK)
        status = hd_copy_blocking(host.data(), sums, host.size(), stream);
    if (status == HD_OK)
        std::printf("%g %g %g %g\n", host[0], host[1], host[2], host[3]);
    else
        std::fprintf(stderr, "%s\n", hd_error_format(text, sizeof text));
    (void)hd_free(sums);
    (void)hd_free(v);
    (void)hd_stream_destroy(stream);
    return status == HD_OK ? 0 : 1;
}
