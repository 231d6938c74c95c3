#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The unit tests and example programs of aclnn functions that CANN's operator repositories have,
# unmodified, against an installed prefix. `scripts/test cann` runs this.
# usage: run.sh
# OPS_MATH_SOURCE, OPS_NN_SOURCE, OPS_CV_SOURCE, OPS_TRANSFORMER_SOURCE: checkouts instead of clones.
# What is known to fail is in known_*.txt, of the commits that are named there.
# Exit status: 0 all passed, 1 something failed, 77 the sources cannot be had: nothing was tested.
set -eu
cd "$(dirname -- "$0")/../.."
build=$PWD/build/cann
prefix=$build/prefix
mkdir -p "$build"
rm -f "$build/summary"

# checkout NAME CHECKOUT: the repository in build/cann/NAME, by which the known failures are called.
checkout() {
  source=$build/$1
  if [ -n "$2" ]; then
    rm -rf "$source"
    ln -s "$(cd "$2" && pwd)" "$source"
  fi
  [ ! -e "$source/LICENSE" ] || return 0
  if ! git clone --quiet --depth 1 "https://gitcode.com/cann/$1.git" "$source"; then
    echo "SKIPPED: NO TEST WAS RUN. The repository $1 cannot be cloned; a variable may name one." >&2
    exit 77
  fi
}
checkout ops-math "${OPS_MATH_SOURCE:-}"
checkout ops-nn "${OPS_NN_SOURCE:-}"
checkout ops-cv "${OPS_CV_SOURCE:-}"
checkout ops-transformer "${OPS_TRANSFORMER_SOURCE:-}"

scripts/install-deps libgtest-dev libgmock-dev
cmake --preset release --log-level=WARNING
cmake --build --preset release --parallel "$(nproc)"
rm -rf "$prefix"
cmake --install build/release --prefix "$prefix" >/dev/null

. tests/check.sh
set -- "$build/ops-math" "$build/ops-nn" "$build/ops-cv" "$build/ops-transformer"
check "unit tests" python3 tests/cann/unit_tests.py "$prefix" "$build/unit" "$@" \
  --known tests/cann/known_unit_tests.txt
check examples python3 tests/cann/examples.py "$prefix" "$build/examples" "$@" \
  --known tests/cann/known_examples.txt
echo "$passed passed, $failed failed" | tee "$build/summary"
[ "$failed" -eq 0 ]
