// SPDX-License-Identifier: Apache-2.0
// Rules on data types, formats and sizes of single tensors: 161001 and 161002.
#include "ops/fused_infer_attention/rules.h"

namespace anyacl::fused_infer_attention {
namespace {

Status CheckType(const Operand& operand) {
  if (!operand.given() || operand.spec->dtypes.Contains(operand.dtype())) return {};
  return Fail(ACLNN_ERR_PARAM_INVALID, "{}.dtype = {}, expected {}", operand.spec->name,
              NameOf(operand.dtype()), operand.spec->dtypes.ToString());
}

template <int... kIds>
Status CheckTypes(const Problem& p) {
  Status status;
  (void)((status = CheckType(p.at(kIds)), status.ok()) && ...);
  return status;
}

// query, key = value, attentionOut.
Status CheckTypeTuple(const Problem& p) {
  if (Status s = CheckTypes<kQuery, kKey, kValue, kAttentionOut>(p); !s.ok()) return s;
  const aclDataType query = p.QueryType(), key = p.KeyType(), out = p.OutType();
  const aclDataType value = p.value[0].dtype();
  if (key != value) {
    return Fail(ACLNN_ERR_PARAM_INVALID, "value.dtype = {}, expected {} as key.dtype",
                NameOf(value), NameOf(key));
  }
  if (p.HasQueryScale() && query == ACL_INT8) {
    if (key == ACL_INT8 && out == ACL_BF16) return {};
    return Fail(ACLNN_ERR_PARAM_INVALID,
                "key.dtype = {} and attentionOut.dtype = {}, expected INT8 and BF16 for an INT8 "
                "query with {}",
                NameOf(key), NameOf(out), ParameterOf(p, kQueryScale));
  }
  const bool quantised_cache = key == ACL_INT8 || key == ACL_INT4;
  const bool right = query == ACL_INT8
                         ? key == ACL_INT8 && (out == ACL_INT8 || out == ACL_FLOAT16)
                         : (key == query || quantised_cache) && (out == query || out == ACL_INT8);
  if (right) return {};
  return Fail(ACLNN_ERR_PARAM_INVALID,
              "query.dtype = {}, key.dtype = {} and attentionOut.dtype = {} do not go together, "
              "expected key {} or quantised, attentionOut {} or INT8",
              NameOf(query), NameOf(key), NameOf(out), NameOf(query),
              NameOf(query == ACL_INT8 ? ACL_FLOAT16 : query));
}

Status CheckMemberTypes(const Problem& p) {
  for (const auto* list : {&p.key, &p.value}) {
    for (size_t i = 1; i < list->size(); ++i) {
      if ((*list)[i].dtype() == p.KeyType()) continue;
      return Fail(kConstraint, "{}[{}].dtype = {}, expected {} as key[0].dtype",
                  (*list)[i].spec->name, i, NameOf((*list)[i].dtype()), NameOf(p.KeyType()));
    }
  }
  return {};
}

Status CheckFormat(const Operand& operand) {
  if (!operand.given() || IsPlainFormat(operand.layout->format)) return {};
  return Fail(ACLNN_ERR_PARAM_INVALID, "{}.format = {}, expected ND", operand.spec->name,
              NameOf(operand.layout->format));
}

// Every operand of the call, list members included.
template <class Function>
Status ForOperands(const Problem& p, const Function& check) {
  for (int id = 0; id < kTensors; ++id) {
    if (id == kKey || id == kValue || !p.Given(id)) continue;
    if (Status s = check(p.at(id)); !s.ok()) return s;
  }
  for (const auto* list : {&p.key, &p.value}) {
    for (const Operand& member : *list) {
      if (Status s = check(member); !s.ok()) return s;
    }
  }
  return {};
}

Status CheckFormats(const Problem& p) { return ForOperands(p, CheckFormat); }

Status CheckSizes(const Operand& operand) {
  if (ElementCount(operand.shape())) return {};
  return Fail(ACLNN_ERR_PARAM_INVALID,
              "{}.shape = {}, expected sizes of 0 or more and fewer than 2^63 elements",
              operand.spec->name, operand.shape().ToString());
}

Status CheckAllSizes(const Problem& p) { return ForOperands(p, CheckSizes); }

// Factors count by their elements alone, whatever their shape.
Status CheckAllRanks(const Problem& p) {
  return ForOperands(
      p, [](const Operand& operand) { return CheckRank(operand, ACLNN_ERR_PARAM_INVALID); });
}

Status CheckAllStrides(const Problem& p) {
  return ForOperands(p, [](const Operand& operand) -> Status {
    return operand.IsEmpty() ? Status() : CheckStrides(operand, ACLNN_ERR_PARAM_INVALID);
  });
}

Status CheckLseGiven(const Problem& p) {
  return p.args.lse_flag ? p.operands.Require(kSoftmaxLse) : Status();
}

constexpr Rule kOfTypes[] = {
    {"TypesGoTogether", section::kReturns, Branch::kBoth, CheckTypeTuple},
    {"FormatsAreNd", section::kReturns, Branch::kBoth, CheckFormats},
    {"PseShiftType", section::kReturns, Branch::kBoth, CheckTypes<kPseShift>},
    {"AttenMaskType", section::kReturns, Branch::kBoth, CheckTypes<kAttenMask>},
    {"SoftmaxLseFlagNeedsSoftmaxLse", section::kParameters, Branch::kBoth, CheckLseGiven},
    {"SoftmaxLseType", section::kParameters, Branch::kBoth, CheckTypes<kSoftmaxLse>},
    {"OptionalTensorTypes", section::kParameters, Branch::kBoth,
     CheckTypes<kDeqScale1, kQuantScale1, kDeqScale2, kQuantScale2, kQuantOffset2, kAntiquantScale,
                kAntiquantOffset, kBlockTable, kQueryPadding, kKvPadding, kKeyScale, kKeyOffset,
                kValueScale, kValueOffset, kKeyPrefix, kValuePrefix, kQueryRope, kKeyRope,
                kQueryScale, kSink>},
    {"ElementCountsFit63Bits", section::kDevice, Branch::kBoth, CheckAllSizes},
    {"RanksAreAtMostEight", section::kDevice, Branch::kBoth, CheckAllRanks},
    {"StridesAreAddressable", section::kDevice, Branch::kBoth, CheckAllStrides},
    {"ListTypesAgree", section::kDevice, Branch::kBoth, CheckMemberTypes},
};

}  // namespace

const std::span<const Rule> kTypeRules = kOfTypes;

}  // namespace anyacl::fused_infer_attention
