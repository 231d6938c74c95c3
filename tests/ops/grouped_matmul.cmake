# SPDX-License-Identifier: Apache-2.0
# Tests of GroupedMatmulSwigluQuant.

anyacl_add_cases(grouped_matmul_cases SOURCES grouped_matmul_case.cc)

anyacl_add_test(grouped_matmul_test
  SOURCES
    grouped_matmul_groups_test.cc
    grouped_matmul_layout_test.cc
    grouped_matmul_lists_test.cc
    grouped_matmul_numerics_test.cc
    grouped_matmul_values_test.cc
  LIBS grouped_matmul_cases
  TIERS ${ANYACL_ISA_TIERS} ${ANYACL_MATRIX_TIER}
  LABELS ops)

anyacl_add_test(grouped_matmul_call_test
  SOURCES
    grouped_matmul_call_test.cc
    grouped_matmul_checks_test.cc
  LIBS grouped_matmul_cases
  LABELS ops)

# The same calls with everything in the calling thread, memory that starts as garbage and the
# padding of allocations out of bounds.
anyacl_add_test_run(grouped_matmul_call_test_strict grouped_matmul_call_test
  ENV ACL_LAUNCH_BLOCKING=1 ANYACL_STRICT=1 ANYACL_FILL=0xA5
  LABELS ops)

anyacl_add_test(grouped_matmul_threads_test
  SOURCES grouped_matmul_threads_test.cc
  LIBS grouped_matmul_cases
  ENV ANYACL_THREADS=1
  LABELS ops)
foreach(threads 2 7)
  anyacl_add_test_run(grouped_matmul_threads_test_${threads} grouped_matmul_threads_test
    ENV ANYACL_THREADS=${threads}
    LABELS ops)
endforeach()

# Every tier computes the same bits.
foreach(tier IN LISTS ANYACL_ISA_TIERS ANYACL_MATRIX_TIER)
  anyacl_add_test_run(grouped_matmul_threads_test_${tier} grouped_matmul_threads_test
    TIER ${tier}
    LABELS ops)
endforeach()

anyacl_add_test(grouped_matmul_kernel_test INTERNAL
  SOURCES
    grouped_matmul_kernel_test.cc
    ../simd/tiers.cc
  LABELS ops simd)
