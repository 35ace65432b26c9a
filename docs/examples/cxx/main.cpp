/* SPDX-License-Identifier: Apache-2.0 */
/* main.cpp - a kernel and a reduction from C++: no cleanup code, no status to look at. */
#include <cstdio>
#include <exception>
#include <numeric>
#include <vector>

#include <heddle/reduce.h>

#include "axpy.h"
#include "heddle.hpp"

using heddle::check;

/* The sum of an array on the device; with NULL for the workspace the stream keeps one. */
static double sum(const heddle::array<double> &x, const heddle::stream &s)
{
    heddle::array<double> result(1, s);

    check(hd_reduce(x.data(), x.size(), HD_F64, HD_SUM, result.data(), nullptr, s));
    return result.to_host(s)[0];
}

static int run()
{
    std::vector<double> ramp(1000), ones(1000, 1.0);
    std::iota(ramp.begin(), ramp.end(), 0.0);

    heddle::stream s;
    heddle::array<double> x(ramp, s), y(ones, s);

    /* A wrong type or number of arguments does not compile, as in C. */
    check(hd_launch(axpy_f64, hd_launch_1d(x.size(), 256, s), x.size(), 2.0, x.data(), y.data()));
    std::printf("2 * 999 + 1 = %g\n", y.to_host(s).back());
    const double total = sum(y, s);
    std::printf("sum of 2 * i + 1 for i < 1000: %g\n", total);

    try { /* an error: no such type of elements */
        check(hd_reduce(x.data(), x.size(), HD_TYPE_COUNT_, HD_SUM, y.data(), nullptr, s));
    } catch (const heddle::error &e) {
        std::printf("caught %s\n", hd_status_name(e.status()));
    }
    return total == 1000.0 * 1000.0 ? 0 : 1;
}

int main()
{
    try {
        return run();
    } catch (const std::exception &e) {
        std::fprintf(stderr, "cxx: %s\n", e.what());
        return 1;
    }
}
