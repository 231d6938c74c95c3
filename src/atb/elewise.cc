// SPDX-License-Identifier: Apache-2.0
// Operators of the aclnn API, but for the quantisation.
#include <algorithm>

#include "atb/infer_op_params.h"
#include "atb/launched.h"

namespace anyacl::atb_library {
namespace {

using atb::infer::ElewiseParam;

struct Member {
  ElewiseParam::ElewiseType type;
  const char* api;
  size_t inputs;
};

constexpr Member kMembers[] = {
    {ElewiseParam::ELEWISE_CAST, "aclnnCast", 1},
    {ElewiseParam::ELEWISE_MULS, "aclnnMuls", 1},
    {ElewiseParam::ELEWISE_COS, "aclnnCos", 1},
    {ElewiseParam::ELEWISE_SIN, "aclnnSin", 1},
    {ElewiseParam::ELEWISE_NEG, "aclnnNeg", 1},
    {ElewiseParam::ELEWISE_LOGICAL_NOT, "aclnnLogicalNot", 1},
    {ElewiseParam::ELEWISE_ADD, "aclnnAdd", 2},
    {ElewiseParam::ELEWISE_MUL, "aclnnMul", 2},
    {ElewiseParam::ELEWISE_REALDIV, "aclnnDiv", 2},
    {ElewiseParam::ELEWISE_LOGICAL_AND, "aclnnLogicalAnd", 2},
    {ElewiseParam::ELEWISE_LOGICAL_OR, "aclnnLogicalOr", 2},
    {ElewiseParam::ELEWISE_LESS, "aclnnLtTensor", 2},
    {ElewiseParam::ELEWISE_GREATER, "aclnnGtTensor", 2},
    {ElewiseParam::ELEWISE_SUB, "aclnnSub", 2},
    {ElewiseParam::ELEWISE_EQUAL, "aclnnEqTensor", 2},
    {ElewiseParam::ELEWISE_QUANT_PER_CHANNEL, "ElewiseOperation", 3},
    {ElewiseParam::ELEWISE_TANH, "aclnnTanh", 1},
};

const Member* Find(ElewiseParam::ElewiseType type) {
  const auto* const end = std::end(kMembers);
  const auto* const found = std::find_if(std::begin(kMembers), end,
                                         [&](const Member& member) { return member.type == type; });
  return found == end ? nullptr : found;
}

Status CheckMember(const ElewiseParam& p) {
  if (Find(p.elewiseType) != nullptr) return {};
  return Fail(atb::ERROR_INVALID_PARAM, "elewiseType = {} is not offered by anyacl",
              static_cast<int>(p.elewiseType));
}

class Elewise final : public LaunchedOperation {
 public:
  explicit Elewise(const ElewiseParam& param)
      : LaunchedOperation("ElewiseOperation", Find(param.elewiseType)->inputs, 1),
        p_(param),
        member_(*Find(param.elewiseType)) {}

 private:
  const char* api() const override { return member_.api; }

  // What stands between the inputs and the output in the operator's signature.
  Status Arrange(Call& call) const override {
    Status s;
    for (size_t i = 0; i < member_.inputs && s.ok(); ++i) {
      s = i < 2 ? call.Input(i) : call.OptionalInput(i);
    }
    switch (p_.elewiseType) {
      case ElewiseParam::ELEWISE_CAST:
        call.Integer(p_.outTensorType != ACL_DT_UNDEFINED ? p_.outTensorType
                                                          : call.pack().outTensors[0].desc.dtype);
        break;
      case ElewiseParam::ELEWISE_MULS:
        call.Scalar(p_.mulsParam.varAttr);
        break;
      case ElewiseParam::ELEWISE_ADD:
      case ElewiseParam::ELEWISE_SUB:
        call.Scalar(int64_t{1});  // of integers, too
        break;
      default:
        break;
    }
    return s.ok() ? call.Output(0) : s;
  }

  Status Infer(const atb::SVector<atb::TensorDesc>& inputs,
               atb::SVector<atb::TensorDesc>& outputs) const override {
    atb::TensorDesc out = inputs[0];
    for (size_t i = 1;
         i < member_.inputs && p_.elewiseType != ElewiseParam::ELEWISE_QUANT_PER_CHANNEL; ++i) {
      if (Status s = Broadcast(inputs[i].shape, &out.shape); !s.ok()) return s;
    }
    switch (p_.elewiseType) {
      case ElewiseParam::ELEWISE_CAST:
        out.dtype = p_.outTensorType;
        break;
      case ElewiseParam::ELEWISE_QUANT_PER_CHANNEL:
        out.dtype = ACL_INT8;
        break;
      case ElewiseParam::ELEWISE_LESS:
      case ElewiseParam::ELEWISE_GREATER:
      case ElewiseParam::ELEWISE_EQUAL:
        out.dtype = ACL_INT8;
        break;
      default:
        break;
    }
    outputs.push_back(out);
    return {};
  }

  static Status Broadcast(const atb::Dims& other, atb::Dims* shape) {
    const bool longer = shape->dimNum >= other.dimNum;
    atb::Dims out = longer ? *shape : other;
    const atb::Dims& shorter = longer ? other : *shape;
    for (uint64_t i = 1; i <= shorter.dimNum; ++i) {
      int64_t& size = out.dims[out.dimNum - i];
      const int64_t step = shorter.dims[shorter.dimNum - i];
      if (step == size || step == 1) continue;
      if (size != 1) {
        return Fail(atb::ERROR_INVALID_TENSOR_DIM,
                    "sizes {} and {} of one dimension, expected the "
                    "same or 1",
                    size, step);
      }
      size = step;
    }
    *shape = out;
    return {};
  }

  const ElewiseParam p_;
  const Member member_;
};

}  // namespace
}  // namespace anyacl::atb_library

namespace atb {

template <>
ACL_FUNC_VISIBILITY Status CreateOperation(const infer::ElewiseParam& param,
                                           Operation** operation) {
  return anyacl::atb_library::Create<anyacl::atb_library::Elewise>(
      "ElewiseOperation", param, operation, anyacl::atb_library::CheckMember);
}

}  // namespace atb
