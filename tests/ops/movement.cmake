# SPDX-License-Identifier: Apache-2.0
# Movement. It has no code of its own for any instruction set: threads alone are varied.

add_library(movement_test_support STATIC EXCLUDE_FROM_ALL
  movement_case.cc
  ../reference/movement.cc)
target_link_libraries(movement_test_support PUBLIC anyacl_test_support)

anyacl_add_test(movement_test
  SOURCES movement_test.cc movement_index_test.cc movement_repeat_test.cc movement_checks_test.cc
    format_cast_test.cc
  LIBS movement_test_support
  ENV ANYACL_THREADS=1
  LABELS ops)
foreach(threads 2 7)
  anyacl_add_test_run(movement_test_${threads} movement_test
    ENV ANYACL_THREADS=${threads}
    LABELS ops)
endforeach()
anyacl_add_test_run(movement_test_strict movement_test
  ENV ACL_LAUNCH_BLOCKING=1 ANYACL_STRICT=1 ANYACL_FILL=0xA5
  LABELS ops)
