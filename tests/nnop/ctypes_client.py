# SPDX-License-Identifier: Apache-2.0
"""A Python client without any package: ctypes for the functions, array for the buffers.

usage: ctypes_client.py LIB_DIR
Runs aclnnDynamicQuantV2 on host buffers and on device buffers, keeps every executor that the second
phase has consumed and destroys them when the interpreter exits, as binding libraries do.
"""
import array
import atexit
import ctypes
import os
import struct
import sys

ACL_FLOAT, ACL_FLOAT16, ACL_INT8 = 0, 1, 2
ACL_FORMAT_ND = 2
H2D, D2H = 1, 2
REPEAT_INITIALIZE = 100002
ROWS, COLS = 3, 16

lib_dir = sys.argv[1]
acl = ctypes.CDLL(os.path.join(lib_dir, "libascendcl.so"))
base = ctypes.CDLL(os.path.join(lib_dir, "libnnopbase.so"))
ops = ctypes.CDLL(os.path.join(lib_dir, "libopapi.so"))

acl.aclGetRecentErrMsg.restype = ctypes.c_char_p
base.aclCreateTensor.restype = ctypes.c_void_p
base.aclCreateTensor.argtypes = [
    ctypes.POINTER(ctypes.c_int64), ctypes.c_uint64, ctypes.c_int, ctypes.POINTER(ctypes.c_int64),
    ctypes.c_int64, ctypes.c_int, ctypes.POINTER(ctypes.c_int64), ctypes.c_uint64, ctypes.c_void_p]
base.aclDestroyTensor.argtypes = [ctypes.c_void_p]
base.aclDestroyAclOpExecutor.argtypes = [ctypes.c_void_p]


def check(code):
    if code != 0:
        raise RuntimeError("%d: %s" % (code, acl.aclGetRecentErrMsg()))


deferred = []


@atexit.register
def destroy_consumed_executors():
    for executor in deferred:
        # Consumed by the second phase: an error code is fine, a crash is not.
        base.aclDestroyAclOpExecutor(executor)
    print("destroyed", len(deferred))


def tensor(dims, dtype, address):
    numbers = (ctypes.c_int64 * len(dims))(*dims)
    strides = (ctypes.c_int64 * len(dims))()
    step = 1
    for i in reversed(range(len(dims))):
        strides[i] = step
        step *= dims[i]
    handle = base.aclCreateTensor(numbers, len(dims), dtype, strides, 0, ACL_FORMAT_ND, numbers,
                                  len(dims), address)
    assert handle, acl.aclGetRecentErrMsg()
    return handle


def quantise(x_address, y_address, scale_address, stream):
    tensors = [tensor([ROWS, COLS], ACL_FLOAT16, x_address),
               tensor([ROWS, COLS], ACL_INT8, y_address),
               tensor([ROWS], ACL_FLOAT, scale_address)]
    x, y, scale = [ctypes.c_void_p(handle) for handle in tensors]
    size = ctypes.c_uint64(0)
    executor = ctypes.c_void_p(0)
    check(ops.aclnnDynamicQuantV2GetWorkspaceSize(
        x, None, None, ctypes.c_int64(ACL_INT8), y, scale, None, ctypes.byref(size),
        ctypes.byref(executor)))
    workspace = ctypes.c_void_p(0)
    if size.value > 0:
        check(acl.aclrtMalloc(ctypes.byref(workspace), size, 0))
    check(ops.aclnnDynamicQuantV2(workspace, size, executor, stream))
    deferred.append(executor)
    for handle in tensors:
        check(base.aclDestroyTensor(handle))


def expect(y, scale, steps):
    for row in range(ROWS):
        assert scale[row] == steps[row], (row, scale[row], steps[row])
        for column in range(COLS):
            assert y[row * COLS + column] == 127 - column, (row, column, y[row * COLS + column])


def main():
    code = acl.aclInit(None)
    assert code in (0, REPEAT_INITIALIZE), code
    assert acl.aclInit(None) == REPEAT_INITIALIZE
    check(base.aclnnInit(None))
    check(acl.aclrtSetDevice(0))
    stream = ctypes.c_void_p(0)
    check(acl.aclrtCreateStream(ctypes.byref(stream)))

    # Row r is 127, 126, ... times its step: the scale is the step.
    steps = [1.0, 2.0, 5.0]
    values = [(127 - column) * steps[row] for row in range(ROWS) for column in range(COLS)]
    x = array.array("H", struct.unpack("<%dH" % len(values), struct.pack("<%de" % len(values),
                                                                          *values)))
    y = array.array("b", [0] * (ROWS * COLS))
    scale = array.array("f", [0.0] * ROWS)

    # Memory of the interpreter itself.
    quantise(x.buffer_info()[0], y.buffer_info()[0], scale.buffer_info()[0], stream)
    check(acl.aclrtSynchronizeStream(stream))
    expect(y, scale, steps)

    # Memory of the device.
    sizes = [len(x) * 2, len(y), len(scale) * 4]
    device = []
    for size in sizes:
        pointer = ctypes.c_void_p(0)
        check(acl.aclrtMalloc(ctypes.byref(pointer), ctypes.c_size_t(size), 0))
        device.append(pointer)
    check(acl.aclrtMemcpy(device[0], ctypes.c_size_t(sizes[0]),
                          ctypes.c_void_p(x.buffer_info()[0]), ctypes.c_size_t(sizes[0]), H2D))
    quantise(device[0].value, device[1].value, device[2].value, stream)
    check(acl.aclrtSynchronizeStream(stream))
    for target, source, size in ((y, device[1], sizes[1]), (scale, device[2], sizes[2])):
        for i in range(len(target)):
            target[i] = 0
        check(acl.aclrtMemcpy(ctypes.c_void_p(target.buffer_info()[0]), ctypes.c_size_t(size),
                              source, ctypes.c_size_t(size), D2H))
    expect(y, scale, steps)

    # Errors reach Python as codes with a text.
    assert ops.aclnnDynamicQuantV2(None, ctypes.c_uint64(0), deferred[0], stream) != 0
    text = acl.aclGetRecentErrMsg()
    assert b"executor" in text, text

    # Work that is still queued at the exit, and no finalisation.
    quantise(device[0].value, device[1].value, device[2].value, stream)
    print("ok")


main()
