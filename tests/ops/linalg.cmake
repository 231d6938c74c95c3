# SPDX-License-Identifier: Apache-2.0
# Tests of linear algebra, of norms of rows and slices and of Fourier transforms.
anyacl_add_test(linalg_test BRIEF
  SOURCES factors_test.cc linalg_test.cc stft_test.cc
  LABELS ops)

# Neither the number of threads nor the tier may show in any bit.
anyacl_add_test(distance_test
  SOURCES chamfer_test.cc distance_test.cc
  TIERS ${ANYACL_ISA_TIERS} THREADS 1 2 7
  LABELS ops)
