// SPDX-License-Identifier: Apache-2.0
#include "atb/infer_op_params.h"
#include "atb/launched.h"

namespace anyacl::atb_library {
namespace {

using atb::infer::GroupTopkParam;

bool Sums(const GroupTopkParam& p) { return p.groupMultiFlag == GroupTopkParam::SUM_MULTI_MAX; }

Status CheckGroups(const GroupTopkParam& p) {
  if (p.groupNum < 1) {
    return Fail(atb::ERROR_INVALID_PARAM, "groupNum = {}, expected 1 or more", p.groupNum);
  }
  if (p.k < 1 || p.k > p.groupNum) {
    return Fail(atb::ERROR_INVALID_PARAM, "k = {}, expected 1 to groupNum = {}", p.k, p.groupNum);
  }
  if (Sums(p)) return {};
  return Expect("groupMultiFlag", p.groupMultiFlag, GroupTopkParam::UNDEFINED);
}

class GroupTopk final : public LaunchedOperation {
 public:
  explicit GroupTopk(const GroupTopkParam& param)
      : LaunchedOperation("GroupTopkOperation", 2, 1), p_(param) {}

 private:
  Status Arrange(Call& call) const override {
    Status s = call.Input(0);
    if (s.ok()) s = call.Output(0);
    call.Integer(p_.groupNum);
    call.Integer(p_.k);
    call.Integer(Sums(p_) ? p_.n : 1);
    return s;
  }

  Status Infer(const atb::SVector<atb::TensorDesc>& inputs,
               atb::SVector<atb::TensorDesc>& outputs) const override {
    outputs.push_back(inputs[0]);
    return {};
  }

  const GroupTopkParam p_;
};

}  // namespace
}  // namespace anyacl::atb_library

namespace atb {

template <>
ACL_FUNC_VISIBILITY Status CreateOperation(const infer::GroupTopkParam& param,
                                           Operation** operation) {
  return anyacl::atb_library::Create<anyacl::atb_library::GroupTopk>(
      "GroupTopkOperation", param, operation, anyacl::atb_library::CheckGroups);
}

}  // namespace atb
