// SPDX-License-Identifier: Apache-2.0
// The sum, largest and smallest of the tensors of a list: every type, broadcasting, layouts, in
// place, lists of any length.
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_add_n.h"
#include "aclnnop/aclnn_maxn.h"
#include "aclnnop/aclnn_minn.h"
#include "aclnnop/aclnn_sum.h"
#include "support/device_test.h"
#include "support/numbers.h"
#include "support/tensor_list.h"

namespace anyacl::test {
namespace {

using Sizes = std::vector<int64_t>;

struct ListFold {
  aclnnStatus (*first)(const aclTensorList*, aclTensor*, uint64_t*, aclOpExecutor**);
  Phase2 second;
  double (*of)(double a, double b);
};
const ListFold kSum = {aclnnSumGetWorkspaceSize, aclnnSum,
                       [](double a, double b) { return a + b; }};
const ListFold kAddN = {aclnnAddNGetWorkspaceSize, aclnnAddN, kSum.of};
const ListFold kMaxN = {aclnnMaxNGetWorkspaceSize, aclnnMaxN,
                        [](double a, double b) { return std::isnan(a) || a > b ? a : b; }};
const ListFold kMinN = {aclnnMinNGetWorkspaceSize, aclnnMinN,
                        [](double a, double b) { return std::isnan(a) || a < b ? a : b; }};

class SumTest : public DeviceTest {
 protected:
  // The tensors that broadcast to `dims`, as the documents have them: one after the other.
  std::vector<double> Expected(const Tensors& tensors, const Sizes& dims,
                               std::vector<double>* magnitudes, const ListFold& fold = kSum) const {
    size_t count = 1;
    for (int64_t dim : dims) count *= static_cast<size_t>(dim);
    std::vector<double> sums(count);
    magnitudes->assign(count, 0);
    for (const auto& tensor : tensors) {
      const std::vector<double> values = ReadAs(*tensor);
      const Sizes& own = tensor->layout().dims;
      for (size_t i = 0; i < count; ++i) {
        int64_t rest = static_cast<int64_t>(i), at = 0, step = 1;
        for (size_t d = 1; d <= dims.size(); ++d) {
          const int64_t index = rest % dims[dims.size() - d];
          rest /= dims[dims.size() - d];
          if (d > own.size()) continue;
          if (own[own.size() - d] > 1) at += index * step;
          step *= own[own.size() - d];
        }
        const double value = values[static_cast<size_t>(at)];
        sums[i] = tensor == tensors.front() ? value : fold.of(sums[i], value);
        (*magnitudes)[i] += std::fabs(value);
      }
    }
    return sums;
  }

  Tensors Filled(const std::vector<Layout>& layouts) {
    Tensors tensors;
    for (const Layout& layout : layouts) {
      tensors.push_back(std::make_unique<Tensor>(layout));
      const bool floating = HalfUnitOf(layout.dtype, 1) != 0;
      std::vector<double> values(static_cast<size_t>(tensors.back()->count()));
      for (double& value : values) {
        value = floating                    ? AsHeld(layout.dtype, random().Uniform(-8, 8))
                : layout.dtype == ACL_UINT8 ? static_cast<double>(random().Int(0, 255))
                : layout.dtype == ACL_INT8  ? static_cast<double>(random().Int(-128, 127))
                                            : static_cast<double>(random().Int(-1 << 20, 1 << 20));
      }
      WriteAs(*tensors.back(), values);
    }
    return tensors;
  }

  void Run(const Tensors& tensors, const Tensor& out, const ListFold& fold = kSum) {
    const TensorList list(tensors);
    RunTwoPhase([&](uint64_t* s,
                    aclOpExecutor** e) { return fold.first(list.handle(), out.handle(), s, e); },
                fold.second);
  }

  void ExpectSums(const Tensor& out, const std::vector<double>& sums,
                  const std::vector<double>& magnitudes, size_t terms) {
    const aclDataType type = out.layout().dtype;
    const std::vector<double> results = ReadAs(out);
    ASSERT_EQ(results.size(), sums.size());
    for (size_t i = 0; i < sums.size(); ++i) {
      if (HalfUnitOf(type, 1) != 0) {
        const double rounding = static_cast<double>(terms) * magnitudes[i] * std::ldexp(1, -24);
        ASSERT_NEAR(results[i], sums[i], rounding + 1.01 * HalfUnitOf(type, sums[i])) << i;
      } else {
        const double wraps = std::ldexp(1, BitsOf(type));
        ASSERT_EQ(std::remainder(results[i] - sums[i], wraps), 0) << i << ": " << results[i];
      }
    }
    EXPECT_TRUE(out.GuardsIntact());
  }

  void Check(std::vector<Layout> layouts, Layout out_layout, aclDataType type,
             const ListFold& fold = kSum) {
    for (Layout& layout : layouts) layout.dtype = type;
    out_layout.dtype = type;
    const Tensors tensors = Filled(layouts);
    std::vector<double> magnitudes;
    const std::vector<double> sums = Expected(tensors, out_layout.dims, &magnitudes, fold);
    const Tensor out(out_layout);
    Run(tensors, out, fold);
    ExpectSums(out, sums, magnitudes, tensors.size());
  }
};

TEST_F(SumTest, AddsEveryTensorInEveryType) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_INT8, ACL_UINT8}) {
    SCOPED_TRACE(type);
    Check({{.dims = {}}}, {.dims = {}}, type);
    Check({{.dims = {5}}, {.dims = {5}}}, {.dims = {5}}, type);
    Check({{.dims = {3, 5000}}, {.dims = {5000}}, {.dims = {3, 1}}, {.dims = {}}},
          {.dims = {3, 5000}}, type);
    Check({{.dims = {4, 1, 3}}, {.dims = {7, 1}}, {.dims = {1, 1, 3}}}, {.dims = {4, 7, 3}}, type);
    Check({{.dims = {6, 9}, .strides = {1, 7}}, {.dims = {6, 9}, .strides = {-9, 1}, .offset = 45}},
          {.dims = {6, 9}, .strides = {12, 1}, .offset = 2}, type);
    Check({{.dims = {1, 2, 1, 2, 1, 2, 1, 3}}, {.dims = {2, 1, 2, 1, 2, 1, 2, 1}}},
          {.dims = {2, 2, 2, 2, 2, 2, 2, 3}}, type);
    Check(std::vector<Layout>(40, {.dims = {2, 41}}), {.dims = {2, 41}}, type);
  }
}

TEST_F(SumTest, AddNAddsTensorsOfOneShape) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32, ACL_INT64}) {
    SCOPED_TRACE(type);
    Check({{.dims = {5}}}, {.dims = {5}}, type, kAddN);
    Check(std::vector<Layout>(20, {.dims = {2, 4100}}), {.dims = {2, 4100}}, type, kAddN);
    Check({{.dims = {6, 9}, .strides = {1, 7}}, {.dims = {6, 9}}},
          {.dims = {6, 9}, .strides = {12, 1}}, type, kAddN);
    Check({{.dims = {2, 0}}, {.dims = {2, 0}}}, {.dims = {2, 0}}, type, kAddN);
  }
  const Tensors tensors = Filled({{.dims = {2, 3}}, {.dims = {3}}});
  const TensorList list(tensors);
  const Tensor out({.dims = {2, 3}});
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnAddNGetWorkspaceSize(list.handle(), out.handle(), s, e);
      },
      ACLNN_ERR_PARAM_INVALID, {"tensors.shape = [3]", "[2, 3]"});
}

TEST_F(SumTest, MaxNAndMinNAreTheExtremes) {
  for (const ListFold* fold : {&kMaxN, &kMinN}) {
    for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT8, ACL_INT32, ACL_INT64}) {
      SCOPED_TRACE(type);
      Check({{.dims = {}}}, {.dims = {}}, type, *fold);
      Check({{.dims = {3, 5000}}, {.dims = {5000}}, {.dims = {3, 1}}, {.dims = {}}},
            {.dims = {3, 5000}}, type, *fold);
      Check({{.dims = {6, 9}, .strides = {1, 7}}, {.dims = {9}}},
            {.dims = {6, 9}, .strides = {12, 1}, .offset = 2}, type, *fold);
      Check(std::vector<Layout>(20, {.dims = {2, 1}}), {.dims = {2, 1}}, type, *fold);
      Check({{.dims = {0, 1}}, {.dims = {0, 3}}}, {.dims = {0, 3}}, type, *fold);
    }
    const Tensors tensors = Filled({{.dims = {2}}, {.dims = {2}}, {.dims = {2}}});
    WriteAs(*tensors[1], {std::nan(""), 1});
    Run(tensors, *tensors[0], *fold);
    EXPECT_TRUE(std::isnan(ReadAs(*tensors[0])[0]));
  }
}

TEST_F(SumTest, TakesAnyOfTheTensorsAsOutput) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_INT32}) {
    for (size_t place : {size_t{0}, size_t{1}, size_t{2}}) {
      SCOPED_TRACE(::testing::Message() << "type " << type << " place " << place);
      const Layout layout = {.dims = {3, 3000}, .dtype = type};
      const Tensors tensors = Filled({layout, layout, layout});
      std::vector<double> magnitudes;
      const std::vector<double> sums = Expected(tensors, layout.dims, &magnitudes);
      Run(tensors, *tensors[place]);
      ExpectSums(*tensors[place], sums, magnitudes, 3);
    }
  }
}

// Halves are added up in fp32: 2048 + 1 + 1 is 2048 in FLOAT16 after each step.
TEST_F(SumTest, RoundsHalvesOnce) {
  const Layout layout = {.dims = {3}, .dtype = ACL_FLOAT16};
  const Tensors tensors = Filled({layout, layout, layout});
  WriteAs(*tensors[0], {2048, 2048, 65504});
  WriteAs(*tensors[1], {1, 2, 65504});
  WriteAs(*tensors[2], {1, 4, -65504});
  const Tensor out(layout);
  Run(tensors, out);
  EXPECT_EQ(ReadAs(out), (std::vector<double>{2050, 2054, 65504}));
}

TEST_F(SumTest, WritesNothingWithoutElements) {
  const Tensors tensors = Filled({{.dims = {0, 3}}, {.dims = {1, 3}}});
  const Tensor out({.dims = {0, 3}});
  Run(tensors, out);
}

TEST_F(SumTest, RefusesWhatDoesNotFit) {
  const auto refused = [&](const std::vector<Layout>& layouts, const Layout& out_layout,
                           std::initializer_list<std::string_view> words) {
    const Tensors tensors = Filled(layouts);
    const TensorList list(tensors);
    const Tensor out(out_layout);
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnSumGetWorkspaceSize(list.handle(), out.handle(), s, e);
        },
        ACLNN_ERR_PARAM_INVALID, words);
  };
  const Layout row = {.dims = {3}}, half = {.dims = {3}, .dtype = ACL_FLOAT16};
  refused({}, row, {"tensors is empty"});
  refused({row, half}, row, {"tensors[1].dtype = FLOAT16", "FLOAT"});
  refused({row}, half, {"tensors[0].dtype = FLOAT", "FLOAT16"});
  refused({row, {.dims = {4}}}, row, {"tensors[1].shape = [4]", "[3]"});
  refused({row}, {.dims = {2, 3}}, {"out.shape = [2, 3]", "expected [3]"});
  refused({{.dims = {2, 3}}}, row, {"out.shape = [3]", "expected [2, 3]"});
  refused({{.dims = {3}, .dtype = ACL_DOUBLE}}, {.dims = {3}, .dtype = ACL_DOUBLE}, {"DOUBLE"});
}

}  // namespace
}  // namespace anyacl::test
