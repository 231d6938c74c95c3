// SPDX-License-Identifier: Apache-2.0
// The calls of each version.
#include <gtest/gtest.h>

#include <tuple>

#include "aclnnop/aclnn_moe_distribute_combine.h"
#include "aclnnop/aclnn_moe_distribute_combine_add_rms_norm.h"
#include "aclnnop/aclnn_moe_distribute_combine_add_rms_norm_v2.h"
#include "aclnnop/aclnn_moe_distribute_combine_v2.h"
#include "aclnnop/aclnn_moe_distribute_combine_v3.h"
#include "aclnnop/aclnn_moe_distribute_combine_v4.h"
#include "aclnnop/aclnn_moe_distribute_dispatch.h"
#include "aclnnop/aclnn_moe_distribute_dispatch_v2.h"
#include "aclnnop/aclnn_moe_distribute_dispatch_v3.h"
#include "aclnnop/aclnn_moe_distribute_dispatch_v4.h"
#include "ops/moe_rank.h"

namespace anyacl::test {
namespace {

const aclTensor* If(bool given, const Tensor& tensor) { return given ? tensor.handle() : nullptr; }

}  // namespace

int MoeRank::Dispatch(aclrtStream stream) {
  if (tensors_ == nullptr) Make(0);
  Tensors& t = *tensors_;
  const Arguments& a = arguments;
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  // What all versions begin with, the ranks, and what they end with.
  const auto call = [&](auto prepare, auto run, auto before, auto modes) {
    const int code = std::apply(
        prepare,
        std::tuple_cat(
            std::make_tuple(t.x.handle(), t.expert_ids.handle(), If(shape_.has_scales, t.scales),
                            If(shape_.mask != MoeMask::kNone, t.mask),
                            If(shape_.has_weights, t.weights)),
            before,
            std::make_tuple(a.group.c_str(), a.ranks, a.rank, a.routed, "", a.tp, a.tp_rank,
                            a.shard, a.shared, a.shared_ranks, a.quant, a.global, a.counts_type),
            modes,
            std::make_tuple((identity_ ? t.back : t.rows).handle(), t.row_scales.handle(),
                            t.assist.handle(), t.expert_counts.handle(), t.counts.handle(), nullptr,
                            t.row_weights.handle(), &size, &executor)));
    if (code != 0) return code;
    EXPECT_EQ(size, 0u);
    return run(nullptr, size, executor, stream);
  };
  const auto none = std::tuple();
  if (shape_.by_copy) {
    return call(aclnnMoeDistributeDispatchGetWorkspaceSize, aclnnMoeDistributeDispatch, none, none);
  }
  if (shape_.version == 2) {
    return call(aclnnMoeDistributeDispatchV2GetWorkspaceSize, aclnnMoeDistributeDispatchV2, none,
                std::tuple(a.algorithm));
  }
  const auto modes = std::tuple(a.algorithm, a.zero, a.copy, a.constant);
  const aclTensor* const elastic_info = If(a.has_elastic_info, t.elastic_info);
  if (shape_.version == 3) {
    return call(aclnnMoeDistributeDispatchV3GetWorkspaceSize, aclnnMoeDistributeDispatchV3,
                std::tuple(elastic_info), modes);
  }
  return call(aclnnMoeDistributeDispatchV4GetWorkspaceSize, aclnnMoeDistributeDispatchV4,
              std::tuple(elastic_info, t.performance.handle()), modes);
}

int MoeRank::Combine(aclrtStream stream) {
  if (tensors_ == nullptr) Make(0);
  Tensors& t = *tensors_;
  const Arguments& a = arguments;
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const aclTensor* const absent = nullptr;
  const auto inputs =
      std::make_tuple(t.back.handle(), t.expert_ids.handle(), t.assist.handle(), t.counts.handle(),
                      (shape_.weighs ? t.weights : t.no_weights).handle());
  // From tpSendCounts on.
  const auto masks = std::make_tuple(absent, If(shape_.mask != MoeMask::kNone, t.mask), absent,
                                     absent, absent, shape_.norm ? absent : t.row_weights.handle());
  const auto shared = std::make_tuple(If(shape_.has_shared_x, t.shared_x));
  const auto special = std::make_tuple(
      If(a.has_elastic_info, t.elastic_info), If(a.has_original, t.x), If(a.has_alphas, t.alpha1),
      If(a.has_alphas, t.alpha2), If(a.has_constants, t.constants));
  const auto ranks =
      std::make_tuple(a.group.c_str(), a.ranks, a.rank, a.routed, "", a.tp, a.tp_rank, a.shard,
                      a.shared, a.shared_ranks, a.global, a.out_dtype, a.comm_quant, a.list_type);
  const auto algorithm = std::make_tuple(a.algorithm);
  const auto numbers = std::make_tuple(a.zero, a.copy, a.constant);
  const auto call = [&](auto prepare, auto run, auto... parts) {
    const int code =
        std::apply(prepare, std::tuple_cat(parts..., std::make_tuple(&size, &executor)));
    return code != 0 ? code : run(nullptr, size, executor, stream);
  };
  const auto sums = std::make_tuple(t.out.handle());
  if (shape_.by_copy) {
    return call(aclnnMoeDistributeCombineGetWorkspaceSize, aclnnMoeDistributeCombine, inputs, masks,
                ranks, sums);
  }
  if (shape_.norm) {
    const auto terms = std::make_tuple(t.residual.handle(), t.gamma.handle());
    const auto epsilon = std::make_tuple(a.epsilon);
    const auto outputs = std::make_tuple(t.y.handle(), t.rstd.handle(), t.out.handle());
    if (shape_.version == 2) {
      return call(aclnnMoeDistributeCombineAddRmsNormGetWorkspaceSize,
                  aclnnMoeDistributeCombineAddRmsNorm, inputs, terms, masks, shared, ranks,
                  algorithm, epsilon, outputs);
    }
    return call(aclnnMoeDistributeCombineAddRmsNormV2GetWorkspaceSize,
                aclnnMoeDistributeCombineAddRmsNormV2, inputs, terms, masks, shared, special, ranks,
                algorithm, epsilon, numbers, outputs);
  }
  if (shape_.version == 2) {
    return call(aclnnMoeDistributeCombineV2GetWorkspaceSize, aclnnMoeDistributeCombineV2, inputs,
                masks, shared, ranks, algorithm, sums);
  }
  if (shape_.version == 3) {
    return call(aclnnMoeDistributeCombineV3GetWorkspaceSize, aclnnMoeDistributeCombineV3, inputs,
                masks, shared, special, ranks, algorithm, numbers, sums);
  }
  return call(aclnnMoeDistributeCombineV4GetWorkspaceSize, aclnnMoeDistributeCombineV4, inputs,
              masks, shared, special, std::make_tuple(t.performance.handle()), ranks, algorithm,
              numbers, sums);
}

}  // namespace anyacl::test
