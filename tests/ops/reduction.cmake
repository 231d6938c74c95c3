# SPDX-License-Identifier: Apache-2.0
# The reductions.

anyacl_add_cases(reduction_cases SOURCES reduction_case.cc)

anyacl_add_test(reduction_test
  SOURCES foreach_norm_test.cc grouped_bias_test.cc is_in_test.cc reduction_complex_test.cc
    reduction_pair_test.cc reduction_test.cc
  LIBS reduction_cases
  TIERS ${ANYACL_ISA_TIERS}
  LABELS ops)

# Neither the number of threads nor the tier may show in any bit.
anyacl_add_test(reduction_threads_test
  SOURCES reduction_threads_test.cc
  LIBS reduction_cases
  ENV ANYACL_THREADS=1
  LABELS ops)
foreach(threads 2 7)
  foreach(tier IN LISTS ANYACL_ISA_TIERS)
    anyacl_add_test_run(reduction_threads_test_${threads}_${tier} reduction_threads_test
      TIER ${tier}
      ENV ANYACL_THREADS=${threads}
      LABELS ops)
  endforeach()
endforeach()
