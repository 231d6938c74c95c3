# SPDX-License-Identifier: Apache-2.0
# GroupNorm and its gradients.

anyacl_add_cases(group_norm_cases SOURCES group_norm_case.cc)

anyacl_add_test(group_norm_test
  SOURCES
    group_norm_values_test.cc
    group_norm_special_test.cc
    group_norm_layout_test.cc
    group_norm_forward_test.cc
    group_norm_activated_test.cc
    group_norm_quant_test.cc
  LIBS group_norm_cases
  TIERS ${ANYACL_ISA_TIERS}
  LABELS ops
  STRICT)

anyacl_add_test(group_norm_checks_test BRIEF
  SOURCES group_norm_checks_test.cc
  LIBS group_norm_cases
  LABELS ops)

anyacl_add_test(group_norm_kernel_test BRIEF INTERNAL
  SOURCES
    group_norm_kernel_test.cc
    ../simd/tiers.cc
  LABELS ops simd)

# Neither the number of threads nor the tier may show in any bit.
anyacl_add_test(group_norm_threads_test
  SOURCES group_norm_threads_test.cc
  LIBS group_norm_cases
  ENV ANYACL_THREADS=1
  LABELS ops)
foreach(threads 2 5)
  foreach(tier IN LISTS ANYACL_ISA_TIERS)
    anyacl_add_test_run(group_norm_threads_test_${threads}_${tier} group_norm_threads_test
      TIER ${tier}
      ENV ANYACL_THREADS=${threads}
      LABELS ops)
  endforeach()
endforeach()
