# SPDX-License-Identifier: Apache-2.0
# Blocks of elements, and the element-wise operators.

anyacl_add_test(blocks_test INTERNAL
  SOURCES
    blocks_test.cc
    ../simd/tiers.cc
    ../support/half.cc
    ../support/random.cc
  LABELS ops simd)
