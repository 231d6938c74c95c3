# SPDX-License-Identifier: Apache-2.0
# Tokens of a mixture of experts between ranks.

# Without a fixture: also for ranks that are processes.
anyacl_add_cases(moe_cases SOURCES moe_calls.cc moe_rank.cc moe_tokens.cc)

# Their communicator is the tests' own.
anyacl_add_test(moe_distribute_test INTERNAL
  SOURCES
    afd_world.cc
    moe_distribute_test.cc
    moe_special_test.cc
    moe_versions_test.cc
  LIBS moe_cases
  ENV ANYACL_DEVICES=8
  TIMEOUT 300 LABELS ops)
