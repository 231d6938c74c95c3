// SPDX-License-Identifier: Apache-2.0
// Attention over parts of the keys joined, against the document's formula in double precision.
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_attention_update.h"
#include "ops/moe_case.h"
#include "support/tensor_list.h"

namespace anyacl::test {
namespace {

using namespace moe;

constexpr double kInfinity = INFINITY;

struct Joining {
  size_t parts = 2;
  int64_t rows = 5, columns = 32;
  aclDataType type = ACL_FLOAT;
  bool writes_lse = true, strided = false;
  double spread = 4;        // of the sums' logarithms
  bool some_empty = false;  // row r has no keys in parts (r + i) % 3 == 0, row 1 in none
};

class AttentionUpdateTest : public MoeTest {
 protected:
  static std::unique_ptr<Tensor> Held(const Shape& dims, aclDataType type, const Numbers& values,
                                      bool strided) {
    return std::make_unique<Tensor>(Holding(dims, type, values, strided));
  }
  static aclnnStatus PhaseOne(const TensorList& lse, const TensorList& parts, int64_t update,
                              const aclTensor* out, const aclTensor* lse_out, uint64_t* s,
                              aclOpExecutor** e) {
    return aclnnAttentionUpdateGetWorkspaceSize(lse.handle(), parts.handle(), update,
                                                const_cast<aclTensor*>(out),
                                                const_cast<aclTensor*>(lse_out), s, e);
  }

  void Check(const Joining& c) {
    SCOPED_TRACE(::testing::Message()
                 << c.parts << " parts of " << c.rows << "x" << c.columns << " type " << c.type
                 << " lse " << c.writes_lse << " strided " << c.strided << " spread " << c.spread
                 << " some empty " << c.some_empty);
    std::vector<Numbers> sums, values;
    Tensors lse, parts;
    for (size_t i = 0; i < c.parts; ++i) {
      sums.push_back(Drawn(ACL_FLOAT, static_cast<size_t>(c.rows), -c.spread, c.spread));
      values.push_back(Drawn(c.type, static_cast<size_t>(c.rows * c.columns), -2, 2));
      for (size_t r = 0; c.some_empty && r < sums[i].size(); ++r) {
        if ((r + i) % 3 != 0 && r != 1) continue;
        sums[i][r] = i % 2 == 0 ? kInfinity : -kInfinity;
        values[i][r * static_cast<size_t>(c.columns)] = NAN;
      }
      lse.push_back(Held({c.rows}, ACL_FLOAT, sums[i], c.strided));
      parts.push_back(Held({c.rows, c.columns}, c.type, values[i], c.strided));
    }
    const TensorList lse_list(lse), part_list(parts);
    const Tensor out = Made({c.rows, c.columns}, c.type, c.strided);
    const Tensor lse_out = Made({c.rows}, ACL_FLOAT, c.strided);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return PhaseOne(lse_list, part_list, c.writes_lse ? 1 : 0, out.handle(),
                          c.writes_lse ? lse_out.handle() : nullptr, s, e);
        },
        aclnnAttentionUpdate);
    const Numbers actual = ReadAs(out), actual_lse = ReadAs(lse_out);
    for (size_t r = 0; r < static_cast<size_t>(c.rows); ++r) {
      double most = -kInfinity, sum = 0;
      for (const Numbers& of : sums) {
        if (std::isfinite(of[r])) most = std::max(most, of[r]);
      }
      for (const Numbers& of : sums) {
        if (std::isfinite(of[r])) sum += std::exp(of[r] - most);
      }
      const double joined = sum == 0 ? kInfinity : most + std::log(sum);
      if (c.writes_lse && sum == 0) {
        EXPECT_EQ(actual_lse[r], kInfinity) << r;
      }
      if (c.writes_lse && sum != 0) {
        EXPECT_NEAR(actual_lse[r], joined, 0x1p-21 + HalfUnitOf(ACL_FLOAT, joined)) << r;
      }
      for (size_t d = 0; d < static_cast<size_t>(c.columns); ++d) {
        const size_t at = r * static_cast<size_t>(c.columns) + d;
        double expected = 0, size = 0;
        for (size_t i = 0; i < c.parts; ++i) {
          if (!std::isfinite(sums[i][r])) continue;
          const double term = values[i][at] * std::exp(sums[i][r] - joined);
          expected += term;
          size += std::abs(term);
        }
        // Shares have some roundings of exponents up to twice the spread, sums one for each part.
        const double error = size * 0x1p-24 * (8 + 2 * c.spread + static_cast<double>(c.parts));
        ASSERT_NEAR(actual[at], expected, error + 1.01 * HalfUnitOf(c.type, expected)) << at;
      }
    }
    EXPECT_TRUE(out.GuardsIntact());
    EXPECT_TRUE(lse_out.GuardsIntact());
  }
};

TEST_F(AttentionUpdateTest, JoinsPartsBySums) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (bool strided : {false, true}) {
      for (bool writes_lse : {false, true}) {
        Check({.type = type, .writes_lse = writes_lse, .strided = strided});
        Check({.parts = 7,
               .type = type,
               .writes_lse = writes_lse,
               .strided = strided,
               .some_empty = true});
      }
    }
    Check({.parts = 1, .type = type});
    Check({.parts = 16, .rows = 33, .columns = 512, .type = type});
    Check({.parts = 128, .rows = 2, .columns = 8, .type = type});
    Check({.parts = 3, .rows = 700, .columns = 128, .type = type, .some_empty = true});
    Check({.rows = 1, .columns = 8, .type = type});
  }
}

TEST_F(AttentionUpdateTest, SumsMayBeFarApart) {
  Check({.parts = 4, .spread = 80});
  Check({.parts = 4, .spread = 3000});
}

TEST_F(AttentionUpdateTest, PartsOfOneTensorThatHasTheSumsBesideTheRows) {
  // As vLLM-Ascend passes them: [parts, rows, D + 1].
  const int64_t rows = 6, columns = 16, row = columns + 1;
  const Numbers all = Drawn(ACL_FLOAT, static_cast<size_t>(2 * rows * row), -2, 2);
  Tensor whole = Holding({2 * rows * row}, ACL_FLOAT, all);
  const auto list = [&](int64_t first, const Shape& dims, const Shape& strides) {
    std::vector<const aclTensor*> members;
    for (int64_t i = 0; i < 2; ++i) {
      const int64_t storage = 2 * rows * row;
      members.push_back(aclCreateTensor(dims.data(), dims.size(), ACL_FLOAT, strides.data(),
                                        i * rows * row + first, ACL_FORMAT_ND, &storage, 1,
                                        whole.data()));
    }
    return aclCreateTensorList(members.data(), members.size());
  };
  aclTensorList* const parts = list(0, {rows, columns}, {row, 1});
  aclTensorList* const lse = list(columns, {rows}, {row});
  const Tensor out = Made({rows, columns}, ACL_FLOAT);
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnAttentionUpdateGetWorkspaceSize(lse, parts, 0, out.handle(), nullptr, s, e);
      },
      aclnnAttentionUpdate);
  const Numbers actual = ReadAs(out);
  for (int64_t r = 0; r < rows; ++r) {
    const auto at = [&](int64_t part, int64_t d) {
      return all[static_cast<size_t>((part * rows + r) * row + d)];
    };
    const double a = std::exp(at(0, columns)), b = std::exp(at(1, columns));
    for (int64_t d = 0; d < columns; ++d) {
      EXPECT_NEAR(actual[static_cast<size_t>(r * columns + d)],
                  (at(0, d) * a + at(1, d) * b) / (a + b), 0x1p-19);
    }
  }
  aclDestroyTensorList(parts);
  aclDestroyTensorList(lse);
}

TEST_F(AttentionUpdateTest, NanStays) {
  Tensors lse, parts;
  for (double sum : {1.0, std::nan(""), 2.0}) {
    lse.push_back(Held({1}, ACL_FLOAT, {sum}, false));
    parts.push_back(Held({1, 8}, ACL_FLOAT, Numbers(8, 1), false));
  }
  const TensorList lse_list(lse), part_list(parts);
  const Tensor out = Made({1, 8}, ACL_FLOAT), lse_out = Made({1}, ACL_FLOAT);
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return PhaseOne(lse_list, part_list, 1, out.handle(), lse_out.handle(), s, e);
      },
      aclnnAttentionUpdate);
  EXPECT_TRUE(std::isnan(ReadAs(out)[3]));
  EXPECT_TRUE(std::isnan(ReadAs(lse_out)[0]));
}

TEST_F(AttentionUpdateTest, TensorsWithoutElements) {
  for (const Shape& dims : {Shape{0, 8}, Shape{0, 7}, Shape{3, 0}}) {
    Tensors lse, parts;
    lse.push_back(std::make_unique<Tensor>(Made({dims[0]}, ACL_FLOAT)));
    parts.push_back(std::make_unique<Tensor>(Made(dims, ACL_FLOAT)));
    const TensorList lse_list(lse), part_list(parts);
    const Tensor out = Made(dims, ACL_FLOAT);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return PhaseOne(lse_list, part_list, 0, out.handle(), nullptr, s, e);
        },
        aclnnAttentionUpdate);
  }
}

TEST_F(AttentionUpdateTest, RefusesWhatDoesNotFit) {
  const auto list = [&](size_t count, const Shape& dims, aclDataType type = ACL_FLOAT,
                        aclDataType last = ACL_DT_UNDEFINED) {
    Tensors all;
    for (size_t i = 0; i < count; ++i) {
      const bool other = last != ACL_DT_UNDEFINED && i + 1 == count;
      all.push_back(std::make_unique<Tensor>(Made(dims, other ? last : type)));
    }
    return all;
  };
  const Tensor out = Made({3, 8}, ACL_FLOAT), lse_out = Made({3}, ACL_FLOAT);
  const auto refused = [&](const Tensors& lse, const Tensors& parts, int64_t update,
                           const aclTensor* to, const aclTensor* lse_to, int code,
                           std::initializer_list<std::string_view> words) {
    const TensorList lse_list(lse), part_list(parts);
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return PhaseOne(lse_list, part_list, update, to, lse_to, s, e);
        },
        code, words);
  };
  constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID;
  const Tensors lse = list(2, {3}), parts = list(2, {3, 8});
  refused(lse, parts, 2, out.handle(), nullptr, kInvalid, {"updateType is 2"});
  refused(lse, parts, -1, out.handle(), nullptr, kInvalid, {"updateType is -1"});
  refused(lse, parts, 0, out.handle(), lse_out.handle(), kInvalid, {"lseOut is given"});
  refused(lse, parts, 1, out.handle(), nullptr, kInvalid, {"lseOut is null", "updateType = 1"});
  refused(lse, parts, 0, nullptr, nullptr, ACLNN_ERR_PARAM_NULLPTR, {"out is null"});
  refused(list(129, {3}), list(129, {3, 8}), 0, out.handle(), nullptr, kInvalid,
          {"lse has 129 tensors", "1 to 128"});
  refused({}, {}, 0, out.handle(), nullptr, kInvalid, {"lse has 0 tensors"});
  refused(lse, list(3, {3, 8}), 0, out.handle(), nullptr, kInvalid,
          {"localOut has 3 tensors", "2 as lse has"});
  refused(lse, list(2, {3, 8}, ACL_FLOAT, ACL_BF16), 0, out.handle(), nullptr, kInvalid,
          {"localOut[1].dtype = BF16", "FLOAT as localOut[0].dtype"});
  refused(lse, list(2, {3, 8}, ACL_BF16), 0, out.handle(), nullptr, kInvalid, {"out.dtype"});
  refused(list(2, {3}, ACL_FLOAT16), parts, 0, out.handle(), nullptr, kInvalid,
          {"lse[0].dtype = FLOAT16"});
  refused(list(2, {4}), parts, 0, out.handle(), nullptr, kInvalid, {"localOut.shape[0] = 3"});
  refused(list(2, {3, 1}), parts, 0, out.handle(), nullptr, kInvalid, {"lse.shape = [3, 1]"});
  for (int64_t columns : {4, 12, 520}) {
    const Tensor to = Made({3, columns}, ACL_FLOAT);
    refused(lse, list(2, {3, columns}), 0, to.handle(), nullptr, kInvalid,
            {"localOut[0].shape[1] = " + std::to_string(columns), "a multiple of 8 up to 512"});
  }
}

}  // namespace
}  // namespace anyacl::test
