# SPDX-License-Identifier: Apache-2.0
# Operators that route tokens to experts.
anyacl_add_test(moe_test
  SOURCES moe_expert_tokens_test.cc moe_finalize_routing_test.cc moe_finalize_special_test.cc moe_gating_gradient_test.cc
    moe_gating_test.cc moe_gating_top_k_test.cc
    moe_init_routing_quant_test.cc moe_init_routing_test.cc moe_init_routing_v3_test.cc moe_routing_map_test.cc
    moe_re_routing_test.cc moe_routing_gradient_test.cc moe_token_permute_test.cc moe_token_ranks_test.cc
    moe_update_expert_test.cc
  TIERS ${ANYACL_ISA_TIERS}
  LABELS ops
  THREADS 7 2)
