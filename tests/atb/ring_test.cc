// SPDX-License-Identifier: Apache-2.0
// RingMLA against the formula in double: in two parts of the keys as at once.
#include <cmath>

#include "atb/atb_acl.h"
#include "atb/atb_case.h"
#include "atb/host_lengths.h"

namespace anyacl::test::ring {
namespace {

constexpr int64_t kHeads = 4, kKeyHeads = 2, kDim = 32, kRope = 16, kValues = 24;

class AtbRingTest : public AtbTest {
 protected:
  struct Keys {
    Tensor nope, rope, values;
    Numbers n, r, v;
  };
  Keys MakeKeys(aclDataType type, int64_t count) {
    Keys keys = {Tensor({.dims = {count, kKeyHeads, kDim}, .dtype = type}),
                 Tensor({.dims = {count, kKeyHeads, kRope}, .dtype = type}),
                 Tensor({.dims = {count, kKeyHeads, kValues}, .dtype = type}),
                 {},
                 {},
                 {}};
    keys.n = Fill(keys.nope);
    keys.r = Fill(keys.rope);
    keys.v = Fill(keys.values);
    return keys;
  }

  // One call; `prev`: whether out and lse hold a result before.
  void Ring(const Tensor& q, const Tensor& q_rope, const Keys& keys, const HostLengths& lengths,
            bool prev, int mask, const Tensor& out, const Tensor& lse, atb::Operation** op) {
    uint64_t bytes = 0;
    ASSERT_EQ(AtbRingMLAGetWorkspaceSize(
                  q.handle(), q_rope.handle(), keys.nope.handle(), keys.rope.handle(),
                  keys.values.handle(), nullptr, lengths.handle(), prev ? out.handle() : nullptr,
                  prev ? lse.handle() : nullptr, kHeads, kKeyHeads, 0.2f, 1, mask, 0, prev ? 0 : 1,
                  out.handle(), lse.handle(), &bytes, op, context()),
              0)
        << TakeMessages();
    const DeviceBuffer workspace(std::max<size_t>(bytes, 1));
    ASSERT_EQ(AtbRingMLA(workspace.data(), bytes, *op, context()), 0) << TakeMessages();
    ASSERT_OK(aclrtSynchronizeStream(stream()));
  }
};

// exp of the scores and their sum over the keys of one part.
void AddPart(const Numbers& q, const Numbers& q_rope, const Numbers& n, const Numbers& r,
             const Numbers& v, int64_t row, int64_t head, int64_t first, int64_t count,
             Numbers* out, double* sum) {
  const int64_t g = head / (kHeads / kKeyHeads);
  const auto at = [](const Numbers& x, int64_t i) { return x[static_cast<size_t>(i)]; };
  for (int64_t c = first; c < first + count; ++c) {
    double score = 0;
    for (int64_t d = 0; d < kDim; ++d) {
      score += at(q, (row * kHeads + head) * kDim + d) * at(n, (c * kKeyHeads + g) * kDim + d);
    }
    for (int64_t d = 0; d < kRope; ++d) {
      score +=
          at(q_rope, (row * kHeads + head) * kRope + d) * at(r, (c * kKeyHeads + g) * kRope + d);
    }
    const double weight = std::exp(0.2 * score);
    *sum += weight;
    for (int64_t d = 0; d < kValues; ++d) {
      (*out)[static_cast<size_t>(d)] += weight * at(v, (c * kKeyHeads + g) * kValues + d);
    }
  }
}

TEST_F(AtbRingTest, PartsOfTheKeysAreJoined) {
  const std::vector<int32_t> rows = {5, 20, 1}, before = {30, 0, 7};
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    Tensor q({.dims = {26, kHeads, kDim}, .dtype = type});
    Tensor q_rope({.dims = {26, kHeads, kRope}, .dtype = type});
    Tensor out({.dims = {26, kHeads, kValues}, .dtype = type});
    Tensor lse({.dims = {kHeads, 26}, .dtype = ACL_FLOAT});
    const Numbers query = Fill(q), query_rope = Fill(q_rope);
    const Keys own = MakeKeys(type, 26), old = MakeKeys(type, 37);
    atb::Operation* op = nullptr;
    // The own keys, each query those up to its own, and then the keys before.
    Ring(q, q_rope, own, HostLengths(rows, {3}), false, 1, out, lse, &op);
    const HostLengths turned({9, 5, 30, 20, 0, 1, 7}, {2, 3}, {1, 2}, 1);
    Ring(q, q_rope, old, turned, true, 0, out, lse, &op);
    EXPECT_EQ(atb::DestroyOperation(op), 0);

    Numbers expected, expected_lse(static_cast<size_t>(kHeads * 26));
    int64_t row = 0, column = 0;
    for (size_t s = 0; s < rows.size(); ++s) {
      const int64_t first = row;
      for (int64_t r = 0; r < rows[s]; ++r, ++row) {
        for (int64_t n = 0; n < kHeads; ++n) {
          Numbers sums(kValues);
          double weights = 0;
          AddPart(query, query_rope, own.n, own.r, own.v, row, n, first, r + 1, &sums, &weights);
          AddPart(query, query_rope, old.n, old.r, old.v, row, n, column, before[s], &sums,
                  &weights);
          for (double sum : sums) expected.push_back(sum / weights);
          expected_lse[static_cast<size_t>(n * 26 + row)] = std::log(weights);
        }
      }
      column += before[s];
    }
    ExpectClose(out, expected, type == ACL_BF16 ? 0.015 : 4e-3);
    ExpectClose(lse, expected_lse, 0.01);
  }
}

// Of more keys than queries, the first query sees the first key.
TEST_F(AtbRingTest, TheMaskBeginsAtTheFirstKey) {
  Tensor q({.dims = {2, kHeads, kDim}, .dtype = ACL_FLOAT16});
  Tensor q_rope({.dims = {2, kHeads, kRope}, .dtype = ACL_FLOAT16});
  Tensor out({.dims = {2, kHeads, kValues}, .dtype = ACL_FLOAT16});
  Tensor lse({.dims = {kHeads, 2}, .dtype = ACL_FLOAT});
  const Numbers query = Fill(q), query_rope = Fill(q_rope);
  const Keys keys = MakeKeys(ACL_FLOAT16, 5);
  atb::Operation* op = nullptr;
  Ring(q, q_rope, keys, HostLengths({2, 5}, {2, 1}), false, 1, out, lse, &op);
  EXPECT_EQ(atb::DestroyOperation(op), 0);
  Numbers expected;
  for (int64_t row = 0; row < 2; ++row) {
    for (int64_t n = 0; n < kHeads; ++n) {
      Numbers sums(kValues);
      double weights = 0;
      AddPart(query, query_rope, keys.n, keys.r, keys.v, row, n, 0, row + 1, &sums, &weights);
      for (double sum : sums) expected.push_back(sum / weights);
    }
  }
  ExpectClose(out, expected, 4e-3);
}

// Without keys there is nothing to join with.
TEST_F(AtbRingTest, NoKeys) {
  Tensor q({.dims = {2, kHeads, kDim}, .dtype = ACL_BF16});
  Tensor q_rope({.dims = {2, kHeads, kRope}, .dtype = ACL_BF16});
  Tensor out({.dims = {2, kHeads, kValues}, .dtype = ACL_BF16});
  Tensor lse({.dims = {kHeads, 2}, .dtype = ACL_FLOAT});
  Fill(q);
  Fill(q_rope);
  const Keys keys = MakeKeys(ACL_BF16, 1);
  atb::Operation* op = nullptr;
  Ring(q, q_rope, keys, HostLengths({2, 0}, {2, 1}), false, 0, out, lse, &op);
  for (double value : ReadAs(out)) EXPECT_EQ(value, 0);
  for (double value : ReadAs(lse)) EXPECT_EQ(value, -INFINITY);
  uint64_t bytes = 0;
  const auto call = [&](const HostLengths* lengths, int calc, atb::Context* context) {
    TakeMessages();
    return AtbRingMLAGetWorkspaceSize(
        q.handle(), q_rope.handle(), keys.nope.handle(), keys.rope.handle(), keys.values.handle(),
        nullptr, lengths == nullptr ? nullptr : lengths->handle(), nullptr, nullptr, kHeads,
        kKeyHeads, 0.2f, 1, 0, 0, calc, out.handle(), lse.handle(), &bytes, &op, context);
  };
  const HostLengths right({2, 1}, {2, 1}), long_ones({2, 2}, {2, 1});
  ExpectFailure(call(&right, 0, context()), atb::ERROR_INVALID_TENSOR_ADDR,
                {"prevOut", "calcType"});
  ExpectFailure(call(&right, 2, context()), atb::ERROR_INVALID_PARAM, {"calcType", "2"});
  ExpectFailure(call(&long_ones, 1, context()), atb::ERROR_INVALID_TENSOR_DIM, {"keys", "1"});
  ExpectFailure(call(nullptr, 1, context()), atb::ERROR_INVALID_TENSOR_ADDR, {"seqLen"});
  ExpectFailure(call(&right, 1, nullptr), atb::ERROR_INVALID_CONTEXT_ADDR, {"context"});
  EXPECT_EQ(atb::DestroyOperation(op), 0);
  ASSERT_EQ(atb::CreateOperation(atb::infer::RopeParam(), &op), 0);
  ExpectFailure(call(&right, 1, context()), atb::ERROR_INVALID_OPERATION_ADDR, {"op"});
  TakeMessages();
  ExpectFailure(AtbRingMLA(nullptr, 0, op, context()), atb::ERROR_INVALID_OPERATION_ADDR, {"op"});
  EXPECT_EQ(atb::DestroyOperation(op), 0);
}

// Results are joined in place, row by row: they lie without gaps.
TEST_F(AtbRingTest, ResultsWithGapsAreRefused) {
  Tensor q({.dims = {2, kHeads, kDim}, .dtype = ACL_BF16});
  Tensor q_rope({.dims = {2, kHeads, kRope}, .dtype = ACL_BF16});
  Tensor out({.dims = {2, kHeads, kValues},
              .dtype = ACL_BF16,
              .strides = {kHeads * kValues * 2, kValues, 1}});
  Tensor lse({.dims = {kHeads, 2}, .dtype = ACL_FLOAT});
  const Keys keys = MakeKeys(ACL_BF16, 2);
  const HostLengths lengths({2}, {1});
  atb::Operation* op = nullptr;
  uint64_t bytes = 0;
  TakeMessages();
  const int code = AtbRingMLAGetWorkspaceSize(
      q.handle(), q_rope.handle(), keys.nope.handle(), keys.rope.handle(), keys.values.handle(),
      nullptr, lengths.handle(), nullptr, nullptr, kHeads, kKeyHeads, 0.2f, 1, 0, 0, 1,
      out.handle(), lse.handle(), &bytes, &op, context());
  EXPECT_NE(code, 0);
  ExpectFailure(code, code, {"output", "contiguous"});
  EXPECT_EQ(op, nullptr);
}

}  // namespace
}  // namespace anyacl::test::ring
