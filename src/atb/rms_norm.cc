// SPDX-License-Identifier: Apache-2.0
#include "atb/infer_op_params.h"
#include "atb/launched.h"

namespace anyacl::atb_library {
namespace {

using atb::infer::RmsNormParam;

bool Quantised(const RmsNormParam& p) { return p.normParam.quantType == atb::infer::QUANT_INT8; }

Status CheckNorm(const RmsNormParam& p) {
  if (Status s = Expect("layerType", p.layerType, RmsNormParam::RMS_NORM_NORM); !s.ok()) return s;
  for (const auto& [name, value] : {std::pair{"rstd", int64_t{p.normParam.rstd}},
                                    {"precisionMode", p.normParam.precisionMode},
                                    {"modelType", p.normParam.modelType},
                                    {"dynamicQuantType", p.normParam.dynamicQuantType}}) {
    if (Status s = Expect(name, value, 0); !s.ok()) return s;
  }
  if (Quantised(p)) return {};
  return Expect("quantType", p.normParam.quantType, atb::infer::QUANT_UNDEFINED);
}

class RmsNorm final : public LaunchedOperation {
 public:
  explicit RmsNorm(const RmsNormParam& param)
      : LaunchedOperation("RmsNormOperation", Quantised(param) ? 5 : 2, 1),
        epsilon_(param.normParam.epsilon) {}

 private:
  Status Arrange(Call& call) const override {
    Status s = call.Input(0);
    if (s.ok()) s = call.Input(1);
    for (size_t i = 2; i < 5 && s.ok(); ++i) {
      if (i < GetInputNum()) {
        s = call.Input(i);
      } else {
        call.Nothing();
      }
    }
    if (s.ok()) s = call.Output(0);
    call.Real(epsilon_);
    return s;
  }

  Status Infer(const atb::SVector<atb::TensorDesc>& inputs,
               atb::SVector<atb::TensorDesc>& outputs) const override {
    outputs.push_back(inputs[0]);
    if (GetInputNum() == 5) outputs[0].dtype = ACL_INT8;
    return {};
  }

  const double epsilon_;
};

}  // namespace
}  // namespace anyacl::atb_library

namespace atb {

template <>
ACL_FUNC_VISIBILITY Status CreateOperation(const infer::RmsNormParam& param,
                                           Operation** operation) {
  return anyacl::atb_library::Create<anyacl::atb_library::RmsNorm>(
      "RmsNormOperation", param, operation, anyacl::atb_library::CheckNorm);
}

}  // namespace atb
