// SPDX-License-Identifier: Apache-2.0
// The recurrent gated delta rule against the document's formula in double precision: sizes around
// vectors and blocks, optional arguments, layouts, what is refused.
#include <cmath>
#include <memory>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_recurrent_gated_delta_rule.h"
#include "support/device_test.h"
#include "support/fixed.h"
#include "support/numbers.h"

namespace anyacl::test {
namespace {

using Numbers = std::vector<double>;
using Integers = std::vector<int32_t>;

struct Case {
  int64_t key_heads = 2, heads = 4, depth = 24, rows = 20, states = 9;
  Integers lengths = {2, 1, 3};
  Integers accepted = {};  // empty: null
  Integers places = {4, 0, 7, 1, 2, 8};
  aclDataType state_type = ACL_FLOAT;
  bool gate = true, key_gate = true;
  bool strided = false;
  // Set by Draw; tokens first.
  Numbers query = {}, key = {}, value = {}, beta = {}, g = {}, gk = {}, state = {};
};

double Unit(int64_t bits) { return std::ldexp(1, static_cast<int>(-bits)); }

class GatedDeltaRuleTest : public DeviceTest {
 protected:
  static int64_t TokensOf(const Case& c) { return static_cast<int64_t>(c.places.size()); }

  Numbers DrawNumbers(aclDataType type, int64_t count, double low, double high) {
    Numbers values;
    for (int64_t i = 0; i < count; ++i) {
      values.push_back(AsHeld(type, random().Uniform(low, high)));
    }
    return values;
  }

  void Draw(Case& c) {
    const int64_t t = TokensOf(c);
    const double length = 1 / std::sqrt(static_cast<double>(c.depth));
    c.query = DrawNumbers(ACL_BF16, t * c.key_heads * c.depth, -1, 1);
    c.key = DrawNumbers(ACL_BF16, t * c.key_heads * c.depth, -length, length);
    c.value = DrawNumbers(ACL_BF16, t * c.heads * c.rows, -2, 2);
    c.beta = DrawNumbers(ACL_BF16, t * c.heads, 0, 1);
    c.g = DrawNumbers(ACL_FLOAT, t * c.heads, -2, 0);
    c.gk = DrawNumbers(ACL_FLOAT, t * c.heads * c.depth, -2, 0);
    c.state = DrawNumbers(c.state_type, c.states * c.heads * c.rows * c.depth, -1, 1);
  }

  struct Expected {
    Numbers out, state;
  };

  // S_t = alpha S diag(alpha_k) + beta (v - alpha S diag(alpha_k) k) k^T, o = S_t q scale.
  static Expected Rule(const Case& c, double scale) {
    Expected e = {Numbers(static_cast<size_t>(TokensOf(c) * c.heads * c.rows)), c.state};
    const int64_t size = c.rows * c.depth;
    int64_t token = 0;
    for (size_t b = 0; b < c.lengths.size(); ++b) {
      const int64_t end = token + c.lengths[b];
      if (end == token) continue;
      const int64_t first = token + (c.accepted.empty() ? 1 : c.accepted[b]) - 1;
      std::vector<Numbers> s;
      for (int64_t h = 0; h < c.heads; ++h) {
        const auto at =
            e.state.begin() + (c.places[static_cast<size_t>(first)] * c.heads + h) * size;
        s.emplace_back(at, at + size);
      }
      for (; token < end; ++token) {
        for (int64_t h = 0; h < c.heads; ++h) {
          const int64_t of_head = token * c.heads + h;
          const int64_t keys = (token * c.key_heads + h * c.key_heads / c.heads) * c.depth;
          for (int64_t r = 0; r < c.rows; ++r) {
            double* row = &s[static_cast<size_t>(h)][static_cast<size_t>(r * c.depth)];
            double known = 0, seen = 0;
            for (int64_t k = 0; k < c.depth; ++k) {
              if (c.gate) row[k] *= std::exp(c.g[static_cast<size_t>(of_head)]);
              if (c.key_gate) row[k] *= std::exp(c.gk[static_cast<size_t>(of_head * c.depth + k)]);
              known += row[k] * c.key[static_cast<size_t>(keys + k)];
            }
            const double news = (c.value[static_cast<size_t>(of_head * c.rows + r)] - known) *
                                c.beta[static_cast<size_t>(of_head)];
            for (int64_t k = 0; k < c.depth; ++k) {
              row[k] += news * c.key[static_cast<size_t>(keys + k)];
              seen += row[k] * c.query[static_cast<size_t>(keys + k)] * scale;
            }
            e.out[static_cast<size_t>(of_head * c.rows + r)] = seen;
          }
          std::copy_n(
              s[static_cast<size_t>(h)].begin(), size,
              e.state.begin() + (c.places[static_cast<size_t>(token)] * c.heads + h) * size);
        }
      }
    }
    return e;
  }

  static Tensor Made(const std::vector<int64_t>& dims, aclDataType type, const Numbers& values,
                     bool strided) {
    Layout layout{.dims = dims, .dtype = type};
    if (strided) {
      layout.strides = ContiguousStrides(dims);
      for (int64_t& stride : layout.strides) stride *= 3;
      layout.strides[0] += 7;
      layout.offset = 5;
    }
    Tensor tensor(layout);
    if (!values.empty()) WriteAs(tensor, values);
    return tensor;
  }
  static Numbers AsNumbers(const Integers& from) { return {from.begin(), from.end()}; }

  struct Tensors {
    Tensor query, key, value, beta, state, lengths, places, g, gk, accepted, out;
  };
  static Tensors TensorsOf(const Case& c) {
    const int64_t t = TokensOf(c), b = static_cast<int64_t>(c.lengths.size());
    const bool s = c.strided;
    const Integers ones(c.lengths.size(), 1);
    return {Made({t, c.key_heads, c.depth}, ACL_BF16, c.query, s),
            Made({t, c.key_heads, c.depth}, ACL_BF16, c.key, s),
            Made({t, c.heads, c.rows}, ACL_BF16, c.value, s),
            Made({t, c.heads}, ACL_BF16, c.beta, s),
            Made({c.states, c.heads, c.rows, c.depth}, c.state_type, c.state, s),
            Made({b}, ACL_INT32, AsNumbers(c.lengths), s),
            Made({t}, ACL_INT32, AsNumbers(c.places), s),
            Made({t, c.heads}, ACL_FLOAT, c.g, s),
            Made({t, c.heads, c.depth}, ACL_FLOAT, c.gk, s),
            Made({b}, ACL_INT32, AsNumbers(c.accepted.empty() ? ones : c.accepted), s),
            Made({t, c.heads, c.rows}, ACL_BF16, {}, s)};
  }
  static Phase1 CallOf(const Case& c, const Tensors& t, float scale) {
    return [&c, &t, scale](uint64_t* s, aclOpExecutor** e) {
      return aclnnRecurrentGatedDeltaRuleGetWorkspaceSize(
          t.query.handle(), t.key.handle(), t.value.handle(), t.beta.handle(), t.state.handle(),
          t.lengths.handle(), t.places.handle(), c.gate ? t.g.handle() : nullptr,
          c.key_gate ? t.gk.handle() : nullptr, c.accepted.empty() ? nullptr : t.accepted.handle(),
          scale, t.out.handle(), s, e);
    };
  }

  // States and results are of the size of 1.
  void Check(Case c) {
    SCOPED_TRACE(::testing::Message()
                 << "depth " << c.depth << " rows " << c.rows << " heads " << c.heads << " state "
                 << c.state_type << " gates " << c.gate << c.key_gate << " strided " << c.strided);
    Draw(c);
    const float scale = 0.25f;
    const Expected expected = Rule(c, scale);
    const Tensors t = TensorsOf(c);
    RunTwoPhase(CallOf(c, t, scale), aclnnRecurrentGatedDeltaRule);
    const double terms = static_cast<double>(c.depth) * 4 * Unit(24);
    const Numbers out = ReadAs(t.out), state = ReadAs(t.state);
    for (size_t i = 0; i < out.size(); ++i) {
      ASSERT_NEAR(out[i], expected.out[i],
                  terms * 8 + 1.01 * HalfUnitOf(ACL_BF16, expected.out[i]) + Unit(20))
          << i;
    }
    for (size_t i = 0; i < state.size(); ++i) {
      ASSERT_NEAR(state[i], expected.state[i],
                  terms + 1.01 * HalfUnitOf(c.state_type, expected.state[i]) + Unit(20))
          << i;
    }
    EXPECT_TRUE(t.out.GuardsIntact());
    EXPECT_TRUE(t.state.GuardsIntact());
  }
};

TEST_F(GatedDeltaRuleTest, IsTheFormula) {
  for (aclDataType type : {ACL_FLOAT, ACL_BF16}) {
    for (bool gate : {false, true}) {
      for (bool key_gate : {false, true}) {
        for (bool strided : {false, true}) {
          Case c = {.state_type = type, .gate = gate, .key_gate = key_gate, .strided = strided};
          Check(c);
          c.accepted = {2, 1, 2};
          Check(c);
        }
      }
    }
    // Around vectors and blocks of rows; one head of keys for all.
    for (int64_t depth : {1, 15, 16, 17, 128}) {
      for (int64_t rows : {1, 31, 32, 70}) {
        Check({.key_heads = 1, .heads = 3, .depth = depth, .rows = rows, .state_type = type});
      }
    }
    Check({.key_heads = 16, .heads = 32, .depth = 128, .rows = 128, .state_type = type});
  }
}

// A sequence of no tokens, tokens of no sequence, states that sequences share: the next one begins
// with what the one before has left.
TEST_F(GatedDeltaRuleTest, StatesAreSharedInOrder) {
  Check({.lengths = {0, 2, 0, 4}, .places = {4, 0, 7, 1, 2, 8}});
  Check({.lengths = {1, 1, 3}, .places = {3, 3, 3, 3, 3}});
  Case c = {.lengths = {1, 2}, .places = {3, 4, 5, 6}};
  Draw(c);
  const Tensors t = TensorsOf(c);
  RunTwoPhase(CallOf(c, t, 1), aclnnRecurrentGatedDeltaRule);
  const Numbers out = ReadAs(t.out);
  const auto unwritten = static_cast<size_t>(3 * c.heads * c.rows);
  const Tensor untouched({.dims = {1}, .dtype = ACL_BF16});
  for (size_t i = unwritten; i < out.size(); ++i) ASSERT_EQ(out[i], ReadAs(untouched)[0]);
}

// Neither the number of threads nor the tier may show in any bit. Whoever changes the order of
// summation on purpose puts the new sums here.
TEST_F(GatedDeltaRuleTest, BitsArePinned) {
  Case c = {.heads = 8, .depth = 130, .rows = 70};
  const int64_t t = TokensOf(c);
  const auto halved = [](Numbers numbers, double factor) {
    for (double& number : numbers) number *= factor;
    return numbers;
  };
  c.query = FixedNumbers(t * c.key_heads * c.depth, 1);
  c.key = halved(FixedNumbers(t * c.key_heads * c.depth, 2), 0.0625);
  c.value = FixedNumbers(t * c.heads * c.rows, 3);
  c.beta = halved(FixedNumbers(t * c.heads, 4), 0.25);
  c.g = halved(FixedNumbers(t * c.heads, 5), 0.25);
  c.gk = halved(FixedNumbers(t * c.heads * c.depth, 6), 0.25);
  c.state = FixedNumbers(c.states * c.heads * c.rows * c.depth, 7);
  const Tensors tensors = TensorsOf(c);
  RunTwoPhase(CallOf(c, tensors, 0.125f), aclnnRecurrentGatedDeltaRule);
  for (double number : ReadAs(tensors.out)) ASSERT_LT(std::fabs(number), 1000);
  EXPECT_EQ(Fingerprint(tensors.out.ElementBytes()), 0xaf5465c1f5a7d9d8u);
  EXPECT_EQ(Fingerprint(tensors.state.ElementBytes()), 0x6aaf90bc5ae8a6ceu);
}

// Indices are read once, before anything is written: they may lie where results do.
TEST_F(GatedDeltaRuleTest, IndicesMayLieWithinTheResult) {
  Case c = {.heads = 8, .rows = 70};
  Draw(c);
  const Expected expected = Rule(c, 1);
  const Tensors t = TensorsOf(c);
  const Integers& names = c.places;
  const int64_t count = TokensOf(c), stride = 1;
  const size_t bytes = names.size() * sizeof(int32_t);
  ASSERT_OK(aclrtMemcpy(t.out.data(), bytes, names.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE));
  const std::unique_ptr<aclTensor, decltype(&aclDestroyTensor)> places = {
      aclCreateTensor(&count, 1, ACL_INT32, &stride, 0, ACL_FORMAT_ND, &count, 1, t.out.data()),
      aclDestroyTensor};
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnRecurrentGatedDeltaRuleGetWorkspaceSize(
            t.query.handle(), t.key.handle(), t.value.handle(), t.beta.handle(), t.state.handle(),
            t.lengths.handle(), places.get(), t.g.handle(), t.gk.handle(), nullptr, 1,
            t.out.handle(), s, e);
      },
      aclnnRecurrentGatedDeltaRule);
  const Numbers state = ReadAs(t.state);
  for (size_t i = 0; i < state.size(); ++i) ASSERT_NEAR(state[i], expected.state[i], 1e-4) << i;
}

// What indices name is found out when the task runs.
TEST_F(GatedDeltaRuleTest, NumbersThatNameNothingFail) {
  const auto fails = [&](const Case& wrong, std::string_view word) {
    Case c = wrong;
    Draw(c);
    const Tensors t = TensorsOf(c);
    const Numbers before = ReadAs(t.state);
    TakeMessages();
    const Prepared prepared = Prepare(CallOf(c, t, 1));
    ASSERT_OK(prepared.code);
    const DeviceBuffer workspace(prepared.workspace_size);
    ASSERT_OK(aclnnRecurrentGatedDeltaRule(workspace.data(), prepared.workspace_size,
                                           prepared.executor, stream()));
    ExpectFailure(aclrtSynchronizeStream(stream()), ACL_ERROR_RT_AICORE_EXCEPTION, {word});
    EXPECT_EQ(ReadAs(t.state), before);
  };
  fails({.lengths = {2, 5}}, "actualSeqLengths[1] = 5");
  fails({.lengths = {2, -1}}, "actualSeqLengths[1] = -1");
  fails({.places = {4, 0, 9, 1, 2, 8}}, "ssmStateIndices[2] = 9");
  fails({.places = {4, -1, 7, 1, 2, 8}}, "ssmStateIndices[1] = -1");
  fails({.accepted = {2, 0, 1}}, "numAcceptedTokens[1] = 0");
  fails({.accepted = {2, 1, 4}}, "numAcceptedTokens[2] = 4");
}

TEST_F(GatedDeltaRuleTest, RefusesWhatDoesNotFit) {
  const auto refused = [&](const Case& wrong, std::initializer_list<std::string_view> words) {
    Case c = wrong;
    Draw(c);
    const Tensors t = TensorsOf(c);
    ExpectRefused(CallOf(c, t, 1), ACLNN_ERR_PARAM_INVALID, words);
  };
  refused({.key_heads = 3, .heads = 4}, {"value has 4 heads", "3"});
  refused({.rows = 0}, {"value.shape", "some elements"});
  refused({.lengths = {}}, {"actualSeqLengths.shape = [0]"});
  refused({.state_type = ACL_FLOAT16}, {"stateRef.dtype = FLOAT16"});
}

// Eight threads' numbers of so many columns are 2^64 bytes and a few.
TEST_F(GatedDeltaRuleTest, RefusesAWorkspaceThatNoAddressesReach) {
  constexpr int64_t kDepth = 65881228834676976;
  const auto of = [](std::vector<int64_t> dims, aclDataType type) {
    return Tensor({.dims = dims,
                   .dtype = type,
                   .strides = std::vector<int64_t>(dims.size()),
                   .storage = {1}});
  };
  const Tensor query = of({1, 1, kDepth}, ACL_BF16), value = of({1, 1, 1}, ACL_BF16);
  const Tensor beta = of({1, 1}, ACL_BF16), state({.dims = {1, 1, 1, kDepth}}),
               one = of({1}, ACL_INT32);
  const Tensor out({.dims = {1, 1, 1}, .dtype = ACL_BF16});
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnRecurrentGatedDeltaRuleGetWorkspaceSize(
            query.handle(), query.handle(), value.handle(), beta.handle(), state.handle(),
            one.handle(), one.handle(), nullptr, nullptr, nullptr, 1, out.handle(), s, e);
      },
      ACLNN_ERR_PARAM_INVALID, {"a workspace of 2^57 bytes or more"});
}

}  // namespace
}  // namespace anyacl::test
