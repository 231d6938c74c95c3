# SPDX-License-Identifier: Apache-2.0
# Tests of linear algebra.
anyacl_add_test(linalg_test
  SOURCES linalg_test.cc
  LIBS anyacl_test_support
  LABELS ops)
