# SPDX-License-Identifier: Apache-2.0
"""A few of heddle's calls for Python, by ctypes: nothing to compile. HEDDLE_LIBRARY names
libheddle.so, or the loader finds it. Add a call by one line in PROTOTYPES."""
import ctypes
import ctypes.util
import os
from ctypes import POINTER, byref, c_char_p, c_int, c_size_t, c_ulong, c_void_p

lib = ctypes.CDLL(os.environ.get("HEDDLE_LIBRARY") or ctypes.util.find_library("heddle")
                  or "libheddle.so")


class Error(RuntimeError):
    pass


def check(status, function, arguments):
    """Every call that returns hd_status passes here: a negative one is an error."""
    if status < 0:
        text = ctypes.create_string_buffer(2048)  # HD_ERROR_TEXT_MAX
        lib.hd_error_format(text, len(text))
        raise Error(text.value.decode())
    return status


PROTOTYPES = {
    "hd_stream_create": [c_int, POINTER(c_void_p)],
    "hd_stream_destroy": [c_void_p],
    "hd_alloc_bytes": [POINTER(c_void_p), c_size_t, c_size_t, c_int, c_int],
    "hd_free": [c_void_p],
    "hd_copy_blocking_bytes": [c_void_p, c_void_p, c_size_t, c_size_t, c_void_p],
    "hd_reduce": [c_void_p, c_size_t, c_int, c_int, c_void_p, c_void_p, c_void_p],
    "hd_sort_keys": [c_void_p, c_void_p, c_size_t, c_int, c_void_p, c_void_p, c_void_p],
}
for _name, _types in PROTOTYPES.items():
    _call = getattr(lib, _name)
    _call.argtypes, _call.restype, _call.errcheck = _types, c_int, check
for _name, _types in {"hd_backend_name": [], "hd_type_name": [c_int],
                      "hd_reduce_op_name": [c_int]}.items():
    getattr(lib, _name).argtypes, getattr(lib, _name).restype = _types, c_char_p
lib.hd_error_format.argtypes, lib.hd_error_format.restype = [c_char_p, c_ulong], c_char_p

# The library knows the numbers of its enumerators: {"u8": 0, ...}, {"sum": 0, ...}.
TYPES = {lib.hd_type_name(i).decode(): i for i in range(11)}
OPS = {lib.hd_reduce_op_name(i).decode(): i for i in range(4)}


class Stream:
    def __init__(self, device=0):
        self.device, self.handle = device, c_void_p()
        lib.hd_stream_create(device, byref(self.handle))

    def __del__(self):
        lib.hd_stream_destroy(self.handle)


class Array:
    """`host` in device memory: a writable object with the buffer protocol, such as array.array or a
    contiguous NumPy array. `type` is heddle's name of its elements' type, as "f64"."""

    def __init__(self, host, type, stream):
        self.type, self.stream, self.data = type, stream, c_void_p()
        self.count, self.size = len(host), memoryview(host).itemsize
        lib.hd_alloc_bytes(byref(self.data), self.count, self.size, 0, stream.device)
        self._copy(self.data, _address(host))

    def __del__(self):
        lib.hd_free(self.data)

    def _copy(self, to, source):
        lib.hd_copy_blocking_bytes(to, source, self.count, self.size, self.stream.handle)

    def copy_to(self, host):
        self._copy(_address(host), self.data)

    def sort(self):
        lib.hd_sort_keys(self.data, self.data, self.count, TYPES[self.type], None, None,
                         self.stream.handle)

    def reduce(self, op, result):
        """Of all elements, into `result`: a ctypes number of the type that reduce.h names."""
        place = Array((result.__class__ * 1)(), self.type, self.stream)  # one element
        lib.hd_reduce(self.data, self.count, TYPES[self.type], OPS[op], place.data, None,
                      self.stream.handle)
        place.copy_to(result)
        return result.value


def _address(host):
    return ctypes.addressof(ctypes.c_char.from_buffer(host))
