// SPDX-License-Identifier: Apache-2.0
#include "atb/infer_op_params.h"
#include "atb/launched.h"

namespace anyacl::atb_library {
namespace {

using atb::infer::RmsNormParam;

Status CheckNorm(const RmsNormParam& p) {
  if (Status s = Expect("layerType", p.layerType, RmsNormParam::RMS_NORM_NORM); !s.ok()) return s;
  for (const auto& [name, value] : {std::pair{"quantType", int64_t{p.normParam.quantType}},
                                    {"rstd", p.normParam.rstd},
                                    {"precisionMode", p.normParam.precisionMode},
                                    {"modelType", p.normParam.modelType},
                                    {"dynamicQuantType", p.normParam.dynamicQuantType}}) {
    if (Status s = Expect(name, value, 0); !s.ok()) return s;
  }
  return {};
}

class RmsNorm final : public LaunchedOperation {
 public:
  explicit RmsNorm(const RmsNormParam& param)
      : LaunchedOperation("RmsNormOperation", 2, 1), epsilon_(param.normParam.epsilon) {}

 private:
  Status Arrange(Call& call) const override {
    Status s = call.Input(0);
    if (s.ok()) s = call.Input(1);
    if (s.ok()) s = call.Output(0);
    call.Real(epsilon_);
    return s;
  }

  void Infer(const atb::SVector<atb::TensorDesc>& inputs,
             atb::SVector<atb::TensorDesc>& outputs) const override {
    outputs.push_back(inputs[0]);
  }

  const double epsilon_;
};

}  // namespace
}  // namespace anyacl::atb_library

namespace atb {

template <>
ACL_FUNC_VISIBILITY Status CreateOperation(const infer::RmsNormParam& param, Operation** operation) {
  return anyacl::atb_library::Create<anyacl::atb_library::RmsNorm>(
      "RmsNormOperation", param, operation, anyacl::atb_library::CheckNorm);
}

}  // namespace atb
