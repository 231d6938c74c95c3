# SPDX-License-Identifier: Apache-2.0
# Batch normalisation, losses and optimisers.

anyacl_add_test(training_test
  SOURCES batch_norm_test.cc cross_entropy_loss_test.cc ctc_test.cc foreach_call_test.cc
    foreach_number_test.cc foreach_test.cc kl_div_test.cc loss_test.cc max_sum_test.cc
    nll_test.cc optimizer_test.cc sgd_test.cc sign_bits_test.cc sum_test.cc sync_batch_norm_test.cc
  TIERS ${ANYACL_ISA_TIERS}
  LABELS ops)

# Neither the number of threads nor the tier may show in any bit.
anyacl_add_test(training_threads_test
  SOURCES training_threads_test.cc
  ENV ANYACL_THREADS=1
  LABELS ops)
foreach(threads 2 7)
  foreach(tier IN LISTS ANYACL_ISA_TIERS)
    anyacl_add_test_run(training_threads_test_${threads}_${tier} training_threads_test
      TIER ${tier}
      ENV ANYACL_THREADS=${threads}
      LABELS ops)
  endforeach()
endforeach()
