// SPDX-License-Identifier: Apache-2.0
// aclnnDynamicQuantV2 with problems large enough to be shared among threads. Run with different
// ANYACL_THREADS, all results must be those of the oracle to the bit.
#include <vector>

#include "ops/dynamic_quant_case.h"

namespace anyacl::test {
namespace {

class ThreadsTest : public DynamicQuantTest, public ::testing::WithParamInterface<QuantForm> {};

TEST_P(ThreadsTest, ResultsDoNotDependOnThem) {
  for (const std::vector<int64_t>& dims : std::vector<std::vector<int64_t>>{
           {1, 65536}, {2, 40000}, {3, 16384}, {7, 8200}, {61, 1032}, {509, 264}, {4099, 8}}) {
    SCOPED_TRACE("x of shape " + ::testing::PrintToString(dims));
    ExpectMatchesReference(RandomProblem(GetParam(), dims, random()));
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, ThreadsTest, ::testing::ValuesIn(AllForms()),
                         [](const auto& info) { return NameOf(info.param); });

TEST_F(DynamicQuantTest, StridedProblemsDoNotDependOnThreads) {
  const QuantProblem problem =
      RandomProblem({.asymmetric = true, .smooth = Smooth::kPerExpert}, {211, 1003}, random());
  QuantLayouts layouts = LayoutsOf(problem);
  layouts.x.strides = {1, 211};
  layouts.y.strides = {1010, 1};
  layouts.scale.strides = {2};
  layouts.offset.strides = {3};
  ExpectMatchesReference(problem, layouts);
}

}  // namespace
}  // namespace anyacl::test
