# SPDX-License-Identifier: Apache-2.0
# Tests of attention over blocks of keys that a mask names.
anyacl_add_test(block_sparse_attention_test
  SOURCES block_sparse_attention_refusal_test.cc block_sparse_attention_test.cc
  TIERS ${ANYACL_ISA_TIERS}
  LABELS ops)
foreach(threads 2 7)
  anyacl_add_test_run(block_sparse_attention_test_${threads} block_sparse_attention_test
    ENV ANYACL_THREADS=${threads} LABELS ops)
endforeach()
