# SPDX-License-Identifier: Apache-2.0
# Movement. It has no code of its own for any instruction set: threads alone are varied.

anyacl_add_cases(movement_cases SOURCES movement_case.cc)

anyacl_add_test(movement_test
  SOURCES movement_test.cc movement_index_test.cc movement_repeat_test.cc movement_checks_test.cc
    movement_shapes_test.cc slice_assign_test.cc
    chunk_cat_test.cc format_cast_test.cc
  LIBS movement_cases
  ENV ANYACL_THREADS=7
  LABELS ops)
anyacl_add_test_run(movement_test_strict movement_test
  ENV ANYACL_THREADS=1 ACL_LAUNCH_BLOCKING=1 ANYACL_STRICT=1 ANYACL_FILL=0xA5
  LABELS ops)
