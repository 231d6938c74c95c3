# SPDX-License-Identifier: Apache-2.0
# Tests of FusedInferAttentionScore, and of FlashAttentionScore with its gradient.

anyacl_add_cases(attention_cases SOURCES
  attention_call.cc
  attention_extended_case.cc
  attention_extended_oracle.cc
  attention_options.cc
  attention_problem.cc
  attention_run.cc
  flash_attention_case.cc
  flash_sequences_case.cc)

anyacl_add_test(attention_test
  SOURCES
    attention_cache_test.cc
    attention_cases_test.cc
    attention_extended_test.cc
    attention_property_test.cc
    attention_random_test.cc
    attention_refusal_test.cc
    flash_attention_checks_test.cc
    flash_attention_test.cc
    flash_pse_type_test.cc
    flash_ropes_test.cc
    flash_sequences_ends_test.cc
    flash_sequences_rules_test.cc
    flash_sequences_test.cc
    flash_sink_test.cc
    older_attention_test.cc
  LIBS attention_cases
  TIMEOUT 300
  TIERS ${ANYACL_ISA_TIERS} ${ANYACL_MATRIX_TIER}
  LABELS ops)

# Neither the number of threads nor the tier shows in any bit of fp32 results, and the number of
# threads on no tier in those of bf16 products.
anyacl_add_test(attention_threads_test
  SOURCES attention_threads_test.cc
  LIBS attention_cases
  ENV ANYACL_THREADS=1
  LABELS ops)
foreach(threads 2 7)
  anyacl_add_test_run(attention_threads_test_${threads} attention_threads_test
    ENV ANYACL_THREADS=${threads}
    LABELS ops)
endforeach()
foreach(tier IN LISTS ANYACL_ISA_TIERS ANYACL_MATRIX_TIER)
  foreach(threads 1 7)
    anyacl_add_test_run(attention_threads_test_${tier}_${threads} attention_threads_test
      TIER ${tier}
      ENV ANYACL_THREADS=${threads}
      LABELS ops)
  endforeach()
endforeach()

anyacl_add_test(attention_rules_test BRIEF INTERNAL
  SOURCES
    attention_breaks.cc
    attention_cache_breaks.cc
    attention_mask_breaks.cc
    attention_quant_breaks.cc
    attention_rules_test.cc
    attention_shape_breaks.cc
  LIBS attention_cases
  LABELS ops)
target_compile_definitions(attention_rules_test PRIVATE
  ANYACL_ATTENTION_RULES="${CMAKE_CURRENT_SOURCE_DIR}/attention_rules.txt")

anyacl_add_test(attention_ideas_test BRIEF SOURCES attention_ideas_test.cc LABELS ops)
target_compile_definitions(attention_ideas_test PRIVATE
  ANYACL_ATTENTION_TESTS="${CMAKE_CURRENT_SOURCE_DIR}")

anyacl_add_test(attention_kernel_test INTERNAL
  SOURCES
    attention_kernel_test.cc
    ../simd/tiers.cc
  LABELS ops simd)

# The kernels for matrix registers, which few machines have, with registers that are imitated.
anyacl_tier_objects(attention_imitated base "ANYACL_ISA=imitated"
  ${PROJECT_SOURCE_DIR}/src/attention/kernel_prefill_matrix.cc
  ${PROJECT_SOURCE_DIR}/src/ops/flash_attention/kernel_gradient_matrix.cc)
anyacl_add_test(attention_matrix_test INTERNAL
  SOURCES
    attention_matrix_test.cc
    $<TARGET_OBJECTS:attention_imitated>
  LABELS ops simd)
