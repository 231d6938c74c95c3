# SPDX-License-Identifier: Apache-2.0
# GroupNorm and its gradients.

add_library(group_norm_test_support STATIC EXCLUDE_FROM_ALL
  group_norm_case.cc
  ../reference/group_norm.cc)
target_link_libraries(group_norm_test_support PUBLIC anyacl_test_support)

anyacl_add_test(group_norm_test
  SOURCES
    group_norm_values_test.cc
    group_norm_special_test.cc
    group_norm_layout_test.cc
    group_norm_forward_test.cc
  LIBS group_norm_test_support
  LABELS ops)

# One that the machine lacks runs its best tier again.
foreach(tier IN LISTS ANYACL_ISA_TIERS)
  anyacl_add_test_run(group_norm_test_${tier} group_norm_test
    ENV ANYACL_ISA=${tier}
    LABELS ops)
endforeach()

anyacl_add_test(group_norm_checks_test
  SOURCES group_norm_checks_test.cc
  LIBS group_norm_test_support
  LABELS ops)
# The same with everything in the calling thread, memory that starts as garbage and the padding of
# allocations out of bounds.
anyacl_add_test_run(group_norm_test_strict group_norm_test
  ENV ACL_LAUNCH_BLOCKING=1 ANYACL_STRICT=1 ANYACL_FILL=0xA5
  LABELS ops)

anyacl_add_test(group_norm_kernel_test INTERNAL
  SOURCES
    group_norm_kernel_test.cc
    ../simd/tiers.cc
    ../support/half.cc
    ../support/random.cc
  LABELS ops simd)

# Neither the number of threads nor the tier may show in any bit.
anyacl_add_test(group_norm_threads_test
  SOURCES group_norm_threads_test.cc
  LIBS group_norm_test_support
  ENV ANYACL_THREADS=1
  LABELS ops)
foreach(threads 2 5)
  foreach(tier IN LISTS ANYACL_ISA_TIERS)
    anyacl_add_test_run(group_norm_threads_test_${threads}_${tier} group_norm_threads_test
      ENV "ANYACL_THREADS=${threads};ANYACL_ISA=${tier}"
      LABELS ops)
  endforeach()
endforeach()
