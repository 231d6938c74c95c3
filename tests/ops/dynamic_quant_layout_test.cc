// SPDX-License-Identifier: Apache-2.0
// aclnnDynamicQuantV2: tensors that are views. Values must equal those of contiguous tensors, and
// the bytes between the elements of outputs stay what they were.
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "ops/dynamic_quant_case.h"

namespace anyacl::test {
namespace {

// Ways to lay a tensor of any rank out in memory.

Layout WithOffset(Layout layout) {
  layout.offset = 5;
  return layout;
}

// The last dimension with a step of three elements.
Layout WithStep(Layout layout) {
  layout.strides = ContiguousStrides(layout.dims);
  for (int64_t& stride : layout.strides) stride *= 3;
  return layout;
}

// Rows with two elements between them.
Layout WithPaddedRows(Layout layout) {
  std::vector<int64_t> padded = layout.dims;
  if (!padded.empty()) padded.back() += 2;
  layout.strides = ContiguousStrides(padded);
  return layout;
}

// Dimensions in reverse order in memory: of a matrix, the columns are contiguous.
Layout Transposed(Layout layout) {
  const std::vector<int64_t> reversed(layout.dims.rbegin(), layout.dims.rend());
  const std::vector<int64_t> strides = ContiguousStrides(reversed);
  layout.strides.assign(strides.rbegin(), strides.rend());
  return layout;
}

// From the last element backwards.
Layout Backwards(Layout layout) {
  layout.strides = ContiguousStrides(layout.dims);
  for (size_t i = 0; i < layout.dims.size(); ++i) {
    layout.offset += (layout.dims[i] - 1) * layout.strides[i];
    layout.strides[i] = -layout.strides[i];
  }
  return layout;
}

using View = std::function<Layout(Layout)>;
const std::map<std::string, View> kViews = {{"offset", WithOffset},
                                            {"step", WithStep},
                                            {"padded rows", WithPaddedRows},
                                            {"transposed", Transposed},
                                            {"backwards", Backwards}};

// A view of one tensor, or of every one.
const std::map<std::string, std::function<void(QuantLayouts&, const View&)>> kTargets = {
    {"x", [](QuantLayouts& l, const View& view) { l.x = view(l.x); }},
    {"smoothScalesOptional", [](QuantLayouts& l, const View& view) { l.smooth = view(l.smooth); }},
    {"groupIndexOptional", [](QuantLayouts& l, const View& view) { l.group = view(l.group); }},
    {"yOut", [](QuantLayouts& l, const View& view) { l.y = view(l.y); }},
    {"scaleOut", [](QuantLayouts& l, const View& view) { l.scale = view(l.scale); }},
    {"offsetOut", [](QuantLayouts& l, const View& view) { l.offset = view(l.offset); }},
    {"everything", [](QuantLayouts& l, const View& view) {
       for (Layout* layout : {&l.x, &l.smooth, &l.group, &l.y, &l.scale, &l.offset}) {
         if (layout->dtype != ACL_INT4) *layout = view(*layout);
       }
     }}};

class LayoutTest : public DynamicQuantTest, public ::testing::WithParamInterface<QuantForm> {};

TEST_P(LayoutTest, ViewsGiveTheValuesOfContiguousTensors) {
  for (const auto& [target_name, apply] : kTargets) {
    if (target_name == "yOut" && GetParam().y_type == ACL_INT4) continue;
    for (const auto& [view_name, view] : kViews) {
      for (const std::vector<int64_t>& dims :
           std::vector<std::vector<int64_t>>{{5, 16}, {4, 40}, {2, 3, 72}, {2, 2, 1, 3, 8}}) {
        SCOPED_TRACE(target_name + " as " + view_name + ", x of shape " +
                     ::testing::PrintToString(dims));
        const QuantProblem problem = RandomProblem(GetParam(), dims, random());
        QuantLayouts layouts = LayoutsOf(problem);
        apply(layouts, view);
        ExpectMatchesReference(problem, layouts);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, LayoutTest, ::testing::ValuesIn(AllForms()),
                         [](const auto& info) { return NameOf(info.param); });

TEST_F(DynamicQuantTest, BroadcastInputsAreRead) {
  QuantProblem problem{.dims = {3, 10}, .smooth = std::vector<float>(10, 0.5f)};
  for (int i = 0; i < 30; ++i) problem.x.push_back(static_cast<float>(i % 10 - 4));
  QuantLayouts layouts = LayoutsOf(problem);
  layouts.x.strides = {0, 1};
  layouts.x.storage = {10};
  layouts.smooth.strides = {0};
  layouts.smooth.storage = {1};
  ExpectMatchesReference(problem, layouts);
}

TEST_F(DynamicQuantTest, ViewsOfLongRowsAreRead) {
  const QuantProblem problem =
      RandomProblem({.asymmetric = true, .smooth = Smooth::kPerExpert}, {6, 5003}, random());
  for (const auto& [name, view] : kViews) {
    SCOPED_TRACE(name);
    QuantLayouts layouts = LayoutsOf(problem);
    kTargets.at("everything")(layouts, view);
    ExpectMatchesReference(problem, layouts);
  }
}

// A dimension of one element is never stepped along, so that its stride means nothing.
TEST_F(DynamicQuantTest, StridesOfSingleElementDimensionsAreIgnored) {
  const QuantProblem problem = RandomProblem({}, {1, 3, 1, 12}, random());
  QuantLayouts layouts = LayoutsOf(problem);
  layouts.x.strides = {1, 12, 7, 1};
  layouts.x.storage = layouts.x.dims;
  layouts.y.strides = {-9, 12, int64_t{1} << 60, 1};
  layouts.y.storage = layouts.y.dims;
  ExpectMatchesReference(problem, layouts);
}

// Callers tag plain tensors by their rank.
TEST_F(DynamicQuantTest, FormatsThatOnlyNameAxesArePlain) {
  for (aclFormat format : {ACL_FORMAT_NCHW, ACL_FORMAT_NHWC, ACL_FORMAT_ND, ACL_FORMAT_HWCN,
                           ACL_FORMAT_NDHWC, ACL_FORMAT_NCDHW, ACL_FORMAT_NC, ACL_FORMAT_NCL}) {
    SCOPED_TRACE(format);
    const QuantProblem problem =
        RandomProblem({.asymmetric = true, .smooth = Smooth::kPerExpert}, {4, 10}, random());
    QuantLayouts layouts = LayoutsOf(problem);
    for (Layout* layout : {&layouts.x, &layouts.smooth, &layouts.group, &layouts.y, &layouts.scale,
                           &layouts.offset}) {
      layout->format = format;
    }
    ExpectMatchesReference(problem, layouts);
  }
}

// Storage shapes are the caller's business where the format is plain.
TEST_F(DynamicQuantTest, StorageShapeMayDifferFromTheView) {
  const QuantProblem problem = RandomProblem({}, {4, 12}, random());
  for (const std::vector<int64_t>& storage : std::vector<std::vector<int64_t>>{{48}, {2, 2, 12}}) {
    QuantLayouts layouts = LayoutsOf(problem);
    layouts.x.storage = storage;
    layouts.y.storage = storage;
    ExpectMatchesReference(problem, layouts);
  }
}

// Operators work on any memory of the program, not only on aclrtMalloc's.
TEST_F(DynamicQuantTest, ForeignMemoryIsUsedInPlace) {
  const QuantProblem problem = RandomProblem({}, {3, 20}, random());
  QuantTensors tensors = MakeTensors(problem);
  std::vector<uint8_t> x_bytes = tensors.x.ElementBytes();
  std::vector<int8_t> y(60);
  std::vector<float> scale(3);
  ASSERT_OK(aclSetRawTensorAddr(tensors.x.handle(), x_bytes.data()));
  ASSERT_OK(aclSetRawTensorAddr(tensors.y.handle(), y.data()));
  ASSERT_OK(aclSetRawTensorAddr(tensors.scale.handle(), scale.data()));
  RunTwoPhase(tensors.V2(), &aclnnDynamicQuantV2);
  ExpectSameOutput({.y = y, .scale = scale, .offset = {}}, ReferenceOf(problem), 20);
}

}  // namespace
}  // namespace anyacl::test
