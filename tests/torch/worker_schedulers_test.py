# SPDX-License-Identifier: Apache-2.0
"""ffn_worker_scheduler(_) and attention_worker_scheduler(_), as torch_npu from 2.9 on calls them,
with the contexts that it makes itself: what they take and leave, number by number.

usage: worker_schedulers_test.py [unittest's arguments]
"""

import ctypes
import os
import struct
import sys
import unittest

import torch
import torch_npu

SESSIONS, MICRO_BATCHES, TOKENS, EXPERTS = 3, 4, 2, 5
IDS = TOKENS * EXPERTS
SLOT = 2 + IDS  # flag, layer, ids
EMPTY = 0x7F7F7F7F
WINDOW = 1 << 20
# Bytes of the context's fields.
RUN_FLAG, MICRO_BATCH, POLLING_INDEX, LAYERS, OUT_NUM = 128, 288, 416, 512, 576


def field(context, place, code="I"):
    data = bytes(context.cpu().view(torch.uint8).tolist())
    return struct.unpack_from("<" + code, data, place)[0]


def ints(context, pointer, count):
    """What a pointer of the context leads to; the device's memory is the process's own."""
    return list((ctypes.c_int32 * count).from_address(field(context, pointer, "Q")))


def context_of(mode, **names):
    holder = torch_npu._afd.create_schedule_context_holder(
        schedule_mode=mode, session_num=SESSIONS, micro_batch_num=MICRO_BATCHES,
        micro_batch_size=TOKENS, selected_expert_num=EXPERTS, expert_num=16,
        attn_to_ffn_token_size=512, ffn_to_attn_token_size=512, **names)
    return holder, holder.get_schedule_context_tensor()


class FfnTest(unittest.TestCase):
    def setUp(self):
        self.window = torch.zeros(WINDOW, dtype=torch.int8, device="npu")
        self.holder, self.context = context_of(0, ffn_window=self.window.data_ptr(),
                                               ffn_window_size=WINDOW)
        self.slots = self.window[:SESSIONS * MICRO_BATCHES * SLOT * 4].view(torch.int32).view(
            SESSIONS, MICRO_BATCHES, SLOT)

    def send(self, session, micro_batch):
        """A slot of which every number tells where it is from."""
        ids = torch.arange(IDS, dtype=torch.int32) + 1000 * session + 100 * micro_batch
        row = torch.cat([torch.tensor([1, 7 + session], dtype=torch.int32), ids])
        self.slots[session, micro_batch] = row.npu()
        return ids.tolist()

    def check(self, context, sessions, micro_batch, sent):
        count = len(sessions)
        self.assertEqual(field(context, OUT_NUM), count)
        layers, of, batches = (ints(context, LAYERS + 16 * i, count) for i in range(3))
        self.assertEqual(layers, [7 + s for s in sessions])
        self.assertEqual(of, sessions)
        self.assertEqual(batches, [micro_batch] * count)
        self.assertEqual(ints(context, LAYERS + 48, count * IDS), sum(sent, []))
        for session in sessions:
            slot = self.slots[session, micro_batch].cpu().tolist()
            self.assertEqual(slot, [0, 7 + session] + [EMPTY] * IDS)

    def test_all_sessions_in_place(self):
        for turn in range(MICRO_BATCHES + 1):
            batch = turn % MICRO_BATCHES
            sent = [self.send(s, batch) for s in range(SESSIONS)]
            same = torch_npu.ffn_worker_scheduler_(self.context, sync_group_size=SESSIONS)
            self.assertEqual(same.data_ptr(), self.context.data_ptr())
            self.check(self.context, list(range(SESSIONS)), batch, sent)
            self.assertEqual(field(self.context, POLLING_INDEX, "Q"), (batch + 1) % MICRO_BATCHES)

    def test_out_of_place(self):
        before = self.context.clone()
        sent = [self.send(s, 0) for s in range(SESSIONS)]
        after = torch_npu.ffn_worker_scheduler(self.context, sync_group_size=SESSIONS)
        self.assertTrue(torch.equal(self.context.cpu(), before.cpu()))
        self.check(after, list(range(SESSIONS)), 0, sent)
        self.assertEqual(field(after, POLLING_INDEX, "Q"), 1)

    def test_whatever_has_come(self):
        """Groups of one session: the slots of two have come, of micro batches of their own."""
        self.send(2, 3)
        self.send(0, 1)
        torch_npu.ffn_worker_scheduler_(self.context, sync_group_size=1)
        self.assertEqual(field(self.context, OUT_NUM), 2)
        self.assertEqual(ints(self.context, LAYERS + 16, 2), [0, 2])
        self.assertEqual(ints(self.context, LAYERS + 32, 2), [1, 3])
        self.assertEqual(field(self.context, POLLING_INDEX, "Q"), 0)

    def test_stopped(self):
        self.holder.stop_schedule()
        self.assertEqual(field(self.context, RUN_FLAG), 0)
        torch_npu.ffn_worker_scheduler_(self.context, sync_group_size=SESSIONS)
        self.assertEqual(field(self.context, OUT_NUM), 0)

    def test_wrong_group(self):
        with self.assertRaisesRegex(RuntimeError, "sync_?[gG]roup_?[sS]ize"):
            torch_npu.ffn_worker_scheduler_(self.context, sync_group_size=-1)
            torch.npu.synchronize()


class AttentionTest(unittest.TestCase):
    def setUp(self):
        self.window = torch.zeros(WINDOW, dtype=torch.int8, device="npu")
        self.holder, self.context = context_of(
            1, attention_window=self.window.data_ptr(), attention_window_size=WINDOW)
        self.flags = self.window[:MICRO_BATCHES * IDS * 4].view(torch.int32).view(
            MICRO_BATCHES, IDS)

    def test_in_place(self):
        self.flags[2] = 1  # not due yet
        for turn in range(MICRO_BATCHES + 1):
            batch = turn % MICRO_BATCHES
            self.flags[batch] = 1
            same = torch_npu.attention_worker_scheduler_(self.context)
            self.assertEqual(same.data_ptr(), self.context.data_ptr())
            self.assertEqual(field(self.context, MICRO_BATCH), batch)
            self.assertEqual(self.flags[batch].cpu().tolist(), [0] * IDS)
            if turn < 2:
                self.assertEqual(self.flags[2].cpu().tolist(), [1] * IDS)

    def test_out_of_place(self):
        before = self.context.clone()
        self.flags[0] = 1
        after = torch_npu.attention_worker_scheduler(self.context)
        self.assertTrue(torch.equal(self.context.cpu(), before.cpu()))
        self.assertEqual(field(after, MICRO_BATCH), 0)
        self.assertEqual(field(before, MICRO_BATCH), MICRO_BATCHES - 1)


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=2).result
    sys.stdout.flush()
    sys.stderr.flush()
    # torch_npu sleeps for seconds when it ends.
    os._exit(0 if result.wasSuccessful() else 1)
