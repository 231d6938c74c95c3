#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The example programs of the repositories of HCCL, hcomm and, of operators that communicate,
# ops-transformer, unmodified, against an installed prefix. `scripts/test hccl` runs this; what needs
# no network are tests of the ordinary build.
# usage: run.sh
# HCCL_SOURCE, HCOMM_SOURCE, OPS_TRANSFORMER_SOURCE: checkouts of them instead of clones.
# Exit status: 0 all passed, 1 something failed, 77 the sources cannot be had: nothing was tested.
set -eu
cd "$(dirname -- "$0")/../.."
build=$PWD/build/hccl
prefix=$build/prefix
mkdir -p "$build"
rm -f "$build/summary"

# checkout NAME FOLDER_IN_IT CHECKOUT: sets $source to the checkout or, if that is empty, a clone.
checkout() {
  source=${3:-$build/$1}
  [ ! -e "$source/$2" ] || return 0
  if ! git clone --quiet --depth 1 "https://gitcode.com/cann/$1.git" "$source"; then
    echo "SKIPPED: NO TEST WAS RUN. The repository $1 cannot be cloned; a variable may name one." >&2
    exit 77
  fi
}
checkout hccl examples "${HCCL_SOURCE:-}"
hccl=$source
checkout hcomm examples "${HCOMM_SOURCE:-}"
hcomm=$source
checkout ops-transformer mc2 "${OPS_TRANSFORMER_SOURCE:-}"
operators=$source

scripts/install-deps mpich libmpich-dev
cmake --preset release --log-level=WARNING
cmake --build --preset release --parallel "$(nproc)"
rm -rf "$prefix"
cmake --install build/release --prefix "$prefix" >/dev/null

. tests/check.sh
check hccl tests/hccl/examples.sh "$prefix" "$hccl" 11
check hcomm tests/hccl/examples.sh "$prefix" "$hcomm" 4
check mc2 tests/hccl/mc2_examples.sh "$prefix" "$operators"
echo "$passed passed, $failed failed" | tee "$build/summary"
[ "$failed" -eq 0 ]
