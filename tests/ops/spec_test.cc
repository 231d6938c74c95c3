// SPDX-License-Identifier: Apache-2.0
// The check tables of operators against the functions they describe: calls made from the rows pass,
// and breaking any one row gives that row's code and a message that names its parameter.
#include "nnop/operands.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "aclnnop/aclnn_dynamic_quant.h"
#include "aclnnop/aclnn_dynamic_quant_v2.h"
#include "aclnnop/aclnn_group_norm.h"
#include "aclnnop/aclnn_group_norm_backward.h"
#include "ops/dynamic_quant/op.h"
#include "ops/group_norm/op.h"
#include "support/device_test.h"

namespace anyacl {
namespace {

using test::ExpectRefused;
using test::Layout;
using test::Phase1;

using Layouts = std::vector<std::optional<Layout>>;  // In the order of the rows; absent: null.
using Sizes = std::map<std::string_view, std::vector<int64_t>>;

struct Operator {
  const char* name;
  const OpSpec* spec;
  // Takes the tensors in the order of the table.
  aclnnStatus (*phase_one)(const std::vector<const aclTensor*>&, uint64_t*, aclOpExecutor**);
  // Of the table's symbols: one size each, or those of a run; "X" of "X..".
  Sizes sizes;
  // Makes other rows agree with a changed one by rules that the table cannot say.
  void (*fit)(Layouts&, size_t changed) = [](Layouts&, size_t) {};
};

aclnnStatus PhaseOneV1(const std::vector<const aclTensor*>& t, uint64_t* workspace_size,
                       aclOpExecutor** executor) {
  return aclnnDynamicQuantGetWorkspaceSize(t.at(0), t.at(1), t.at(2), t.at(3), workspace_size,
                                           executor);
}

aclnnStatus PhaseOneV2(const std::vector<const aclTensor*>& t, uint64_t* workspace_size,
                       aclOpExecutor** executor) {
  return aclnnDynamicQuantV2GetWorkspaceSize(t.at(0), t.at(1), t.at(2), 2, t.at(3), t.at(4),
                                             t.at(5), workspace_size, executor);
}

aclnnStatus GroupNormBackward(const std::vector<const aclTensor*>& t, uint64_t* workspace_size,
                              aclOpExecutor** executor) {
  constexpr bool kAll[] = {true, true, true};
  const aclBoolArray* mask = aclCreateBoolArray(kAll, 3);
  const auto out = [&](size_t i) { return const_cast<aclTensor*>(t.at(i)); };
  const aclnnStatus code = aclnnGroupNormBackwardGetWorkspaceSize(
      t.at(0), t.at(1), t.at(2), t.at(3), t.at(4), 2, 4, 6, 2, mask, out(5), out(6), out(7),
      workspace_size, executor);
  aclDestroyBoolArray(mask);
  return code;
}

aclnnStatus GroupNorm(const std::vector<const aclTensor*>& t, uint64_t* workspace_size,
                      aclOpExecutor** executor) {
  const auto out = [&](size_t i) { return const_cast<aclTensor*>(t.at(i)); };
  return aclnnGroupNormGetWorkspaceSize(t.at(0), t.at(1), t.at(2), 2, 4, 6, 2, 1e-5, out(3), out(4),
                                        out(5), workspace_size, executor);
}

// self and out have one format.
void FitGroupNorm(Layouts& layouts, size_t changed) {
  if (changed == 0) layouts[3]->format = layouts[0]->format;
  if (changed == 3) layouts[0]->format = layouts[3]->format;
}

// Statistics in 16 bits go with data of the same type.
void FitGroupNormBackward(Layouts& layouts, size_t) {
  const aclDataType mean = layouts[2]->dtype;
  if (mean == ACL_FLOAT) return;
  for (size_t data : {0, 1, 5}) layouts[data]->dtype = mean;
}

const Sizes kQuantSizes = {{"B", {3, 5}}, {"H", {16}}, {"E", {4}}, {"H/8", {2}}};
const Sizes kGroupNormSizes = {{"N", {2}}, {"C", {4}},       {"HxW", {6}}, {"group", {2}},
                               {"G", {4}}, {"X", {2, 4, 6}}, {"S", {6}}};

const std::vector<Operator> kOperators = {
    {"DynamicQuant", &Find(dynamic_quant::kOperators, "aclnnDynamicQuant"), &PhaseOneV1, kQuantSizes},
    {"DynamicQuantV2", &Find(dynamic_quant::kOperators, "aclnnDynamicQuantV2"), &PhaseOneV2, kQuantSizes},
    {"GroupNorm", &Find(group_norm::kOperators, "aclnnGroupNorm"), &GroupNorm, kGroupNormSizes, &FitGroupNorm},
    {"GroupNormBackward", &Find(group_norm::kOperators, "aclnnGroupNormBackward"), &GroupNormBackward, kGroupNormSizes,
     &FitGroupNormBackward},
};

std::vector<aclDataType> AllTypes() {
  std::vector<aclDataType> types;
  for (int i = -1; i < 64; ++i) types.push_back(static_cast<aclDataType>(i));
  return types;
}

// The row whose type decides on this one's.
const char* TypeOwner(const OpSpec& spec, const ParamSpec& row) {
  for (const ParamSpec& other : spec.params) {
    if (row.same_dtype_as == other.id) return TypeOwner(spec, other);
  }
  return row.name;
}

// The rows of tensors.
std::vector<ParamSpec> TensorRows(const OpSpec& spec) {
  std::vector<ParamSpec> rows;
  for (const ParamSpec& row : spec.params) {
    if (IsTensor(row.kind)) rows.push_back(row);
  }
  return rows;
}

bool IsRun(std::string_view word) { return word.ends_with("..") || word.ends_with("*"); }

class SpecTest : public test::DeviceTest, public ::testing::WithParamInterface<Operator> {
 protected:
  const OpSpec& spec() const { return *GetParam().spec; }

  std::vector<int64_t> SizesOf(std::string_view symbol) const {
    return GetParam().sizes.at(symbol);
  }

  // "N*C": their product.
  int64_t ElementsOf(std::string_view product) const {
    int64_t count = 1;
    while (!product.empty()) {
      const size_t end = std::min(product.find('*'), product.size());
      count *= SizesOf(product.substr(0, end)).front();
      product.remove_prefix(std::min(end + 1, product.size()));
    }
    return count;
  }

  std::vector<int64_t> DimsOf(const ParamSpec& row, std::string_view alternatives) const {
    std::vector<int64_t> dims;
    const auto words = ParseDims(alternatives).back();
    for (std::string_view word : words) {
      if (word == "*") return {ElementsOf(row.elements)};
      if (IsRun(word)) word.remove_suffix(word.ends_with("*") ? 1 : 2);
      const std::vector<int64_t> sizes = SizesOf(word);
      dims.insert(dims.end(), sizes.begin(), sizes.end());
    }
    return dims;
  }

  // A right call: the last alternative of each row, all types the first of their sets.
  Layouts RightCall() const {
    Layouts layouts;
    for (const ParamSpec& row : TensorRows(spec())) {
      Layout layout;
      for (aclDataType type : AllTypes()) {
        if (!row.dtypes.Contains(type)) continue;
        layout.dtype = type;
        break;
      }
      layout.dims = DimsOf(row, row.dims);
      layouts.push_back(layout);
    }
    return layouts;
  }

  Phase1 CallOf(const Layouts& layouts) {
    tensors_.clear();
    std::vector<const aclTensor*> handles;
    for (const auto& layout : layouts) {
      if (layout) tensors_.emplace_back(*layout);
      handles.push_back(layout ? tensors_.back().handle() : nullptr);
    }
    return [handles, phase_one = GetParam().phase_one](uint64_t* workspace_size,
                                                       aclOpExecutor** executor) {
      return phase_one(handles, workspace_size, executor);
    };
  }

  void ExpectAccepted(const Layouts& layouts) {
    const test::Prepared prepared = test::Prepare(CallOf(layouts));
    EXPECT_OK(prepared.code);
    if (prepared.executor != nullptr) {
      EXPECT_OK(aclDestroyAclOpExecutor(prepared.executor));
    }
  }

  // break_row(row, layout) for each parameter of the function, applied to an otherwise right call.
  template <class Break>
  void ForEachRow(const Break& break_row) {
    const std::vector<ParamSpec> rows = TensorRows(spec());
    for (size_t i = 0; i < rows.size(); ++i) {
      const ParamSpec& row = rows[i];
      SCOPED_TRACE(row.name);
      break_row(i, row);
    }
  }

  std::vector<test::Tensor> tensors_;
};

TEST_P(SpecTest, RightCallsPass) {
  const std::vector<ParamSpec> rows = TensorRows(spec());
  ExpectAccepted(RightCall());
  ForEachRow([&](size_t i, const ParamSpec& row) {
    for (aclDataType type : AllTypes()) {
      if (!row.dtypes.Contains(type)) continue;
      Layouts layouts = RightCall();
      // Types that depend on this one follow it.
      for (size_t k = 0; k < layouts.size(); ++k) {
        const ParamSpec& other = rows[k];
        const bool agrees = k == i || TypeOwner(spec(), row) == TypeOwner(spec(), other);
        if (layouts[k] && agrees) layouts[k]->dtype = type;
      }
      GetParam().fit(layouts, i);
      if (row.packed_dims != nullptr && type == ACL_INT32) {
        layouts[i]->dims = DimsOf(row, row.packed_dims);
      }
      SCOPED_TRACE(NameOf(type));
      ExpectAccepted(layouts);
    }
  });
}

TEST_P(SpecTest, NullIsRefusedWhereATensorIsRequired) {
  ForEachRow([&](size_t i, const ParamSpec& row) {
    if (row.need != Need::kRequired && row.needed_if == nullptr) return;
    Layouts layouts = RightCall();
    layouts[i].reset();
    ExpectRefused(CallOf(layouts), spec().codes.null, {row.name, "null"});
  });
}

TEST_P(SpecTest, EveryTypeOutsideTheSetIsRefused) {
  ForEachRow([&](size_t i, const ParamSpec& row) {
    for (aclDataType type : AllTypes()) {
      if (row.dtypes.Contains(type)) continue;
      Layouts layouts = RightCall();
      layouts[i]->dtype = type;
      ExpectRefused(CallOf(layouts), spec().codes.dtype, {row.name, NameOf(type)});
    }
  });
}

TEST_P(SpecTest, TypesThatMustAgreeAreCompared) {
  const std::vector<ParamSpec> rows = TensorRows(spec());
  ForEachRow([&](size_t i, const ParamSpec& row) {
    if (row.same_dtype_as < 0) return;
    const auto owner = std::find_if(rows.begin(), rows.end(), [&](const ParamSpec& other) {
      return other.id == row.same_dtype_as;
    });
    for (aclDataType type : AllTypes()) {
      Layouts layouts = RightCall();
      if (!row.dtypes.Contains(type) || layouts[i]->dtype == type) continue;
      const std::string was = NameOf(layouts[i]->dtype);
      layouts[i]->dtype = type;
      ExpectRefused(CallOf(layouts), spec().codes.dtype,
                    {row.name, owner->name, NameOf(type), was});
    }
  });
}

TEST_P(SpecTest, EveryFormatThatIsNotPlainIsRefused) {
  ForEachRow([&](size_t i, const ParamSpec& row) {
    for (int format = -1; format < 64; ++format) {
      Layouts layouts = RightCall();
      layouts[i]->format = static_cast<aclFormat>(format);
      if (IsPlainFormat(layouts[i]->format)) {
        GetParam().fit(layouts, i);
        ExpectAccepted(layouts);
      } else {
        ExpectRefused(CallOf(layouts), spec().codes.format, {row.name, "ND"});
      }
    }
  });
}

TEST_P(SpecTest, EveryRankOutsideTheRowIsRefused) {
  ForEachRow([&](size_t i, const ParamSpec& row) {
    const auto alternatives = ParseDims(row.dims);
    for (size_t rank = 0; rank <= 25; ++rank) {
      bool fits = false;
      for (const auto& words : alternatives) {
        const auto run = std::find_if(words.begin(), words.end(), IsRun);
        const bool any_number = run != words.end() && run->ends_with("*");
        fits |= run == words.end() ? rank == words.size()
                                   : rank + any_number >= words.size() && rank <= spec().max_rank;
      }
      if (fits) continue;
      Layouts layouts = RightCall();
      layouts[i]->dims.resize(rank, 1);
      ExpectRefused(CallOf(layouts), spec().codes.shape, {row.name, "rank", std::to_string(rank)});
    }
  });
}

// A size of its own fixes a symbol: then another parameter is the one that does not fit.
TEST_P(SpecTest, EverySizeThatDoesNotFitIsRefused) {
  ForEachRow([&](size_t i, const ParamSpec& row) {
    const size_t rank = RightCall()[i]->dims.size();
    for (size_t axis = 0; axis < rank; ++axis) {
      for (int64_t by : {-1, 1, 100}) {
        Layouts layouts = RightCall();
        layouts[i]->dims[axis] += by;
        const std::string actual = std::to_string(layouts[i]->dims[axis]);
        SCOPED_TRACE("dimension " + std::to_string(axis) + " is " + actual);
        const Layouts right = RightCall();
        const std::string expected = std::to_string(right[i]->dims[axis]);
        ExpectRefused(CallOf(layouts), spec().codes.shape, {row.name, actual, expected});
      }
    }
  });
}

TEST_P(SpecTest, NegativeSizesAreRefused) {
  ForEachRow([&](size_t i, const ParamSpec& row) {
    for (size_t axis = 0; axis < RightCall()[i]->dims.size(); ++axis) {
      Layouts layouts = RightCall();
      layouts[i]->dims[axis] = -7;
      ExpectRefused(CallOf(layouts), spec().codes.shape, {row.name, "-7"});
    }
  });
}

TEST_P(SpecTest, StridesThatLeaveAllMemoryAreRefused) {
  ForEachRow([&](size_t i, const ParamSpec& row) {
    for (size_t axis = 0; axis < RightCall()[i]->dims.size(); ++axis) {
      Layouts layouts = RightCall();
      layouts[i]->strides = test::ContiguousStrides(layouts[i]->dims);
      layouts[i]->strides[axis] = int64_t{1} << 62;
      ExpectRefused(CallOf(layouts), spec().codes.shape, {row.name});
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Operators, SpecTest, ::testing::ValuesIn(kOperators),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace anyacl
