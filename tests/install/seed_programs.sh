#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds the example programs of the operators' documents, unmodified, with the command lines of
# CANN's operator repositories, and runs them.
# usage: seed_programs.sh PREFIX SEED_FOLDER lines|standards
set -u
seeds=$2 mode=$3
# What a program prints, where its document leaves nothing open.
outputs=$(dirname -- "$0")/seed_output
if [ ! -d "$seeds" ]; then
  echo "skipped: there is no folder $seeds"
  exit 77
fi
. "$1/set_env.sh" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# run PROGRAM NAME: one of them prints hundreds of megabytes, so only the end is kept.
run() {
  timeout 120 "$1" | tail -c 4000 >"$work/output"
  local status=${PIPESTATUS[0]}
  if [ "$status" != 0 ]; then
    echo "FAILED: $2 ended with $status, expected 0; the end of its output:" >&2
    tail -n 5 "$work/output" >&2
    failed=1
  fi
  if [ -f "$outputs/$2.txt" ] && ! diff "$outputs/$2.txt" "$work/output" >&2; then
    echo "FAILED: $2 printed something else than its document says" >&2
    failed=1
  fi
}

# try LINE SOURCE [FLAG...]: builds with one of the lines below and runs.
try() {
  local line=$1 source=$2 name
  name=$(basename "$source" .cpp)
  shift 2
  echo "$name: $line $*"
  rm -f "$work/program"
  if "$line" "$source" "$@" 2>"$work/errors"; then
    run "$work/program" "$name"
  else
    echo "FAILED: $name does not build with $line $*" >&2
    cat "$work/errors" >&2
    failed=1
  fi
}

# The same program under another standard: what differs is what the headers say to the compiler.
compiles() {
  local source=$1
  shift
  echo "$(basename "$source" .cpp): $*"
  if ! ops_transformer_2 "$source" -fsyntax-only "$@" 2>"$work/errors"; then
    echo "FAILED: $(basename "$source") does not compile with $*" >&2
    cat "$work/errors" >&2
    failed=1
  fi
}

# ops-nn, and the same with the newer name of the runtime.
ops_nn() {
  g++ "$@" -I$ASCEND_HOME_PATH/include -I$ASCEND_HOME_PATH/include/aclnnop \
    -I$ASCEND_HOME_PATH/include/aclnn -L$ASCEND_OPP_PATH/lib64 -L$ASCEND_HOME_PATH/lib64 \
    -lopapi_nn -lopapi_math -lascendcl -lnnopbase -o "$work/program"
}
ops_nn_acl_rt() {
  g++ "$@" -I$ASCEND_HOME_PATH/include -I$ASCEND_HOME_PATH/include/aclnnop \
    -I$ASCEND_HOME_PATH/include/aclnn -L$ASCEND_OPP_PATH/lib64 -L$ASCEND_HOME_PATH/lib64 \
    -lopapi_nn -lopapi_math -lacl_rt -lnnopbase -o "$work/program"
}
# ops-transformer, two versions.
ops_transformer() {
  g++ "$@" -I$ASCEND_HOME_PATH/include -I$ASCEND_HOME_PATH/include/aclnnop \
    -I$ASCEND_HOME_PATH/include/aclnn -L$ASCEND_OPP_PATH/lib64 -L$ASCEND_HOME_PATH/lib64 \
    -lopapi -lopapi_transformer -lascendcl -lnnopbase -lpthread -lhccl -o "$work/program"
}
ops_transformer_2() {
  g++ "$@" -I$ASCEND_OPP_PATH/$(uname -m)-linux/include/aclnnop -I$ASCEND_HOME_PATH/include \
    -I$ASCEND_HOME_PATH/include/aclnn -L$ASCEND_OPP_PATH/lib64 -L$ASCEND_HOME_PATH/lib64 \
    -lopapi_math -lopapi_transformer -lascendcl -lnnopbase -lpthread -lhccl -lhccl_fwk -lc_sec \
    -o "$work/program"
}

count=0
for source in "$seeds"/seed_*.cpp; do
  count=$((count + 1))
  if [ "$mode" = lines ]; then
    for line in ops_nn ops_nn_acl_rt ops_transformer ops_transformer_2; do
      try $line "$source"
    done
  else
    try ops_transformer_2 "$source" -std=c++11
    for std in 14 17 20; do
      compiles "$source" -std=c++$std
    done
    try ops_transformer_2 "$source" -D_GLIBCXX_USE_CXX11_ABI=0
  fi
done
[ $count -eq 5 ] || { echo "FAILED: $count programs in $seeds, expected 5" >&2; failed=1; }
exit $failed
