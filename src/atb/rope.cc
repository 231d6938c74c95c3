// SPDX-License-Identifier: Apache-2.0
#include "atb/infer_op_params.h"
#include "atb/launched.h"

namespace anyacl::atb_library {
namespace {

using atb::infer::RopeParam;

Status CheckRope(const RopeParam& p) {
  if (p.rotaryCoeff >= 1) return {};
  return Fail(atb::ERROR_INVALID_PARAM, "rotaryCoeff = {}, expected 2, 4 or the numbers of a head",
              p.rotaryCoeff);
}

class Rope final : public LaunchedOperation {
 public:
  explicit Rope(const RopeParam& param) : LaunchedOperation("RopeOperation", 5, 2), p_(param) {}

 private:
  // [T, N, D] as [T, N * D].
  static Dims Rows(const atb::Tensor& tensor) {
    const Dims dims = DimsOf(tensor);
    if (dims.rank() != 3) return dims;
    int64_t width = 0;
    if (__builtin_mul_overflow(dims[1], dims[2], &width)) return dims;
    return {dims[0], width};
  }

  Status Arrange(Call& call) const override {
    Status s;
    for (size_t i = 0; i < 4 && s.ok(); ++i) s = call.Input(i, Rows(call.pack().inTensors[i]));
    for (size_t i = 0; i < 2 && s.ok(); ++i) s = call.Output(i, Rows(call.pack().outTensors[i]));
    call.Integer(p_.rotaryCoeff);
    return s;
  }

  Status Infer(const atb::SVector<atb::TensorDesc>& inputs,
               atb::SVector<atb::TensorDesc>& outputs) const override {
    for (size_t i = 0; i < 2; ++i) outputs.push_back(inputs[i]);
    return {};
  }

  const RopeParam p_;
};

}  // namespace
}  // namespace anyacl::atb_library

namespace atb {

template <>
ACL_FUNC_VISIBILITY Status CreateOperation(const infer::RopeParam& param, Operation** operation) {
  return anyacl::atb_library::Create<anyacl::atb_library::Rope>("RopeOperation", param, operation,
                                                                anyacl::atb_library::CheckRope);
}

}  // namespace atb
