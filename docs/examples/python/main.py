# SPDX-License-Identifier: Apache-2.0
"""main.py - sorts and sums numbers on the device; NumPy is used where there is one."""
import array
import ctypes
import random

import heddle

try:
    import numpy
except ImportError:
    numpy = None


def numbers(values):
    """A contiguous array of f64, of NumPy or of Python's own."""
    return numpy.array(values, dtype=numpy.float64) if numpy else array.array("d", values)


def main():
    generator = random.Random(1)
    host = numbers([generator.randrange(1000000) for _ in range(100000)])
    result = numbers([0.0] * len(host))
    stream = heddle.Stream()
    x = heddle.Array(host, "f64", stream)

    x.sort()
    x.copy_to(result)
    assert list(result) == sorted(host)
    print(f"{len(result)} numbers sorted, {result[0]:.0f} to {result[-1]:.0f}")

    total = x.reduce("sum", ctypes.c_double())
    assert total == sum(host)  # whole numbers: exact in any order
    print(f"sum {total:.0f}, max {x.reduce('max', ctypes.c_double()):.0f}")

    try:
        heddle.Array(array.array("B", b"bytes"), "u8", stream).sort()
    except heddle.Error as error:
        print("error:", str(error).split(" ")[0])


main()
