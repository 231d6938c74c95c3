// SPDX-License-Identifier: Apache-2.0
// What the handles of acl/acl_base_mdl.h and acl/acl_op.h stand for.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "acl/acl_op.h"
#include "runtime/handle_table.h"

namespace anyacl {

using DimRange = std::array<int64_t, ACL_TENSOR_SHAPE_RANGE_NUM>;

// The caller's alone, as upstream: one thread at a time changes a description.
struct TensorDesc {
  aclDataType dtype = ACL_DT_UNDEFINED;
  aclFormat format = ACL_FORMAT_UNDEFINED;
  std::vector<int64_t> dims;
  // As the tensor lies in memory, where that differs.
  aclFormat storage_format = ACL_FORMAT_UNDEFINED;
  std::vector<int64_t> storage_dims;
  aclFormat origin_format = ACL_FORMAT_UNDEFINED;
  std::vector<int64_t> origin_dims;
  std::vector<DimRange> dim_ranges;
  std::vector<DimRange> value_ranges;
  std::string name;
  std::string dynamic_input;
  std::vector<unsigned char> constant;
  aclMemType placement = ACL_MEMTYPE_DEVICE;
};

struct OpAttributes {
  using Value = std::variant<bool, int64_t, float, std::string, aclDataType, std::vector<bool>,
                             std::vector<int64_t>, std::vector<float>, std::vector<std::string>,
                             std::vector<aclDataType>, std::vector<std::vector<int64_t>>>;
  std::map<std::string, Value, std::less<>> values;
};

HandleTable<TensorDesc, HandleKind::kTensorDesc>& TensorDescs();
HandleTable<OpAttributes, HandleKind::kOpAttributes>& OpAttributeTable();

}  // namespace anyacl
