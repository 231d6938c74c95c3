// SPDX-License-Identifier: Apache-2.0
// The declarations of products that are added to something else, or up.
#pragma once

#include "ops/matmul/routed_params.h"

namespace anyacl::matmul {

Status PrepareRouted(Operands& operands, PreparedCall* call);

inline constexpr const char* kRoutedSummary =
    "rows of products of groups, times their factors, added up by token to the shared expert's";

inline constexpr OpSpec kFusedOperators[] = {
    {.op = kNames<"GroupedMatmulFinalizeRouting">,
     .params = kRoutedParams,
     .prepare = PrepareRouted,
     .header = "aclnn_grouped_matmul_finalize_routing.h",
     .summary = kRoutedSummary,
     .document = "ops-transformer: "
                 "gmm/grouped_matmul_finalize_routing/docs/aclnnGroupedMatmulFinalizeRouting.md",
     .max_rank = 3},
    {.op = kNames<"GroupedMatmulFinalizeRoutingV2">,
     .params = kRoutedV2Params,
     .prepare = PrepareRouted,
     .header = "aclnn_grouped_matmul_finalize_routing_v2.h",
     .summary = kRoutedSummary,
     .document = "ops-transformer: "
                 "gmm/grouped_matmul_finalize_routing/docs/aclnnGroupedMatmulFinalizeRoutingV2.md",
     .max_rank = 3},
    {.op = kNames<"GroupedMatmulFinalizeRoutingV3">,
     .params = kRoutedV3Params,
     .prepare = PrepareRouted,
     .header = "aclnn_grouped_matmul_finalize_routing_v3.h",
     .summary = kRoutedSummary,
     .document = "ops-transformer: "
                 "gmm/grouped_matmul_finalize_routing/docs/aclnnGroupedMatmulFinalizeRoutingV3.md",
     .max_rank = 3},
    {.op = kNames<"GroupedMatmulFinalizeRoutingWeightNz">,
     .params = kRoutedNzParams,
     .prepare = PrepareRouted,
     .header = "aclnn_grouped_matmul_finalize_routing_weight_nz.h",
     .summary = kRoutedSummary,
     .document =
         "ops-transformer: "
         "gmm/grouped_matmul_finalize_routing/docs/aclnnGroupedMatmulFinalizeRoutingWeightNz.md",
     .max_rank = 3},
    {.op = kNames<"GroupedMatmulFinalizeRoutingWeightNzV2">,
     .params = kRoutedNzV2Params,
     .prepare = PrepareRouted,
     .header = "aclnn_grouped_matmul_finalize_routing_weight_nz_v2.h",
     .summary = kRoutedSummary,
     .document =
         "ops-transformer: "
         "gmm/grouped_matmul_finalize_routing/docs/aclnnGroupedMatmulFinalizeRoutingWeightNzV2.md",
     .max_rank = 3},
};

}  // namespace anyacl::matmul
