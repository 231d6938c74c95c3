# SPDX-License-Identifier: Apache-2.0
# Operators that order elements, cumulative ones, and windows. Of these only sums and products of floating-point numbers
# have kernels of a tier's own.

anyacl_add_test(sorting_test
  SOURCES
    search_test.cc sorting_test.cc
    unique_test.cc
    cumulative_test.cc
    windows_test.cc
  LIBS movement_cases
  TIERS ${ANYACL_ISA_TIERS} THREADS 7 1 STRICT
  LABELS ops)
