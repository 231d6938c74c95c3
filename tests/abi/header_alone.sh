#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles every public header alone, as C99 (but ATB's, which are C++) and as C++11, and all of them together up to C++20, with
# all warnings as errors. Headers of operators, which are made, hold functions alone: those that
# include the same headers are compiled in one unit, where none can lend another a type, and so are
# those that only name another.
# usage: header_alone.sh COMPILER INCLUDE_DIR (a C or a C++ compiler of GCC's or Clang's family)
set -eu

if [ $# -ne 2 ]; then
  echo "usage: $0 COMPILER INCLUDE_DIR" >&2
  exit 2
fi
compiler=$1
include_dir=$2
cd "$include_dir"
headers=$(find . -name '*.h' | sed 's,^\./,,' | sort)
# One line for each unit: the headers in it.
units=$(awk '
  FNR == 1 { includes[FILENAME] = FILENAME }
  FNR == 2 && /Made from the operators/ { includes[FILENAME] = "" }
  FNR == 4 && /The former place of/ { includes[FILENAME] = "former"; nextfile }
  /^#include/ { includes[FILENAME] = includes[FILENAME] $0 }
  END {
    for (header in includes) unit[includes[header]] = unit[includes[header]] " " header
    for (key in unit) print unit[key]
  }' $headers)

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
  for header; do printf '#include "%s"\n#include "%s"\n' "$header" "$header"; done
  echo 'extern int anyacl_check;'
}
together() {
  for header in $headers; do printf '#include "%s"\n' "$header"; done
}

IFS='
'
for unit in $units; do
  IFS=' '
  case $unit in
    *" atb/"*) ;;
    *) alone $unit | check "$unit" -x c -std=c99 -Wstrict-prototypes -I"$include_dir" || failed=1 ;;
  esac
  alone $unit | check "$unit" -x c++ -std=c++11 -I"$include_dir" || failed=1
done
unset IFS
for std in 14 17 20; do
  together | check "all headers" -x c++ -std=c++$std -I"$include_dir" || failed=1
done
# Official build lines put the subdirectories on the path as well.
together | check "all headers" -x c++ -std=c++17 -I"$include_dir" -I"$include_dir/aclnnop" \
  -I"$include_dir/aclnn" || failed=1

if [ -z "$headers" ]; then
  echo "FAILED: no header in $include_dir" >&2
  exit 1
fi
echo "$(echo "$headers" | wc -l) headers checked with $compiler"
exit $failed
