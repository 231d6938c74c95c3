# SPDX-License-Identifier: Apache-2.0
# Tests of Floyd attention.
anyacl_add_test(floyd_attention_test
  SOURCES floyd_attention_test.cc
  TIERS ${ANYACL_ISA_TIERS}
  LABELS ops)
foreach(threads 2 7)
  anyacl_add_test_run(floyd_attention_test_${threads} floyd_attention_test
    ENV ANYACL_THREADS=${threads} LABELS ops)
endforeach()
