# SPDX-License-Identifier: Apache-2.0
# Tests of GroupedMatmulSwigluQuant.

add_library(grouped_matmul_test_support STATIC EXCLUDE_FROM_ALL
  grouped_matmul_case.cc
  ../reference/grouped_matmul.cc)
target_link_libraries(grouped_matmul_test_support PUBLIC anyacl_test_support)

anyacl_add_test(grouped_matmul_test
  SOURCES
    grouped_matmul_groups_test.cc
    grouped_matmul_layout_test.cc
    grouped_matmul_numerics_test.cc
    grouped_matmul_values_test.cc
  LIBS grouped_matmul_test_support
  LABELS ops)

# Every tier computes the same bits; one that the machine lacks runs its best tier again.
foreach(tier IN LISTS ANYACL_ISA_TIERS)
  anyacl_add_test_run(grouped_matmul_test_${tier} grouped_matmul_test
    ENV ANYACL_ISA=${tier}
    LABELS ops)
endforeach()
