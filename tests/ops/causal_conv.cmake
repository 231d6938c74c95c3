# SPDX-License-Identifier: Apache-2.0
# Tests of causal convolutions.
anyacl_add_test(causal_conv_test
  SOURCES
    fused_causal_conv_test.cc
    masked_causal_conv_test.cc
  TIERS ${ANYACL_ISA_TIERS}
  LABELS ops
  THREADS 7 2)
