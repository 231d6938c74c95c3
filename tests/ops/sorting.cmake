# SPDX-License-Identifier: Apache-2.0
# Operators that order elements, cumulative ones, and windows. They have no code of their own for any instruction set: threads
# alone are varied.

anyacl_add_test(sorting_test
  SOURCES
    search_test.cc sorting_test.cc
    unique_test.cc
    cumulative_test.cc
    windows_test.cc
  LIBS movement_cases
  ENV ANYACL_THREADS=7
  LABELS ops)
anyacl_add_test_run(sorting_test_strict sorting_test
  ENV ANYACL_THREADS=1 ACL_LAUNCH_BLOCKING=1 ANYACL_STRICT=1 ANYACL_FILL=0xA5
  LABELS ops)
