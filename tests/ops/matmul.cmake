# SPDX-License-Identifier: Apache-2.0
# Tests of products of matrices.
anyacl_add_test(matmul_test
  SOURCES einsum_test.cc feed_forward_refusal_test.cc feed_forward_test.cc fused_matmul_test.cc fused_products_test.cc grouped_integers_test.cc grouped_products_test.cc
    grouped_refusal_test.cc int4_pack_test.cc matmul_factors_test.cc matmul_test.cc older_products_test.cc
    quant_matmul_group_test.cc quant_matmul_refusal_test.cc quant_matmul_test.cc
    quant_parameter_test.cc routed_products_test.cc weight_panels_test.cc weight_quant_test.cc
  TIERS ${ANYACL_ISA_TIERS} ${ANYACL_MATRIX_TIER}
  LABELS ops)
