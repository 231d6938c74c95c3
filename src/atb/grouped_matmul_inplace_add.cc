// SPDX-License-Identifier: Apache-2.0
#include "atb/infer_op_params.h"
#include "atb/launched.h"

namespace anyacl::atb_library {
namespace {

using atb::infer::GroupedMatmulInplaceAddParam;

Status CheckGroupedAdd(const GroupedMatmulInplaceAddParam& p) {
  return Expect("transposeB", p.transposeB, false);
}

class GroupedMatmulInplaceAdd final : public LaunchedOperation {
 public:
  explicit GroupedMatmulInplaceAdd(const GroupedMatmulInplaceAddParam& param)
      : LaunchedOperation("GroupedMatmulInplaceAddOperation", 4, 1), p_(param) {}

 private:
  Status Arrange(Call& call) const override {
    Status s;
    for (size_t i = 0; i < 4 && s.ok(); ++i) s = call.Input(i);
    if (s.ok()) s = call.Output(0);
    call.Integer(p_.transposeA);
    return s;
  }

  Status Infer(const atb::SVector<atb::TensorDesc>& inputs,
               atb::SVector<atb::TensorDesc>& outputs) const override {
    outputs.push_back(inputs[3]);
    return {};
  }

  const GroupedMatmulInplaceAddParam p_;
};

}  // namespace
}  // namespace anyacl::atb_library

namespace atb {

template <>
ACL_FUNC_VISIBILITY Status CreateOperation(const infer::GroupedMatmulInplaceAddParam& param,
                                           Operation** operation) {
  return anyacl::atb_library::Create<anyacl::atb_library::GroupedMatmulInplaceAdd>(
      "GroupedMatmulInplaceAddOperation", param, operation, anyacl::atb_library::CheckGroupedAdd);
}

}  // namespace atb
