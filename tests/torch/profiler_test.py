# SPDX-License-Identifier: Apache-2.0
"""torch_npu.profiler on anyacl: what torch_npu's own analysis makes of profiles.

usage: profiler_test.py [unittest's arguments]
"""

import collections
import contextlib
import csv
import json
import os
import pathlib
import pickle
import sys
import tempfile
import unittest

os.environ["ANYACL_DEVICES"] = "2"

import torch  # noqa: E402
import torch.distributed as dist  # noqa: E402
import torch.multiprocessing  # noqa: E402
import torch_npu  # noqa: E402
from torch import nn  # noqa: E402
from fresh_process import in_fresh_process  # noqa: E402

profiler = torch_npu.profiler
Activity, Level = profiler.ProfilerActivity, profiler.ProfilerLevel
BOTH = [Activity.CPU, Activity.NPU]


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return [{key: value.strip() for key, value in row.items()} for row in csv.DictReader(file)]


def table(folder, name):
    path, = folder.glob(f"*/ASCEND_PROFILER_OUTPUT/{name}")
    return rows_of(path)


def timeline(folder):
    path, = folder.glob("*/ASCEND_PROFILER_OUTPUT/trace_view.json")
    return json.loads(path.read_text("utf-8"))


def outputs(folder):
    return {path.name for path in folder.glob("*/ASCEND_PROFILER_OUTPUT/*")}


def durations(rows):
    return [float(row["Duration(us)"]) for row in rows]


def settings(level=Level.Level1, **others):
    return profiler._ExperimentalConfig(profiler_level=level,
                                        export_type=[profiler.ExportType.Text], **others)


def rank(number, folder):
    """One of two, in a process of its own."""
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29617")
    torch.npu.set_device(number)
    dist.init_process_group("hccl", rank=number, world_size=2)
    x = torch.ones(1 << 16).npu()
    dist.all_reduce(x)
    torch.npu.synchronize()  # a task that ends within the profile is one of it
    with profiler.profile(on_trace_ready=profiler.tensorboard_trace_handler(folder),
                          experimental_config=settings()):
        x.exp()
        dist.all_reduce(x)
        if number == 0:
            dist.send(x, 1)
        else:
            dist.recv(x, 0)
        torch.npu.synchronize()
    dist.destroy_process_group()
    os._exit(0)  # torch_npu sleeps for seconds when a process ends in the usual way


class FolderTest(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name, "result")
        self.x = torch.randn(64, 64, device="npu")

    def tearDown(self):
        self.temporary.cleanup()

    def profile(self, config=None, **options):
        """Of three products."""
        options.setdefault("activities", BOTH)
        with profiler.profile(on_trace_ready=profiler.tensorboard_trace_handler(str(self.folder)),
                              experimental_config=config or settings(), **options):
            for _ in range(3):
                torch.mm(self.x, self.x)
            torch.npu.synchronize()


class TrainingTest(unittest.TestCase):
    """A training loop, of which two steps are recorded."""

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        torch.manual_seed(1)
        model = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 10)).npu()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        x, y = torch.randn(32, 64).npu(), torch.randint(10, (32,)).npu()
        with profiler.profile(
                activities=BOTH, record_shapes=True, profile_memory=True, with_stack=True,
                schedule=profiler.schedule(wait=1, warmup=1, active=2, repeat=1),
                on_trace_ready=profiler.tensorboard_trace_handler(str(cls.folder)),
                experimental_config=settings()) as profile:
            for _ in range(4):
                optimizer.zero_grad()
                nn.functional.cross_entropy(model(x), y).backward()
                optimizer.step()
                torch.npu.synchronize()
                profile.step()
        cls.kernels = table(cls.folder, "kernel_details.csv")
        cls.events = timeline(cls.folder)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_there_are_all_files(self):
        self.assertLessEqual({"trace_view.json", "kernel_details.csv", "operator_details.csv",
                              "step_trace_time.csv", "op_statistic.csv", "api_statistic.csv",
                              "memory_record.csv", "operator_memory.csv"}, outputs(self.folder))

    def test_kernels_are_the_operators_of_the_recorded_steps(self):
        by_step = collections.defaultdict(list)
        for row in self.kernels:
            by_step[row["Step Id"]].append(row["Name"])
            self.assertEqual(row["Accelerator Core"], "AI_CORE")
            self.assertEqual(row["Device_id"], "0")
            self.assertEqual(row["Name"], "aclnn" + row["Type"])
        self.assertEqual(sorted(by_step), ["2", "3"])
        self.assertEqual(by_step["2"], by_step["3"])
        self.assertEqual(by_step["2"].count("aclnnAddmm"), 2)
        self.assertEqual(by_step["2"].count("aclnnMm"), 3)
        for name in ("aclnnRelu", "aclnnLogSoftmax", "aclnnNLLLoss", "aclnnThresholdBackward"):
            self.assertIn(name, by_step["2"])

    def test_times_of_kernels_lie_within_the_steps(self):
        steps = [event for event in self.events if event["name"].startswith("ProfilerStep#")
                 and event.get("ph") == "X"]
        self.assertEqual(len(steps), 2)
        begin = min(float(step["ts"]) for step in steps)
        end = max(float(step["ts"]) + float(step["dur"]) for step in steps)
        last = begin
        for row in self.kernels:  # of one stream
            start, duration = float(row["Start Time(us)"]), float(row["Duration(us)"])
            self.assertGreaterEqual(duration, 0)
            self.assertGreaterEqual(start, last - 1)  # a float of so many digits
            last = start + duration
        self.assertLessEqual(last, end + 1)
        total = sum(durations(self.kernels))
        self.assertGreater(total, 0)
        self.assertLess(total, end - begin)

    def test_steps_are_what_their_kernels_take(self):
        steps = table(self.folder, "step_trace_time.csv")
        self.assertEqual([step["Step"] for step in steps], ["2", "3"])
        for step in steps:
            rows = [row for row in self.kernels if row["Step Id"] == step["Step"]]
            self.assertAlmostEqual(float(step["Computing"]), sum(durations(rows)), delta=0.1)
            self.assertEqual(float(step["Communication"]), 0)
            self.assertLessEqual(float(step["Computing"]), float(step["Stage"]) + 1)

    def test_operators_have_their_kernels(self):
        operators = table(self.folder, "operator_details.csv")
        own = sum(float(row["Device Self Duration(us)"]) for row in operators)
        self.assertAlmostEqual(own, sum(durations(self.kernels)), delta=0.1)
        products = [row for row in operators if row["Name"] == "aten::addmm"]
        self.assertEqual(len(products), 4)
        times = sorted(durations(row for row in self.kernels if row["Name"] == "aclnnAddmm"))
        self.assertEqual(sorted(float(row["Device Total Duration(us)"]) for row in products), times)
        self.assertEqual(products[0]["Input Shapes"].replace("\r", "").replace("\n", "").split(";")[:3],
                         ["128", "32,64", "64,128"])
        self.assertIn("profiler_test.py", products[0]["Call Stack"])

    def test_statistics_count_kernels_and_calls(self):
        counts = collections.Counter(row["Type"] for row in self.kernels)
        statistic = table(self.folder, "op_statistic.csv")
        self.assertEqual({row["OP Type"]: int(row["Count"]) for row in statistic}, counts)
        self.assertAlmostEqual(sum(float(row["Ratio(%)"]) for row in statistic), 100, delta=0.1)
        self.assertAlmostEqual(sum(float(row["Total Time(us)"]) for row in statistic),
                               sum(durations(self.kernels)), delta=0.1)
        calls = {row["API Name"]: row for row in table(self.folder, "api_statistic.csv")}
        for name in ("aclnnAddmm", "aclnnMm", "aclnnRelu"):
            self.assertEqual(int(calls[name]["Count"]), counts[name[5:]])
            self.assertLessEqual(float(calls[name]["Min(us)"]), float(calls[name]["Avg(us)"]))

    def test_events_of_host_and_device_are_connected(self):
        def flows(category, phase):
            return {event["id"]: event for event in self.events
                    if event.get("cat") == category and event["ph"] == phase}
        spans = collections.defaultdict(list)
        for event in self.events:
            if event["ph"] == "X":
                spans[event["pid"], event["tid"], str(event["ts"])].append(event)
        for category, origin in (("HostToDevice", "AscendCL@"), ("async_npu", "aclnn")):
            starts, ends = flows(category, "s"), flows(category, "f")
            self.assertEqual(len(starts), len(self.kernels), category)
            self.assertEqual(starts.keys(), ends.keys())
            for number, start in starts.items():
                end = ends[number]
                kernel, = spans[end["pid"], end["tid"], str(end["ts"])]
                self.assertEqual(kernel["args"]["Task Type"], "AI_CORE")
                call = spans[start["pid"], start["tid"], str(start["ts"])][0]
                self.assertTrue(call["name"].startswith(origin), call["name"])
                self.assertTrue(call["name"].endswith(kernel["name"]), call["name"])
                self.assertLessEqual(float(start["ts"]), float(end["ts"]))


class LevelTest(FolderTest):
    def test_without_calls_of_the_api(self):
        self.profile(settings(Level.Level0))
        names = {event["name"] for event in timeline(self.folder)}
        self.assertIn("aclnnMm", names)
        self.assertFalse(any(name.startswith("AscendCL@") for name in names))
        self.assertEqual([row["Name"] for row in table(self.folder, "kernel_details.csv")],
                         ["aclnnMm"] * 3)

    def test_with_all_and_counters_that_a_cpu_does_not_have(self):
        metrics = profiler.AiCMetrics.ArithmeticUtilization
        self.profile(settings(Level.Level2, aic_metrics=metrics))
        kernels = table(self.folder, "kernel_details.csv")
        self.assertEqual([row["Name"] for row in kernels], ["aclnnMm"] * 3)
        self.assertEqual({row["Input Shapes"] for row in kernels}, {"64,64;64,64"})
        self.assertEqual({row["Output Data Types"] for row in kernels}, {"FLOAT"})
        self.assertEqual({row["Block Dim"] for row in kernels}, {"N/A"})
        self.assertIn("api_statistic.csv", outputs(self.folder))

    def test_without_tasks(self):
        self.profile(settings(Level.Level_none))
        self.assertNotIn("kernel_details.csv", outputs(self.folder))
        self.assertIn("operator_details.csv", outputs(self.folder))


class WaysTest(FolderTest):
    def test_repeated(self):
        with profiler.profile(
                activities=BOTH, experimental_config=settings(),
                schedule=profiler.schedule(wait=0, warmup=1, active=1, repeat=2),
                on_trace_ready=profiler.tensorboard_trace_handler(str(self.folder))) as profile:
            for _ in range(4):
                torch.mm(self.x, self.x)
                torch.npu.synchronize()
                profile.step()
        steps = []
        for path in self.folder.glob("*/ASCEND_PROFILER_OUTPUT/kernel_details.csv"):
            rows = rows_of(path)
            steps.append([(row["Step Id"], row["Name"]) for row in rows])
        self.assertEqual(sorted(steps), [[("1", "aclnnMm")], [("3", "aclnnMm")]])

    def test_offline(self):
        with profiler.profile(
                activities=BOTH, experimental_config=settings(),
                on_trace_ready=profiler.tensorboard_trace_handler(str(self.folder),
                                                                  analyse_flag=False)):
            torch.mm(self.x, self.x)
            torch.npu.synchronize()
        self.assertEqual(outputs(self.folder), set())
        profiler.profiler.analyse(str(self.folder))
        self.assertEqual([row["Name"] for row in table(self.folder, "kernel_details.csv")],
                         ["aclnnMm"])

    def test_cpu_alone_and_npu_alone(self):
        self.profile(activities=[Activity.CPU])
        self.assertEqual(list(self.folder.glob("*/PROF_*")), [])
        self.assertIn("aten::mm", [row["Name"] for row in
                                       table(self.folder, "operator_details.csv")])
        self.folder = self.folder.with_name("other")
        self.profile(activities=[Activity.NPU])
        self.assertEqual([row["Name"] for row in table(self.folder, "kernel_details.csv")],
                         ["aclnnMm"] * 3)

    def test_streams(self):
        stream = torch.npu.Stream()
        with profiler.profile(
                activities=BOTH, experimental_config=settings(),
                on_trace_ready=profiler.tensorboard_trace_handler(str(self.folder))):
            torch.mm(self.x, self.x)
            torch.npu.synchronize()
            with torch.npu.stream(stream):
                torch.mm(self.x, self.x)
            torch.npu.synchronize()
        rows = table(self.folder, "kernel_details.csv")
        self.assertEqual(len({row["Stream ID"] for row in rows}), 2)

    def test_files_of_choice(self):
        with contextlib.chdir(self.temporary.name), \
                profiler.profile(activities=BOTH, with_stack=True,
                                 experimental_config=settings()) as profile:  # its files stay
            torch.mm(self.x, self.x)
            torch.npu.synchronize()
        trace = pathlib.Path(self.temporary.name, "trace.json")
        profile.export_chrome_trace(str(trace))
        names = [event["name"] for event in json.loads(trace.read_text("utf-8"))]
        self.assertIn("aten::mm", names)
        self.assertIn("aclnnMm", names)
        stacks = pathlib.Path(self.temporary.name, "stacks.log")
        profile.export_stacks(str(stacks), "self_npu_time_total")
        self.assertIn("profiler_test.py", stacks.read_text("utf-8"))

    def test_marks(self):
        with profiler.profile(
                activities=BOTH, experimental_config=settings(mstx=True),
                on_trace_ready=profiler.tensorboard_trace_handler(str(self.folder))):
            torch.npu.mstx.mark("begin")
            number = torch.npu.mstx.range_start("product", torch.npu.current_stream())
            torch.mm(self.x, self.x)
            torch.npu.mstx.range_end(number)
            torch.npu.synchronize()
        events = [event for event in timeline(self.folder) if event["ph"] == "X"]
        names = collections.Counter(event["name"] for event in events)
        self.assertEqual(names["begin"], 1)
        self.assertEqual(names["product"], 2)  # of the thread, and of the stream
        kernel, = (event for event in events if event["args"].get("Task Type") == "AI_CORE")
        around, = (event for event in events
                   if event["name"] == "product" and event["tid"] == kernel["tid"])
        self.assertLessEqual(float(around["ts"]), float(kernel["ts"]))
        self.assertGreaterEqual(float(around["ts"]) + around["dur"] + 1,
                                float(kernel["ts"]) + kernel["dur"])

    def test_a_snapshot_of_memory(self):
        path = pathlib.Path(self.temporary.name, "snapshot.pickle")
        torch.npu.memory._record_memory_history()
        with contextlib.chdir(self.temporary.name):  # where it leaves a profile, too
            torch.npu.memory._dump_snapshot(str(path))
        torch.npu.memory._record_memory_history(None)
        with path.open("rb") as file:
            self.assertIn("segments", pickle.load(file))


class ProcessTest(FolderTest):
    """What needs a process of its own."""

    def test_with_torch_npus_queue(self):
        done = in_fresh_process(f"""
import torch, torch_npu
x = torch.randn(64, 64).npu()
with torch_npu.profiler.profile(
        on_trace_ready=torch_npu.profiler.tensorboard_trace_handler({str(self.folder)!r})):
    for _ in range(3):
        torch.mm(x, x)
    torch.npu.synchronize()
""", TASK_QUEUE_ENABLE="1")
        self.assertEqual(done.returncode, 0, done.stderr)
        products = [row for row in table(self.folder, "operator_details.csv")
                    if row["Name"] == "aten::mm"]
        self.assertEqual(len(products), 3)
        self.assertAlmostEqual(
            sum(float(row["Device Total Duration(us)"]) for row in products),
            sum(durations(table(self.folder, "kernel_details.csv"))), delta=0.1)

    def test_ranks(self):
        torch.multiprocessing.spawn(rank, args=(str(self.folder),), nprocs=2)
        devices = {}
        for path in self.folder.glob("*/ASCEND_PROFILER_OUTPUT/kernel_details.csv"):
            rows = rows_of(path)
            device, = {row["Device_id"] for row in rows}
            devices[device] = [row["Name"] for row in rows
                               if row["Accelerator Core"] == "COMMUNICATION"]
        self.assertEqual(devices, {"0": ["hcom_allReduce_", "hcom_send_"],
                                   "1": ["hcom_allReduce_", "hcom_receive_"]})
        for path in self.folder.glob("*/ASCEND_PROFILER_OUTPUT/step_trace_time.csv"):
            row, = rows_of(path)
            self.assertGreater(float(row["Communication"]), 0)
            self.assertEqual(float(row["Bubble"]) > 0, row["Device_id"] == "1")

    def test_a_database_is_refused(self):
        done = in_fresh_process(f"""
import torch, torch_npu
P = torch_npu.profiler
x = torch.randn(64, 64).npu()
with P.profile(on_trace_ready=P.tensorboard_trace_handler({str(self.folder)!r}),
               experimental_config=P._ExperimentalConfig(export_type=[P.ExportType.Db])):
    torch.mm(x, x)
print((x * 0).sum().item())
""")
        self.assertIn("does not support export db", done.stdout + done.stderr)
        self.assertTrue(done.stdout.endswith("0.0\n"), done.stdout)


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    sys.stdout.flush()
    sys.stderr.flush()
    # torch_npu sleeps for seconds when a process ends in the usual way.
    os._exit(0 if result.wasSuccessful() else 1)
