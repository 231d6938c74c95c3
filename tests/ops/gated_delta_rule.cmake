# SPDX-License-Identifier: Apache-2.0
# Tests of the recurrent gated delta rule.
anyacl_add_test(gated_delta_rule_test
  SOURCES gated_delta_rule_test.cc
  TIERS ${ANYACL_ISA_TIERS}
  LABELS ops)
foreach(threads 2 7)
  anyacl_add_test_run(gated_delta_rule_test_${threads} gated_delta_rule_test
    ENV ANYACL_THREADS=${threads} LABELS ops)
endforeach()
