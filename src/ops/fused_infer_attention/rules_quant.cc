// SPDX-License-Identifier: Apache-2.0
// Rules on the scales of INT8 queries and of INT8 outputs.
#include "ops/fused_infer_attention/rules.h"

namespace anyacl::fused_infer_attention {
namespace {

constexpr size_t kInnerScales[] = {kDeqScale1, kQuantScale1, kDeqScale2};

Status CheckNotInt8OneToken(const Problem& p) {
  if (p.QueryType() != ACL_INT8) return {};
  return Fail(kConstraint, "query.dtype = INT8 with 1 row, expected more rows, FLOAT16 or BF16");
}

Status CheckInnerScales(const Problem& p) {
  if (p.QueryType() != ACL_INT8) return {};
  for (int id : kInnerScales) {
    if (p.Has(id) && ElementCount(p.at(id).shape()) == 1) continue;
    return Fail(kConstraint, "{} is {}, expected 1 element for an INT8 query", ParameterOf(p, id),
                p.Given(id) ? "of shape " + p.at(id).shape().ToString() : "null");
  }
  return {};
}

Status CheckInt8ToInt8(const Problem& p) {
  if (p.QueryType() != ACL_INT8 || p.OutType() != ACL_INT8 || p.Has(kQuantScale2)) return {};
  return Fail(kConstraint, "{} is null or empty, expected scales for INT8 query and output",
              ParameterOf(p, kQuantScale2));
}

Status CheckInt8ToHalf(const Problem& p) {
  if (p.QueryType() != ACL_INT8 || p.OutType() == ACL_INT8) return {};
  for (int id : {kQuantScale2, kQuantOffset2}) {
    if (!p.Given(id)) continue;
    return Fail(kConstraint, "{} is given for an INT8 query and FLOAT16 output, expected null",
                ParameterOf(p, id));
  }
  return {};
}

Status CheckNoInnerScales(const Problem& p) {
  if (p.QueryType() == ACL_INT8 || (!p.one_token && p.OutType() != ACL_INT8)) return {};
  for (int id : kInnerScales) {
    if (!p.Given(id)) continue;
    return Fail(kConstraint, "{} is given for query.dtype = {}, expected null", ParameterOf(p, id),
                NameOf(p.QueryType()));
  }
  return {};
}

Status CheckOutScaleGiven(const Problem& p) {
  if (p.OutType() != ACL_INT8 || p.Has(kQuantScale2)) return {};
  return Fail(kConstraint, "{} is null or empty, expected scales for INT8 output",
              ParameterOf(p, kQuantScale2));
}

Status CheckOutScaleType(const Problem& p) {
  if (p.OutType() != ACL_INT8 || p.at(kQuantScale2).dtype() != ACL_BF16) return {};
  if (p.QueryType() == ACL_BF16) return {};
  return Fail(kConstraint, "{}.dtype = BF16, expected FLOAT for query.dtype = {}",
              ParameterOf(p, kQuantScale2), NameOf(p.QueryType()));
}

Status CheckOutOffset(const Problem& p) {
  if (p.OutType() != ACL_INT8 || !p.Has(kQuantOffset2)) return {};
  const Operand& scale = p.at(kQuantScale2);
  const Operand& offset = p.at(kQuantOffset2);
  if (offset.dtype() == scale.dtype() && offset.shape() == scale.shape()) return {};
  return Fail(kConstraint, "{} is {} {}, expected {} {} as {}", ParameterOf(p, kQuantOffset2),
              NameOf(offset.dtype()), offset.shape().ToString(), NameOf(scale.dtype()),
              scale.shape().ToString(), ParameterOf(p, kQuantScale2));
}

Status CheckOutScaleCount(const Problem& p) {
  if (p.OutType() != ACL_INT8) return {};
  const int64_t count = *ElementCount(p.at(kQuantScale2).shape());
  if (count == 1 || count == p.heads * p.dim) return {};
  return Fail(kConstraint, "{}.shape = {} has {} elements, expected 1 or N * D = {}",
              ParameterOf(p, kQuantScale2), p.at(kQuantScale2).shape().ToString(), count,
              p.heads * p.dim);
}

Status CheckOutPerChannel(const Problem& p) {
  if (p.OutType() != ACL_INT8 || ElementCount(p.at(kQuantScale2).shape()) == 1) return {};
  if (p.args.lse_flag) {
    return Fail(kConstraint, "softmaxLseFlag is true with {} per channel, expected false",
                ParameterOf(p, kQuantScale2));
  }
  if (p.dim % 32 == 0) return {};
  return Fail(kConstraint,
              "the head size D of query is {}, expected a multiple of 32 with {} per channel",
              p.dim, ParameterOf(p, kQuantScale2));
}

Status CheckNoOutScale(const Problem& p) {
  if (p.OutType() == ACL_INT8) return {};
  for (int id : {kQuantScale2, kQuantOffset2}) {
    if (!p.Given(id)) continue;
    return Fail(kConstraint, "{} is given for attentionOut.dtype = {}, expected null",
                ParameterOf(p, id), NameOf(p.OutType()));
  }
  return {};
}

constexpr Rule kOfQuantisation[] = {
    {"OneTokenQueryIsNotInt8", section::kSizes, Branch::kOneToken, CheckNotInt8OneToken},
    {"Int8QueryNeedsInnerScales", section::kInt8, Branch::kPrompt, CheckInnerScales},
    {"Int8ToInt8NeedsQuantScale2", section::kInt8, Branch::kPrompt, CheckInt8ToInt8},
    {"Int8ToFloat16HasNoQuantScale2", section::kInt8, Branch::kPrompt, CheckInt8ToHalf},
    {"InnerScalesNeedAnInt8Query", section::kInt8, Branch::kBoth, CheckNoInnerScales},
    {"Int8OutNeedsQuantScale2", section::kInt8, Branch::kBoth, CheckOutScaleGiven},
    {"QuantScale2Type", section::kInt8, Branch::kBoth, CheckOutScaleType},
    {"QuantOffset2IsLikeQuantScale2", section::kInt8, Branch::kBoth, CheckOutOffset},
    {"QuantScale2Count", section::kInt8, Branch::kBoth, CheckOutScaleCount},
    {"QuantScale2PerChannelNotWithLse", section::kPrompt, Branch::kPrompt, CheckOutPerChannel},
    {"OneTokenQuantScale2NeedsInt8Out", section::kDevice, Branch::kOneToken, CheckNoOutScale},
};

}  // namespace

const std::span<const Rule> kQuantRules = kOfQuantisation;

}  // namespace anyacl::fused_infer_attention
