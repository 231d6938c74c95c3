# SPDX-License-Identifier: Apache-2.0
# Attention/FFN disaggregation.

anyacl_add_cases(ffn_worker_scheduler_cases SOURCES ffn_case.cc)
# Without a fixture: also for ranks that are processes.
anyacl_add_cases(afd_cases SOURCES afd_calls.cc afd_rank.cc)

anyacl_add_test(ffn_worker_scheduler_test
  SOURCES
    ffn_take_test.cc
    ffn_checks_test.cc
    ffn_attention_test.cc
  LIBS ffn_worker_scheduler_cases
  TIMEOUT 300
  LABELS ops)

anyacl_add_test(ffn_wait_test
  SOURCES ffn_wait_test.cc
  LIBS ffn_worker_scheduler_cases
  TIMEOUT 300
  LABELS ops)

anyacl_add_test(ffn_fair_test
  SOURCES ffn_fair_test.cc
  LIBS ffn_worker_scheduler_cases
  ENV ANYACL_FAIR_GROUPS=1 ANYACL_POLL=spin
  LABELS ops)

anyacl_add_test(ffn_stress_test
  SOURCES ffn_stress_test.cc
  LIBS ffn_worker_scheduler_cases
  TIMEOUT 600 LABELS ops)

# ThreadSanitizer does not follow threads that a forked process starts.
anyacl_add_test(ffn_process_test
  SOURCES ffn_process_test.cc
  LIBS ffn_worker_scheduler_cases
  ENV TSAN_OPTIONS=die_after_fork=0
  TIMEOUT 300 LABELS ops)

# What follows the schedulers.
anyacl_add_test(afd_test
  SOURCES
    afd_batching_test.cc
    afd_case.cc
    afd_combine_test.cc
  LIBS afd_cases ffn_worker_scheduler_cases
  LABELS ops)
anyacl_add_test_run(afd_test_strict afd_test
  ENV ANYACL_FILL=0xA5 ANYACL_THREADS=7
  LABELS ops)

# What writes to other ranks' windows: their communicator is the tests' own.
anyacl_add_test(afd_window_test BRIEF INTERNAL
  SOURCES
    afd_case.cc
    afd_leaver_test.cc
    afd_pipeline_test.cc
    afd_return_test.cc
    afd_window_test.cc
    afd_world.cc
  LIBS afd_cases ffn_worker_scheduler_cases
  ENV ANYACL_DEVICES=8
  TIMEOUT 300 LABELS ops)
