# SPDX-License-Identifier: Apache-2.0
# Tests of attention over some of the keys, and of what chooses them.
anyacl_add_test(sparse_attention_test
  SOURCES dense_indexer_test.cc indexer_loss_test.cc kv_quant_sparse_flash_attention_test.cc lightning_indexer_gradient_test.cc lightning_indexer_test.cc
    quant_lightning_indexer_test.cc sparse_attention_gradient_test.cc sparse_flash_attention_test.cc
  TIERS ${ANYACL_ISA_TIERS}
  LABELS ops
  THREADS 7 2
  STRICT)
