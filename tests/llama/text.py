#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Text by models with random weights, computed on anyacl and by ggml's CPU backend: the same
tokens, the most likely ones, in four sequences at once, and perplexities within 0.1 %. Where two
tokens are as good as equally likely, a sequence may go on with the other one.

usage: text.py LLAMA_SOURCE GENERATE FOLDER_FOR_MODELS [PATTERN_OF_TITLES]

Quantised weights are compared with the numbers that they stand for, as a float16 model on the CPU:
the CPU backend rounds activations to 8 bits where weights are quantised, and the CANN backend does
not.
"""

import math
import os
import pathlib
import re
import subprocess
import sys

MODELS = ("llama", "qwen2", "qwen3", "qwen3moe")
TYPES = ("F16", "Q8_0", "Q4_0")
SEQUENCES, TOKENS = 4, 24
LIMIT = 1e-3  # of perplexities, relative
LEAD = 0.02  # of logits that spread by 4: below it rounding chooses
# On one model; for each, how attention is computed and the environment.
SETTINGS = {
    "without flash attention": ("off", {}),
    "with flash attention": ("on", {}),
    "weights as they are": ("auto", {"GGML_CANN_WEIGHT_NZ": "off"}),
    "pool by size": ("auto", {"GGML_CANN_MEM_POOL": "prio"}),
    "pool of buffers": ("auto", {"GGML_CANN_MEM_POOL": "leg"}),
    "fused additions": ("auto", {"GGML_CANN_OPERATOR_FUSION": "on"}),
    "without graphs": ("auto", {"GGML_CANN_ACL_GRAPH": "off"}),
    "graphs of prompts, too": ("auto", {"GGML_CANN_PREFILL_USE_GRAPH": "on"}),
    "one thread": ("auto", {"ANYACL_THREADS": "1"}),
}
SECONDS = 600


def run(program, text, model, where, attention="auto", environment=None):
    """The mean surprise of the text's tokens, and the tokens of each sequence."""
    command = [program, str(model), where, attention, str(SEQUENCES), str(TOKENS), str(text)]
    variables = {**os.environ, **(environment or {})}
    result = subprocess.run(
        command, capture_output=True, text=True, env=variables, timeout=SECONDS, check=False
    )
    surprise = re.search(r"surprise (\S+)", result.stdout)
    if result.returncode != 0 or surprise is None:
        lines = (result.stdout + result.stderr).splitlines()[-4:]
        return None, f"status {result.returncode}: " + " | ".join(lines)
    words = [line.split() for line in re.findall(r"tokens (.*)", result.stdout)]
    return float(surprise[1]), [[word.split(":") for word in line] for line in words]


def alike(got, expected):
    """Whether two sequences are the same up to a choice between equally likely tokens."""
    for (token, _), (other, lead) in zip(got, expected):
        if token != other:
            return float(lead) < LEAD
    return len(got) == len(expected)


def compare(got, expected):
    """Whether both agree, and what to say."""
    if got[0] is None or expected[0] is None:
        return False, got[1] if got[0] is None else f"the reference: {expected[1]}"
    error = abs(math.expm1(got[0] - expected[0]))
    same = sum(map(alike, got[1], expected[1]))
    said = f"{same} of {len(expected[1])} sequences alike, perplexity off by {error:.1e}"
    return same == SEQUENCES and error <= LIMIT, said


def write(source, path, *arguments):
    if not path.exists():
        writer = pathlib.Path(__file__).with_name("write_model.py")
        vocabulary = source / "models" / "ggml-vocab-llama-spm.gguf"
        command = [sys.executable, str(writer), str(vocabulary), str(path), *arguments]
        subprocess.run(command, check=True)
    return path


def main(source, program, models, pattern=""):
    source, models = pathlib.Path(source), pathlib.Path(models)
    models.mkdir(parents=True, exist_ok=True)
    text = source / "README.md"
    passed = failed = 0
    for architecture in MODELS:
        for kind in TYPES:
            name = f"{architecture} {kind}"
            settings = {"": ("auto", {})} | (SETTINGS if name == "llama F16" else {})
            titles = {setting: f"{name} {setting}".strip() for setting in settings}
            chosen = [setting for setting in settings if re.search(pattern, titles[setting])]
            if not chosen:
                continue
            model = write(source, models / f"{architecture}-{kind}.gguf", architecture, kind)
            plain = model
            if kind != "F16":
                plain = models / f"{architecture}-{kind}-as-F16.gguf"
                write(source, plain, architecture, kind, "as-F16")
            expected = run(program, text, plain, "cpu")
            for setting in chosen:
                got = run(program, text, model, "device", *settings[setting])
                ok, said = compare(got, expected)
                passed, failed = passed + ok, failed + (not ok)
                print(f"{'ok' if ok else 'FAILED'}  {titles[setting]}: {said}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
