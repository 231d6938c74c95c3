# SPDX-License-Identifier: Apache-2.0
# Tests of the gated delta rule.
anyacl_add_test(gated_delta_rule_test
  SOURCES gated_delta_rule_test.cc
  TIERS ${ANYACL_ISA_TIERS}
  LABELS ops
  THREADS 8 7)

anyacl_add_test(chunk_gated_delta_rule_test
  SOURCES chunk_gated_delta_rule_test.cc
  TIERS ${ANYACL_ISA_TIERS}
  LABELS ops
  THREADS 7)
