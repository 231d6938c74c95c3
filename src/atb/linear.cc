// SPDX-License-Identifier: Apache-2.0
#include "atb/infer_op_params.h"
#include "atb/launched.h"

namespace anyacl::atb_library {
namespace {

using atb::infer::LinearParam;

Status CheckLinear(const LinearParam& p) {
  if (p.hasBias && p.enAccum) {
    return Fail(atb::ERROR_INVALID_PARAM, "hasBias and enAccum are true, expected one of them");
  }
  return Expect("outDataType", p.outDataType, ACL_DT_UNDEFINED);
}

class Linear final : public LaunchedOperation {
 public:
  explicit Linear(const LinearParam& param)
      : LaunchedOperation("LinearOperation", param.hasBias || param.enAccum ? 3 : 2, 1),
        p_(param) {}

 private:
  // [..., k] as [rows, k]; a transposed x has two dimensions.
  Dims Rows(const atb::Tensor& tensor) const {
    const Dims dims = DimsOf(tensor);
    const std::optional<int64_t> count = ElementCount(dims);
    if (p_.transposeA || dims.rank() < 3 || !count || dims.back() < 1) return dims;
    return {*count / dims.back(), dims.back()};
  }

  Status Arrange(Call& call) const override {
    Status s = call.Input(0, Rows(call.pack().inTensors[0]));
    if (s.ok()) s = call.Input(1);
    if (GetInputNum() == 2) call.Nothing();
    if (s.ok() && p_.hasBias) s = call.Input(2);
    if (s.ok() && p_.enAccum) s = call.Input(2, Rows(call.pack().inTensors[2]));
    if (s.ok()) s = call.Output(0, Rows(call.pack().outTensors[0]));
    call.Integer(p_.transposeA);
    call.Integer(p_.transposeB);
    call.Integer(p_.enAccum);
    return s;
  }

  Status Infer(const atb::SVector<atb::TensorDesc>& inputs,
               atb::SVector<atb::TensorDesc>& outputs) const override {
    atb::TensorDesc out = inputs[0];
    const atb::Dims& weight = inputs[1].shape;
    if (out.shape.dimNum >= 2 && weight.dimNum >= 2) {
      if (p_.transposeA) out.shape.dims[0] = out.shape.dims[1];
      out.shape.dims[out.shape.dimNum - 1] = weight.dims[weight.dimNum - (p_.transposeB ? 2 : 1)];
    }
    if (p_.enAccum) out.dtype = ACL_FLOAT;
    outputs.push_back(out);
    return {};
  }

  const LinearParam p_;
};

}  // namespace
}  // namespace anyacl::atb_library

namespace atb {

template <>
ACL_FUNC_VISIBILITY Status CreateOperation(const infer::LinearParam& param, Operation** operation) {
  return anyacl::atb_library::Create<anyacl::atb_library::Linear>(
      "LinearOperation", param, operation, anyacl::atb_library::CheckLinear);
}

}  // namespace atb
