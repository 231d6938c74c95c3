// SPDX-License-Identifier: Apache-2.0
// The check tables of GroupedMatmulSwigluQuant against the function they describe: breaking any one
// row of a right call gives that row's code and a message that names its parameter.
#include <optional>
#include <string>
#include <vector>

#include "aclnnop/aclnn_grouped_matmul_swiglu_quant.h"
#include "nnop/operands.h"
#include "ops/grouped_matmul/op.h"
#include "support/device_test.h"

namespace anyacl::grouped_matmul {
namespace {

using test::ExpectRefused;
using test::Layout;
using test::Phase1;

// In the order of the rows; reserved parameters are left out.
using Layouts = std::vector<std::optional<Layout>>;

struct Form {
  const char* name;
  std::span<const ParamSpec> params;
  Layout weight;
  Layout scale;
};

const std::vector<Form> kForms = {
    {"int8",
     kParamsInt8,
     {.dims = {3, 4, 2, 16, 32}, .dtype = ACL_INT8, .format = ACL_FORMAT_FRACTAL_NZ},
     {.dims = {3, 128}, .dtype = ACL_FLOAT}},
    {"int4_nd",
     kParamsInt4,
     {.dims = {3, 32, 128}, .dtype = ACL_INT4},
     {.dims = {3, 128}, .dtype = ACL_UINT64}},
    {"int32_nz",
     kParamsInt4,
     {.dims = {3, 2, 2, 16, 8}, .dtype = ACL_INT32, .format = ACL_FORMAT_FRACTAL_NZ},
     {.dims = {3, 4, 128}, .dtype = ACL_INT64}},
};

class GroupedSpecTest : public test::DeviceTest, public ::testing::WithParamInterface<Form> {
 protected:
  std::span<const ParamSpec> params() const { return GetParam().params; }
  const CheckCodes& codes() const { return kOperators[0].codes; }

  Layouts RightCall() const {
    Layouts layouts = {Layout{.dims = {6, 32}, .dtype = ACL_INT8},
                       GetParam().weight,
                       std::nullopt,
                       std::nullopt,
                       GetParam().scale,
                       Layout{.dims = {6}, .dtype = ACL_FLOAT},
                       Layout{.dims = {3}, .dtype = ACL_INT64},
                       Layout{.dims = {6, 64}, .dtype = ACL_INT8},
                       Layout{.dims = {6}, .dtype = ACL_FLOAT},
                       std::nullopt};
    if (params().data() == kParamsInt4) layouts[2] = Layout{.dims = {3, 128}, .dtype = ACL_FLOAT};
    return layouts;
  }

  Phase1 CallOf(const Layouts& layouts) {
    tensors_.clear();
    std::vector<aclTensor*> t;
    for (const auto& layout : layouts) {
      if (layout) tensors_.emplace_back(*layout);
      t.push_back(layout ? tensors_.back().handle() : nullptr);
    }
    return [t](uint64_t* workspace_size, aclOpExecutor** executor) {
      return aclnnGroupedMatmulSwigluQuantGetWorkspaceSize(
          t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7], t[8], t[9], workspace_size, executor);
    };
  }

  // Calls body(index, row) for each row with a tensor in the right call.
  template <class Body>
  void ForEachRow(const Body& body) {
    for (size_t i = 0; i < params().size(); ++i) {
      if (params()[i].need == Need::kReserved) continue;
      SCOPED_TRACE(params()[i].name);
      body(i, params()[i]);
    }
  }

  std::vector<test::Tensor> tensors_;
};

TEST_P(GroupedSpecTest, RightCallPasses) {
  const test::Prepared prepared = test::Prepare(CallOf(RightCall()));
  EXPECT_OK(prepared.code);
  EXPECT_OK(aclDestroyAclOpExecutor(prepared.executor));
}

TEST_P(GroupedSpecTest, NullIsRefused) {
  ForEachRow([&](size_t i, const ParamSpec& row) {
    Layouts layouts = RightCall();
    layouts[i].reset();
    ExpectRefused(CallOf(layouts), codes().null, {row.name, "null"});
  });
}

TEST_P(GroupedSpecTest, EveryTypeOutsideTheSetIsRefused) {
  ForEachRow([&](size_t i, const ParamSpec& row) {
    for (int value = -1; value < 64; ++value) {
      const auto type = static_cast<aclDataType>(value);
      const bool other_table =
          i == 1 && (type == ACL_INT8 || type == ACL_INT4 || type == ACL_INT32);
      if (row.dtypes.Contains(type) || other_table) continue;
      Layouts layouts = RightCall();
      layouts[i]->dtype = type;
      // A weight of no known type is looked up in the table of INT8, where bias does not count.
      ExpectRefused(CallOf(layouts), codes().dtype, {row.name, NameOf(type)});
    }
  });
}

TEST_P(GroupedSpecTest, EveryFormatOutsideTheRowIsRefused) {
  ForEachRow([&](size_t i, const ParamSpec& row) {
    for (int value = -1; value < 64; ++value) {
      const auto format = static_cast<aclFormat>(value);
      const bool nz = RightCall()[i]->format == ACL_FORMAT_FRACTAL_NZ;
      if (nz ? format == ACL_FORMAT_FRACTAL_NZ : IsPlainFormat(format)) continue;
      Layouts layouts = RightCall();
      layouts[i]->format = format;
      ExpectRefused(CallOf(layouts), codes().format, {row.name, NameOf(format)});
    }
  });
}

TEST_P(GroupedSpecTest, EveryRankOutsideTheRowIsRefused) {
  ForEachRow([&](size_t i, const ParamSpec& row) {
    const bool packed = RightCall()[i]->dtype == ACL_INT32;
    const auto alternatives = ParseDims(packed ? row.packed_dims : row.dims);
    for (size_t rank = 0; rank <= 25; ++rank) {
      bool fits = false;
      for (const auto& words : alternatives) fits |= rank == words.size();
      if (fits) continue;
      Layouts layouts = RightCall();
      layouts[i]->dims.resize(rank, 1);
      ExpectRefused(CallOf(layouts), codes().shape, {row.name, "rank", std::to_string(rank)});
    }
  });
}

// Whichever of two sizes is blamed, the call is refused with both.
TEST_P(GroupedSpecTest, EverySizeThatDoesNotFitIsRefused) {
  ForEachRow([&](size_t i, const ParamSpec& row) {
    for (size_t axis = 0; axis < RightCall()[i]->dims.size(); ++axis) {
      for (int64_t size : {int64_t{-7}, int64_t{5}, int64_t{1} << 58, INT64_MAX}) {
        // Fewer bounds than experts, and groups that divide K, are right.
        const std::string_view name = row.name;
        if (name == "groupList" && size < 0) continue;
        Layouts layouts = RightCall();
        layouts[i]->dims[axis] = size;
        SCOPED_TRACE(::testing::Message() << "dimension " << axis << " is " << size);
        ExpectRefused(CallOf(layouts), codes().shape, {});
      }
    }
  });
}

TEST_P(GroupedSpecTest, StridesThatLeaveAllMemoryAreRefused) {
  ForEachRow([&](size_t i, const ParamSpec& row) {
    Layouts layouts = RightCall();
    layouts[i]->strides = test::ContiguousStrides(layouts[i]->dims);
    layouts[i]->strides[0] = int64_t{1} << 62;
    ExpectRefused(CallOf(layouts), codes().shape, {row.name});
  });
}

INSTANTIATE_TEST_SUITE_P(Forms, GroupedSpecTest, ::testing::ValuesIn(kForms),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace anyacl::grouped_matmul
