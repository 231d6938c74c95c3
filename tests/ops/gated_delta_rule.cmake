# SPDX-License-Identifier: Apache-2.0
# Tests of the gated delta rule.
anyacl_add_test(gated_delta_rule_test
  SOURCES gated_delta_rule_test.cc
  TIERS ${ANYACL_ISA_TIERS}
  LABELS ops)
foreach(threads 2 7 8)
  anyacl_add_test_run(gated_delta_rule_test_${threads} gated_delta_rule_test
    ENV ANYACL_THREADS=${threads} LABELS ops)
endforeach()

anyacl_add_test(chunk_gated_delta_rule_test
  SOURCES chunk_gated_delta_rule_test.cc
  TIERS ${ANYACL_ISA_TIERS}
  LABELS ops)
anyacl_add_test_run(chunk_gated_delta_rule_test_7 chunk_gated_delta_rule_test
  ENV ANYACL_THREADS=7 LABELS ops)
