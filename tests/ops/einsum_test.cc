// SPDX-License-Identifier: Apache-2.0
// Einsum of both equations against plain sums; those of integers are taken modulo 2^n.
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_einsum.h"
#include "ops/moe_case.h"
#include "support/tensor_list.h"

namespace anyacl::test {
namespace {

using namespace moe;

class EinsumTest : public MoeTest {
 protected:
  static Phase1 Call(const TensorList& list, const char* equation, const Tensor& out) {
    return [=, &list, &out](uint64_t* size, aclOpExecutor** e) {
      return aclnnEinsumGetWorkspaceSize(list.handle(), equation, out.handle(), size, e);
    };
  }

  Numbers Whole(size_t count, int64_t least, int64_t most) {
    Numbers values;
    for (size_t i = 0; i < count; ++i) {
      values.push_back(static_cast<double>(random().Int(least, most)));
    }
    return values;
  }

  void Check(aclDataType type, bool strided, bool outer) {
    SCOPED_TRACE(::testing::Message() << "type " << type << " strided " << strided << outer);
    const int64_t a = 2, b = 1, c = 3, d = outer ? 1 : 5, e = 4;
    const bool is_unsigned = type == ACL_UINT16 || type == ACL_UINT32 || type == ACL_UINT64;
    const int64_t least = is_unsigned ? 0 : -9;
    const size_t lefts = outer ? 6 : static_cast<size_t>(a * b * c * d);
    const size_t columns = outer ? 5 : static_cast<size_t>(e);
    const Numbers left = Whole(lefts, least, 9);
    const Numbers right = Whole(outer ? 5 : lefts * columns, least, 9);
    Tensors tensors;
    tensors.push_back(std::make_unique<Tensor>(
        Holding(outer ? Shape{6} : Shape{a, b, c, d}, type, left, strided)));
    tensors.push_back(std::make_unique<Tensor>(
        Holding(outer ? Shape{5} : Shape{a, b, c, e, d}, type, right, strided)));
    const Tensor out = Made(outer ? Shape{6, 5} : Shape{a, b, c, e}, type, strided);
    const TensorList list(tensors);
    RunTwoPhase(Call(list, outer ? "a,b->ab" : "abcd,abced->abce", out), aclnnEinsum);
    const Numbers actual = ReadAs(out);
    const auto depth = static_cast<size_t>(d);
    for (size_t i = 0; i < actual.size(); ++i) {
      double sum = 0;
      for (size_t k = 0; k < depth; ++k) {
        sum += left[i / columns * depth + k] * right[outer ? i % columns : i * depth + k];
      }
      ASSERT_EQ(actual[i], AsHeld(type, sum)) << i;
    }
    EXPECT_TRUE(out.GuardsIntact());
  }
};

TEST_F(EinsumTest, IsTheFormula) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_INT16, ACL_UINT16, ACL_INT32, ACL_UINT32,
                           ACL_INT64, ACL_UINT64}) {
    for (bool strided : {false, true}) {
      for (bool outer : {false, true}) Check(type, strided, outer);
    }
  }
}

TEST_F(EinsumTest, SumsOfIntegersWrap) {
  Tensors tensors;
  tensors.push_back(std::make_unique<Tensor>(Layout{.dims = {1, 1, 1, 2}, .dtype = ACL_INT32}));
  tensors.push_back(std::make_unique<Tensor>(Layout{.dims = {1, 1, 1, 1, 2}, .dtype = ACL_INT32}));
  const Tensor out({.dims = {1, 1, 1, 1}, .dtype = ACL_INT32});
  tensors[0]->Write<int32_t>({INT32_MAX, 2});
  tensors[1]->Write<int32_t>({2, 3});
  const TensorList list(tensors);
  RunTwoPhase(Call(list, "abcd,abced->abce", out), aclnnEinsum);
  EXPECT_EQ(out.Read<int32_t>(), std::vector<int32_t>{4});
}

TEST_F(EinsumTest, WhatDoesNotFitIsRefused) {
  const auto refused = [&](const std::vector<Layout>& members, const char* equation,
                           const Shape& to, std::initializer_list<std::string_view> words,
                           int code = ACLNN_ERR_PARAM_INVALID) {
    Tensors tensors;
    for (const Layout& layout : members) tensors.push_back(std::make_unique<Tensor>(layout));
    const TensorList list(tensors);
    const Tensor out({.dims = to});
    ExpectRefused(Call(list, equation, out), code, words);
  };
  const Layout left = {.dims = {2, 2, 3, 4}}, right = {.dims = {2, 2, 3, 5, 4}};
  const Shape to = {2, 2, 3, 5};
  const char* const sums = "abcd,abced->abce";
  refused({left, {.dims = {1, 2, 3, 5, 4}}}, sums, to, {"tensors[1].shape = [1, 2, 3, 5, 4]"});
  refused({left, right}, sums, {2, 2, 3, 4}, {"output.shape", "[2, 2, 3, 5]"});
  refused({left, {.dims = {2, 2, 3, 5, 4}, .dtype = ACL_INT32}}, sums, to,
          {"tensors[1].dtype = INT32"});
  refused({left}, sums, to, {"1 tensors, expected 2"});
  refused({left, right}, "ij,jk->ik", to, {"equation"});
  refused({left, right}, "a,b->ab", to, {"[a] and [b]"});
  refused({{.dims = {4}}, {.dims = {0}}}, "a,b->ab", {4, 0}, {"elements"});
  refused({left, right}, nullptr, to, {"equation"}, ACLNN_ERR_PARAM_NULLPTR);
}

}  // namespace
}  // namespace anyacl::test
