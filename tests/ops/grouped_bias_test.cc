// SPDX-License-Identifier: Apache-2.0
// GroupedBiasAddGrad against sums of the groups' rows.
#include "aclnnop/aclnn_grouped_bias_add_grad.h"
#include "ops/moe_case.h"

namespace anyacl::test {
namespace {

class GroupedBiasTest : public moe::MoeTest {};

TEST_F(GroupedBiasTest, GradientsAreSumsOfRows) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (aclDataType index : {ACL_INT32, ACL_INT64}) {
      for (int64_t columns : {5, 300}) {
        for (int form = 0; form < 4; ++form) {  // where groups end, by both; sizes; no groups
          SCOPED_TRACE(::testing::Message()
                       << type << " " << index << " " << columns << " " << form);
          const std::vector<double> numbers =
              form == 2 ? std::vector<double>{2, 0, 1000} : std::vector<double>{2, 2, 1002};
          Tensor y =
              form < 3
                  ? Tensor(
                        {.dims = {1003, columns}, .dtype = type, .strides = {1, 1005}, .offset = 3})
                  : Tensor({.dims = {3, 7, columns}, .dtype = type});
          std::vector<double> values;
          for (int64_t i = 0; i < y.count(); ++i) {
            values.push_back(AsHeld(type, random().Uniform(-1, 1)));
          }
          WriteAs(y, values);
          Tensor groups({.dims = {3}, .dtype = index});
          WriteAs(groups, numbers);
          const Tensor out({.dims = {3, columns}, .dtype = type, .strides = {1, 4}});
          aclTensor* const given = form < 3 ? groups.handle() : nullptr;
          if (form == 0) {
            RunTwoPhase(
                [&](uint64_t* s, aclOpExecutor** e) {
                  return aclnnGroupedBiasAddGradGetWorkspaceSize(y.handle(), given, out.handle(), s,
                                                                 e);
                },
                aclnnGroupedBiasAddGrad);
          } else {
            RunTwoPhase(
                [&](uint64_t* s, aclOpExecutor** e) {
                  return aclnnGroupedBiasAddGradV2GetWorkspaceSize(y.handle(), given, form == 2,
                                                                   out.handle(), s, e);
                },
                aclnnGroupedBiasAddGradV2);
          }
          EXPECT_TRUE(out.GuardsIntact());
          const std::vector<double> sums = ReadAs(out);
          const std::vector<int64_t> bounds =
              form < 3 ? std::vector<int64_t>{0, 2, 2, 1002} : std::vector<int64_t>{0, 7, 14, 21};
          for (int64_t i = 0; i < 3 * columns; ++i) {
            double expected = 0;
            for (int64_t r = bounds[i / columns]; r < bounds[i / columns + 1]; ++r) {
              expected += values[r * columns + i % columns];
            }
            ASSERT_NEAR(sums[i], expected, 1e-4 + 1.01 * HalfUnitOf(type, expected)) << i;
          }
        }
      }
    }
  }
}

TEST_F(GroupedBiasTest, RefusesWhatDoesNotFit) {
  const Tensor y({.dims = {4, 5}}), cube({.dims = {2, 4, 5}}), out({.dims = {2, 5}});
  const Tensor many({.dims = {2049}, .dtype = ACL_INT32}), sums({.dims = {2049, 5}});
  const Tensor falling = Holding({2}, ACL_INT32, {3, 2});
  const auto call = [](const Tensor& rows, const Tensor* groups, int64_t kind, const Tensor& to) {
    return [&rows, groups, kind, &to](uint64_t* s, aclOpExecutor** e) {
      return aclnnGroupedBiasAddGradV2GetWorkspaceSize(
          rows.handle(), groups != nullptr ? groups->handle() : nullptr, kind, to.handle(), s, e);
    };
  };
  ExpectRefused(call(y, nullptr, 0, out), 161002, {"gradY.shape = [4, 5]", "3", "null"});
  ExpectRefused(call(cube, &falling, 0, out), 161002, {"gradY.shape = [2, 4, 5]", "2", "given"});
  ExpectRefused(call(y, &falling, 2, out), 161002, {"groupIdxType"});
  ExpectRefused(call(y, &many, 0, sums), 161002, {"groupIdxOptional.shape = [2049]", "2048"});
  ExpectTaskFails(call(y, &falling, 0, out), aclnnGroupedBiasAddGradV2,
                  "groupIdxOptional[1] = 2, expected 3 to 4 of 4 rows");
  ExpectTaskFails(call(y, &falling, 1, out), aclnnGroupedBiasAddGradV2,
                  "groupIdxOptional[1] = 2, expected 0 to 1 of 4 rows");
}

}  // namespace
}  // namespace anyacl::test
