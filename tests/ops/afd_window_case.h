// SPDX-License-Identifier: Apache-2.0
// What tests of the AFD senders share: ranks with windows, and calls between them.
#pragma once

#include <chrono>
#include <cmath>
#include <thread>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_attention_worker_scheduler.h"
#include "ops/afd_calls.h"
#include "ops/afd_world.h"
#include "support/half.h"

namespace anyacl::test {

constexpr int kShapeError = ACLNN_ERR_INNER_TILING_ERROR;

template <class T>
T At(const std::vector<char>& bytes, int64_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(value));
  return value;
}
template <class T>
void Put(std::vector<char>& bytes, int64_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof(value));
}

class WindowTest : public FfnTest {
 protected:
  static constexpr int64_t kGuard = 64;  // of World's windows

  // After some looks at who is there.
  void ExpectStillRuns() {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    aclrtStreamStatus status = ACL_STREAM_STATUS_COMPLETE;
    EXPECT_OK(aclrtStreamQuery(stream(), &status));
    EXPECT_EQ(status, ACL_STREAM_STATUS_NOT_READY);
  }

  // Of session 0, which is this device.
  struct Sent {
    std::vector<uint16_t> x;
    std::vector<float> scales;
    Routing routing;
    int64_t tokens = 0;
    int32_t micro_batch = 0;
  };

  Sent Fill(SendCall& call, int32_t micro_batch, int64_t tokens) {
    const PipelineShape& s = call.shape;
    Sent sent;
    for (int64_t i = 0; i < s.tokens * s.hidden; ++i) {
      sent.x.push_back(EncodeFp16(static_cast<float>(random().Normal(0, 1))));
    }
    for (int64_t i = 0; i < (s.routed + s.shared) * s.hidden; ++i) {
      sent.scales.push_back(static_cast<float>(random().Normal(1, 0.2)));
    }
    sent.routing = {s.chosen, s.shared, s.routed, {}, RandomTable(s, random()), s.width()};
    for (int64_t i = 0; i < s.tokens * s.chosen; ++i) {
      sent.routing.expert_ids.push_back(static_cast<int32_t>(random().Int(0, s.routed - 1)));
    }
    sent.tokens = tokens;
    sent.micro_batch = micro_batch;
    call.x.Write(sent.x);
    call.scales.Write(sent.scales);
    call.session.Write(std::vector<int32_t>{0});
    call.micro_batch.Write(std::vector<int32_t>{micro_batch});
    call.layer.Write(std::vector<int32_t>{17});
    call.expert_ids.Write(sent.routing.expert_ids);
    call.rank_table.Write(sent.routing.rank_table);
    std::vector<uint8_t> mask(static_cast<size_t>(s.tokens), 0);
    std::fill_n(mask.begin(), tokens, uint8_t{1});
    call.mask.Write(mask);
    return sent;
  }

  // All windows, as they were before the call, become as they must be after it.
  void ExpectSent(const World& world, const SendCall& call, const Sent& sent,
                  std::vector<std::vector<char>> expected) {
    const PipelineShape& s = call.shape;
    const int64_t slot = kGuard + sent.micro_batch * s.slot_bytes();
    std::vector<bool> told(static_cast<size_t>(s.world()), false);
    for (int64_t r = s.attention; r < s.world(); ++r) told[static_cast<size_t>(r)] = s.sync == 0;
    for (const SentRow& row : ReferenceRoute(sent.routing, 0, sent.tokens)) {
      const auto rank = static_cast<size_t>(row.rank);
      told[rank] = true;
      const int64_t id = row.token * s.experts() + row.offset;
      Put(expected[rank], slot + 8 + 4 * id, row.local_id);
      const int64_t at = kGuard + s.ffn_rows() + (sent.micro_batch * s.ids() + id) * s.row_bytes();
      if (s.quant == 0) {
        std::memcpy(expected[rank].data() + at, &sent.x[static_cast<size_t>(row.token * s.hidden)],
                    static_cast<size_t>(2 * s.hidden));
      } else {
        ExpectQuantised(world.Bytes(static_cast<uint32_t>(rank)), at, call, sent, row);
        std::memcpy(expected[rank].data() + at,
                    world.Bytes(static_cast<uint32_t>(rank)).data() + at,
                    static_cast<size_t>(s.hidden + 4));
      }
    }
    for (size_t rank = 0; rank < told.size(); ++rank) {
      if (!told[rank]) continue;
      Put(expected[rank], slot, int32_t{1});
      Put(expected[rank], slot + 4, int32_t{17});
    }
    for (int64_t id = sent.tokens * s.experts(); id < s.ids(); ++id) {
      Put(expected[0], kGuard + 4 * (sent.micro_batch * s.ids() + id), int32_t{1});
    }
    for (uint32_t rank = 0; rank < told.size(); ++rank) {
      ASSERT_EQ(world.Bytes(rank), expected[rank]) << "window of rank " << rank;
    }
  }

  void ExpectQuantised(const std::vector<char>& window, int64_t at, const SendCall& call,
                       const Sent& sent, const SentRow& row) {
    const int64_t hidden = call.shape.hidden;
    std::vector<double> x;
    for (int64_t h = 0; h < hidden; ++h) {
      const double scale =
          call.has_scales ? sent.scales[static_cast<size_t>(row.expert * hidden + h)] : 1.0;
      x.push_back(scale * DecodeFp16(sent.x[static_cast<size_t>(row.token * hidden + h)]));
    }
    const QuantisedRow expected = ReferenceQuantise(x);
    EXPECT_NEAR(At<float>(window, at + hidden), expected.scale, expected.scale * 0x1p-21);
    for (int64_t h = 0; h < hidden; ++h) {
      // Half a step of rounding, and four roundings in fp32.
      ASSERT_NEAR(At<int8_t>(window, at + h), expected.quotients[static_cast<size_t>(h)],
                  0.5 + 127 * 0x1p-21)
          << "column " << h;
    }
  }

  static std::vector<std::vector<char>> AllBytes(const World& world, const PipelineShape& shape) {
    std::vector<std::vector<char>> bytes;
    for (uint32_t r = 0; r < shape.world(); ++r) bytes.push_back(world.Bytes(r));
    return bytes;
  }
};

}  // namespace anyacl::test
