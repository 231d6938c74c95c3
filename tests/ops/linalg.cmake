# SPDX-License-Identifier: Apache-2.0
# Tests of linear algebra and of norms of rows and slices.
anyacl_add_test(linalg_test
  SOURCES factors_test.cc linalg_test.cc
  LIBS anyacl_test_support
  LABELS ops)
