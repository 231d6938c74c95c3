#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pyACL: the module acl of an installed prefix, found by PYTHONPATH."""

import importlib.util
import threading
import unittest

import acl

HAVE_NUMPY = importlib.util.find_spec("numpy") is not None
HUGE_FIRST = 0
HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2
FLOAT, FLOAT16, INT64, FORMAT_ND = 0, 1, 9, 2


class Device(unittest.TestCase):
    def setUp(self):
        self.assertEqual(acl.rt.set_device(0), 0)
        acl.get_recent_err_msg()

    def tearDown(self):
        self.assertEqual(acl.rt.reset_device(0), 0)

    def stream(self):
        stream, ret = acl.rt.create_stream()
        self.assertEqual(ret, 0)
        self.addCleanup(acl.rt.destroy_stream, stream)
        return stream


class Results(Device):
    def test_values_come_before_the_code(self):
        self.assertEqual(acl.rt.get_device(), (0, 0))
        count, ret = acl.rt.get_device_count()
        self.assertEqual((count >= 1, ret), (True, 0))
        self.assertEqual(acl.rt.get_run_mode(), (1, 0))
        free, total, ret = acl.rt.get_mem_info(1)
        self.assertEqual(ret, 0)
        self.assertLessEqual(free, total)
        self.assertTrue(acl.rt.get_soc_name().startswith("Ascend"))

    def test_values_are_zero_after_a_failure(self):
        self.assertEqual(acl.rt.create_context(99), (0, 107001))
        self.assertEqual(acl.rt.malloc(0, HUGE_FIRST), (0, 100000))
        self.assertEqual(acl.create_tensor_desc(FLOAT, [-3], FORMAT_ND), 0)

    def test_messages_are_read_once(self):
        self.assertEqual(acl.rt.free(16), 107000)
        self.assertIn("aclrtFree", acl.get_recent_err_msg())
        self.assertIsNone(acl.get_recent_err_msg())

    def test_wrong_arguments_raise(self):
        for call, error in (
            (lambda: acl.rt.set_device("0"), TypeError),
            (lambda: acl.rt.set_device(), TypeError),
            (lambda: acl.rt.set_device(0, 1), TypeError),
            (lambda: acl.rt.set_device(1 << 31), OverflowError),
            (lambda: acl.rt.malloc(-1, 0), OverflowError),
            (lambda: acl.init(3), TypeError),
            (lambda: acl.rt.launch_callback(None, [], 0, 0), TypeError),
        ):
            self.assertRaises(error, call)

    def test_what_is_missing_says_so(self):
        for module in (acl, acl.rt, acl.op):
            with self.assertRaisesRegex(AttributeError, "is not offered by anyacl"):
                module.load_from_file
            self.assertFalse(hasattr(module, "load_from_file"))

    def test_init_counts(self):
        self.assertEqual(acl.init(), 0)
        self.assertEqual(acl.init(""), 100002)
        self.assertEqual(acl.finalize(), 0)
        self.assertEqual(acl.finalize(), 100037)
        self.assertEqual(acl.init("/nowhere.json"), 100003)

    def test_contexts(self):
        default, ret = acl.rt.get_context()
        self.assertEqual(ret, 0)
        context, ret = acl.rt.create_context(0)
        self.assertEqual(ret, 0)
        self.assertEqual(acl.rt.get_context(), (context, 0))
        self.assertEqual(acl.rt.destroy_context(context), 0)
        self.assertEqual(acl.rt.set_context(default), 0)


class Memory(Device):
    def test_bytes_there_and_back(self):
        device, ret = acl.rt.malloc(64, HUGE_FIRST)
        self.assertEqual(ret, 0)
        data = bytes(range(64))
        pointer = acl.util.bytes_to_ptr(data)
        self.assertEqual(acl.rt.memcpy(device, 64, pointer, 64, HOST_TO_DEVICE), 0)
        host, ret = acl.rt.malloc_host(64)
        self.assertEqual(ret, 0)
        stream = self.stream()
        self.assertEqual(acl.rt.memcpy_async(host, 64, device, 64, DEVICE_TO_HOST, stream), 0)
        self.assertEqual(acl.rt.synchronize_stream(stream), 0)
        self.assertEqual(acl.util.ptr_to_bytes(host, 64), data)
        self.assertEqual(acl.rt.memset(device, 64, 7, 32), 0)
        self.assertEqual(acl.util.ptr_to_bytes(device, 33), b"\7" * 32 + data[32:33])
        self.assertEqual(acl.rt.memcpy2d(host, 8, device, 16, 8, 2, DEVICE_TO_HOST), 0)
        self.assertEqual(acl.rt.memcpy(device, 64, pointer, 65, HOST_TO_DEVICE), 107000)
        self.assertEqual(acl.rt.free_host(host), 0)
        self.assertEqual(acl.rt.free(device), 0)
        self.assertEqual(acl.rt.free(device), 107000)

    @unittest.skipUnless(HAVE_NUMPY, "numpy is not installed")
    def test_arrays(self):
        import numpy

        data = numpy.arange(6, dtype=numpy.float32).reshape(2, 3)
        size = numpy.int64(data.nbytes)  # numpy's numbers are numbers
        device, ret = acl.rt.malloc(size, HUGE_FIRST)
        self.assertEqual(ret, 0)
        pointer = acl.util.numpy_to_ptr(data)
        self.assertEqual(acl.rt.memcpy(device, size, pointer, size, HOST_TO_DEVICE), 0)
        float32 = 11
        view = acl.util.ptr_to_numpy(device, (2, 3), float32)
        self.assertTrue((view == data).all())
        view[1, 2] = -1  # a view, not a copy
        self.assertEqual(acl.util.ptr_to_numpy(device, (6,), numpy.float32)[5], -1)
        self.assertEqual(acl.util.ptr_to_numpy(device, (0,), float32).size, 0)
        self.assertRaises(ValueError, acl.util.numpy_to_ptr, data.T)
        self.assertRaises(ValueError, acl.util.ptr_to_numpy, 0, (1,), float32)
        self.assertRaises(ValueError, acl.util.ptr_to_numpy, device, (1,), 999)
        self.assertEqual(acl.rt.free(device), 0)


class StreamsAndEvents(Device):
    def test_events(self):
        stream, other = self.stream(), self.stream()
        time_line = 8
        timed, ret = acl.rt.create_event_ex_with_flag(time_line)
        self.assertEqual(ret, 0)
        self.assertEqual(acl.rt.destroy_event(timed), 0)
        first, ret = acl.rt.create_event()
        self.assertEqual(ret, 0)
        second, ret = acl.rt.create_event()
        self.assertEqual(ret, 0)
        self.assertEqual(acl.rt.record_event(first, stream), 0)
        self.assertEqual(acl.rt.record_event(second, stream), 0)
        self.assertEqual(acl.rt.stream_wait_event(other, second), 0)
        self.assertEqual(acl.rt.synchronize_event(second), 0)
        self.assertEqual(acl.rt.query_event_status(second), (1, 0))
        milliseconds, ret = acl.rt.event_elapsed_time(first, second)
        self.assertEqual(ret, 0)
        self.assertGreaterEqual(milliseconds, 0)
        self.assertEqual(acl.rt.synchronize_stream_with_timeout(other, -1), 0)
        self.assertEqual(acl.rt.stream_query(other), (0, 0))
        for event in first, second:
            self.assertEqual(acl.rt.destroy_event(event), 0)
        self.assertEqual(acl.rt.destroy_event(first), 107017)

    def test_callbacks_run_in_the_thread_that_subscribed(self):
        stream = self.stream()
        seen, done = [], threading.Event()

        def process(arguments):
            while not done.is_set():
                acl.rt.process_report(arguments[0])

        def callback(user_data):
            seen.append((threading.get_ident(), user_data))

        thread, ret = acl.util.start_thread(process, [20])
        self.assertEqual(ret, 0)
        self.assertNotEqual(acl.rt.launch_callback(callback, [], 1, stream), 0)  # nobody listens
        self.assertEqual(acl.rt.subscribe_report(thread, stream), 0)
        for number in range(3):
            self.assertEqual(acl.rt.launch_callback(callback, [number], 1, stream), 0)
        self.assertEqual(acl.rt.synchronize_stream(stream), 0)
        self.assertEqual(seen, [(thread, [number]) for number in range(3)])
        self.assertEqual(acl.rt.unsubscribe_report(thread, stream), 0)
        done.set()
        self.assertEqual(acl.util.stop_thread(thread), 0)
        self.assertEqual(acl.util.stop_thread(thread), 100000)
        self.assertEqual(acl.rt._pending, {})


class SingleOperators(Device):
    def test_descriptions(self):
        desc = acl.create_tensor_desc(FLOAT16, [2, -1], FORMAT_ND)
        self.assertNotEqual(desc, 0)
        self.assertEqual(acl.get_tensor_desc_type(desc), FLOAT16)
        self.assertEqual(acl.get_tensor_desc_num_dims(desc), 2)
        self.assertEqual(acl.get_tensor_desc_dim_v2(desc, 1), (-1, 0))
        self.assertEqual(acl.get_tensor_desc_dim_v2(desc, 2), (0, 100000))
        acl.set_tensor_desc_name(desc, "x")
        self.assertEqual(acl.get_tensor_desc_name(desc), "x")
        self.assertEqual(acl.set_tensor_shape(desc, [2, 16]), 0)
        self.assertEqual(acl.set_tensor_shape_range(desc, [[2, 2], [1, 64]]), 0)
        self.assertEqual(acl.get_tensor_desc_dim_range(desc, 1), ([1, 64], 0))
        self.assertIsNone(acl.destroy_tensor_desc(desc))
        scalar = acl.create_tensor_desc(INT64, [], FORMAT_ND)
        self.assertEqual(acl.get_tensor_desc_size(scalar), 8)
        acl.destroy_tensor_desc(scalar)

    def test_buffers(self):
        buffer = acl.create_data_buffer(4096, 12)
        self.assertEqual(acl.get_data_buffer_addr(buffer), 4096)
        self.assertEqual(acl.get_data_buffer_size(buffer), 12)
        self.assertEqual(acl.destroy_data_buffer(buffer), 0)
        self.assertEqual(acl.destroy_data_buffer(buffer), 100000)
        self.assertEqual(acl.get_data_buffer_addr(buffer), 0)

    def test_attributes(self):
        attr = acl.op.create_attr()
        self.assertEqual(acl.op.set_attr_bool(attr, "a", True), 0)
        self.assertEqual(acl.op.set_attr_int(attr, "b", -5), 0)
        self.assertEqual(acl.op.set_attr_float(attr, "c", 0.5), 0)
        self.assertEqual(acl.op.set_attr_string(attr, "d", "text"), 0)
        self.assertEqual(acl.op.set_attr_list_int(attr, "e", [1, 2]), 0)
        self.assertEqual(acl.op.set_attr_list_float(attr, "f", 2, [1.0, 2.0]), 0)
        self.assertEqual(acl.op.set_attr_list_string(attr, "g", ["x", "y"]), 0)
        self.assertEqual(acl.op.set_attr_list_list_int(attr, "h", [[1], [], [2, 3]]), 0)
        self.assertIsNone(acl.op.destroy_attr(attr))
        self.assertEqual(acl.op.set_attr_int(attr, "b", 1), 100000)

    def test_no_operator_is_found_by_its_graph_name(self):
        desc = acl.create_tensor_desc(FLOAT, [4], FORMAT_ND)
        ret = acl.op.execute_v2("Add", [desc, desc], [0, 0], [desc], [0], None, 0)
        self.assertEqual(ret, 100024)
        self.assertRegex(acl.get_recent_err_msg(), '"Add" is not offered')
        self.assertEqual(acl.op.create_handle("Add", [desc], [desc], None), (0, 100024))
        self.assertEqual(acl.op.compile("Add", [desc], [desc], None), 100024)
        self.assertRaises(TypeError, acl.op.execute_v2, "Add", [desc], [], [desc], [0], None, 0)
        acl.destroy_tensor_desc(desc)

    def test_types(self):
        self.assertEqual(acl.data_type_size(FLOAT16), 2)
        self.assertEqual(acl.float_to_float16(1.0), 0x3C00)
        self.assertEqual(acl.float16_to_float(0xC000), -2.0)


if __name__ == "__main__":
    unittest.main()
