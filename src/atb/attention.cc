// SPDX-License-Identifier: Apache-2.0
// PagedAttention and SelfAttention: which inputs there are follows from the parameters.
#include "atb/infer_op_params.h"
#include "atb/launched.h"

namespace anyacl::atb_library {
namespace {

using atb::infer::PagedAttentionParam;
using atb::infer::SelfAttentionParam;

Status CheckHeads(int32_t heads, int32_t kv_heads) {
  if (heads < 1) {
    return Fail(atb::ERROR_INVALID_PARAM, "headNum = {}, expected 1 or more", heads);
  }
  if (kv_heads >= 0 && (kv_heads == 0 || heads % kv_heads == 0)) return {};
  return Fail(atb::ERROR_INVALID_PARAM, "kvHeadNum = {}, expected 0 or a divisor of headNum = {}",
              kv_heads, heads);
}

int64_t KvHeads(int32_t heads, int32_t kv_heads) { return kv_heads == 0 ? heads : kv_heads; }

// query's shape with heads as large as those of `values`.
void InferOut(const atb::TensorDesc& query, int64_t heads, int64_t value_dim,
              atb::SVector<atb::TensorDesc>& outputs) {
  atb::TensorDesc out = query;
  if (out.shape.dimNum > 0) {
    out.shape.dims[out.shape.dimNum - 1] = out.shape.dimNum == 2 ? heads * value_dim : value_dim;
  }
  outputs.push_back(out);
}

int64_t LastDim(const atb::TensorDesc& desc) {
  return desc.shape.dimNum == 0 ? 0 : desc.shape.dims[desc.shape.dimNum - 1];
}

Status CheckPaged(const PagedAttentionParam& p) {
  if (Status s = CheckHeads(p.headNum, p.kvHeadNum); !s.ok()) return s;
  const bool speculative = p.calcType == PagedAttentionParam::CALC_TYPE_SPEC;
  if (!speculative) {
    if (Status s = Expect("calcType", p.calcType, PagedAttentionParam::CALC_TYPE_UNDEFINED);
        !s.ok()) {
      return s;
    }
  }
  const bool mask_goes = p.maskType == PagedAttentionParam::UNDEFINED ||
                         (p.maskType == PagedAttentionParam::MASK_TYPE_SPEC) == speculative;
  if (!mask_goes || p.maskType < 0 || p.maskType > PagedAttentionParam::MASK_TYPE_SPEC) {
    return Fail(atb::ERROR_INVALID_PARAM, "maskType = {}, expected 0, or {} with calcType = {}",
                static_cast<int>(p.maskType), speculative ? "3" : "1 or 2",
                static_cast<int>(p.calcType));
  }
  constexpr int64_t kMostValues = 576;
  if (p.mlaVHeadSize > kMostValues) {
    return Fail(atb::ERROR_INVALID_PARAM, "mlaVHeadSize = {}, expected 0 to {}", p.mlaVHeadSize,
                kMostValues);
  }
  for (const auto& [name, value] :
       {std::pair{"batchRunStatusEnable", int64_t{p.batchRunStatusEnable}},
        {"quantType", p.quantType},
        {"hasQuantOffset", p.hasQuantOffset},
        {"compressType", p.compressType},
        {"scaleType", p.scaleType},
        {"inputLayout", p.inputLayout}}) {
    if (Status s = Expect(name, value, 0); !s.ok()) return s;
  }
  return Expect("outDataType", p.outDataType, ACL_DT_UNDEFINED);
}

class PagedAttention final : public LaunchedOperation {
 public:
  explicit PagedAttention(const PagedAttentionParam& param)
      : LaunchedOperation("PagedAttentionOperation",
                          4 + Values(param) + Masked(param) + Spec(param), 1),
        p_(param) {}

 private:
  static bool Values(const PagedAttentionParam& p) { return p.mlaVHeadSize == 0; }
  static bool Masked(const PagedAttentionParam& p) {
    return p.maskType != PagedAttentionParam::UNDEFINED;
  }
  static bool Spec(const PagedAttentionParam& p) {
    return p.calcType == PagedAttentionParam::CALC_TYPE_SPEC;
  }

  // Paged keys of [blocks, blockSize, Nk * D], too.
  Dims Cache(const Call& call, size_t index) const {
    const Dims dims = DimsOf(call.pack().inTensors[index]);
    const int64_t heads = KvHeads(p_.headNum, p_.kvHeadNum);
    if (dims.rank() != 3 || dims[2] % heads != 0) return dims;
    return {dims[0], dims[1], heads, dims[2] / heads};
  }

  Status Arrange(Call& call) const override {
    size_t next = 0;
    const size_t query = next++, key = next++;
    const size_t value = Values(p_) ? next++ : 0, table = next++, lengths = next++;
    const size_t mask = Masked(p_) ? next++ : 0, rows = Spec(p_) ? next++ : 0;
    Status s = call.Input(query, call.ByHead(query, p_.headNum));
    if (s.ok()) s = call.Input(key, Cache(call, key));
    if (s.ok()) s = call.InputIf(value != 0, value, Cache(call, value));
    if (s.ok()) s = call.Input(table);
    if (s.ok()) s = call.InputIf(mask != 0, mask);
    if (rows == 0) call.Nothing();
    if (s.ok() && rows != 0) s = call.Lengths(rows);
    if (s.ok()) s = call.Lengths(lengths);
    if (s.ok()) s = call.Output(0, call.OutputByHead(0, p_.headNum));
    call.Integer(p_.headNum);
    call.Integer(p_.kvHeadNum);
    call.Real(p_.qkScale);
    call.Integer(p_.mlaVHeadSize);
    call.Integer(false);
    call.Integer(p_.maskType == PagedAttentionParam::MASK_TYPE_ALIBI);
    return s;
  }

  Status Infer(const atb::SVector<atb::TensorDesc>& inputs,
               atb::SVector<atb::TensorDesc>& outputs) const override {
    const int64_t heads = KvHeads(p_.headNum, p_.kvHeadNum);
    const int64_t last = Values(p_) ? LastDim(inputs[2]) : p_.mlaVHeadSize;
    const bool joined = Values(p_) && inputs[2].shape.dimNum == 3;
    InferOut(inputs[0], p_.headNum, joined ? last / heads : last, outputs);
    return {};
  }

  const PagedAttentionParam p_;
};

Status CheckSelf(const SelfAttentionParam& p) {
  if (Status s = CheckHeads(p.headNum, p.kvHeadNum); !s.ok()) return s;
  const bool prefix = p.calcType == SelfAttentionParam::PREFIX_ENCODER;
  if (!prefix) {
    if (Status s = Expect("calcType", p.calcType, SelfAttentionParam::PA_ENCODER); !s.ok())
      return s;
  }
  const bool causal = p.maskType == SelfAttentionParam::MASK_TYPE_NORM_COMPRESS;
  if (prefix && !causal) {
    return Expect("maskType of PREFIX_ENCODER", p.maskType,
                  SelfAttentionParam::MASK_TYPE_NORM_COMPRESS);
  }
  if (p.maskType < 0 || p.maskType > SelfAttentionParam::MASK_TYPE_NORM_COMPRESS) {
    return Fail(atb::ERROR_INVALID_PARAM, "maskType = {}, expected 0 to 3: anyacl offers no other",
                static_cast<int>(p.maskType));
  }
  for (const auto& [name, value] : {std::pair{"quantType", int64_t{p.quantType}},
                                    {"batchRunStatusEnable", p.batchRunStatusEnable},
                                    {"clampType", p.clampType},
                                    {"scaleType", p.scaleType},
                                    {"inputLayout", p.inputLayout},
                                    {"mlaVHeadSize", p.mlaVHeadSize},
                                    {"kvcacheCfg", p.kvcacheCfg},
                                    {"cacheType", p.cacheType},
                                    {"windowSize", p.windowSize}}) {
    if (Status s = Expect(name, value, 0); !s.ok()) return s;
  }
  if (p.kernelType != SelfAttentionParam::KERNELTYPE_HIGH_PRECISION) {
    if (Status s = Expect("kernelType", p.kernelType, SelfAttentionParam::KERNELTYPE_DEFAULT);
        !s.ok()) {
      return s;
    }
  }
  return Expect("outDataType", p.outDataType, ACL_DT_UNDEFINED);
}

class SelfAttention final : public LaunchedOperation {
 public:
  explicit SelfAttention(const SelfAttentionParam& param)
      : LaunchedOperation("SelfAttentionOperation", Prefix(param) ? 7 : 4 + Masked(param), 1),
        p_(param) {}

 private:
  static bool Prefix(const SelfAttentionParam& p) {
    return p.calcType == SelfAttentionParam::PREFIX_ENCODER;
  }
  static bool Masked(const SelfAttentionParam& p) {
    return p.maskType != SelfAttentionParam::MASK_TYPE_UNDEFINED;
  }

  Status Arrange(Call& call) const override {
    const bool causal = p_.maskType == SelfAttentionParam::MASK_TYPE_NORM_COMPRESS;
    const int64_t heads = KvHeads(p_.headNum, p_.kvHeadNum);
    size_t next = 0;
    const size_t query = next++, key = next++, value = next++;
    const size_t table = Prefix(p_) ? next++ : 0, mask = Masked(p_) ? next++ : 0;
    const size_t rows = next++, columns = Prefix(p_) ? next++ : rows;
    Status s = call.Input(query, call.ByHead(query, p_.headNum));
    if (s.ok()) s = call.Input(key, call.ByHead(key, heads));
    if (s.ok()) s = call.Input(value, call.ByHead(value, heads));
    if (s.ok()) s = call.InputIf(table != 0, table);
    if (s.ok()) s = call.InputIf(mask != 0 && !causal, mask);
    if (s.ok()) s = call.Lengths(rows);
    if (s.ok()) s = call.Lengths(columns);
    if (s.ok()) s = call.Output(0, call.OutputByHead(0, p_.headNum));
    call.Integer(p_.headNum);
    call.Integer(p_.kvHeadNum);
    call.Real(double{p_.qkScale} * p_.qScale);
    call.Integer(0);
    call.Integer(causal);
    call.Integer(p_.maskType == SelfAttentionParam::MASK_TYPE_ALIBI);
    return s;
  }

  Status Infer(const atb::SVector<atb::TensorDesc>& inputs,
               atb::SVector<atb::TensorDesc>& outputs) const override {
    const int64_t last = LastDim(inputs[2]);
    const int64_t heads = KvHeads(p_.headNum, p_.kvHeadNum);
    InferOut(inputs[0], p_.headNum, inputs[2].shape.dimNum == 2 ? last / heads : last, outputs);
    return {};
  }

  const SelfAttentionParam p_;
};

}  // namespace
}  // namespace anyacl::atb_library

namespace atb {

using anyacl::atb_library::Create;

template <>
ACL_FUNC_VISIBILITY Status CreateOperation(const infer::PagedAttentionParam& param,
                                           Operation** operation) {
  return Create<anyacl::atb_library::PagedAttention>("PagedAttentionOperation", param, operation,
                                                     anyacl::atb_library::CheckPaged);
}

template <>
ACL_FUNC_VISIBILITY Status CreateOperation(const infer::SelfAttentionParam& param,
                                           Operation** operation) {
  return Create<anyacl::atb_library::SelfAttention>("SelfAttentionOperation", param, operation,
                                                    anyacl::atb_library::CheckSelf);
}

}  // namespace atb
