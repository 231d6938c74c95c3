# SPDX-License-Identifier: Apache-2.0
# Rows that become integers, and integers that become numbers again.
anyacl_add_test(row_quant_test
  SOURCES row_quant_test.cc row_dequant_test.cc gelu_quant_test.cc quantized_batch_norm_test.cc rotate_quant_test.cc
  TIERS ${ANYACL_ISA_TIERS}
  LABELS ops
  THREADS 7 2)
