# SPDX-License-Identifier: Apache-2.0
# Tests of native sparse attention: compressed keys, attention to them and to chosen blocks.
anyacl_add_test(native_sparse_attention_test
  SOURCES
    nsa_compress_attention_test.cc
    nsa_compress_cache_test.cc
    nsa_compress_infer_test.cc
    nsa_compress_test.cc
    nsa_selected_attention_test.cc
    nsa_selected_infer_test.cc
  TIERS ${ANYACL_ISA_TIERS}
  LABELS ops
  THREADS 7 2
  STRICT)
# Neither the number of threads nor the tier shows in any bit of these.
foreach(tier IN LISTS ANYACL_ISA_TIERS)
  foreach(threads 1 7)
    anyacl_add_test_run(native_sparse_attention_bits_test_${tier}_${threads}
      native_sparse_attention_test
      TIER ${tier}
      ARGS --gtest_filter=*SameBitsEverywhere*
      ENV ANYACL_THREADS=${threads}
      LABELS ops)
  endforeach()
endforeach()
