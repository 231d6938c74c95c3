# SPDX-License-Identifier: Apache-2.0
"""What scripts that compare operators with other libraries share: the two phases by ctypes, and the
medians of alternating rounds."""

import ctypes
import os
import statistics
import sys
import time

ROUNDS = 7
CPUS = sorted(os.sched_getaffinity(0))
ACL_TYPES = {"float32": 0, "float16": 1, "bool": 12, "bfloat16": 27}


def prepare_process():
    """Two threads, memory in huge pages as device memory is, and memory that the C library keeps:
    libraries make new outputs with each call, and neither side is to wait for new pages. Others
    compute in the calling thread, so anyacl does, too: a third thread would take turns with them."""
    settings = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1", "ANYACL_THREADS": "2",
                "OMP_NUM_THREADS": "2", "ACL_LAUNCH_BLOCKING": "1"}
    if any(name not in os.environ for name in settings):  # These are read when a process starts.
        os.execve(sys.executable, [sys.executable, *sys.argv], {**settings, **os.environ})
    libc = ctypes.CDLL("libc.so.6")
    trim_threshold, mmap_threshold = -1, -3
    libc.mallopt(mmap_threshold, 1 << 30)
    libc.mallopt(trim_threshold, 2**31 - 1)


class Anyacl:
    """An initialised library with a stream."""

    def __init__(self, folder):
        self.lib = ctypes.CDLL(os.path.join(folder, "libopapi.so"), mode=ctypes.RTLD_GLOBAL)
        for name in ("aclCreateTensor", "aclCreateTensorList", "aclCreateBoolArray",
                     "aclGetRecentErrMsg"):
            getattr(self.lib, name).restype = ctypes.c_void_p
        self.check(self.lib.aclInit(None))
        self.check(self.lib.aclrtSetDevice(0))
        self.stream = ctypes.c_void_p()
        self.check(self.lib.aclrtCreateStream(ctypes.byref(self.stream)))
        self.workspace = None
        self.workspace_bytes = 0

    def check(self, code):
        if code != 0:
            message = self.lib.aclGetRecentErrMsg()
            sys.exit(f"anyacl: {code} {ctypes.string_at(message).decode() if message else ''}")

    def tensor(self, address, shape, kind):
        """Of contiguous memory, which has to live as long as it."""
        dims = (ctypes.c_int64 * len(shape))(*shape)
        rank = ctypes.c_uint64(len(shape))
        return ctypes.c_void_p(
            self.lib.aclCreateTensor(dims, rank, ACL_TYPES[kind], None, ctypes.c_int64(0), 2, dims,
                                     rank, ctypes.c_void_p(address)))

    def tensor_list(self, tensor):
        return ctypes.c_void_p(
            self.lib.aclCreateTensorList((ctypes.c_void_p * 1)(tensor), ctypes.c_uint64(1)))

    def bind(self, operator, *arguments):
        """Both phases as a function of no arguments, of which as little as can be is Python."""
        size, executor = ctypes.c_uint64(), ctypes.c_void_p()
        phase_one = getattr(self.lib, operator + "GetWorkspaceSize")
        phase_two = getattr(self.lib, operator)
        arguments = (*arguments, ctypes.byref(size), ctypes.byref(executor))
        check, stream = self.check, self.stream

        def call():
            code = phase_one(*arguments)
            if code:
                check(code)
            if self.workspace_bytes < size.value:
                self.synchronize()
                self.workspace_bytes = size.value
                self.workspace = ctypes.create_string_buffer(size.value)
            code = phase_two(self.workspace, size, executor, stream)
            if code:
                check(code)

        return call

    def run(self, operator, *arguments):
        self.bind(operator, *arguments)()

    def synchronize(self):
        self.check(self.lib.aclrtSynchronizeStream(self.stream))


def pin_threads():
    """This thread to the first CPU, all others to the second. Beside other programs the system
    wakes a library's worker on the CPU of the thread that waits for it as often as on the other
    one, and keeps it there: calls take twice as long, or do not, for seconds on end."""
    main = os.getpid()
    for task in map(int, os.listdir("/proc/self/task")) if len(CPUS) > 1 else ():
        os.sched_setaffinity(task, {CPUS[0 if task == main else 1]})


def seconds_per_call(calls, call, finish):
    start = time.perf_counter()
    for _ in range(calls):
        call()
    finish()
    return (time.perf_counter() - start) / calls


SLOW = 0.5  # seconds; PyTorch multiplies bf16 without its instructions, 2048 cubed in 20 s


def medians(sides, least_calls=3):
    """Seconds per call of each (call, finish), measured in turns; of a slow one in one round."""
    calls = []
    for call, finish in sides:
        once = seconds_per_call(1, call, finish)
        if once < SLOW:
            once = min(once, *(seconds_per_call(1, call, finish) for _ in range(2)))
        calls.append(max(least_calls, int(0.02 / once)) if once < SLOW else 0)
    times = [[] for _ in sides]
    for turn in range(ROUNDS):
        for side, (call, finish) in enumerate(sides):
            if calls[side] == 0 and turn > 0:
                continue
            pin_threads()  # those, too, that a library has started since
            time.sleep(0.02)  # the other side's threads go to sleep
            if calls[side] > 0:
                seconds_per_call(min(2, least_calls), call, finish)
            times[side].append(seconds_per_call(max(calls[side], 1), call, finish))
    return [statistics.median(t) for t in times]
