#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Installs the build and moves the result, so that the tests after it see a prefix that lies
# elsewhere than where it was installed.
# usage: make_prefix.sh PREFIX CMAKE BUILD_DIR
set -eu
prefix=$1 cmake=$2 build_dir=$3

rm -rf "$prefix" "$prefix.first"
# As the README does it: a path from where one is, which CMake cannot set the libraries' paths in.
cd "$(dirname -- "$prefix")"
first=$(basename -- "$prefix").first
"$cmake" --install "$build_dir" --prefix "$first" >"$prefix.log"
# A second time over the first must work as well.
"$cmake" --install "$build_dir" --prefix "$first" >>"$prefix.log"
mv "$prefix.first" "$prefix"
