# SPDX-License-Identifier: Apache-2.0
# Tests of hyper-connections.
anyacl_add_test(mhc_test
  SOURCES
    mhc_post_test.cc
    mhc_pre_test.cc
    mhc_sinkhorn_test.cc
  TIERS ${ANYACL_ISA_TIERS}
  LABELS ops)
foreach(threads 2 7)
  anyacl_add_test_run(mhc_test_${threads} mhc_test ENV ANYACL_THREADS=${threads} LABELS ops)
endforeach()
