#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds and runs the example programs of ops-transformer's folder mc2, operators that communicate,
# unmodified, with threads as ranks; those of operators that libopapi does not have are listed.
# usage: mc2_examples.sh PREFIX CHECKOUT
set -u
source=$2
. "$1/set_env.sh" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 missing=0
nm -D --defined-only "$ASCEND_HOME_PATH/lib64/libopapi.so" | awk '{ print $3 }' | sort -u >"$work/symbols"

# What they ask for the number of devices; they take as many as they are written for.
export ANYACL_DEVICES=16 ENV_DEV_NUM=16
unset RANK_TABLE_FILE FIRST_RANK_ID
# attention_to_ffn uploads two of the four bytes of its ids and counts on zeros in new memory.
export GLIBC_TUNABLES=glibc.malloc.perturb=255:glibc.malloc.tcache_count=0

# say RESULT EXAMPLE [WHY]
say() { printf '%-12s %-40s %s\n' "$1" "$2" "${3:-}"; }

# The ranks that began, and those that say that they came to the end: they compare nothing.
ranks() { sed -n "$1" "$work/output" | sort -un | tr '\n' ' '; }

# arch35: another generation of devices.
for program in "$source"/mc2/*/examples/test_aclnn_*.cpp; do
  name=$(basename "$program" .cpp)
  name=${name#test_aclnn_}
  operators=$(grep -oE '\baclnn[A-Za-z0-9]+GetWorkspaceSize\(' "$program" | tr -d '(' | sort -u)
  unknown=$(echo "$operators" | comm -23 - "$work/symbols" | sed 's/GetWorkspaceSize//' | tr '\n' ' ')
  if [ -n "$unknown" ]; then
    say "not offered" "$name" "$unknown"
    missing=$((missing + 1))
    continue
  fi
  if ! g++ -std=c++17 "$program" -I"$ASCEND_HOME_PATH/include" -L"$ASCEND_HOME_PATH/lib64" \
    -lascendcl -lnnopbase -lopapi -lhccl -lpthread -o "$work/program" 2>"$work/output"; then
    say FAILED "$name" "does not build: $(grep -m 1 error "$work/output")"
    failed=$((failed + 1))
    continue
  fi
  timeout 600 "$work/program" >"$work/output" 2>&1
  status=$?
  began=$(ranks 's/.*\brank[= ]*\([0-9][0-9]*\)[, ].*/\1/p')
  ended=$(ranks 's/.*\bdevice_\{0,1\}\([0-9]*\) .*\(success\|skipping\|sleeping\).*/\1/p')
  # Some say nothing when they begin.
  if [ $status -ne 0 ] || [ -z "$ended" ] || [ "${began:-$ended}" != "$ended" ] ||
    grep -q '\[ERROR\]' "$work/output"; then
    say FAILED "$name" "status $status, ranks $began, of which succeeded: $ended"
    grep -m 5 '\[ERROR\]' "$work/output" >&2
    failed=$((failed + 1))
  else
    say passed "$name" "ranks $ended"
    passed=$((passed + 1))
  fi
done
echo "mc2: $passed passed, $failed failed, $missing not offered"
[ $passed -gt 0 ] && [ $failed -eq 0 ]
