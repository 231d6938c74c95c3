# SPDX-License-Identifier: Apache-2.0
# Operators with indices and masks. But for bags of embeddings they have no code of their own for
# any instruction set: threads alone are varied.

anyacl_add_test(indexing_test
  SOURCES advanced_index_test.cc coalesce_test.cc indexing_test.cc jagged_test.cc masked_test.cc
  LIBS movement_cases
  ENV ANYACL_THREADS=7
  LABELS ops)
anyacl_add_test(embedding_test
  SOURCES embedding_test.cc
  LIBS movement_cases
  TIERS ${ANYACL_ISA_TIERS} THREADS 7 1 STRICT
  LABELS ops)
anyacl_add_test_run(indexing_test_strict indexing_test
  ENV ANYACL_THREADS=1 ACL_LAUNCH_BLOCKING=1 ANYACL_STRICT=1 ANYACL_FILL=0xA5
  LABELS ops)
