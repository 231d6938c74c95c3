# SPDX-License-Identifier: Apache-2.0
# Operators that give queries and keys their positions, and caches of them.
anyacl_add_test(rotary_heads_test
  SOURCES kv_cache_test.cc rotary_heads_test.cc
  TIERS ${ANYACL_ISA_TIERS}
  LABELS ops)
foreach(threads 2 7)
  anyacl_add_test_run(rotary_heads_test_${threads} rotary_heads_test
    ENV ANYACL_THREADS=${threads} LABELS ops)
endforeach()
