# SPDX-License-Identifier: Apache-2.0
# Operators that make values.

anyacl_add_test(generators_test BRIEF
  SOURCES generators_test.cc
  LIBS movement_cases
  ENV ANYACL_THREADS=1
  LABELS ops)
anyacl_add_test_run(generators_test_7 generators_test
  ENV ANYACL_THREADS=7
  LABELS ops)

anyacl_add_cases(random_cases SOURCES
  random_case.cc
  LIBS movement_cases)

anyacl_add_test(random_test
  SOURCES random_test.cc random_choice_test.cc dropout_test.cc
  LIBS random_cases
  TIERS ${ANYACL_ISA_TIERS}
  LABELS ops
  STRICT)

# Neither the number of threads nor the tier may show in any bit.
anyacl_add_test(random_bits_test
  SOURCES random_bits_test.cc
  LIBS random_cases
  ENV ANYACL_THREADS=1
  LABELS ops)
foreach(threads 2 7)
  foreach(tier IN LISTS ANYACL_ISA_TIERS)
    anyacl_add_test_run(random_bits_test_${threads}_${tier} random_bits_test
      TIER ${tier}
      ENV ANYACL_THREADS=${threads}
      LABELS ops)
  endforeach()
endforeach()
