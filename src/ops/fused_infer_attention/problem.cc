// SPDX-License-Identifier: Apache-2.0
// From handles to tensors.
#include "ops/fused_infer_attention/problem.h"

#include "aclnn/opdev/op_errno.h"
#include "nnop/exports.h"
#include "ops/fused_infer_attention/rules.h"

namespace anyacl::fused_infer_attention {
namespace {

Status FailAt(Problem& problem, const char* row, Status status) {
  problem.failed_row = row;
  return status;
}

// An INT32 tensor that packs eight INT4 per word, described as those. Strides count INT4: only the
// innermost one cannot be said so; its words must be neighbours (CheckStrides of INT4).
std::shared_ptr<const TensorLayout> Unpacked(const TensorLayout& packed) {
  auto layout = std::make_shared<TensorLayout>(packed);
  layout->dtype = ACL_INT4;
  const size_t last = layout->shape.rank() - 1;
  if (__builtin_mul_overflow(packed.shape[last], 8, &layout->shape[last])) {
    layout->shape[last] = INT64_MAX;
  }
  const auto eightfold = [](int64_t v) {
    return static_cast<int64_t>(static_cast<uint64_t>(v) * 8);
  };
  for (size_t i = 0; i < last; ++i) layout->strides[i] = eightfold(packed.strides[i]);
  layout->strides[last] = packed.strides[last] == 1 || packed.shape[last] <= 1 ? 1 : 0;
  layout->offset = eightfold(packed.offset);
  return layout;
}

void Unpack(Operand& operand) {
  if (operand.given() && operand.dtype() == ACL_INT32 && operand.shape().rank() > 0) {
    operand.layout = Unpacked(*operand.layout);
  }
}

Status ResolveList(Problem& problem, size_t row, const aclTensorList* handle,
                   std::vector<Operand>* members) {
  const ParamSpec& spec = problem.operands.spec().params[row];
  if (handle == nullptr) {
    return FailAt(problem, "V01",
                  Fail(ACLNN_ERR_PARAM_NULLPTR, "{} is null, expected a tensor list", spec.name));
  }
  std::shared_ptr<TensorList> list;
  if (!anyaclFindTensorList(handle, &list)) {
    return Fail(ACLNN_ERR_PARAM_INVALID,
                "{} is {}, which is not a live tensor list (destroyed, or never created here)",
                spec.name, static_cast<const void*>(handle));
  }
  if (list->empty()) {
    return FailAt(
        problem, "V02",
        Fail(ACLNN_ERR_PARAM_NULLPTR, "{} has 0 tensors, expected at least 1", spec.name));
  }
  constexpr size_t kMaxTensors = 256;
  if (list->size() > kMaxTensors) {
    return FailAt(problem, "V05",
                  Fail(ACLNN_ERR_PARAM_INVALID, "{} has {} tensors, expected at most {}", spec.name,
                       list->size(), kMaxTensors));
  }
  members->resize(list->size());
  for (size_t i = 0; i < list->size(); ++i) {
    Operand& member = (*members)[i];
    member.spec = &spec;
    if ((*list)[i] == nullptr) {
      return FailAt(
          problem, i == 0 ? "V02" : "V03",
          Fail(ACLNN_ERR_PARAM_NULLPTR, "{}[{}] is null, expected a tensor", spec.name, i));
    }
    if (!anyaclFindTensor((*list)[i], &member.tensor)) {
      return Fail(ACLNN_ERR_PARAM_INVALID,
                  "{}[{}] is {}, which is not a live tensor (destroyed, or never created here)",
                  spec.name, i, static_cast<const void*>((*list)[i]));
    }
    member.layout = member.tensor->layout();
  }
  return {};
}

Status ResolveArray(const char* name, const aclIntArray* handle, std::shared_ptr<IntArray>* array) {
  if (handle == nullptr) return {};
  if (!anyaclFindIntArray(handle, array)) {
    return Fail(ACLNN_ERR_PARAM_INVALID,
                "{} is {}, which is not a live array (destroyed, or never created here)", name,
                static_cast<const void*>(handle));
  }
  if ((*array)->empty()) array->reset();
  return {};
}

}  // namespace

int64_t Problem::KvSize(int64_t b) const {
  if (paged || !listed) return kv_size;
  return key[static_cast<size_t>(b)].shape()[static_cast<size_t>(SizeDim(layout))];
}

Status Resolve(Problem& problem) {
  const Args& args = problem.args;
  if (args.tensors[kQuery] == nullptr || args.tensors[kAttentionOut] == nullptr) {
    problem.failed_row = "V01";
  }
  if (Status s = problem.operands.Resolve(args.tensors); !s.ok()) return s;
  if (Status s = ResolveList(problem, kKey, args.key, &problem.key); !s.ok()) return s;
  if (Status s = ResolveList(problem, kValue, args.value, &problem.value); !s.ok()) return s;
  if (Status s =
          ResolveArray("actualSeqLengthsOptional", args.query_lengths, &problem.query_lengths);
      !s.ok())
    return s;
  if (Status s = ResolveArray("actualSeqLengthsKvOptional", args.kv_lengths, &problem.kv_lengths);
      !s.ok())
    return s;
  if (Status s = ResolveArray("actualSharedPrefixLenOptional", args.prefix_length,
                              &problem.prefix_lengths);
      !s.ok())
    return s;
  // Only both lists together are packed: one alone is a wrong pair of types.
  if (problem.KeyType() == ACL_INT32 && problem.value[0].dtype() == ACL_INT32) {
    for (Operand& member : problem.key) Unpack(member);
    for (Operand& member : problem.value) Unpack(member);
  }
  Operand& key_prefix = problem.operands.at(kKeyPrefix);
  Operand& value_prefix = problem.operands.at(kValuePrefix);
  if (key_prefix.given() && value_prefix.given() && key_prefix.dtype() == ACL_INT32 &&
      value_prefix.dtype() == ACL_INT32) {
    Unpack(key_prefix);
    Unpack(value_prefix);
  }
  problem.operands.at(kKey) = problem.key[0];
  problem.operands.at(kValue) = problem.value[0];
  return {};
}

}  // namespace anyacl::fused_infer_attention
