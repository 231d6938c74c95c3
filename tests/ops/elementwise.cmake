# SPDX-License-Identifier: Apache-2.0
# Blocks of elements, and the element-wise operators.

anyacl_add_test(blocks_test INTERNAL
  SOURCES
    blocks_test.cc
    ../simd/tiers.cc
  LABELS ops simd)

anyacl_add_cases(elementwise_cases SOURCES
  elementwise_case.cc
  elementwise_operators.cc)

anyacl_add_test(elementwise_test
  SOURCES ascend_quant_test.cc clipped_swiglu_test.cc elementwise_complex_test.cc
    elementwise_integer_test.cc elementwise_parameters_test.cc elementwise_parts_test.cc
    elementwise_test.cc fake_quant_test.cc gated_units_test.cc overlap_test.cc precision_compare_test.cc prelu_test.cc
    rotary_grad_test.cc rotary_test.cc scale_test.cc
  LIBS elementwise_cases
  TIERS ${ANYACL_ISA_TIERS}
  LABELS ops
  STRICT)

# Neither chunks nor threads show.
anyacl_add_test(elementwise_large_test
  SOURCES elementwise_large_test.cc
  ENV ANYACL_THREADS=1
  LABELS ops)
foreach(threads 2 7)
  anyacl_add_test_run(elementwise_large_test_${threads} elementwise_large_test
    ENV ANYACL_THREADS=${threads}
    LABELS ops)
endforeach()
