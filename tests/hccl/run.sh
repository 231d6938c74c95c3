#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The example programs of HCCL's repository, unmodified, against an installed prefix. `scripts/test
# hccl` runs this; what needs no network are tests of the ordinary build.
# usage: run.sh
# HCCL_SOURCE=FOLDER: a checkout of the repository instead of a clone.
# Exit status: 0 all passed, 1 something failed, 77 the sources cannot be had: nothing was tested.
set -eu
cd "$(dirname -- "$0")/../.."
build=$PWD/build/hccl
prefix=$build/prefix
mkdir -p "$build"
rm -f "$build/summary"

source=${HCCL_SOURCE:-$build/source}
if [ ! -e "$source/examples" ]; then
  if ! git clone --quiet --depth 1 https://gitcode.com/cann/hccl.git "$source"; then
    echo "SKIPPED: NO TEST WAS RUN. HCCL's repository cannot be cloned; HCCL_SOURCE may name one." >&2
    exit 77
  fi
fi

scripts/install-deps
cmake --preset release --log-level=WARNING
cmake --build --preset release --parallel "$(nproc)"
rm -rf "$prefix"
cmake --install build/release --prefix "$prefix" >/dev/null

. tests/check.sh
check examples tests/hccl/examples.sh "$prefix" "$source"
echo "$passed passed, $failed failed" | tee "$build/summary"
[ "$failed" -eq 0 ]
