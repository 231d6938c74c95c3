#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# set_env.sh finds its folder and sets the variables, in every shell and however it is sourced.
# usage: set_env_test.sh PREFIX
set -eu
prefix=$(readlink -f "$1")
failed=0

# expect SHELL COMMAND: after the command, in a strict shell, the variables are right.
expect() {
  local shell=$1 command=$2
  if ! env -i PATH="$PATH" OLD="$PATH" LD_LIBRARY_PATH=/before "$shell" -euc "
    cd $prefix/..
    $command
    [ \"\$ASCEND_HOME_PATH\" = $prefix ]
    [ \"\$ASCEND_TOOLKIT_HOME\" = $prefix ]
    [ \"\$ASCEND_OPP_PATH\" = $prefix/opp ]
    [ \"\$ASCEND_AICPU_PATH\" = $prefix ]
    [ \"\$TOOLCHAIN_HOME\" = $prefix ]
    [ \"\$ATB_HOME_PATH\" = $prefix/atb/cxx_abi_1 ]
    [ \"\$LD_LIBRARY_PATH\" = $prefix/lib64:/before ]
    [ \"\$PATH\" = \"$prefix/bin:\$OLD\" ]
    [ \"\$PYTHONPATH\" = $prefix/python/site-packages ]
    [ \"\$CMAKE_PREFIX_PATH\" = $prefix ]
    [ \"\$PKG_CONFIG_PATH\" = $prefix/lib64/pkgconfig ]
    env | grep -q '^ASCEND_OPP_PATH='
    ! set | grep -q '^_anyacl'
  "; then
    echo "FAILED: $shell: $command" >&2
    failed=1
  fi
}

name=$(basename "$prefix")
ln -sfn "$prefix" "$prefix.link"
for shell in sh bash zsh; do
  command -v $shell >/dev/null || continue
  expect $shell ". $prefix/set_env.sh"
  expect $shell ". ./$name/set_env.sh"
  expect $shell ". ./$name.link/set_env.sh"
  expect $shell ". ./$name/set_env.sh; . ./$name/set_env.sh"
  # In a subshell, as build scripts do it.
  expect $shell "( . ./$name/set_env.sh; [ \$ASCEND_HOME_PATH = $prefix ] ); . ./$name/set_env.sh"
done
expect bash ". ./$name/bin/setenv.bash"
expect bash ". ./$name/bin/setenv.bash
    [ \$SOC_VERSION = Ascend910_9392 ]
    [ -f \$ASCENDC_CMAKE_DIR/ascendc.cmake ]"
expect bash "SOC_VERSION=mine; ANYACL_SOC_NAME=other; . ./$name/bin/setenv.bash; [ \$SOC_VERSION = mine ]"
expect bash "ANYACL_SOC_NAME=other; . ./$name/bin/setenv.bash; [ \$SOC_VERSION = other ]"
rm "$prefix.link"
exit $failed
