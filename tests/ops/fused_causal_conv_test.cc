// SPDX-License-Identifier: Apache-2.0
// The causal convolution of sequences behind kept tokens, apart and in place, against the steps of
// the document in double precision: rows and ragged sequences, guessed tokens, blocks of a cache.
#include <cmath>
#include <optional>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_fused_causal_conv1d.h"
#include "aclnnop/aclnn_inplace_fused_causal_conv1d.h"
#include "support/device_test.h"
#include "support/numbers.h"

namespace anyacl::test {
namespace {

using Numbers = std::vector<double>;
using Integers = std::vector<int64_t>;

struct Case {
  Integers starts = {0, 5, 6, 13};
  bool rows = false;  // x has three dimensions, and no starts are given
  int64_t columns = 70, taps = 3, kept = 2, lines_count = 9;
  std::optional<Integers> lines = Integers{4, 0, 7};
  std::optional<Integers> accepted = {}, computed = {}, first = {}, last = {}, initial = {};
  int64_t pad_slot = -1, block = 128, residual = 0, mode = 0;
  aclDataType type = ACL_BF16;
  bool strided = false;

  int64_t sequences() const { return static_cast<int64_t>(starts.size()) - 1; }
  int64_t tokens() const { return starts.back(); }
};

class FusedCausalConvTest : public DeviceTest {
 protected:
  struct Tensors {
    Tensor x, weight, states, y;
    std::vector<std::optional<Tensor>> integers;  // starts, lines, accepted, computed, first, last,
                                                  // initial
    const aclTensor* Handle(size_t i) const {
      return integers[i] ? integers[i]->handle() : nullptr;
    }
  };

  Tensor Drawn(const Case& c, std::vector<int64_t> dims) {
    Layout layout{.dims = dims, .dtype = c.type};
    if (c.strided) {
      layout.strides = ContiguousStrides(dims);
      for (int64_t& stride : layout.strides) stride *= 2;
      layout.strides[0] += 3;
      layout.offset = 5;
    }
    Tensor tensor(layout);
    Numbers values;
    for (int64_t i = 0; i < tensor.count(); ++i) {
      values.push_back(AsHeld(c.type, random().Uniform(-2, 2)));
    }
    WriteAs(tensor, values);
    return tensor;
  }
  static std::optional<Tensor> Made(const std::optional<Integers>& values,
                                    std::vector<int64_t> dims) {
    if (!values) return {};
    Tensor tensor({.dims = std::move(dims), .dtype = ACL_INT32});
    WriteAs(tensor, Numbers(values->begin(), values->end()));
    return tensor;
  }

  Tensors TensorsOf(const Case& c) {
    const int64_t b = c.sequences();
    const std::vector<int64_t> dims = c.rows ? std::vector<int64_t>{b, c.tokens() / b, c.columns}
                                             : std::vector<int64_t>{c.tokens(), c.columns};
    std::vector<int64_t> lines = {b};
    if (c.first) lines.push_back(static_cast<int64_t>(c.lines->size()) / b);
    Tensors t = {Drawn(c, dims),
                 Drawn(c, {c.taps, c.columns}),
                 Drawn(c, {c.lines_count, c.kept, c.columns}),
                 Drawn(c, dims),
                 {}};
    t.integers.push_back(c.rows ? std::optional<Tensor>() : Made(c.starts, {b + 1}));
    t.integers.push_back(Made(c.lines, lines));
    for (const auto* of_sequences : {&c.accepted, &c.computed, &c.first, &c.last, &c.initial}) {
      t.integers.push_back(Made(*of_sequences, {b}));
    }
    return t;
  }

  static Phase1 CallOf(const Case& c, const Tensors& t) {
    return [&c, &t](uint64_t* s, aclOpExecutor** e) {
      return aclnnFusedCausalConv1dGetWorkspaceSize(
          t.x.handle(), t.weight.handle(), t.states.handle(), t.Handle(0), t.Handle(1), nullptr,
          nullptr, t.Handle(2), t.Handle(3), t.Handle(4), t.Handle(5), t.Handle(6), 0, c.pad_slot,
          0, -1, c.residual, c.block, c.mode, t.y.handle(), s, e);
    };
  }
  static Phase1 InplaceOf(const Case& c, const Tensors& t) {
    return [&c, &t](uint64_t* s, aclOpExecutor** e) {
      return aclnnInplaceFusedCausalConv1dGetWorkspaceSize(
          t.x.handle(), t.weight.handle(), t.states.handle(), t.Handle(0), t.Handle(1), nullptr,
          nullptr, t.Handle(2), t.Handle(3), t.Handle(4), t.Handle(5), t.Handle(6), 0, c.pad_slot,
          0, -1, c.residual, c.block, c.mode, s, e);
    };
  }

  struct Expected {
    Numbers y, sizes, states;
  };

  // One column by the document's steps, numbered as there; elements lie `columns` apart.
  static void Column(const Case& c, const Numbers& x, const Numbers& weight, int64_t h,
                     Expected* e) {
    const int64_t k_size = c.taps;
    const auto state = [&](int64_t line, int64_t i) -> double& {
      return e->states[static_cast<size_t>((line * c.kept + i) * c.columns + h)];
    };
    for (int64_t b = 0; b < c.sequences(); ++b) {
      const auto n = static_cast<size_t>(b);
      const int64_t begin = c.starts[n], length = c.starts[n + 1] - begin;
      const int64_t blocks = c.first ? static_cast<int64_t>(c.lines->size()) / c.sequences() : 1;
      const auto line = [&](int64_t block) {
        return c.lines ? (*c.lines)[static_cast<size_t>(b * blocks + block)] : b;
      };
      const int64_t read = line(c.first ? (*c.initial)[n] : 0);
      const int64_t write = line(c.first ? (*c.last)[n] : 0);
      if (c.lines && (read == c.pad_slot || write == c.pad_slot)) continue;
      // 1, 2
      int64_t offset = c.kept - (k_size - 1);
      const bool fresh = c.computed && (*c.computed)[n] == 0;
      if (fresh) {
        offset = 0;
      } else if (c.accepted) {
        offset = std::max<int64_t>((*c.accepted)[n] - 1, 0);
      }
      Numbers padded;
      for (int64_t i = 0; i < offset + k_size - 1; ++i)
        padded.push_back(fresh ? 0 : state(read, i));
      for (int64_t i = 0; i < length; ++i) {
        padded.push_back(x[static_cast<size_t>((begin + i) * c.columns + h)]);
      }
      // 3
      const auto len = static_cast<int64_t>(padded.size());
      const int64_t m = std::min(c.kept, len);
      for (int64_t i = 0; i < m; ++i) {
        state(write, c.kept - m + i) = padded[static_cast<size_t>(len - m + i)];
      }
      // 4
      padded.erase(padded.begin(), padded.begin() + offset);
      // 5
      if (c.first) {
        const int64_t completed = c.block - (*c.computed)[n] % c.block;
        int64_t end = (length - completed) % c.block;
        if (end < 0) end += c.block;
        const int64_t full = end == 0 ? length - end - c.block : length - end;
        const int64_t fill = (*c.last)[n] - (*c.first)[n];
        for (int64_t chunk = 0; chunk < fill; ++chunk) {
          const int64_t boundary = full - (fill - chunk - 1) * c.block;
          if (boundary <= 0) continue;
          for (int64_t j = 0; j < k_size - 1; ++j) {
            state(line((*c.first)[n] + chunk), c.kept - (k_size - 1) + j) =
                padded[static_cast<size_t>(boundary + j)];
          }
        }
      }
      // 6, 7, 8
      const int64_t reset = c.mode == 1 ? k_size - 1 - (*c.computed)[n] : 0;
      for (int64_t i = 0; i < length; ++i) {
        const auto at = static_cast<size_t>((begin + i) * c.columns + h);
        double sum = 0, size = 0;
        for (int64_t k = 0; k < k_size && i >= reset; ++k) {
          const double term =
              weight[static_cast<size_t>(k * c.columns + h)] * padded[static_cast<size_t>(i + k)];
          sum += term;
          size += std::fabs(term);
        }
        e->y[at] = sum + (c.residual == 1 ? x[at] : 0);
        e->sizes[at] = size + std::fabs(x[at]);
      }
    }
  }

  static void ExpectY(const Tensor& y, const Expected& e) {
    const Numbers actual = ReadAs(y);
    for (size_t i = 0; i < actual.size(); ++i) {
      ASSERT_NEAR(actual[i], e.y[i],
                  e.sizes[i] * 0x1p-22 + 1.01 * HalfUnitOf(y.layout().dtype, e.y[i]))
          << i;
    }
    EXPECT_TRUE(y.GuardsIntact());
  }

  void Check(const Case& c) {
    SCOPED_TRACE(::testing::Message() << c.columns << " columns, " << c.taps << " taps, kept "
                                      << c.kept << " type " << c.type << " strided " << c.strided);
    const Tensors t = TensorsOf(c);
    const Numbers x = ReadAs(t.x), weight = ReadAs(t.weight), states = ReadAs(t.states);
    Expected e = {ReadAs(t.y), Numbers(x.size()), states};  // of passed over sequences it stays
    for (int64_t h = 0; h < c.columns; ++h) Column(c, x, weight, h, &e);
    RunTwoPhase(CallOf(c, t), aclnnFusedCausalConv1d);
    ExpectY(t.y, e);
    EXPECT_EQ(ReadAs(t.states), e.states);
    EXPECT_TRUE(t.states.GuardsIntact());
    EXPECT_EQ(ReadAs(t.x), x);

    Expected in_place = {x, Numbers(x.size()), states};
    for (int64_t h = 0; h < c.columns; ++h) Column(c, x, weight, h, &in_place);
    Tensors second = TensorsOf(c);
    WriteAs(second.x, x);
    WriteAs(second.weight, weight);
    WriteAs(second.states, states);
    RunTwoPhase(InplaceOf(c, second), aclnnInplaceFusedCausalConv1d);
    ExpectY(second.x, in_place);
    EXPECT_EQ(ReadAs(second.states), e.states);
  }
};

TEST_F(FusedCausalConvTest, RaggedSequences) {
  for (aclDataType type : {ACL_BF16, ACL_FLOAT16}) {
    for (bool strided : {false, true}) {
      for (int64_t residual : {0, 1}) {
        Check({.residual = residual, .type = type, .strided = strided});
      }
    }
  }
  for (int64_t columns : {1, 63, 64, 65, 1300}) Check({.columns = columns});
  for (int64_t taps : {1, 2, 4}) {
    for (int64_t kept : {3, 4, 9}) Check({.taps = taps, .kept = kept});
  }
  Check({.lines = {}});
  Check({.starts = {0, 0, 4, 4}, .kept = 4});  // sequences without tokens move their lines
  Check({.starts = {2, 3, 3, 9}});
}

TEST_F(FusedCausalConvTest, RowsOfOneLength) {
  Case c = {.starts = {0, 3, 6, 9}, .rows = true, .kept = 4};
  for (bool strided : {false, true}) {
    c.strided = strided;
    Check(c);
    c.accepted = {{1, 3, 2}};
    Check(c);
    c.lines.reset();
    Check(c);
    c.accepted.reset();
  }
}

// What is known of a sequence: nothing, little, guesses of which some were taken.
TEST_F(FusedCausalConvTest, TokensBefore) {
  for (int64_t mode : {0, 1}) {
    for (int64_t residual : {0, 1}) {
      Check({.computed = Integers{0, 1, 9}, .residual = residual, .mode = mode});
      Check({.taps = 5,
             .kept = 7,
             .accepted = Integers{0, 1, 4},
             .computed = Integers{0, 3, 9},
             .residual = residual,
             .mode = mode});
      Check(
          {.kept = 3, .accepted = Integers{2, 0, 1}, .computed = Integers{2, 0, 1}, .mode = mode});
    }
  }
}

TEST_F(FusedCausalConvTest, SequencesThatArePassedOver) {
  Check({.lines = Integers{-1, 0, 7}});
  Check({.lines = Integers{4, 0, 3}, .pad_slot = 3});
}

// Blocks that end within a sequence keep the tokens before their ends, too: also ends that few
// tokens come before, and the block that the sequence began with.
TEST_F(FusedCausalConvTest, LinesOfBlocks) {
  Case c = {.starts = {0, 13, 14, 22},
            .lines_count = 13,
            .lines = Integers{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
            .computed = Integers{0, 3, 6},
            .first = Integers{0, 0, 1},
            .last = Integers{3, 1, 3},
            .initial = Integers{0, 0, 1},
            .block = 4};
  for (int64_t kept : {2, 4}) {
    c.kept = kept;
    Check(c);
  }
  c.taps = 4;
  c.kept = 6;
  Check(c);
  c.accepted = Integers{1, 2, 1};
  Check(c);
  c.mode = 1;
  c.residual = 1;
  c.strided = true;
  Check(c);
}

// More blocks than end within a sequence: those that end before it are passed over.
TEST_F(FusedCausalConvTest, BlocksThatEndBefore) {
  Case c = {.starts = {0, 1, 5, 6},
            .lines = Integers{0, 1, 2, 3, 4, 5},
            .computed = Integers{1, 4, 3},
            .first = Integers{0, 0, 0},
            .last = Integers{1, 1, 1},
            .initial = Integers{0, 1, 0},
            .block = 4};
  Check(c);
  c.lines = Integers{0, -1, 2, 3, 4, 5};  // the line behind the first one is none
  Check(c);
}

// A line that several sequences name is worked on in their order.
TEST_F(FusedCausalConvTest, LinesAreSharedInOrder) { Check({.lines = Integers{2, 2, 2}}); }

TEST_F(FusedCausalConvTest, NumbersThatNameNothingFailBeforeAnythingIsWritten) {
  const auto fails = [&](const Case& c, std::string_view word) {
    const Tensors t = TensorsOf(c);
    const Numbers states = ReadAs(t.states), y = ReadAs(t.y);
    TakeMessages();
    const Prepared prepared = Prepare(CallOf(c, t));
    ASSERT_OK(prepared.code);
    const DeviceBuffer workspace(prepared.workspace_size);
    ASSERT_OK(aclnnFusedCausalConv1d(workspace.data(), prepared.workspace_size, prepared.executor,
                                     stream()));
    ExpectFailure(aclrtSynchronizeStream(stream()), ACL_ERROR_RT_AICORE_EXCEPTION, {word});
    EXPECT_EQ(ReadAs(t.states), states);
    EXPECT_EQ(ReadAs(t.y), y);
  };
  fails({.lines = Integers{4, 0, 9}}, "cacheIndices[2] = 9");
  fails({.lines = Integers{4, -2, 8}}, "cacheIndices[1] = -2");
  fails({.accepted = Integers{1, 1, 2}}, "numAcceptedTokens[2] = 2");
  fails({.accepted = Integers{-1, 1, 1}}, "numAcceptedTokens[0] = -1");
  fails({.computed = Integers{1, -1, 1}}, "numComputedTokens[1] = -1");
  const Case blocks = {.lines = Integers{0, 1, 2, 3, 4, 5},
                       .computed = Integers{1, 1, 1},
                       .first = Integers{0, 0, 0},
                       .last = Integers{0, 0, 1},
                       .initial = Integers{0, 0, 0}};
  const auto with = [&](std::optional<Integers> Case::*member, Integers values) {
    Case c = blocks;
    c.*member = std::move(values);
    return c;
  };
  fails(with(&Case::last, {0, 0, 2}), "blockIdxLastScheduledToken[2] = 2");
  fails(with(&Case::first, {1, 0, 0}), "blockIdxFirstScheduledToken[0] = 1");
  fails(with(&Case::initial, {0, -1, 0}), "initialStateIdx[1] = -1");
  fails(with(&Case::lines, {0, 1, 2, 3, 99, 5}), "cacheIndices[4] = 99");
  Case moved = {};
  moved.starts = {0, 5, 4, 13};
  fails(moved, "queryStartLoc[2] = 4");
}

TEST_F(FusedCausalConvTest, RefusesWhatDoesNotFit) {
  const auto refused = [&](const Case& c, std::initializer_list<std::string_view> words) {
    const Tensors t = TensorsOf(c);
    ExpectRefused(CallOf(c, t), ACLNN_ERR_INNER_TILING_ERROR, words);
    ExpectRefused(InplaceOf(c, t), ACLNN_ERR_INNER_TILING_ERROR, words);
  };
  refused({.type = ACL_FLOAT}, {"x.dtype = FLOAT"});
  refused({.kept = 1}, {"convStates.shape[1] = 1", "2"});
  refused({.taps = 65, .kept = 70}, {"weight.shape[0] = 65"});
  refused({.columns = 0}, {"x.shape", "some elements"});
  refused({.mode = 1}, {"numComputedTokens", "convMode = 1"});
  refused({.mode = 2}, {"convMode is 2"});
  refused({.residual = 2}, {"residualConnection is 2"});
  refused({.block = 1}, {"blockSize = 1"});
  refused({.block = -1}, {"blockSize is -1"});
  refused({.lines_count = 2, .lines = {}}, {"convStates.shape[0] = 2", "3"});
  refused({.first = Integers{0, 0, 0}}, {"blockIdxLastScheduledToken is null"});
  refused({.last = Integers{0, 0, 0}}, {"blockIdxLastScheduledToken is given"});
  const Case blocks = {.lines = Integers{0, 1, 2, 3, 4, 5},
                       .first = Integers{0, 0, 0},
                       .last = Integers{0, 0, 0},
                       .initial = Integers{0, 0, 0}};
  refused(blocks, {"numComputedTokens is null"});
  Case no_blocks = blocks;
  no_blocks.computed = {{0, 0, 0}};
  no_blocks.block = 0;
  refused(no_blocks, {"blockSize = 0"});
}

}  // namespace
}  // namespace anyacl::test
