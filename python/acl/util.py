# SPDX-License-Identifier: Apache-2.0
"""acl.util: addresses of arrays and bytes, and the other way; threads for callbacks."""

import ctypes
import threading


def numpy_to_ptr(array):
    """The address of an array's elements. The array must stay alive, and its elements adjoin."""
    if not array.flags.c_contiguous:
        raise ValueError("the array's elements do not adjoin; copy it with numpy.ascontiguousarray")
    return array.ctypes.data


numpy_contiguous_to_ptr = numpy_to_ptr


def bytes_to_ptr(data):
    """The address of the bytes, which must stay alive."""
    if not isinstance(data, bytes):
        raise TypeError(f"expected bytes, not {type(data).__name__}")
    return ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value


def ptr_to_bytes(ptr, size):
    """A copy of `size` bytes."""
    return ctypes.string_at(_address(ptr), _size(size))


def ptr_to_numpy(ptr, shape, data_type):
    """An array over the memory at ptr, without a copy; data_type is a number of numpy's (such as
    11 for float32) or a dtype."""
    import numpy

    if isinstance(data_type, int):
        dtypes = {numpy.dtype(char).num: numpy.dtype(char) for char in numpy.typecodes["All"]}
        if data_type not in dtypes:
            raise ValueError(f"{data_type} is no type of numpy's")
        dtype = dtypes[data_type]
    else:
        dtype = numpy.dtype(data_type)
    shape = (shape,) if isinstance(shape, int) else tuple(int(size) for size in shape)
    count = 1
    for size in shape:
        count *= _size(size)
    memory = (ctypes.c_char * (count * dtype.itemsize)).from_address(_address(ptr))
    return numpy.frombuffer(memory, dtype, count).reshape(shape)


def _address(ptr):
    if not ptr:
        raise ValueError("the address is 0")
    return int(ptr)


def _size(size):
    if size < 0:
        raise ValueError(f"a size is {size}, expected 0 or more")
    return int(size)


_threads = {}


def start_thread(fn, args):
    """thread_id, ret = start_thread(fn, args): runs fn(args); for acl.rt.subscribe_report."""
    if not callable(fn):
        raise TypeError(f"fn: expected a function, not {type(fn).__name__}")
    thread = threading.Thread(target=fn, args=(args,), daemon=True)
    thread.start()
    _threads[thread.ident] = thread
    return thread.ident, 0


def stop_thread(thread_id):
    """ret = stop_thread(thread_id): waits until the function has returned. 100000: no such thread."""
    thread = _threads.pop(thread_id, None)
    if thread is None:
        return 100000
    thread.join()
    return 0
