# SPDX-License-Identifier: Apache-2.0
"""Makes readable files of a profile that aclprofStop has written.

usage: msprof --export=on --output=FOLDER    writes FOLDER/mindstudio_profiler_output
       msprof --analyze=on --output=FOLDER   writes nothing: links between devices are not measured
FOLDER is a PROF_* folder, or one that holds such folders.

msprof_*.json        what ran when, for chrome://tracing, MindStudio Insight and torch_npu
op_summary_*.csv     operators, one by one
op_statistic_*.csv   ... by type
task_time_*.csv      all tasks of streams
api_statistic_*.csv  calls of the API, by name
msprof_tx_*.csv      marks and ranges that the program set

This is anyacl's: operators run on the CPU, which stands in the place of the device's AI cores. It
does not start programs, and makes no database.
"""

import collections
import csv
import json
import pathlib
import shutil
import statistics
import sys
import time

OUTPUT = "mindstudio_profiler_output"
# torch_npu looks every 0.1 s whether there are tables, and takes them for missing where this program
# ends before it has looked.
SEEN = 0.5
NONE = "N/A"

Call = collections.namedtuple("Call", "api number thread begin end")
Task = collections.namedtuple("Task", "name kind device stream ticket call begin end inputs outputs",
                              defaults=(None, None))
Mark = collections.namedtuple("Mark", "message domain device stream thread begin end")

# Tasks of the runtime by the API that appends them.
TYPES = {
    "aclrtRecordEvent": "EVENT_RECORD",
    "aclrtResetEvent": "EVENT_RESET",
    "aclrtStreamWaitEvent": "EVENT_WAIT",
    "aclrtRecordNotify": "NOTIFY_RECORD",
    "aclrtWaitAndResetNotify": "NOTIFY_WAIT",
    "aclrtLaunchCallback": "CALLBACK",
    "aclrtLaunchHostFunc": "HOST_FUNC",
    "aclmdlRIExecuteAsync": "MODEL_EXECUTE",
}
COMPUTING, COMMUNICATION = "AI_CORE", "COMMUNICATION"


def type_of(task):
    """What CANN calls a task of this kind."""
    if task.name.startswith("Hccl"):
        return COMMUNICATION
    if task.name.startswith("aclrtMemcpy"):
        return "MEMCPY_ASYNC"
    if task.name.startswith("aclrtMemset"):
        return "MEMSET_ASYNC"
    if task.name in TYPES:
        return TYPES[task.name]
    if task.name.startswith(("aclrt", "aclmdl", "aclprof")):
        return task.kind.upper()
    # An operator; a mark is one that had nothing to compute.
    return "EMPTY" if task.kind == "mark" else COMPUTING


def operator_type(name):
    """aclnnAdd: Add; HcclAllReduce: hcom_allReduce_, HcclRecv: hcom_receive_."""
    if name.startswith("Hccl"):
        action = {"Recv": "Receive"}.get(name[4:], name[4:])
        return f"hcom_{action[:1].lower()}{action[1:]}_"
    return name[5:] if name.startswith("aclnn") else name


class Profile:
    """What aclprofStop wrote."""

    def __init__(self, folder):
        self.calls, self.tasks, self.marks = [], [], []
        kinds = {"call": (self.calls, Call), "task": (self.tasks, Task), "mark": (self.marks, Mark)}
        with open(folder / "host/data/profile.jsonl", encoding="utf-8") as lines:
            self.about = json.loads(next(lines))
            if self.about["version"] != 1:
                raise ValueError(f"{folder}: version {self.about['version']}, expected 1")
            for line in lines:
                kind, *values = json.loads(line)
                records, record = kinds[kind]
                records.append(record(*values))
        self.tasks.sort(key=lambda task: task.begin)
        self.calls.sort(key=lambda call: call.begin)
        # From the clock of the records to the time of day, as torch_npu reckons it.
        self._shift = self.about["wall"] * 1000 - self.about["begin"]

    def at(self, nanoseconds):
        """As microseconds of the day, to the nanosecond: as text, which a float cannot hold."""
        moment = nanoseconds + self._shift
        return f"{moment // 1000}.{moment % 1000:03}"


def microseconds(nanoseconds):
    return round(nanoseconds / 1000, 3)


def union(intervals):
    """Intervals as [begin, end], in order, without overlap."""
    merged = []
    for begin, end in sorted(intervals):
        if merged and begin <= merged[-1][1]:
            merged[-1][1] = max(end, merged[-1][1])
        else:
            merged.append([begin, end])
    return merged


def without(intervals, others):
    """Of disjoint ordered intervals what is in none of the others."""
    left, i = [], 0
    for begin, end in intervals:
        while i < len(others) and others[i][1] <= begin:
            i += 1
        j = i
        while j < len(others) and others[j][0] < end:
            if others[j][0] > begin:
                left.append([begin, others[j][0]])
            begin = max(begin, others[j][1])
            j += 1
        if begin < end:
            left.append([begin, end])
    return left


def overlap_analysis(tasks):
    """{row: intervals} of one device, as step times are made of."""
    def of(kind):
        return union((task.begin, task.end) for task in tasks if type_of(task) == kind)
    computing, communication = of(COMPUTING), of(COMMUNICATION)
    busy = union(computing + communication)
    free = without([[busy[0][0], busy[-1][1]]], busy) if busy else []
    return {"Communication": communication,
            "Communication(Not Overlapped)": without(communication, computing),
            "Computing": computing, "Free": free}


class Timeline:
    """Events as chrome://tracing has them."""

    def __init__(self, profile):
        self.profile = profile
        self.events = []
        self._processes = 0

    def process(self, name, label):
        # The program's own number is that of what torch_npu adds.
        pid = self.profile.about["pid"] * 64 + self._processes
        for kind, args in (("name", {"name": name}), ("labels", {"labels": label}),
                           ("sort_index", {"sort_index": 10 + self._processes})):
            self.events.append({"name": f"process_{kind}", "ph": "M", "pid": pid, "tid": 0,
                                "args": args})
        self._processes += 1
        return pid

    def thread(self, pid, tid, name):
        for kind, args in (("name", {"name": name}), ("sort_index", {"sort_index": tid})):
            self.events.append({"name": f"thread_{kind}", "ph": "M", "pid": pid, "tid": tid,
                                "args": args})

    def span(self, pid, tid, name, begin, end, **args):
        self.events.append({"name": name, "ph": "X", "pid": pid, "tid": tid,
                            "ts": self.profile.at(begin), "dur": microseconds(end - begin),
                            "args": args})

    def flow(self, number, call, task, cann, device):
        for phase, pid, tid, begin in (("s", cann, call.thread, call.begin),
                                       ("f", device, task.stream, task.begin)):
            event = {"name": "HostToDevice" + str(number), "cat": "HostToDevice", "ph": phase,
                     "id": str(number), "pid": pid, "tid": tid, "ts": self.profile.at(begin)}
            if phase == "f":
                event["bp"] = "e"
            self.events.append(event)


def make_timeline(profile):
    line = Timeline(profile)
    cann = line.process("CANN", "CPU")
    for thread in sorted({call.thread for call in profile.calls}):
        line.thread(cann, thread, f"Thread {thread}")
    for call in profile.calls:
        line.span(cann, call.thread, f"AscendCL@{call.api}", call.begin, call.end,
                  **{"Thread Id": call.thread, "Mode": call.api, "level": "acl", "id": call.api,
                     "item_id": call.api, "connection_id": call.number})
    calls = {call.number: call for call in profile.calls}
    flows = 0
    hardware = {}
    for device in profile.about["devices"]:
        tasks = [task for task in profile.tasks if task.device == device]
        pid = hardware[device] = line.process("Ascend Hardware", f"NPU {device}")
        for stream in sorted({task.stream for task in tasks}):
            line.thread(pid, stream, f"Stream {stream}")
        for task in tasks:
            line.span(pid, task.stream, operator_name(task), task.begin, task.end,
                      **{"Model Id": 4294967295, "Task Type": type_of(task),
                         "Physic Stream Id": task.stream, "Task Id": task.ticket, "Batch Id": 0,
                         "Subtask Id": 4294967295, "connection_id": task.call})
            if task.call in calls:
                line.flow(flows, calls[task.call], task, cann, pid)
                flows += 1
        pid = line.process("Overlap Analysis", f"NPU {device}")
        for tid, (row, intervals) in enumerate(overlap_analysis(tasks).items()):
            line.thread(pid, tid, row)
            for begin, end in intervals:
                line.span(pid, tid, row, begin, end)
    if profile.marks:
        host = line.process("MSTX", "CPU")
        for mark in profile.marks:
            pid, tid = (hardware[mark.device], mark.stream) if mark.device >= 0 else \
                (host, mark.thread)
            line.span(pid, tid, mark.message, mark.begin, mark.end, domain=mark.domain)
    return line.events


def operator_name(task):
    return operator_type(task.name) if task.name.startswith("Hccl") else task.name


def op_summary(profile):
    header = ["Device_id", "Model ID", "Task ID", "Stream ID", "Op Name", "OP Type", "OP State",
              "Task Type", "Task Start Time(us)", "Task Duration(us)", "Task Wait Time(us)",
              "Block Dim", "Mix Block Dim", "HF32 Eligible", "Input Shapes", "Input Data Types",
              "Input Formats", "Output Shapes", "Output Data Types", "Output Formats", "Context ID"]
    rows, ended = [], {}
    for task in profile.tasks:
        kind = type_of(task)
        if kind not in (COMPUTING, COMMUNICATION):
            continue
        before = ended.get(task.device, task.begin)
        ended[task.device] = max(before, task.end)
        rows.append([task.device, 4294967295, task.ticket, task.stream, operator_name(task),
                     operator_type(task.name), NONE, kind, profile.at(task.begin) + "\t",
                     microseconds(task.end - task.begin),
                     microseconds(max(task.begin - before, 0))] + [NONE] * 3 +
                    list(task.inputs or [NONE] * 3) + list(task.outputs or [NONE] * 3) + [NONE])
    return header, rows


def op_statistic(profile):
    header = ["Device_id", "OP Type", "Core Type", "Count", "Total Time(us)", "Min Time(us)",
              "Avg Time(us)", "Max Time(us)", "Ratio(%)"]
    groups = collections.defaultdict(list)
    for task in profile.tasks:
        if type_of(task) == COMPUTING:
            groups[task.device, operator_type(task.name)].append(task.end - task.begin)
    totals = collections.Counter()
    for (device, _), times in groups.items():
        totals[device] += sum(times)
    rows = [[device, kind, COMPUTING, len(times), microseconds(sum(times)),
             microseconds(min(times)), microseconds(statistics.fmean(times)),
             microseconds(max(times)),
             round(100 * sum(times) / totals[device], 3) if totals[device] else 0]
            for (device, kind), times in groups.items()]
    return header, sorted(rows, key=lambda row: (row[0], -row[4]))


def task_time(profile):
    header = ["Device_id", "kernel_name", "kernel_type", "stream_id", "task_id", "task_time(us)",
              "task_start(us)", "task_stop(us)"]
    return header, [[task.device, operator_name(task), type_of(task), task.stream, task.ticket,
                     microseconds(task.end - task.begin), profile.at(task.begin) + "\t",
                     profile.at(task.end) + "\t"] for task in profile.tasks]


def api_statistic(profile):
    header = ["Device_id", "Level", "API Name", "Time(us)", "Count", "Avg(us)", "Min(us)",
              "Max(us)", "Variance"]
    groups = collections.defaultdict(list)
    for call in profile.calls:
        groups[call.api].append((call.end - call.begin) / 1000)
    rows = [["host", "acl", api, round(sum(times), 3), len(times),
             round(statistics.fmean(times), 3), round(min(times), 3), round(max(times), 3),
             round(statistics.pvariance(times), 3)] for api, times in groups.items()]
    return header, sorted(rows, key=lambda row: -row[3])


def msprof_tx(profile):
    header = ["pid", "tid", "category", "event_type", "payload_type", "payload_value",
              "Start_time(us)", "End_time(us)", "message_type", "message", "domain", "Device_id",
              "Stream_id"]
    return header, [[profile.about["pid"], mark.thread, 0,
                     "marker" if mark.begin == mark.end else "range", 0, 0,
                     profile.at(mark.begin) + "\t", profile.at(mark.end) + "\t", 0, mark.message,
                     mark.domain, mark.device if mark.device >= 0 else NONE,
                     mark.stream if mark.stream >= 0 else NONE] for mark in profile.marks]


def export(folder):
    profile = Profile(folder)
    # Under another name until it is complete: who waits for the files takes the first.
    part = folder / (OUTPUT + ".part")
    for old in (part, folder / OUTPUT):
        if old.exists():
            shutil.rmtree(old)
    part.mkdir(mode=0o750)
    stamp = time.strftime("%Y%m%d%H%M%S")
    with open(part / f"msprof_{stamp}.json", "w", encoding="utf-8") as file:
        json.dump(make_timeline(profile), file, ensure_ascii=False)
    tables = {"op_summary": op_summary, "op_statistic": op_statistic, "task_time": task_time,
              "api_statistic": api_statistic}
    if profile.marks:
        tables["msprof_tx"] = msprof_tx
    for name, table in tables.items():
        header, rows = table(profile)
        with open(part / f"{name}_{stamp}.csv", "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([header, *rows])
    part.rename(folder / OUTPUT)


def profiles(folder):
    if (folder / "host/data").is_dir():
        return [folder]
    return sorted(path.parent.parent for path in folder.glob("PROF_*/host/data"))


def main():
    if "--help" in sys.argv:
        print(__doc__)
        return 0
    options = dict(argument.partition("=")[::2] for argument in sys.argv[1:])
    action = {name: options.pop(name) for name in ("--export", "--analyze") if name in options}
    output = options.pop("--output", "")
    if list(action.values()) != ["on"] or not output or options:
        print(__doc__, file=sys.stderr)
        print(f"msprof: not understood: {' '.join(sys.argv[1:])}", file=sys.stderr)
        return 2
    folders = profiles(pathlib.Path(output))
    if not folders:
        print(f"msprof: {output} is no PROF_* folder, and has none", file=sys.stderr)
        return 1
    for folder in folders:
        if not (folder / "host/data/profile.jsonl").exists():
            print(f"msprof: {folder} was not written by anyacl", file=sys.stderr)
            return 1
        if "--export" in action:
            export(folder)
    if "--export" in action:
        time.sleep(SEEN)
    return 0


if __name__ == "__main__":
    sys.exit(main())
