# SPDX-License-Identifier: Apache-2.0
# Batch normalisation, losses and optimisers.

add_library(training_test_support STATIC EXCLUDE_FROM_ALL
  ../reference/batch_norm.cc
  ../reference/loss.cc)
target_link_libraries(training_test_support PUBLIC anyacl_test_support)

anyacl_add_test(training_test
  SOURCES batch_norm_test.cc ctc_test.cc foreach_test.cc loss_test.cc nll_test.cc optimizer_test.cc
    sync_batch_norm_test.cc
  LIBS training_test_support
  LABELS ops)
foreach(tier IN LISTS ANYACL_ISA_TIERS)
  anyacl_add_test_run(training_test_${tier} training_test
    ENV ANYACL_ISA=${tier}
    LABELS ops)
endforeach()

# Neither the number of threads nor the tier may show in any bit.
anyacl_add_test(training_threads_test
  SOURCES training_threads_test.cc
  LIBS training_test_support
  ENV ANYACL_THREADS=1
  LABELS ops)
foreach(threads 2 7)
  foreach(tier IN LISTS ANYACL_ISA_TIERS)
    anyacl_add_test_run(training_threads_test_${threads}_${tier} training_threads_test
      ENV "ANYACL_THREADS=${threads};ANYACL_ISA=${tier}"
      LABELS ops)
  endforeach()
endforeach()
