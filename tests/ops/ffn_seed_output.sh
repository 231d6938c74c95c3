#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds a program as it is, runs it and compares its output.
# usage: ffn_seed_output.sh COMPILER INCLUDE_DIR LIB_DIR SOURCE EXPECTED_OUTPUT
set -eu
if [ ! -f "$4" ]; then
  echo "skipped: there is no $4"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" "$4" -w -I"$2" -L"$3" -Wl,-rpath,"$3" -lopapi -lnnopbase -lascendcl -o "$work/program"
"$work/program" >"$work/output"
diff "$5" "$work/output"
