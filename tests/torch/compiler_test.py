# SPDX-License-Identifier: Apache-2.0
"""torchair, torch_npu's compiler for torch.compile: captured graphs, and what is said of whole
ones. What is compiled is compared with the same program as it is.

usage: compiler_test.py [unittest's arguments]
"""

import copy
import os
import sys
import unittest

import torch
import torch_npu  # noqa: F401
import torchair
from fresh_process import in_fresh_process

CAPTURED = """
import torch, torch_npu, torchair
config = torchair.CompilerConfig()
config.mode = "reduce-overhead"
backend = torchair.get_npu_backend(compiler_config=config)
"""


def backend():
    config = torchair.CompilerConfig()
    config.mode = "reduce-overhead"
    config.debug.aclgraph.enable_output_clone = True
    return torchair.get_npu_backend(compiler_config=config)


class Attention(torch.nn.Module):
    """With a cache of keys and values that a step writes in place."""

    def __init__(self, heads=4, size=8, places=16):
        super().__init__()
        self.heads, self.size = heads, size
        self.qkv = torch.nn.Linear(heads * size, 3 * heads * size)
        self.out = torch.nn.Linear(heads * size, heads * size)
        self.register_buffer("keys", torch.zeros(1, heads, places, size))
        self.register_buffer("values", torch.zeros(1, heads, places, size))

    def forward(self, x, place, mask):
        q, k, v = self.qkv(x).view(1, 1, 3, self.heads, self.size).transpose(1, 3).unbind(2)
        self.keys.index_copy_(2, place, k)
        self.values.index_copy_(2, place, v)
        scores = (q @ self.keys.transpose(2, 3)) * self.size**-0.5 + mask
        return self.out((scores.softmax(-1) @ self.values).transpose(1, 2).flatten(2))


class CapturedTest(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(3)
        torch._dynamo.reset()

    def near(self, actual, expected):
        torch.testing.assert_close(actual.cpu(), expected.cpu(), rtol=1e-5, atol=1e-5)

    def layers(self):
        return torch.nn.Sequential(torch.nn.Linear(8, 32), torch.nn.SiLU(), torch.nn.LayerNorm(32),
                                   torch.nn.Linear(32, 4), torch.nn.Softmax(-1)).npu()

    def test_layers_of_several_shapes(self):
        model = self.layers()
        for dynamic in (False, True):
            compiled = torch.compile(model, backend=backend(), dynamic=dynamic)
            with torch.no_grad():
                for rows in (5, 5, 5, 7, 9, 7):
                    x = torch.randn(rows, 8).npu()
                    self.near(compiled(x), model(x))

    def test_training(self):
        plain = self.layers()
        model = copy.deepcopy(plain)
        compiled = torch.compile(model, backend=backend(), dynamic=False)
        for network, call in ((plain, plain), (model, compiled)):
            torch.manual_seed(5)
            optimizer = torch.optim.AdamW(network.parameters(), lr=0.1)
            for _ in range(4):
                optimizer.zero_grad()
                # torchair 2.8 has no results that are None, as the gradient of data would be.
                x = torch.randn(6, 8).npu().requires_grad_()
                call(x).square().sum().backward()
                optimizer.step()
        for one, other in zip(plain.parameters(), model.parameters()):
            self.near(other, one)

    def test_a_cache_is_written_in_place(self):
        plain = Attention().npu().eval()
        model = copy.deepcopy(plain)
        compiled = torch.compile(model, backend=backend(), dynamic=False)
        with torch.no_grad():
            for step in range(6):
                x = torch.randn(1, 1, 32).npu()
                place = torch.tensor([step]).npu()
                mask = torch.where(torch.arange(16) > step, -1e4, 0.).npu()
                self.near(compiled(x, place, mask), plain(x, place, mask))
        self.near(model.keys, plain.keys)

    def test_functions_of_torch_npu(self):
        def block(x, gamma, weight):
            normed, _ = torch_npu.npu_rms_norm(x, gamma)
            return torch_npu.npu_swiglu(normed @ weight)

        x, gamma, weight = (torch.randn(*shape).npu() for shape in ((6, 16), (16,), (16, 8)))
        compiled = torch.compile(block, backend=backend(), dynamic=False)
        for _ in range(3):
            self.near(compiled(x, gamma, weight), block(x, gamma, weight))
            x = x + 1


class MessageTest(unittest.TestCase):
    def test_whole_graphs_are_refused_by_name(self):
        done = in_fresh_process("""
import torch, torch_npu, torchair
try:
    torch.compile(lambda x: x + 1, backend=torchair.get_npu_backend())(torch.ones(3).npu())
except Exception as error:
    print(error)
""")
        self.assertIn("GEInitialize", done.stdout, done.stderr)
        self.assertIn("not offered by anyacl", done.stdout)
        self.assertIn("reduce-overhead", done.stdout)

    def test_graphs_that_are_alive_at_the_end_are_no_error(self):
        done = in_fresh_process(CAPTURED + """
step = torch.compile(lambda x: (x * 2).relu(), backend=backend, dynamic=False)
print(step(torch.ones(3).npu()).cpu().tolist())
raise SystemExit  # with torch_npu's end of the device
""")
        self.assertEqual(done.stdout, "[2.0, 2.0, 2.0]\n", done.stderr)
        self.assertNotIn("aclmdlRIDestroy", done.stderr)
        self.assertEqual(done.returncode, 0)


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0 if result.wasSuccessful() else 1)
