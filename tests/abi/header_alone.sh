#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles every public header alone, as C99 and as C++11 to C++20, with all warnings as errors.
# usage: header_alone.sh COMPILER INCLUDE_DIR (a C or a C++ compiler of GCC's or Clang's family)
set -eu

if [ $# -ne 2 ]; then
  echo "usage: $0 COMPILER INCLUDE_DIR" >&2
  exit 2
fi
compiler=$1
include_dir=$2

failed=0
check() {
  # Including a header twice must be as good as once. A header that needs a macro or another header
  # first fails here.
  if ! printf '#include "%s"\n#include "%s"\nextern int anyacl_check;\n' "$header" "$header" |
      "$compiler" "$@" -Wall -Wextra -Werror -pedantic-errors -fsyntax-only - ; then
    echo "FAILED: $header with: $compiler $*" >&2
    failed=1
  fi
}

count=0
for path in $(cd "$include_dir" && find . -name '*.h' | sort); do
  header=${path#./}
  count=$((count + 1))
  check -x c -std=c99 -Wstrict-prototypes -I"$include_dir"
  for std in 11 14 17 20; do
    check -x c++ -std=c++$std -I"$include_dir"
  done
  # Official build lines put the subdirectories on the path as well.
  check -x c++ -std=c++17 -I"$include_dir" -I"$include_dir/aclnnop" -I"$include_dir/aclnn"
done

if [ "$count" -eq 0 ]; then
  echo "FAILED: no header in $include_dir" >&2
  exit 1
fi
echo "$count headers checked with $compiler"
exit $failed
