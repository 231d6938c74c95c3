// SPDX-License-Identifier: Apache-2.0
#include "ops/operators.h"

#include <unordered_map>

#include "ops/afd/operators.h"
#include "ops/attention_update/operators.h"
#include "ops/batch_norm/operators.h"
#include "ops/block_sparse_attention/operators.h"
#include "ops/causal_conv/operators.h"
#include "ops/convolution/operators.h"
#include "ops/cumulative/operators.h"
#include "ops/detection/operators.h"
#include "ops/distance/operators.h"
#include "ops/dynamic_quant/operators.h"
#include "ops/elementwise/operators.h"
#include "ops/flash_attention/operators.h"
#include "ops/floyd_attention/operators.h"
#include "ops/foreach/operators.h"
#include "ops/fused_infer_attention/operators.h"
#include "ops/gated_delta_rule/operators.h"
#include "ops/generators/operators.h"
#include "ops/grid_sample/operators.h"
#include "ops/group_norm/operators.h"
#include "ops/grouped_matmul/operators.h"
#include "ops/indexing/operators.h"
#include "ops/linalg/operators.h"
#include "ops/loss/operators.h"
#include "ops/matmul/operators.h"
#include "ops/matmul_collective/operators.h"
#include "ops/max_pool/operators.h"
#include "ops/mhc/operators.h"
#include "ops/moe/operators.h"
#include "ops/moe_distribute/operators.h"
#include "ops/movement/operators.h"
#include "ops/native_sparse_attention/operators.h"
#include "ops/norm_quant/operators.h"
#include "ops/optimizer/operators.h"
#include "ops/reduction/operators.h"
#include "ops/resampling/operators.h"
#include "ops/rotary/operators.h"
#include "ops/row_quant/operators.h"
#include "ops/rowwise/operators.h"
#include "ops/sampling/operators.h"
#include "ops/slice_update/operators.h"
#include "ops/sorting/operators.h"
#include "ops/sparse_attention/operators.h"
#include "ops/stft/operators.h"
#include "ops/swiglu_quant/operators.h"
#include "ops/windows/operators.h"

namespace anyacl {

std::span<const OperatorFolder> OperatorFolders() {
  static constexpr OperatorFolder kFolders[] = {
      {"dynamic_quant", dynamic_quant::kOperators},
      {"elementwise", elementwise::kOperators},
      {"afd", afd::kOperators},
      {"moe_distribute", moe_distribute::kOperators},
      {"group_norm", group_norm::kOperators},
      {"flash_attention", flash_attention::kOperators},
      {"fused_infer_attention", fused_infer_attention::kOperators},
      {"attention_update", attention_update::kOperators},
      {"grouped_matmul", grouped_matmul::kOperators},
      {"gated_delta_rule", gated_delta_rule::kOperators},
      {"causal_conv", causal_conv::kOperators},
      {"mhc", mhc::kOperators},
      {"moe", moe::kOperators},
      {"rotary", rotary::kOperators},
      {"swiglu_quant", swiglu_quant::kOperators},
      {"norm_quant", norm_quant::kOperators},
      {"row_quant", row_quant::kOperators},
      {"sampling", sampling::kOperators},
      {"slice_update", slice_update::kOperators},
      {"reduction", reduction::kOperators},
      {"movement", movement::kOperators},
      {"linalg", linalg::kOperators},
      {"distance", distance::kOperators},
      {"matmul", matmul::kOperators},
      {"matmul_collective", matmul_collective::kOperators},
      {"rowwise", rowwise::kOperators},
      {"generators", generators::kOperators},
      {"batch_norm", batch_norm::kOperators},
      {"loss", loss::kOperators},
      {"optimizer", optimizer::kOperators},
      {"indexing", indexing::kOperators},
      {"foreach", foreach::kOperators},
      {"sorting", sorting::kOperators},
      {"sparse_attention", sparse_attention::kOperators},
      {"native_sparse_attention", native_sparse_attention::kOperators},
      {"block_sparse_attention", block_sparse_attention::kOperators},
      {"floyd_attention", floyd_attention::kOperators},
      {"cumulative", cumulative::kOperators},
      {"stft", stft::kOperators},
      {"windows", windows::kOperators},
      {"convolution", convolution::kOperators},
      {"grid_sample", grid_sample::kOperators},
      {"detection", detection::kOperators},
      {"max_pool", max_pool::kOperators},
      {"resampling", resampling::kOperators},
  };
  return kFolders;
}

const OpSpec* FindOperator(std::string_view api) {
  // To compare with all of them cost a composed operator 1 us for each of its parts.
  static const auto* const by_name = [] {
    auto* map = new std::unordered_map<std::string_view, const OpSpec*>;
    for (const OperatorFolder& folder : OperatorFolders()) {
      for (const OpSpec& spec : folder.operators) map->emplace(spec.op.phase_two, &spec);
    }
    return map;
  }();
  const auto found = by_name->find(api);
  return found == by_name->end() ? nullptr : found->second;
}

}  // namespace anyacl
