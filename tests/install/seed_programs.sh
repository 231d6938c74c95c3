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

# What a program must do: run to its end, or stop at the first phase of an operator that is declared
# and not implemented.
expectation() {
  case $1 in
    seed_dynamic_quant_v2 | seed_ffn_worker_scheduler | seed_fia_v2 | seed_group_norm_backward)
      echo runs ;;
    *) echo not_implemented ;;
  esac
}

# run PROGRAM NAME: one of them prints hundreds of megabytes, so only the end is kept.
run() {
  timeout 120 "$1" | tail -c 4000 >"$work/output"
  local status=${PIPESTATUS[0]} wanted=0
  if [ "$(expectation "$2")" = not_implemented ]; then
    # The program returns the code, of which a shell sees the low byte.
    wanted=$((561003 % 256))
    grep -q "GetWorkspaceSize failed. ERROR: 561003" "$work/output" || status="$status, no message"
  fi
  if [ "$status" != "$wanted" ]; then
    echo "FAILED: $2 ended with $status, expected $wanted; the end of its output:" >&2
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
    for std in 11 14 17 20; do
      try ops_transformer_2 "$source" -std=c++$std
    done
    try ops_transformer_2 "$source" -D_GLIBCXX_USE_CXX11_ABI=0
  fi
done
[ $count -eq 5 ] || { echo "FAILED: $count programs in $seeds, expected 5" >&2; failed=1; }
exit $failed
