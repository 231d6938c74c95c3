# SPDX-License-Identifier: Apache-2.0
"""acl.rt: devices, contexts, streams, events, memory, callbacks."""

import ctypes
import itertools
import threading

from ._binding import ADDRESS, I32, I64, SIZE, U32, U64, code, function, outputs

# Devices and contexts.
set_device = code("aclrtSetDevice", I32)
reset_device = code("aclrtResetDevice", I32)
reset_device_force = code("aclrtResetDeviceForce", I32)
get_device = outputs("aclrtGetDevice", (), (I32,))
get_device_count = outputs("aclrtGetDeviceCount", (), (U32,))
get_run_mode = outputs("aclrtGetRunMode", (), (I32,))
get_device_info = outputs("aclrtGetDeviceInfo", (U32, I32), (I64,), first=False)
synchronize_device = code("aclrtSynchronizeDevice")
synchronize_device_with_timeout = code("aclrtSynchronizeDeviceWithTimeout", I32)
query_device_status = outputs("aclrtQueryDeviceStatus", (I32,), (I32,), first=False)
set_device_sat_mode = code("aclrtSetDeviceSatMode", I32)
get_device_sat_mode = outputs("aclrtGetDeviceSatMode", (), (I32,))
get_overflow_status = code("aclrtGetOverflowStatus", ADDRESS, SIZE, ADDRESS)
reset_overflow_status = code("aclrtResetOverflowStatus", ADDRESS)
device_can_access_peer = outputs("aclrtDeviceCanAccessPeer", (I32, I32), (I32,))
device_enable_peer_access = code("aclrtDeviceEnablePeerAccess", I32, U32)
device_disable_peer_access = code("aclrtDeviceDisablePeerAccess", I32)
create_context = outputs("aclrtCreateContext", (I32,), (ADDRESS,))
destroy_context = code("aclrtDestroyContext", ADDRESS)
set_context = code("aclrtSetCurrentContext", ADDRESS)
get_context = outputs("aclrtGetCurrentContext", (), (ADDRESS,))
ctx_get_current_default_stream = outputs("aclrtCtxGetCurrentDefaultStream", (), (ADDRESS,))
ctx_set_sys_param_opt = code("aclrtCtxSetSysParamOpt", I32, I64)
ctx_get_sys_param_opt = outputs("aclrtCtxGetSysParamOpt", (I32,), (I64,), first=False)
set_sys_param_opt = code("aclrtSetSysParamOpt", I32, I64)
get_sys_param_opt = outputs("aclrtGetSysParamOpt", (I32,), (I64,), first=False)
peek_at_last_error = code("aclrtPeekAtLastError", I32)
get_last_error = code("aclrtGetLastError", I32)

# Streams. A stream of 0 is the context's default stream.
create_stream = outputs("aclrtCreateStream", (), (ADDRESS,))
create_stream_with_config = outputs("aclrtCreateStreamWithConfig", (U32, U32), (ADDRESS,))
destroy_stream = code("aclrtDestroyStream", ADDRESS)
destroy_stream_force = code("aclrtDestroyStreamForce", ADDRESS)
synchronize_stream = code("aclrtSynchronizeStream", ADDRESS)
synchronize_stream_with_timeout = code("aclrtSynchronizeStreamWithTimeout", ADDRESS, I32)
stream_query = outputs("aclrtStreamQuery", (ADDRESS,), (I32,), first=False)
stream_abort = code("aclrtStreamAbort", ADDRESS)
stream_wait_event = code("aclrtStreamWaitEvent", ADDRESS, ADDRESS)
set_stream_failure_mode = code("aclrtSetStreamFailureMode", ADDRESS, U64)
set_stream_overflow_switch = code("aclrtSetStreamOverflowSwitch", ADDRESS, U32)
get_stream_overflow_switch = outputs(
    "aclrtGetStreamOverflowSwitch", (ADDRESS,), (U32,), first=False)
set_op_wait_timeout = code("aclrtSetOpWaitTimeout", U32)
set_op_execute_time_out = code("aclrtSetOpExecuteTimeOut", U32)

# Events.
create_event = outputs("aclrtCreateEvent", (), (ADDRESS,))
create_event_with_flag = outputs("aclrtCreateEventWithFlag", (U32,), (ADDRESS,), first=True)
create_event_ex_with_flag = outputs("aclrtCreateEventExWithFlag", (U32,), (ADDRESS,))
destroy_event = code("aclrtDestroyEvent", ADDRESS)
record_event = code("aclrtRecordEvent", ADDRESS, ADDRESS)
reset_event = code("aclrtResetEvent", ADDRESS, ADDRESS)
query_event = outputs("aclrtQueryEvent", (ADDRESS,), (I32,), first=False)
query_event_status = outputs("aclrtQueryEventStatus", (ADDRESS,), (I32,), first=False)
query_event_wait_status = outputs("aclrtQueryEventWaitStatus", (ADDRESS,), (I32,), first=False)
synchronize_event = code("aclrtSynchronizeEvent", ADDRESS)
synchronize_event_with_timeout = code("aclrtSynchronizeEventWithTimeout", ADDRESS, I32)
event_elapsed_time = outputs("aclrtEventElapsedTime", (ADDRESS, ADDRESS), (ctypes.c_float,))
event_get_timestamp = outputs("aclrtEventGetTimestamp", (ADDRESS,), (U64,), first=False)

# Memory. Addresses are numbers; acl.util makes them of arrays and bytes.
malloc = outputs("aclrtMalloc", (SIZE, I32), (ADDRESS,))
malloc_align32 = outputs("aclrtMallocAlign32", (SIZE, I32), (ADDRESS,))
malloc_cached = outputs("aclrtMallocCached", (SIZE, I32), (ADDRESS,))
free = code("aclrtFree", ADDRESS)
malloc_host = outputs("aclrtMallocHost", (SIZE,), (ADDRESS,))
free_host = code("aclrtFreeHost", ADDRESS)
mem_flush = code("aclrtMemFlush", ADDRESS, SIZE)
mem_invalidate = code("aclrtMemInvalidate", ADDRESS, SIZE)
memcpy = code("aclrtMemcpy", ADDRESS, SIZE, ADDRESS, SIZE, I32)
memcpy_async = code("aclrtMemcpyAsync", ADDRESS, SIZE, ADDRESS, SIZE, I32, ADDRESS)
memset = code("aclrtMemset", ADDRESS, SIZE, I32, SIZE)
memset_async = code("aclrtMemsetAsync", ADDRESS, SIZE, I32, SIZE, ADDRESS)
memcpy2d = code("aclrtMemcpy2d", ADDRESS, SIZE, ADDRESS, SIZE, SIZE, SIZE, I32)
memcpy2d_async = code(
    "aclrtMemcpy2dAsync", ADDRESS, SIZE, ADDRESS, SIZE, SIZE, SIZE, I32, ADDRESS)
get_mem_info = outputs("aclrtGetMemInfo", (I32,), (SIZE, SIZE), first=False)
reserve_mem_address = outputs(
    "aclrtReserveMemAddress", (SIZE, SIZE, ADDRESS, U64), (ADDRESS,))
release_mem_address = code("aclrtReleaseMemAddress", ADDRESS)
map_mem = code("aclrtMapMem", ADDRESS, SIZE, SIZE, ADDRESS, U64)
unmap_mem = code("aclrtUnmapMem", ADDRESS)
free_physical = code("aclrtFreePhysical", ADDRESS)

# Callbacks: a thread subscribes, then runs those of its streams in process_report.
subscribe_report = code("aclrtSubscribeReport", U64, ADDRESS)
unsubscribe_report = code("aclrtUnSubscribeReport", U64, ADDRESS)
process_report = code("aclrtProcessReport", I32)


def get_soc_name():
    """The name of the emulated chip."""
    target = function("aclrtGetSocName")
    target.restype = ctypes.c_char_p
    name = target()
    return None if name is None else name.decode()


# Callbacks that have not run yet, by the number that stands for them in C.
_pending = {}
_numbers = itertools.count(1)
_lock = threading.Lock()


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _run_callback(number):
    with _lock:
        callback, user_data = _pending.pop(number)
    callback(user_data)


def launch_callback(fn, user_data, block_type, stream):
    """ret = launch_callback(fn, user_data, block_type, stream): fn(user_data) runs in the thread
    that has subscribed to the stream."""
    if not callable(fn):
        raise TypeError(f"fn: expected a function, not {type(fn).__name__}")
    target = function("aclrtLaunchCallback")
    arguments = I32.from_param(block_type), ADDRESS.from_param(stream)
    with _lock:
        number = next(_numbers)
        _pending[number] = fn, user_data
    ret = target(_run_callback, ctypes.c_void_p(number), *arguments)
    if ret != 0:
        with _lock:
            _pending.pop(number, None)
    return ret


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    raise AttributeError(f"acl.rt.{name} is not offered by anyacl")
