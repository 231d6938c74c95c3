// SPDX-License-Identifier: Apache-2.0
// ExpandIntoJaggedPermute against the document's formula, and offsets that it refuses.
#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_expand_into_jagged_permute.h"
#include "ops/moe_case.h"

namespace anyacl::test {
namespace {

using namespace moe;

class JaggedTest : public MoeTest {
 protected:
  static Phase1 Call(const Tensor& permute, const Tensor& from, const Tensor& to, int64_t size,
                     const Tensor& out) {
    return [&, size](uint64_t* bytes, aclOpExecutor** e) {
      return aclnnExpandIntoJaggedPermuteGetWorkspaceSize(
          permute.handle(), from.handle(), to.handle(), size, out.handle(), bytes, e);
    };
  }
};

TEST_F(JaggedTest, IsTheFormula) {
  for (bool strided : {false, true}) {
    for (size_t tables : {1, 4, 300}) {
      Numbers permute, from = {0}, to = {0}, expected;
      for (size_t t = 0; t < tables; ++t) {
        permute.push_back(static_cast<double>(random().Int(0, static_cast<int64_t>(tables) - 1)));
        from.push_back(from.back() + static_cast<double>(random().Int(1, 9)));
        to.push_back(to.back() + static_cast<double>(random().Int(1, 9)));
      }
      for (size_t t = 0; t < tables; ++t) {
        for (double i = to[t]; i < to[t + 1]; ++i) {
          expected.push_back(from[static_cast<size_t>(permute[t])] + i - to[t]);
        }
      }
      const auto count = static_cast<int64_t>(tables), size = static_cast<int64_t>(to.back());
      const Tensor permute_in = Holding({count}, ACL_INT32, permute, strided);
      const Tensor from_in = Holding({count + 1}, ACL_INT32, from, strided);
      const Tensor to_in = Holding({count + 1}, ACL_INT32, to, strided);
      const Tensor out = Made({size}, ACL_INT32, strided);
      RunTwoPhase(Call(permute_in, from_in, to_in, size, out), aclnnExpandIntoJaggedPermute);
      EXPECT_EQ(ReadAs(out), expected);
      EXPECT_TRUE(out.GuardsIntact());
    }
  }
}

TEST_F(JaggedTest, WrongOffsetsFailTheTask) {
  const Tensor from = Holding({3}, ACL_INT32, {0, 2, 4}), out = Made({4}, ACL_INT32);
  const auto before = out.Bytes();
  const auto fails = [&](const Numbers& permute, const Numbers& to, std::string_view word) {
    const Tensor permute_in = Holding({2}, ACL_INT32, permute);
    const Tensor to_in = Holding({3}, ACL_INT32, to);
    ExpectTaskFails(Call(permute_in, from, to_in, 4, out), aclnnExpandIntoJaggedPermute, word);
    EXPECT_EQ(out.Bytes(), before);
  };
  fails({0, 2}, {0, 2, 4}, "permute[1] = 2");
  fails({-1, 0}, {0, 2, 4}, "permute[0] = -1");
  fails({0, 1}, {0, 5, 4}, "outputOffset[1] = 5");
  fails({0, 1}, {-1, 2, 4}, "outputOffset[0] = -1");
  fails({0, 1}, {0, 3, 2}, "outputOffset[2] = 2");
  fails({0, 1}, {0, 2, 3}, "outputOffset[2] = 3");
  const Tensor permute = Made({2}, ACL_INT32), four = Made({4}, ACL_INT32);
  ExpectRefused(Call(permute, four, four, 4, out), ACLNN_ERR_INNER_TILING_ERROR,
                {"inputOffset.shape = [4]"});
  const Tensor none = Made({0}, ACL_INT32), zero = Holding({1}, ACL_INT32, {0});
  RunTwoPhase(Call(none, zero, zero, 0, none), aclnnExpandIntoJaggedPermute);
}

}  // namespace
}  // namespace anyacl::test
