// SPDX-License-Identifier: Apache-2.0
#include "atb/infer_op_params.h"
#include "atb/launched.h"

namespace anyacl::atb_library {
namespace {

using atb::infer::ReshapeAndCacheParam;

Status CheckCache(const ReshapeAndCacheParam& p) {
  if (Status s = Expect("compressType", p.compressType, 0); !s.ok()) return s;
  if (p.kvCacheCfg >= 0 && p.kvCacheCfg <= ReshapeAndCacheParam::K_CACHE_V_CACHE_NZ) return {};
  return Fail(atb::ERROR_INVALID_PARAM, "kvCacheCfg = {}, expected 0 to 2",
              static_cast<int>(p.kvCacheCfg));
}

class ReshapeAndCache final : public LaunchedOperation {
 public:
  explicit ReshapeAndCache(const ReshapeAndCacheParam& param)
      : LaunchedOperation("ReshapeAndCacheOperation", Values(param) ? 5 : 3, Values(param) ? 2 : 1),
        p_(param) {}

 private:
  static bool Values(const ReshapeAndCacheParam& p) {
    return p.kvCacheCfg != ReshapeAndCacheParam::K_CACHE_V_BYPASS;
  }
  bool InPieces() const { return p_.kvCacheCfg == ReshapeAndCacheParam::K_CACHE_V_CACHE_NZ; }

  // The cache among the inputs must be the one among the outputs: it is changed where it lies.
  static Status CheckSame(const Call& call, size_t input, size_t output) {
    const atb::Tensor& in = call.pack().inTensors[input];
    const atb::Tensor& out = call.pack().outTensors[output];
    if (in.deviceData == out.deviceData && DimsOf(in) == DimsOf(out)) return {};
    return Fail(atb::ERROR_INVALID_TENSOR_ADDR,
                "outTensors[{}] is not inTensors[{}], expected the "
                "same cache",
                output, input);
  }

  // Of FRACTAL_NZ the pieces lie as the sizes say where nothing is filled up.
  Status Cache(Call& call, size_t index) const {
    const atb::TensorDesc& desc = call.pack().outTensors[index].desc;
    constexpr int64_t kRows = 16;
    if (!InPieces()) return call.Output(index);
    if (desc.format == ACL_FORMAT_FRACTAL_NZ &&
        (desc.shape.dimNum != 4 || desc.shape.dims[2] % kRows != 0)) {
      return Fail(
          atb::ERROR_INVALID_TENSOR_DIM,
          "outTensors[{}].shape = {} in FRACTAL_NZ, expected blocks of a multiple of {} rows",
          index, DimsOf(call.pack().outTensors[index]).ToString(), kRows);
    }
    return call.OutputInPieces(index);
  }

  Status Arrange(Call& call) const override {
    const size_t cache = Values(p_) ? 2 : 1;
    Status s = CheckSame(call, cache, 0);
    if (s.ok() && Values(p_)) s = CheckSame(call, cache + 1, 1);
    if (s.ok()) s = call.Input(0);
    if (!Values(p_)) call.Nothing();
    if (s.ok() && Values(p_)) s = call.Input(1);
    if (s.ok()) s = Cache(call, 0);
    if (!Values(p_)) call.Nothing();
    if (s.ok() && Values(p_)) s = Cache(call, 1);
    if (s.ok()) s = call.Input(GetInputNum() - 1);
    call.Integer(InPieces());
    return s;
  }

  Status Infer(const atb::SVector<atb::TensorDesc>& inputs,
               atb::SVector<atb::TensorDesc>& outputs) const override {
    const size_t cache = Values(p_) ? 2 : 1;
    for (size_t i = 0; i < GetOutputNum(); ++i) outputs.push_back(inputs[cache + i]);
    return {};
  }

  const ReshapeAndCacheParam p_;
};

}  // namespace
}  // namespace anyacl::atb_library

namespace atb {

template <>
ACL_FUNC_VISIBILITY Status CreateOperation(const infer::ReshapeAndCacheParam& param,
                                           Operation** operation) {
  return anyacl::atb_library::Create<anyacl::atb_library::ReshapeAndCache>(
      "ReshapeAndCacheOperation", param, operation, anyacl::atb_library::CheckCache);
}

}  // namespace atb
