#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A project that includes ascendc.cmake and makes no kernel is configured, built and run; one that
# makes a kernel is refused with its name and sources.
# usage: ascendc.sh PREFIX CMAKE
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cmake=$2
. "$1/bin/setenv.bash"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# project LINE: a project of one program, and a line of its own.
project() {
  mkdir -p "$work/source"
  cat >"$work/source/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.16)
project(client LANGUAGES CXX)
include(\$ENV{ASCENDC_CMAKE_DIR}/ascendc.cmake)
add_executable(main $here/client/client.cpp)
target_include_directories(main PRIVATE \${ASCEND_CANN_PACKAGE_PATH}/include)
link_directories(\${ASCEND_CANN_PACKAGE_PATH}/lib64)
target_link_libraries(main PRIVATE \${ASCEND_CANN_PACKAGE_PATH}/lib64/libascendcl.so
  \${ASCEND_CANN_PACKAGE_PATH}/lib64/libnnopbase.so \${ASCEND_CANN_PACKAGE_PATH}/lib64/libopapi.so)
$1
END
  rm -rf "$work/build"
  "$cmake" -S "$work/source" -B "$work/build" >"$work/log" 2>&1
}

project '' || { cat "$work/log"; exit 1; }
"$cmake" --build "$work/build"
"$work/build/main"

# refused LINE WORD...: configuring fails and the message holds the words.
refused() {
  local line=$1
  shift
  if project "$line"; then
    echo "FAILED: $line is accepted" >&2
    failed=1
  fi
  # CMake breaks long messages into lines.
  tr -s ' \n' ' ' <"$work/log" >"$work/message"
  for word in 'anyacl runs no device kernels' "$@"; do
    grep -qF -- "$word" "$work/message" || { echo "FAILED: $line does not say $word" >&2; failed=1; }
  done
}
refused 'ascendc_library(kernels STATIC one.cpp two.cpp)' ascendc_library '"kernels"' 'one.cpp, two.cpp.'
refused 'ascendc_fatbin_library(fat one.cpp)' ascendc_fatbin_library '"fat"' one.cpp
for function in compile_definitions compile_options include_directories; do
  refused "ascendc_$function(kernels PRIVATE x)" "ascendc_$function" '"kernels"'
done
exit $failed
