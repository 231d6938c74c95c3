# SPDX-License-Identifier: Apache-2.0
"""torch.npu on anyacl: devices, streams, events, memory, random numbers, graphs, other processes.
Values are checked on the way, by means of few operators.

usage: npu_api_test.py [unittest's arguments]
"""

import os
import sys
import unittest

MEMORY = 1 << 30
os.environ["ANYACL_DEVICES"] = "2"
os.environ["ANYACL_DEVICE_MEMORY"] = str(MEMORY)

import torch  # noqa: E402
import torch.multiprocessing  # noqa: E402
import torch_npu  # noqa: E402
from fresh_process import in_fresh_process  # noqa: E402

npu = torch.npu


def add_one(tensor, done):
    """In another process."""
    tensor += 1
    npu.synchronize()
    done.put(tensor.sum().item())
    done.close()
    done.join_thread()
    os._exit(0)


class DeviceTest(unittest.TestCase):
    def test_devices(self):
        self.assertTrue(npu.is_available())
        self.assertEqual(npu.device_count(), 2)
        self.assertEqual(npu.current_device(), 0)
        self.assertEqual(npu.get_device_name(1), os.environ.get("ANYACL_SOC_NAME",
                                                                "Ascend910_9392"))
        properties = npu.get_device_properties(0)
        self.assertEqual(properties.total_memory, MEMORY)
        self.assertEqual(properties.name, npu.get_device_name(0))
        self.assertGreaterEqual(properties.cube_core_num, 1)
        self.assertGreater(properties.L2_cache_size, 0)
        self.assertTrue(npu.is_bf16_supported())
        self.assertTrue(npu.utils.is_support_inf_nan())
        with self.assertRaises(AssertionError):
            npu.get_device_properties(2)

    def test_tensors_live_on_their_device(self):
        with npu.device(1):
            self.assertEqual(npu.current_device(), 1)
            first = torch.arange(6.).npu()
            self.assertEqual(first.device, torch.device("npu", 1))
        self.assertEqual(npu.current_device(), 0)
        second = first.to("npu:0")
        self.assertEqual(second.device.index, 0)
        self.assertEqual((second + second).tolist(), [0, 2, 4, 6, 8, 10])
        self.assertEqual((first + first).cpu().tolist(), [0, 2, 4, 6, 8, 10])
        with self.assertRaises(RuntimeError):
            torch.ones(1).to("npu:2")

    def test_each_device_has_its_memory(self):
        before = npu.memory_allocated(0), npu.memory_allocated(1)
        kept = torch.ones(1 << 20, device="npu:1")
        after = npu.memory_allocated(0), npu.memory_allocated(1)
        self.assertEqual(after[0], before[0])
        self.assertGreaterEqual(after[1] - before[1], 4 << 20)
        del kept

    def test_limits_of_cores(self):
        npu.set_device(0)
        npu.synchronize()
        limit = npu.get_device_limit(0)
        self.assertGreaterEqual(limit["cube_core_num"], 1)
        self.assertGreaterEqual(limit["vector_core_num"], 1)
        # Of an NPU, on however few CPUs.
        stream = npu.current_stream()
        npu.set_stream_limit(stream, 12, 24)
        self.assertEqual(npu.get_stream_limit(stream), {"cube_core_num": 12, "vector_core_num": 24})
        npu.reset_stream_limit(stream)


class StreamTest(unittest.TestCase):
    def test_streams_run_in_the_order_of_their_events(self):
        source = torch.zeros(1 << 16, device="npu")
        first, second = npu.Stream(), npu.Stream()
        self.assertNotEqual(first, second)
        first.wait_stream(npu.current_stream())
        for step in range(20):
            with npu.stream(first):
                source.add_(1)
                ready = first.record_event()
            with npu.stream(second):
                second.wait_event(ready)
                copy = source * 2
                done = second.record_event()
            first.wait_event(done)
        npu.synchronize()
        self.assertEqual(copy.cpu().unique().tolist(), [40])
        self.assertTrue(first.query())
        self.assertTrue(second.query())

    def test_the_current_stream_is_that_of_the_context(self):
        stream = npu.Stream()
        outside = npu.current_stream()
        with npu.stream(stream):
            self.assertEqual(npu.current_stream(), stream)
        self.assertEqual(npu.current_stream(), outside)
        self.assertEqual(npu.default_stream(), outside)

    def test_memory_in_use_on_another_stream_is_not_given_out(self):
        stream = npu.Stream()
        for step in range(50):
            tensor = torch.full((1 << 16,), float(step), device="npu")
            stream.wait_stream(npu.current_stream())
            with npu.stream(stream):
                result = tensor + 1
            tensor.record_stream(stream)
            del tensor
            torch.full((1 << 16,), -1., device="npu")
            stream.synchronize()
            self.assertEqual(result[7].item(), step + 1)

    def test_events_measure_time(self):
        begin, end = npu.Event(enable_timing=True), npu.Event(enable_timing=True)
        tensor = torch.ones(1 << 20, device="npu")
        begin.record()
        for _ in range(20):
            tensor.add_(1)
        end.record()
        end.synchronize()
        self.assertTrue(end.query())
        self.assertGreater(begin.elapsed_time(end), 0)
        self.assertLess(begin.recorded_time(), end.recorded_time())
        self.assertEqual(tensor[5].item(), 21)


class MemoryTest(unittest.TestCase):
    def setUp(self):
        npu.synchronize()
        npu.empty_cache()

    def test_statistics(self):
        before = npu.memory_allocated()
        npu.reset_peak_memory_stats()
        tensor = torch.empty(3 << 20, dtype=torch.uint8, device="npu")
        held = npu.memory_allocated() - before
        self.assertGreaterEqual(held, 3 << 20)
        self.assertLess(held, (3 << 20) + 4096)
        self.assertGreaterEqual(npu.memory_reserved(), npu.memory_allocated())
        del tensor
        self.assertEqual(npu.memory_allocated(), before)
        self.assertEqual(npu.max_memory_allocated(), before + held)
        npu.reset_peak_memory_stats()
        self.assertEqual(npu.max_memory_allocated(), before)
        self.assertEqual(npu.memory_stats()["allocated_bytes.all.current"], before)
        self.assertIn("Allocated memory", npu.memory_summary())

    def test_empty_cache_gives_memory_back(self):
        free, total = npu.mem_get_info()
        self.assertEqual(total, MEMORY)
        tensor = torch.empty(256 << 20, dtype=torch.uint8, device="npu")
        self.assertLessEqual(npu.mem_get_info()[0], free - (256 << 20))
        del tensor
        self.assertLess(npu.mem_get_info()[0], free)
        npu.empty_cache()
        self.assertEqual(npu.mem_get_info()[0], free)

    def test_more_than_there_is(self):
        with self.assertRaisesRegex(RuntimeError, "out of memory"):
            torch.empty(MEMORY + 1, dtype=torch.uint8, device="npu")
        npu.set_per_process_memory_fraction(0.25)
        try:
            with self.assertRaisesRegex(RuntimeError, "out of memory"):
                torch.empty(MEMORY // 2, dtype=torch.uint8, device="npu")
        finally:
            npu.set_per_process_memory_fraction(1.0)
        self.assertEqual(torch.empty(MEMORY // 2, dtype=torch.uint8, device="npu").numel(),
                         MEMORY // 2)

    def test_pinned_memory(self):
        pinned = torch.arange(1000.).pin_memory()
        self.assertTrue(pinned.is_pinned())
        self.assertFalse(torch.arange(1000.).is_pinned())
        device = pinned.to("npu", non_blocking=True)
        back = torch.empty(1000).pin_memory()
        back.copy_(device + 1, non_blocking=True)
        npu.synchronize()
        self.assertEqual(back.tolist(), [i + 1. for i in range(1000)])

    def test_memory_of_the_host_as_a_tensor_of_the_device(self):
        tensor = torch_npu.empty_with_swapped_memory([100], dtype=torch.float32,
                                                     device=torch.device("npu:0"))
        tensor.fill_(3)
        self.assertEqual((tensor + 1).cpu().sum().item(), 400)

    def test_another_process_shares_a_tensor(self):
        tensor = torch.arange(4., device="npu")
        context = torch.multiprocessing.get_context("spawn")
        done = context.Queue()
        child = context.Process(target=add_one, args=(tensor, done))
        child.start()
        self.assertEqual(done.get(timeout=600), 10)
        child.join(600)
        self.assertEqual(child.exitcode, 0)
        self.assertEqual(tensor.tolist(), [1, 2, 3, 4])


class RandomTest(unittest.TestCase):
    def draw(self, device="npu"):
        return torch.rand(1000, device=device).cpu()

    def test_seeds_repeat(self):
        npu.manual_seed(7)
        self.assertEqual(npu.initial_seed(), 7)
        first, second = self.draw(), self.draw()
        self.assertFalse(torch.equal(first, second))
        self.assertLess(abs(first.mean().item() - 0.5), 0.05)
        torch.manual_seed(7)
        self.assertTrue(torch.equal(self.draw(), first))
        npu.manual_seed(8)
        self.assertFalse(torch.equal(self.draw(), first))

    def test_states_repeat(self):
        npu.manual_seed(7)
        self.draw()
        state = npu.get_rng_state()
        first = self.draw()
        npu.set_rng_state(state)
        self.assertTrue(torch.equal(self.draw(), first))
        with torch.random.fork_rng(devices=[0], device_type="npu"):
            npu.set_rng_state(state)
            self.draw()
            self.draw()
        second = self.draw()
        npu.set_rng_state(state)
        self.draw()
        self.assertTrue(torch.equal(self.draw(), second))

    def test_generators_and_devices_are_independent(self):
        npu.manual_seed_all(3)
        first = self.draw("npu:0")
        self.assertTrue(torch.equal(self.draw("npu:1"), first))
        generator = torch.Generator("npu").manual_seed(11)
        one = torch.rand(100, device="npu", generator=generator).cpu()
        generator.manual_seed(11)
        self.assertTrue(torch.equal(torch.rand(100, device="npu", generator=generator).cpu(), one))


class GraphTest(unittest.TestCase):
    def test_replay_reads_what_is_there_now(self):
        given = torch.zeros(64, device="npu")
        graph = npu.NPUGraph()
        with npu.graph(graph):
            doubled = given * 2
            result = doubled + 1
        for value in (3., -4., 0.5):
            given.fill_(value)
            graph.replay()
            npu.synchronize()
            self.assertEqual(result.cpu().unique().tolist(), [2 * value + 1])

    def test_streams_join_inside(self):
        given = torch.zeros(64, device="npu")
        graph, side = npu.NPUGraph(), npu.Stream()
        with npu.graph(graph):
            side.wait_stream(npu.current_stream())
            with npu.stream(side):
                left = given + 1
            right = given * 3
            npu.current_stream().wait_stream(side)
            result = left + right
        given.fill_(2)
        graph.replay()
        npu.synchronize()
        self.assertEqual(result.cpu().unique().tolist(), [9])

    def test_graphs_share_a_pool(self):
        given = torch.ones(64, device="npu")
        first, second = npu.NPUGraph(), npu.NPUGraph()
        with npu.graph(first):
            middle = given * 5
        with npu.graph(second, pool=first.pool()):
            result = middle - 1
        given.fill_(2)
        first.replay()
        second.replay()
        npu.synchronize()
        self.assertEqual(result.cpu().unique().tolist(), [9])
        first.reset()
        second.reset()


class FormatTest(unittest.TestCase):
    def setUp(self):
        npu.config.allow_internal_format = True

    def tearDown(self):
        npu.config.allow_internal_format = False

    def test_into_fractal_nz_and_back(self):
        for dtype in (torch.float16, torch.bfloat16, torch.int8, torch.float32):
            plain = torch.arange(2 * 20 * 40).reshape(2, 20, 40).remainder(100).to(dtype)
            cast = torch_npu.npu_format_cast(plain.npu(), 29)
            self.assertEqual(torch_npu.get_npu_format(cast), 29)
            self.assertEqual(cast.shape, plain.shape)
            back = torch_npu.npu_format_cast(cast, 2)
            self.assertEqual(torch_npu.get_npu_format(back), 2)
            self.assertTrue(torch.equal(back.cpu(), plain))
            self.assertTrue(torch.equal(cast.cpu(), plain))


class MessageTest(unittest.TestCase):
    def test_a_first_program_is_silent(self):
        done = in_fresh_process("import torch\nimport torch_npu\n"
                                "x = torch.ones(3).npu()\nprint((x + x).cpu().tolist())")
        self.assertEqual(done.stdout, "[2.0, 2.0, 2.0]\n")
        # torch_npu after 2.8 says the first on every chip but the newest, torch the others: 2.10 to
        # 2.12 that of its own modules, from 2.11 on that of Triton.
        theirs = ("32 padding size", "`torch.jit.script_method` is deprecated", "  warnings.warn(",
                  "triton not found")
        lines = [line for line in done.stderr.splitlines()
                 if not any(words in line for words in theirs)]
        self.assertEqual(lines, [])
        self.assertEqual(done.returncode, 0)

    def test_what_is_not_offered_says_so(self):
        done = in_fresh_process("""
import torch, torch_npu
x = torch.ones(4, 4).npu()
try:
    regions = torch.tensor([[[0.0], [0.0], [0.0], [4.0], [4.0]]]).npu()
    torch_npu.npu_ps_roi_pooling(x.reshape(1, 4, 2, 2), regions, 0.5, 2, 1)
except RuntimeError as error:
    print(error)
print((x + x).cpu().sum().item())
""", TASK_QUEUE_ENABLE="0")
        self.assertIn("not offered by anyacl", done.stdout)
        self.assertIn("PSROIPoolingV2", done.stdout)
        self.assertTrue(done.stdout.endswith("32.0\n"), done.stdout)

    def test_segments_that_grow(self):
        done = in_fresh_process("""
import torch, torch_npu
kept = []
for step in range(1, 20):
    kept.append(torch.full((step << 18,), float(step), device="npu"))
    if step % 3 == 0:
        del kept[0]
torch.npu.synchronize()
print([tensor[-1].item() for tensor in kept])
kept.clear()
torch.npu.empty_cache()
print(torch.npu.memory_reserved())
""", PYTORCH_NPU_ALLOC_CONF="expandable_segments:True")
        self.assertEqual(done.stdout,
                         f"{[float(step) for step in range(7, 20)]}\n0\n", done.stderr)
        self.assertNotIn("expandable", done.stderr)


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    sys.stdout.flush()
    sys.stderr.flush()
    # torch_npu sleeps for seconds when a process ends in the usual way.
    os._exit(0 if result.wasSuccessful() else 1)
