#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""llama-server on the CANN backend with four clients at once, for a time: every answer is as long
as was asked for, the server ends as it should, and its resident memory does not grow.

usage: server.py LLAMA_SERVER MODEL SECONDS
One client asks for LONG tokens at a time, the others for short answers to prompts of their own.
What the answers say depends on whose tokens are computed together; text.py judges text.
"""

import json
import os
import random
import subprocess
import sys
import threading
import time
import urllib.request

PORT = 18080
CLIENTS = 4
LONG = 3000  # within the context of the models of write_model.py
GROWTH = 0.02  # of resident memory, from a third of the time on
# KiB that anyacl keeps of what is freed while graphs live.
KEPT = 0 if os.environ.get("GGML_CANN_ACL_GRAPH") == "off" else 256 << 10


def ask(prompt, tokens):
    """The number of tokens of the answer."""
    body = {"prompt": prompt, "n_predict": tokens, "temperature": 0, "ignore_eos": True}
    request = urllib.request.Request(
        f"http://127.0.0.1:{PORT}/completion",
        json.dumps(body).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=3600) as answer:
        return json.load(answer)["tokens_predicted"]


def client(index, end, sums, problems):
    chance = random.Random(index)
    while time.monotonic() < end and not problems:
        tokens = LONG if index == 0 else chance.randrange(1, 200)
        words = " ".join(str(chance.randrange(1000)) for _ in range(chance.randrange(1, 100)))
        try:
            got = ask(words, tokens)
        except OSError as error:
            problems.append(f"client {index}: {error}")
            return
        if got != tokens:
            problems.append(f"client {index}: {got} tokens, expected {tokens}")
        sums[index] += got


def wait_until_ready(process):
    while process.poll() is None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/health", timeout=5):
                return True
        except OSError:
            time.sleep(0.2)
    return False


def resident(process):
    with open(f"/proc/{process.pid}/status") as status:
        return next((int(line.split()[1]) for line in status if line.startswith("VmRSS")), 0)


def main(server, model, seconds):
    command = [server, "-m", model, "-ngl", "99", "-np", str(CLIENTS), "--port", str(PORT)]
    # Without the server's cache of prompts, which takes up to 8 GiB.
    command += ["-c", str(CLIENTS * 4096), "--no-webui", "--cache-ram", "0"]
    with open(f"{model}.server.log", "w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
    problems, sums = [], [0] * CLIENTS
    if not wait_until_ready(process):
        print(f"FAILED: the server ended with status {process.returncode}: {log.name}")
        return 1
    begin = time.monotonic()
    end = begin + float(seconds)
    clients = [
        threading.Thread(target=client, args=(i, end, sums, problems)) for i in range(CLIENTS)
    ]
    for thread in clients:
        thread.start()
    first = last = 0
    while time.monotonic() < end and process.poll() is None and not problems:
        time.sleep(1)
        last = resident(process)
        if first == 0 and time.monotonic() > begin + float(seconds) / 3:
            first = last
    for thread in clients:  # the last answers; the server would wait for them for ever
        thread.join()
    process.terminate()
    if process.wait(60) != 0:
        problems.append(f"the server ended with status {process.returncode}: {log.name}")
    if last > first * (1 + GROWTH) + KEPT:
        problems.append(f"resident memory grew from {first} to {last} KiB")
    print(f"{sum(sums)} tokens; resident {first} KiB at a third, {last} KiB at the end")
    for problem in problems:
        print("FAILED:", problem)
    return 1 if problems or not all(sums) else 0


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
