# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts that run clients' tests: counts what passed and failed.
passed=0
failed=0

# check NAME COMMAND...
check() {
  name=$1
  shift
  echo "--- $name"
  if "$@"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $name" >&2
  fi
}
