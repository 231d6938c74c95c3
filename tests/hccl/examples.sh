#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds the example programs of HCCL's repository, unmodified, with their own Makefiles, and runs
# them with the threads of a process as eight ranks. Each must print the lines that its README shows.
# usage: examples.sh PREFIX HCCL_CHECKOUT
set -u
source=$2
. "$1/set_env.sh" || exit 1
export ANYACL_DEVICES=8
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 count=0

for readme in "$source"/examples/0[12]_*/*/README.md; do
  example=$(dirname "$readme")
  name=$(basename "$example")
  cp -r "$example" "$work/$name"
  if ! make -C "$work/$name" >"$work/log" 2>&1; then
    echo "FAILED: $name does not build" >&2
    cat "$work/log" >&2
    failed=1
    continue
  fi
  timeout 120 make -C "$work/$name" test >"$work/output" 2>&1
  status=$?
  # Ranks print when they like; some have several lines.
  grep '^rankId' "$readme" | sort >"$work/expected"
  grep '^rankId' "$work/output" | sort >"$work/actual"
  lines=$(wc -l <"$work/expected")
  if [ $status -ne 0 ] || [ "$lines" -eq 0 ] || ! diff "$work/expected" "$work/actual" >&2; then
    echo "FAILED: $name ended with $status" >&2
    tail -n 5 "$work/output" >&2
    failed=1
  else
    echo "$name: $lines lines"
    count=$((count + 1))
  fi
done
[ $count -eq 11 ] || { echo "FAILED: $count of 11 programs print what they should" >&2; failed=1; }
exit $failed
