# SPDX-License-Identifier: Apache-2.0
# Operators that route tokens to experts.
anyacl_add_test(moe_test
  SOURCES moe_test.cc
  LABELS ops)
foreach(tier IN LISTS ANYACL_ISA_TIERS)
  anyacl_add_test_run(moe_test_${tier} moe_test
    ENV ANYACL_ISA=${tier} LABELS ops)
endforeach()
foreach(threads 2 7)
  anyacl_add_test_run(moe_test_${threads} moe_test
    ENV ANYACL_THREADS=${threads} LABELS ops)
endforeach()
