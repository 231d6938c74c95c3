#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks that header_c99*.c, which prove that functions are exported, name every declared one. The
# headers of operators are made from what is exported (exports_test.py compares the two).
# usage: header_functions.sh INCLUDE_DIR HEADER_C99_SOURCE...
set -eu

if [ $# -lt 2 ]; then
  echo "usage: $0 INCLUDE_DIR HEADER_C99_SOURCE..." >&2
  exit 2
fi
include_dir=$1
shift

# The declarations without comments, line ends and the inline overload, one per line.
declared=$(find "$include_dir" -name '*.h' ! -path '*/aclnnop/*' -exec sed 's,//.*,,' {} + | tr '\n' ' ' | tr ';{' '\n\n' |
  sed -n 's/.*\(ACL_FUNC_VISIBILITY\|ACLNN_API\) [^(]*[ *]\([Aa]cl[A-Za-z0-9]*\)(.*/\2/p' | sort -u)
taken=$(sed -n 's/.*ENTRY(\([Aa]cl[A-Za-z0-9]*\)).*/\1/p' "$@" | sort -u)

if [ -z "$declared" ] || [ "$declared" != "$taken" ]; then
  echo "declared and taken functions differ:" >&2
  for name in $declared $taken; do echo "$name"; done | sort | uniq -u >&2
  exit 1
fi
echo "$declared" | wc -l
