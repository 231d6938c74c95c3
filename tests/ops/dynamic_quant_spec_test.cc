// SPDX-License-Identifier: Apache-2.0
// The check tables of DynamicQuant against the functions they describe: calls made from the rows
// pass, and breaking any one row gives that row's code and a message that names its parameter.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "aclnnop/aclnn_dynamic_quant.h"
#include "aclnnop/aclnn_dynamic_quant_v2.h"
#include "nnop/spec.h"
#include "ops/dynamic_quant/op.h"
#include "support/device_test.h"

namespace anyacl::dynamic_quant {
namespace {

using test::ExpectRefused;
using test::Layout;
using test::Phase1;

using Layouts = std::vector<std::optional<Layout>>;  // In the order of the rows; absent: null.

struct Version {
  const char* name;
  const OpSpec* spec;
  // Takes the tensors in the order of the table.
  aclnnStatus (*phase_one)(const std::vector<const aclTensor*>&, uint64_t*, aclOpExecutor**);
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

const std::vector<Version> kVersions = {{"V1", &kSpecV1, &PhaseOneV1},
                                        {"V2", &kSpecV2, &PhaseOneV2}};

std::vector<aclDataType> AllTypes() {
  std::vector<aclDataType> types;
  for (int i = -1; i < 64; ++i) types.push_back(static_cast<aclDataType>(i));
  return types;
}

// Whether `row` must have the type of `other`.
bool MustAgree(const ParamSpec& row, const ParamSpec& other) {
  return row.same_dtype_as != nullptr && std::string_view(row.same_dtype_as) == other.name;
}

class SpecTest : public test::DeviceTest, public ::testing::WithParamInterface<Version> {
 protected:
  const OpSpec& spec() const { return *GetParam().spec; }

  // Sizes for the symbols of the tables; "B" is a run.
  const std::map<std::string_view, std::vector<int64_t>> sizes_ = {
      {"B", {3, 5}}, {"H", {16}}, {"E", {4}}, {"H/8", {2}}};

  std::vector<int64_t> DimsOf(const std::vector<std::string_view>& words) const {
    std::vector<int64_t> dims;
    for (std::string_view word : words) {
      if (word.ends_with("..")) word.remove_suffix(2);
      const std::vector<int64_t>& sizes = sizes_.at(word);
      dims.insert(dims.end(), sizes.begin(), sizes.end());
    }
    return dims;
  }

  // A right call: the last alternative of each row, all types the first of their sets.
  Layouts RightCall() const {
    Layouts layouts;
    for (const ParamSpec& row : spec().params) {
      Layout layout;
      for (aclDataType type : AllTypes()) {
        if (!row.dtypes.Contains(type)) continue;
        layout.dtype = type;
        break;
      }
      layout.dims = DimsOf(ParseDims(row.dims).back());
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
    for (size_t i = 0; i < spec().params.size(); ++i) {
      const ParamSpec& row = spec().params[i];
      SCOPED_TRACE(row.name);
      break_row(i, row);
    }
  }

  std::vector<test::Tensor> tensors_;
};

TEST_P(SpecTest, RightCallsPass) {
  ExpectAccepted(RightCall());
  ForEachRow([&](size_t i, const ParamSpec& row) {
    for (aclDataType type : AllTypes()) {
      if (!row.dtypes.Contains(type)) continue;
      Layouts layouts = RightCall();
      // Types that depend on this one follow it.
      for (size_t k = 0; k < layouts.size(); ++k) {
        const ParamSpec& other = spec().params[k];
        if (layouts[k] && (k == i || MustAgree(row, other) || MustAgree(other, row))) {
          layouts[k]->dtype = type;
        }
      }
      if (row.packed_dims != nullptr && type == ACL_INT32) {
        layouts[i]->dims = DimsOf(ParseDims(row.packed_dims).back());
      }
      SCOPED_TRACE(NameOf(type));
      ExpectAccepted(layouts);
    }
  });
}

TEST_P(SpecTest, NullIsRefusedWhereATensorIsRequired) {
  ForEachRow([&](size_t i, const ParamSpec& row) {
    if (row.need != Need::kRequired) return;
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
  ForEachRow([&](size_t i, const ParamSpec& row) {
    if (row.same_dtype_as == nullptr) return;
    for (aclDataType type : AllTypes()) {
      Layouts layouts = RightCall();
      if (!row.dtypes.Contains(type) || layouts[i]->dtype == type) continue;
      const std::string was = NameOf(layouts[i]->dtype);
      layouts[i]->dtype = type;
      ExpectRefused(CallOf(layouts), spec().codes.dtype,
                    {row.name, row.same_dtype_as, NameOf(type), was});
    }
  });
}

TEST_P(SpecTest, EveryFormatThatIsNotPlainIsRefused) {
  ForEachRow([&](size_t i, const ParamSpec& row) {
    for (int format = -1; format < 64; ++format) {
      Layouts layouts = RightCall();
      layouts[i]->format = static_cast<aclFormat>(format);
      if (IsPlainFormat(layouts[i]->format)) {
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
        bool has_run = false;
        for (std::string_view word : words) has_run |= word.ends_with("..");
        fits |= has_run ? rank >= words.size() && rank <= spec().max_rank : rank == words.size();
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

INSTANTIATE_TEST_SUITE_P(Versions, SpecTest, ::testing::ValuesIn(kVersions),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace anyacl::dynamic_quant
