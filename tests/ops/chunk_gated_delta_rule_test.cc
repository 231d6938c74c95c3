// SPDX-License-Identifier: Apache-2.0
// The gated delta rule of whole sequences against the document's first form of it, products of
// matrices in double precision; the recurrent operator's bits; layouts and what is refused.
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_chunk_gated_delta_rule.h"
#include "aclnnop/aclnn_recurrent_gated_delta_rule.h"
#include "support/device_test.h"
#include "support/numbers.h"

namespace anyacl::test {
namespace {

using Numbers = std::vector<double>;

struct Case {
  std::vector<int64_t> lengths = {5, 1, 3};
  int64_t key_heads = 2, heads = 4, depth = 24, rows = 20;
  int64_t idle = 0;  // tokens of no sequence
  aclDataType state_type = ACL_FLOAT;
  bool gate = true, strided = false;
};

int64_t TokensOf(const Case& c) {
  int64_t tokens = c.idle;
  for (int64_t length : c.lengths) tokens += length;
  return tokens;
}

class ChunkGatedDeltaRuleTest : public DeviceTest {
 protected:
  struct Tensors {
    Tensor query, key, value, beta, state, lengths, g, out, final_state;
  };

  Tensor Drawn(const Case& c, std::vector<int64_t> dims, aclDataType type, double low,
               double high) {
    Layout layout{.dims = dims, .dtype = type};
    if (c.strided) {
      layout.strides = ContiguousStrides(dims);
      for (int64_t& stride : layout.strides) stride *= 2;
      layout.strides[0] += 3;
      layout.offset = 5;
    }
    Tensor tensor(layout);
    Numbers values;
    for (int64_t i = 0; i < tensor.count(); ++i) {
      values.push_back(AsHeld(type, random().Uniform(low, high)));
    }
    WriteAs(tensor, values);
    return tensor;
  }

  Tensors TensorsOf(const Case& c) {
    const int64_t t = TokensOf(c), b = static_cast<int64_t>(c.lengths.size());
    const double length = 1 / std::sqrt(static_cast<double>(c.depth));
    Tensor lengths({.dims = {b}, .dtype = ACL_INT32});
    WriteAs(lengths, Numbers(c.lengths.begin(), c.lengths.end()));
    return {Drawn(c, {t, c.key_heads, c.depth}, ACL_BF16, -1, 1),
            Drawn(c, {t, c.key_heads, c.depth}, ACL_BF16, -length, length),
            Drawn(c, {t, c.heads, c.rows}, ACL_BF16, -2, 2),
            Drawn(c, {t, c.heads}, ACL_BF16, 0, 1),
            Drawn(c, {b, c.heads, c.rows, c.depth}, c.state_type, -1, 1),
            std::move(lengths),
            Drawn(c, {t, c.heads}, ACL_FLOAT, -2, 0),
            Drawn(c, {t, c.heads, c.rows}, ACL_BF16, 0, 1),
            Drawn(c, {b, c.heads, c.rows, c.depth}, c.state_type, 0, 1)};
  }

  static Phase1 CallOf(const Case& c, const Tensors& t, float scale) {
    return [&c, &t, scale](uint64_t* s, aclOpExecutor** e) {
      return aclnnChunkGatedDeltaRuleGetWorkspaceSize(
          t.query.handle(), t.key.handle(), t.value.handle(), t.beta.handle(), t.state.handle(),
          t.lengths.handle(), c.gate ? t.g.handle() : nullptr, scale, t.out.handle(),
          t.final_state.handle(), s, e);
    };
  }

  // S_t = S_{t-1} (alpha (I - beta k k^T)) + beta v k^T, o_t = S_t (q scale).
  static void Rule(const Case& c, const Tensors& t, double scale, Numbers* out, Numbers* state) {
    const Numbers query = ReadAs(t.query), key = ReadAs(t.key), value = ReadAs(t.value);
    const Numbers beta = ReadAs(t.beta), g = ReadAs(t.g);
    *state = ReadAs(t.state);
    *out = ReadAs(t.out);  // that of tokens of no sequence stays
    int64_t begin = 0;
    for (size_t b = 0; b < c.lengths.size(); begin += c.lengths[b++]) {
      for (int64_t h = 0; h < c.heads; ++h) {
        double* const s = &(*state)[(b * static_cast<size_t>(c.heads) + static_cast<size_t>(h)) *
                                    static_cast<size_t>(c.rows * c.depth)];
        for (int64_t token = begin; token < begin + c.lengths[b]; ++token) {
          const int64_t at = (token * c.key_heads + h / (c.heads / c.key_heads)) * c.depth;
          const double* const k = &key[static_cast<size_t>(at)];
          const double* const q = &query[static_cast<size_t>(at)];
          const auto of_head = static_cast<size_t>(token * c.heads + h);
          const double alpha = c.gate ? std::exp(g[of_head]) : 1;
          for (int64_t r = 0; r < c.rows; ++r) {
            double* const row = s + r * c.depth;
            const size_t place = of_head * static_cast<size_t>(c.rows) + static_cast<size_t>(r);
            Numbers next(static_cast<size_t>(c.depth));
            double seen = 0;
            for (int64_t j = 0; j < c.depth; ++j) {
              double sum = beta[of_head] * value[place] * k[j];
              for (int64_t i = 0; i < c.depth; ++i) {
                sum += row[i] * alpha * ((i == j ? 1.0 : 0.0) - beta[of_head] * k[i] * k[j]);
              }
              next[static_cast<size_t>(j)] = sum;
              seen += sum * q[j] * scale;
            }
            std::copy(next.begin(), next.end(), row);
            (*out)[place] = seen;
          }
        }
      }
    }
  }

  // States and results are of the size of 1.
  void Check(const Case& c) {
    SCOPED_TRACE(::testing::Message()
                 << "depth " << c.depth << " rows " << c.rows << " heads " << c.heads << " state "
                 << c.state_type << " gate " << c.gate << " strided " << c.strided);
    const Tensors t = TensorsOf(c);
    const float scale = 0.25f;
    Numbers out, state;
    Rule(c, t, scale, &out, &state);
    const Numbers initial = ReadAs(t.state);
    RunTwoPhase(CallOf(c, t, scale), aclnnChunkGatedDeltaRule);
    const double terms = static_cast<double>(c.depth) * 4 * 0x1p-24;
    ExpectClose(t.out, out, terms * 8 + 0x1p-20);
    ExpectClose(t.final_state, state, terms + 0x1p-20);
    EXPECT_EQ(ReadAs(t.state), initial);
  }
  static void ExpectClose(const Tensor& tensor, const Numbers& expected, double tolerance) {
    const Numbers actual = ReadAs(tensor);
    for (size_t i = 0; i < actual.size(); ++i) {
      ASSERT_NEAR(actual[i], expected[i],
                  tolerance + 1.01 * HalfUnitOf(tensor.layout().dtype, expected[i]))
          << i;
    }
    EXPECT_TRUE(tensor.GuardsIntact());
  }
};

TEST_F(ChunkGatedDeltaRuleTest, IsTheFormula) {
  for (aclDataType type : {ACL_FLOAT, ACL_BF16}) {
    for (bool gate : {false, true}) {
      for (bool strided : {false, true}) {
        Check({.state_type = type, .gate = gate, .strided = strided});
      }
    }
    for (int64_t depth : {1, 15, 16, 17, 128}) {
      for (int64_t rows : {1, 31, 32, 70}) {
        Check({.key_heads = 1, .heads = 3, .depth = depth, .rows = rows, .state_type = type});
      }
    }
  }
  // Sequences longer than CANN's chunks of 64 tokens.
  Check({.lengths = {70, 129}, .key_heads = 1, .heads = 2, .depth = 16, .rows = 16});
}

// A sequence of no tokens ends with the state that it began with; tokens of no sequence have no
// result.
TEST_F(ChunkGatedDeltaRuleTest, SequencesMayBeEmpty) {
  Check({.lengths = {0, 2, 0, 4, 0}});
  Check({.lengths = {2, 1}, .idle = 2});
  Check({.lengths = {0}, .idle = 1, .state_type = ACL_BF16});
}

TEST_F(ChunkGatedDeltaRuleTest, ResultsAreTheRecurrentOnes) {
  const Case c = {.lengths = {6}, .heads = 8, .depth = 130, .rows = 70};
  const Tensors t = TensorsOf(c);
  RunTwoPhase(CallOf(c, t, 0.5f), aclnnChunkGatedDeltaRule);
  Tensor places({.dims = {6}, .dtype = ACL_INT32}), out(t.out.layout());
  WriteAs(places, Numbers(6, 0));
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnRecurrentGatedDeltaRuleGetWorkspaceSize(
            t.query.handle(), t.key.handle(), t.value.handle(), t.beta.handle(), t.state.handle(),
            t.lengths.handle(), places.handle(), t.g.handle(), nullptr, nullptr, 0.5f, out.handle(),
            s, e);
      },
      aclnnRecurrentGatedDeltaRule);
  EXPECT_EQ(ReadAs(out), ReadAs(t.out));
  EXPECT_EQ(ReadAs(t.state), ReadAs(t.final_state));
}

TEST_F(ChunkGatedDeltaRuleTest, TheFinalStateMayBeTheInitialOne) {
  for (aclDataType type : {ACL_FLOAT, ACL_BF16}) {
    const Case c = {.lengths = {2, 0, 3}, .state_type = type};
    const Tensors t = TensorsOf(c);
    RunTwoPhase(CallOf(c, t, 0.5f), aclnnChunkGatedDeltaRule);
    const Numbers out = ReadAs(t.out), state = ReadAs(t.final_state);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnChunkGatedDeltaRuleGetWorkspaceSize(
              t.query.handle(), t.key.handle(), t.value.handle(), t.beta.handle(), t.state.handle(),
              t.lengths.handle(), t.g.handle(), 0.5f, t.out.handle(), t.state.handle(), s, e);
        },
        aclnnChunkGatedDeltaRule);
    EXPECT_EQ(ReadAs(t.out), out);
    EXPECT_EQ(ReadAs(t.state), state);
  }
}

TEST_F(ChunkGatedDeltaRuleTest, LengthsThatDoNotFitFailBeforeAnythingIsWritten) {
  const auto fails = [&](std::vector<double> lengths, std::string_view word) {
    const Case c = {.lengths = {2, 3}};
    Tensors t = TensorsOf(c);
    WriteAs(t.lengths, lengths);
    const Numbers before = ReadAs(t.final_state);
    TakeMessages();
    const Prepared prepared = Prepare(CallOf(c, t, 1));
    ASSERT_OK(prepared.code);
    const DeviceBuffer workspace(prepared.workspace_size);
    ASSERT_OK(aclnnChunkGatedDeltaRule(workspace.data(), prepared.workspace_size, prepared.executor,
                                       stream()));
    ExpectFailure(aclrtSynchronizeStream(stream()), ACL_ERROR_RT_AICORE_EXCEPTION, {word});
    EXPECT_EQ(ReadAs(t.final_state), before);
  };
  fails({2, 4}, "actualSeqLengths[1] = 4");
  fails({-1, 4}, "actualSeqLengths[0] = -1");
}

TEST_F(ChunkGatedDeltaRuleTest, RefusesWhatDoesNotFit) {
  const auto refused = [&](const Case& c, int code, std::initializer_list<std::string_view> words) {
    const Tensors t = TensorsOf(c);
    ExpectRefused(CallOf(c, t, 1), code, words);
  };
  refused({.key_heads = 3}, ACLNN_ERR_INNER_TILING_ERROR, {"value has 4 heads", "3"});
  refused({.rows = 0}, ACLNN_ERR_INNER_TILING_ERROR, {"value.shape", "some elements"});
  refused({.lengths = {}, .idle = 1}, ACLNN_ERR_INNER_TILING_ERROR, {"initialState.shape = [0"});
  refused({.state_type = ACL_FLOAT16}, ACLNN_ERR_PARAM_INVALID, {"initialState.dtype = FLOAT16"});
}

}  // namespace
}  // namespace anyacl::test
