# SPDX-License-Identifier: Apache-2.0
"""What torch_npu reaches by the names of old operators: LSTM, GRU, shifts, distances, singular values, against
PyTorch's CPU.

usage: named_operators_test.py [unittest's arguments]
"""

import copy
import itertools
import os
import sys
import unittest

os.environ.setdefault("TASK_QUEUE_ENABLE", "0")  # errors belong to the call

import torch  # noqa: E402
import torch_npu  # noqa: E402, F401
import torchvision  # noqa: E402


def flat(results):
    """The tensors of nested tuples."""
    if torch.is_tensor(results):
        return [results]
    return [tensor for part in results for tensor in flat(part)]


class LayerTest(unittest.TestCase):
    def check(self, layer, *inputs, tolerance=2e-5):
        """Results and the gradients of inputs and parameters."""
        other = copy.deepcopy(layer).npu()
        ours = [x.clone().npu().requires_grad_() for x in inputs]
        theirs = [x.clone().requires_grad_() for x in inputs]
        expected, actual = flat(layer(*theirs)), flat(other(*ours))
        for a, e in zip(actual, expected):
            torch.testing.assert_close(a.cpu(), e, rtol=tolerance, atol=tolerance)
        weights = [torch.randn_like(e) for e in expected]
        sum((e * w).sum() for e, w in zip(expected, weights)).backward()
        sum((a * w.npu()).sum() for a, w in zip(actual, weights)).backward()
        layers = zip(itertools.chain(ours, other.parameters()), itertools.chain(theirs, layer.parameters()))
        for a, e in layers:
            torch.testing.assert_close(a.grad.cpu(), e.grad, rtol=10 * tolerance, atol=10 * tolerance)

    def test_lstm(self):
        torch.manual_seed(1)
        x = torch.randn(5, 3, 4)
        for layers, both, first in itertools.product((1, 2, 3), (False, True), (False, True)):
            with self.subTest(layers=layers, bidirectional=both, batch_first=first):
                self.check(torch.nn.LSTM(4, 6, layers, bidirectional=both, batch_first=first), x)
        self.check(torch.nn.LSTM(4, 6, bias=False), x)

    def test_lstm_with_states(self):
        torch.manual_seed(2)

        class WithStates(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.lstm = torch.nn.LSTM(4, 6, 2)

            def forward(self, x, h, c):
                return self.lstm(x, (h, c))

        self.check(WithStates(), torch.randn(5, 3, 4), torch.randn(2, 3, 6), torch.randn(2, 3, 6))

    def test_gru(self):
        torch.manual_seed(3)
        x = torch.randn(5, 3, 4)
        for layers, both, first in itertools.product((1, 2), (False, True), (False, True)):
            with self.subTest(layers=layers, bidirectional=both, batch_first=first):
                self.check(torch.nn.GRU(4, 6, layers, bidirectional=both, batch_first=first), x)
        self.check(torch.nn.GRU(4, 6, bias=False), x)

    def test_cells_and_simple_layers(self):
        torch.manual_seed(4)
        self.check(torch.nn.LSTMCell(4, 6), torch.randn(3, 4))
        self.check(torch.nn.GRUCell(4, 6), torch.randn(3, 4))
        self.check(torch.nn.RNN(4, 6, 2, bidirectional=True), torch.randn(5, 3, 4))

    def test_halves(self):
        """Against fp32: PyTorch rounds the state of each step."""
        torch.manual_seed(5)
        x = torch.randn(5, 3, 4).half()
        for layer in (torch.nn.LSTM(4, 6, 2), torch.nn.GRU(4, 6, 2)):
            halved = copy.deepcopy(layer).half()
            expected = copy.deepcopy(halved).float()(x.float())
            for a, e in zip(flat(halved.npu()(x.npu())), flat(expected)):
                torch.testing.assert_close(a.cpu().float(), e, rtol=4e-3, atol=4e-3)

    def test_a_model_learns(self):
        torch.manual_seed(6)
        lstm, head = torch.nn.LSTM(8, 16, batch_first=True).npu(), torch.nn.Linear(16, 1).npu()
        optimizer = torch.optim.Adam([*lstm.parameters(), *head.parameters()], lr=0.02)
        x = torch.randn(32, 6, 8).npu()
        y = x[:, 2, :1] * 0.5
        losses = []
        for _ in range(60):
            optimizer.zero_grad()
            loss = (head(lstm(x)[0][:, -1]) - y).square().mean()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        self.assertLess(losses[-1], losses[0] / 4)


class OperatorTest(unittest.TestCase):
    def test_shifts(self):
        for dtype in (torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8):
            x = torch.randint(0, 60, (3, 4)).to(dtype)
            y = torch.randint(0, 6, (3, 4)).to(dtype)
            for shift in (lambda a, b: a << b, lambda a, b: a >> b, lambda a, _: a << 1, lambda a, _: a >> 2):
                torch.testing.assert_close(shift(x.npu(), y.npu()).cpu(), shift(x, y))

    def test_fills(self):
        x = torch.zeros(3, 4)
        torch.testing.assert_close(x.npu().fill_(torch.tensor(2.5).npu()).cpu(), x + 2.5)
        torch.testing.assert_close(x.npu().fill_(torch.tensor(2.5)).cpu(), x + 2.5)
        torch.testing.assert_close(torch.zeros(7, 3).npu().fill_diagonal_(2, wrap=True).cpu(),
                                   torch.zeros(7, 3).fill_diagonal_(2, wrap=True))

    def test_logspace(self):
        for arguments in ((0, 3, 7), (-2, 2, 5, 2.0), (1, 1, 1), (0, 1, 0)):
            torch.testing.assert_close(torch.logspace(*arguments, device="npu").cpu(), torch.logspace(*arguments))

    def test_distances(self):
        torch.manual_seed(7)
        for p in (0.0, 1.0, 1.5, 2.0, 3.0, float("inf")):
            with self.subTest(p=p):
                a, b = torch.randn(2, 5, 4), torch.randn(2, 3, 4)
                ours, theirs = a.clone().npu().requires_grad_(), a.clone().requires_grad_()
                actual, expected = torch.cdist(ours, b.npu(), p), torch.cdist(theirs, b, p)
                torch.testing.assert_close(actual.cpu(), expected, rtol=1e-5, atol=1e-5)
                weight = torch.randn_like(expected)
                (actual * weight.npu()).sum().backward()
                (expected * weight).sum().backward()
                torch.testing.assert_close(ours.grad.cpu(), theirs.grad, rtol=1e-4, atol=1e-4)
                torch.testing.assert_close(torch.pdist(a[0].npu(), p).cpu(), torch.pdist(a[0], p))

    def test_singular_values(self):
        torch.manual_seed(8)
        for shape in ((4, 3), (3, 4), (2, 5, 5), (20, 30)):
            x = torch.randn(shape)
            for full in (False, True):
                u, s, vh = torch.linalg.svd(x.npu(), full_matrices=full)
                k = s.shape[-1]
                product = u[..., :k].cpu() @ torch.diag_embed(s.cpu()) @ vh[..., :k, :].cpu()
                torch.testing.assert_close(product, x, rtol=1e-4, atol=1e-4)
            torch.testing.assert_close(torch.linalg.svdvals(x.npu()).cpu(), torch.linalg.svdvals(x),
                                       rtol=1e-4, atol=1e-4)
            for order in ("nuc", 2, -2):
                torch.testing.assert_close(torch.linalg.matrix_norm(x.npu(), order).cpu(),
                                           torch.linalg.matrix_norm(x, order), rtol=1e-4, atol=1e-4)

    def test_masked_softmax(self):
        torch.manual_seed(10)
        for dtype, tolerance in ((torch.float32, 1e-6), (torch.float16, 1e-3), (torch.bfloat16, 8e-3)):
            x = torch.randn(2, 4, 32, 64).to(dtype)
            mask = torch.rand(2, 1, 32, 64) < 0.3
            ours, theirs = x.clone().npu().requires_grad_(), x.float().requires_grad_()
            actual = torch_npu.npu_scaled_masked_softmax(ours, mask.npu(), 0.5, False)
            expected = (theirs * 0.5).masked_fill(mask, -10000).softmax(-1)
            torch.testing.assert_close(actual.cpu().float(), expected, rtol=tolerance, atol=tolerance)
            weight = torch.randn_like(x)
            (actual * weight.npu()).sum().backward()
            (expected * weight.float()).sum().backward()
            torch.testing.assert_close(ours.grad.cpu().float(), theirs.grad, rtol=8 * tolerance, atol=tolerance)

    def test_cross_entropy(self):
        torch.manual_seed(11)
        x, labels = torch.randn(5, 7), torch.rand(5, 7).softmax(-1)
        ours, theirs = x.clone().npu().requires_grad_(), x.clone().requires_grad_()
        actual = torch_npu.npu_softmax_cross_entropy_with_logits(ours, labels.npu())
        expected = torch.nn.functional.cross_entropy(theirs, labels, reduction="none")
        torch.testing.assert_close(actual.cpu(), expected, rtol=1e-5, atol=1e-5)
        weight = torch.randn(5)
        (actual * weight.npu()).sum().backward()
        (expected * weight).sum().backward()
        torch.testing.assert_close(ours.grad.cpu(), theirs.grad, rtol=1e-5, atol=1e-5)

    def test_sign_bits(self):
        packed = torch_npu.npu_sign_bits_pack(torch.tensor([5., 4, 3, 2, 0, -1, -2, 4, 3, 2, 1, 0, -1, -2]).npu(), 2)
        self.assertEqual(packed[0].tolist(), [159])
        signs = torch_npu.npu_sign_bits_unpack(packed.flatten()[:1], 1, torch.float16).tolist()
        self.assertEqual(signs, [[1, 1, 1, 1, 1, -1, -1, 1]])

    def test_overlaps_learn(self):
        """Boxes come to lie on others."""
        torch.manual_seed(12)
        truth = torch.rand(4, 16).npu() * 4 + 1
        for measure in (torch_npu.npu_giou, torch_npu.npu_diou,
                        lambda *a: torch_npu.npu_ciou(*a, True)):
            boxes = (torch.rand(4, 16).npu() * 4 + 1).requires_grad_()
            optimizer = torch.optim.Adam([boxes], lr=0.05)
            for _ in range(200):
                optimizer.zero_grad()
                loss = (1 - measure(boxes, truth, True, False, 0)).mean()
                loss.backward()
                optimizer.step()
            self.assertLess(loss.item(), 0.1)

    def test_boxes(self):
        """As torchvision's, which has no eps; examples of torch_npu's documents."""
        torch.manual_seed(13)
        boxes = torch.rand(300, 4) * 10
        boxes[:, 2:] += boxes[:, :2] + 1
        scores = torch.rand(300)
        kept = torchvision.ops.nms(boxes, scores, 0.4)
        picked, count = torch_npu.npu_nms_v4(boxes.npu(), scores.npu(), 300, torch.tensor(0.4).npu(),
                                             torch.tensor(0.0).npu())
        self.assertEqual(picked[:count].tolist(), kept.tolist())
        order = scores.argsort(descending=True)
        rows = torch.cat((boxes, scores[:, None]), 1)[order]
        mask = torch_npu.npu_nms_with_mask(rows.npu(), 0.4)[2].bool().cpu()
        self.assertEqual(order[mask].tolist(), kept.tolist())
        decoded = torch_npu.npu_bounding_box_decode(torch.tensor([[1., 2., 3., 4.], [3., 4., 5., 6.]]).npu(),
                                                    torch.tensor([[5., 6., 7., 8.], [7., 8., 9., 6.]]).npu(),
                                                    0, 0, 0, 0, 1, 1, 1, 1, (10, 10), 0.1)
        torch.testing.assert_close(decoded.cpu(), torch.tensor([[2.5, 6.5, 9, 9], [9, 9, 9, 9]]))
        turned = torch.tensor([[[5., 5., 4., 2., 0.]]]).npu(), torch.tensor([[[5., 5., 4., 2., 90.]]]).npu()
        torch.testing.assert_close(torch_npu.npu_rotated_iou(*turned).item(), 4 / 12, rtol=1e-5, atol=1e-6)

    def test_regions(self):
        torch.manual_seed(14)
        x, rois = torch.randn(2, 3, 20, 24), torch.tensor([[0., 1, 2, 30, 33], [1, 5, 5, 6, 40]])
        for mode, aligned in ((0, False), (3, True)):
            theirs = x.clone().requires_grad_()
            expected = torchvision.ops.roi_align(theirs, rois, (3, 4), 0.5, 2, aligned)
            actual = torch_npu.npu_roi_align(x.npu(), rois.npu(), 0.5, 3, 4, 2, mode)
            torch.testing.assert_close(actual.cpu(), expected, rtol=1e-4, atol=1e-5)
            weight = torch.randn_like(expected)
            (expected * weight).sum().backward()
            gradient = torch_npu.npu_roi_alignbk(weight.npu(), rois.npu(), x.shape, 4, 3, 0.5, 2, mode)
            torch.testing.assert_close(gradient.cpu(), theirs.grad, rtol=1e-4, atol=1e-5)

    def test_deformable_convolution(self):
        torch.manual_seed(15)
        x, weight, bias = torch.randn(2, 4, 9, 8), torch.randn(6, 4, 3, 3), torch.randn(6)
        moves = torch.randn(2, 2 * 3 * 9, 9, 8)  # x, y and factors of two groups
        theirs = [t.clone().double().requires_grad_() for t in (x, weight, moves, bias)]
        across, down, factors = theirs[2].chunk(3, 1)
        pairs = torch.stack([t.reshape(2, 2, 9, 9, 8) for t in (down, across)], 3).reshape(2, 36, 9, 8)
        expected = torchvision.ops.deform_conv2d(theirs[0], pairs, theirs[1], theirs[3], 1, 1, 1, factors)
        shapes = {"kernel_size": [3, 3], "stride": [1] * 4, "padding": [1] * 4, "deformable_groups": 2}
        actual, samples = torch_npu.npu_deformable_conv2d(x.npu(), weight.npu(), moves.npu(), bias.npu(), **shapes)
        torch.testing.assert_close(actual.cpu().double(), expected, rtol=1e-4, atol=1e-4)
        gradient = torch.randn(expected.shape)
        expected.backward(gradient.double())
        ours = torch_npu.npu_deformable_conv2dbk(x.npu(), gradient.npu(), samples, weight.npu(), moves.npu(), **shapes)
        for a, e in zip(ours, theirs):
            torch.testing.assert_close(a.cpu().double(), e.grad, rtol=1e-4, atol=1e-3)

    def test_transposed_convolution(self):
        torch.manual_seed(16)
        x, weight = torch.randn(2, 3, 5, 6), torch.randn(3, 4, 3, 2)
        actual = torch_npu.npu_conv_transpose2d(x.npu(), weight.npu(), None, (1, 0), (1, 0), (2, 1), (1, 1), 1)
        expected = torch.nn.functional.conv_transpose2d(x, weight, None, (2, 1), (1, 0), (1, 0))
        torch.testing.assert_close(actual.cpu(), expected, rtol=1e-4, atol=1e-4)

    def test_rows(self):
        torch.manual_seed(17)
        x, weight, bias = torch.randn(6, 8), torch.rand(8), torch.rand(8)
        torch.testing.assert_close(torch_npu.npu_layer_norm_eval(x.npu(), (8,), weight.npu(), bias.npu()).cpu(),
                                   torch.nn.functional.layer_norm(x, (8,), weight, bias), rtol=1e-5, atol=1e-5)
        a, b = torch.randn(2, 4, 8, 8).npu(), torch.randn(2, 4, 8, 8).npu()
        mask, softmax, dropped = torch_npu.npu_dropout_with_add_softmax(a, b, 0.5, 0.25, -1)
        torch.testing.assert_close(softmax, (b + 0.5 * a).softmax(-1), rtol=1e-5, atol=1e-6)
        torch.testing.assert_close(dropped, softmax * mask[:512].reshape(a.shape) / 0.75, rtol=1e-5, atol=1e-6)
        chosen, valid = torch_npu.npu_random_choice_with_mask(torch.eye(9).bool().npu(), 16)
        self.assertEqual(sorted(chosen[valid].tolist()), [[i, i] for i in range(9)])

    def test_ctc(self):
        torch.manual_seed(9)
        scores = torch.randn(10, 3, 6)
        for targets in (torch.randint(1, 6, (3, 4)), torch.randint(1, 6, (9,))):
            values = []
            for device in ("cpu", "npu"):
                x = scores.clone().to(device).requires_grad_()
                loss = torch.nn.functional.ctc_loss(x.log_softmax(2), targets.to(device), [10, 9, 8], [4, 3, 2],
                                                    reduction="none", zero_infinity=True)
                loss.sum().backward()
                values.append((loss.detach().cpu(), x.grad.cpu()))
            for a, e in zip(values[1], values[0]):
                torch.testing.assert_close(a, e, rtol=1e-4, atol=1e-4)


if __name__ == "__main__":
    program = unittest.main(exit=False)
    # torch_npu sleeps four seconds at exit.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0 if program.result.wasSuccessful() else 1)
