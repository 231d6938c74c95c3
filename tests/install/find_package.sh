#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Programs built through find_package(anyacl), and with the paths that CANN's documents give, run.
# usage: find_package.sh PREFIX CMAKE
set -eu
here=$(dirname "$0")
cmake=$2
. "$1/set_env.sh"
build_dir=$(mktemp -d)
trap 'rm -rf "$build_dir"' EXIT

"$cmake" -S "$here/client" -B "$build_dir" >"$build_dir/log" || { cat "$build_dir/log"; exit 1; }
"$cmake" --build "$build_dir"
for program in by_package by_path; do
  "$build_dir/$program"
done
