# SPDX-License-Identifier: Apache-2.0
# The operators on rows.

anyacl_add_test(rowwise_test
  SOURCES cross_entropy_test.cc inplace_add_rms_norm_test.cc rowwise_gradient_test.cc
    rowwise_long_test.cc rowwise_masked_test.cc rowwise_test.cc softmax_test.cc
  TIERS ${ANYACL_ISA_TIERS}
  LABELS ops)

# Neither the number of threads nor the tier may show in any bit.
anyacl_add_test(rowwise_threads_test
  SOURCES rowwise_threads_test.cc
  ENV ANYACL_THREADS=1
  LABELS ops)
foreach(threads 2 7)
  foreach(tier IN LISTS ANYACL_ISA_TIERS)
    anyacl_add_test_run(rowwise_threads_test_${threads}_${tier} rowwise_threads_test
      TIER ${tier}
      ENV ANYACL_THREADS=${threads}
      LABELS ops)
  endforeach()
endforeach()
