#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles every public header alone, as C99 and as C++11, and all of them together up to C++20, with
# all warnings as errors.
# usage: header_alone.sh COMPILER INCLUDE_DIR (a C or a C++ compiler of GCC's or Clang's family)
set -eu

if [ $# -ne 2 ]; then
  echo "usage: $0 COMPILER INCLUDE_DIR" >&2
  exit 2
fi
compiler=$1
include_dir=$2
headers=$(cd "$include_dir" && find . -name '*.h' | sed 's,^\./,,' | sort)

failed=0
# Standard input, which includes what $1 names, with the other arguments.
check() {
  names=$1
  shift
  if ! "$compiler" "$@" -Wall -Wextra -Werror -pedantic-errors -fsyntax-only - ; then
    echo "FAILED: $names with: $compiler $*" >&2
    return 1
  fi
}
# Including a header twice must be as good as once. A header that needs a macro or another header
# first fails here.
alone() {
  printf '#include "%s"\n#include "%s"\nextern int anyacl_check;\n' "$1" "$1"
}
together() {
  for header in $headers; do printf '#include "%s"\n' "$header"; done
}

count=0
for header in $headers; do
  count=$((count + 1))
  alone "$header" | check "$header" -x c -std=c99 -Wstrict-prototypes -I"$include_dir" ||
    failed=1
  alone "$header" | check "$header" -x c++ -std=c++11 -I"$include_dir" || failed=1
done
for std in 14 17 20; do
  together | check "all headers" -x c++ -std=c++$std -I"$include_dir" || failed=1
done
# Official build lines put the subdirectories on the path as well.
together | check "all headers" -x c++ -std=c++17 -I"$include_dir" -I"$include_dir/aclnnop" \
  -I"$include_dir/aclnn" || failed=1

if [ "$count" -eq 0 ]; then
  echo "FAILED: no header in $include_dir" >&2
  exit 1
fi
echo "$count headers checked with $compiler"
exit $failed
