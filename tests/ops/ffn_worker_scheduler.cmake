# SPDX-License-Identifier: Apache-2.0
# The worker schedulers.

add_library(ffn_worker_scheduler_test_support STATIC EXCLUDE_FROM_ALL
  ffn_case.cc
  ../reference/ffn_worker_scheduler.cc)
target_link_libraries(ffn_worker_scheduler_test_support PUBLIC anyacl_test_support)

anyacl_add_test(ffn_worker_scheduler_test
  SOURCES
    ffn_take_test.cc
    ffn_checks_test.cc
    ffn_attention_test.cc
  LIBS ffn_worker_scheduler_test_support
  TIMEOUT 300
  LABELS ops)

# Here time is measured: not beside other tests.
anyacl_add_test(ffn_wait_test
  SOURCES ffn_wait_test.cc
  LIBS ffn_worker_scheduler_test_support
  TIMEOUT 300
  LABELS ops)
set_tests_properties(ffn_wait_test PROPERTIES RUN_SERIAL TRUE)

anyacl_add_test(ffn_fair_test
  SOURCES ffn_fair_test.cc
  LIBS ffn_worker_scheduler_test_support
  ENV ANYACL_FAIR_GROUPS=1 ANYACL_POLL=spin
  LABELS ops)

anyacl_add_test(ffn_stress_test
  SOURCES ffn_stress_test.cc
  LIBS ffn_worker_scheduler_test_support
  TIMEOUT 600 LABELS ops)

# ThreadSanitizer does not follow threads that a forked process starts.
anyacl_add_test(ffn_process_test
  SOURCES ffn_process_test.cc
  LIBS ffn_worker_scheduler_test_support
  ENV TSAN_OPTIONS=die_after_fork=0
  TIMEOUT 300 LABELS ops)
