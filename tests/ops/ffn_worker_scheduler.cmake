# SPDX-License-Identifier: Apache-2.0
# The worker schedulers.

add_library(ffn_test_support STATIC EXCLUDE_FROM_ALL
  ffn_case.cc
  ../reference/ffn_worker_scheduler.cc)
target_link_libraries(ffn_test_support PUBLIC anyacl_test_support)

anyacl_add_test(ffn_worker_scheduler_test
  SOURCES
    ffn_take_test.cc
    ffn_checks_test.cc
    ffn_attention_test.cc
  LIBS ffn_test_support
  LABELS ops)

# Here time is measured: not beside other tests.
anyacl_add_test(ffn_wait_test
  SOURCES ffn_wait_test.cc
  LIBS ffn_test_support
  LABELS ops)
set_tests_properties(ffn_wait_test PROPERTIES RUN_SERIAL TRUE)

anyacl_add_test(ffn_fair_test
  SOURCES ffn_fair_test.cc
  LIBS ffn_test_support
  ENV ANYACL_FAIR_GROUPS=1 ANYACL_POLL=spin
  LABELS ops)

anyacl_add_test(ffn_stress_test
  SOURCES ffn_stress_test.cc
  LIBS ffn_test_support
  TIMEOUT 600 LABELS ops)

# ThreadSanitizer does not follow threads that a forked process starts.
anyacl_add_test(ffn_process_test
  SOURCES ffn_process_test.cc
  LIBS ffn_test_support
  ENV TSAN_OPTIONS=die_after_fork=0
  TIMEOUT 300 LABELS ops)

# The example of the operator's document, unmodified, prints exactly this.
if(NOT ANYACL_SANITIZE)
  add_test(NAME ffn_seed_output
    COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/ffn_seed_output.sh ${CMAKE_CXX_COMPILER}
      ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/lib64
      ${PROJECT_SOURCE_DIR}/../shared/seed-examples/seed_ffn_worker_scheduler.cpp
      ${CMAKE_CURRENT_SOURCE_DIR}/ffn_seed_output.txt)
  set_tests_properties(ffn_seed_output PROPERTIES SKIP_RETURN_CODE 77 LABELS ops)
endif()
