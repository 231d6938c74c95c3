#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# llama.cpp's CANN backend, unmodified, on anyacl: its own test of operators, and text by models
# with random weights. scripts/llama and `scripts/test llama` run this.
# usage: run.sh [operators | text | all | some]
# some: every 6th case of each operator and a few texts: 6 minutes of one core, the build of ggml included
# LLAMA_SOURCE=FOLDER: llama.cpp's sources instead of those that PyPI's llama-cpp-python carries.
# Exit status: 0 all passed, 1 something failed, 77 the sources cannot be had: nothing was tested.
set -eu
cd "$(dirname -- "$0")/../.."
part=${1:-all}
version=0.3.36
build=$PWD/build/llama
prefix=$build/prefix
mkdir -p "$build"
rm -f "$build/summary"

[ -x "$build/venv/bin/pip" ] || { scripts/install-deps python3-venv && python3 -m venv "$build/venv"; }
pip="$build/venv/bin/python -m pip"
source=${LLAMA_SOURCE:-$build/llama_cpp_python-$version/vendor/llama.cpp}
if [ ! -e "$source/ggml/src/ggml-cann" ]; then
  if ! $pip download --quiet --no-deps --no-binary :all: --dest "$build" "llama-cpp-python==$version"; then
    echo "SKIPPED: NO TEST WAS RUN. pip could not download llama-cpp-python $version: no PyPI?" >&2
    exit 77
  fi
  tar -xzf "$build/llama_cpp_python-$version.tar.gz" -C "$build"
fi

if [ "$part" != operators ] && ! "$build/venv/bin/python" -c 'import gguf' 2>/dev/null &&
  ! $pip install --quiet gguf; then
  echo "SKIPPED: NO TEST WAS RUN. pip could not install gguf: no PyPI?" >&2
  exit 77
fi

scripts/install-deps
cmake --preset release --log-level=WARNING
cmake --build --preset release --parallel "$(nproc)"
rm -rf "$prefix"
cmake --install build/release --prefix "$prefix" >/dev/null
# shellcheck disable=SC1091  # made just now
. "$prefix/set_env.sh"

# What `CMAKE_ARGS=-DGGML_CANN=on pip install llama-cpp-python` configures, without the rest; with
# graphs, which GGML_CANN_ACL_GRAPH=off turns off.
ggml() {
  cmake -S "$source" -B "$build/cmake" -DCMAKE_BUILD_TYPE=Release -DGGML_CANN=on -DUSE_ACL_GRAPH=on \
    -DGGML_CCACHE=OFF -DLLAMA_CURL=OFF -DLLAMA_OPENSSL=OFF -DLLAMA_BUILD_UI=OFF \
    --log-level=WARNING >/dev/null
  cmake --build "$build/cmake" --parallel "$(nproc)" --target "$@" -- --quiet
}
ggml ggml
export LD_LIBRARY_PATH="$build/cmake/bin:$LD_LIBRARY_PATH"

. tests/check.sh

cases=0/1
texts=
if [ "$part" = some ]; then
  cases=0/6
  texts='^(llama (F16( with flash.*| without graphs)?|Q4_0)|qwen3moe Q8_0)$'
fi
if [ "$part" != text ]; then
  # The test needs ggml alone; its target would have all of llama.cpp compiled. What it computes is
  # ggml's: optimised, it would only take 25 s longer to compile.
  program=$build/test-backend-ops
  c++ -std=c++17 -I"$source/ggml/include" "$source/tests/test-backend-ops.cpp" -o "$program" \
    -L"$build/cmake/bin" -lggml -lggml-cpu -lggml-cann -lggml-base -pthread
  check operators python3 tests/llama/operators.py "$program" --part "$cases"
fi
if [ "$part" != operators ]; then
  ggml llama
  c++ -std=c++17 -O2 -I"$source/include" -I"$source/ggml/include" tests/llama/generate.cc \
    -o "$build/generate" -L"$build/cmake/bin" -lllama -lggml -lggml-cpu -lggml-cann -lggml-base
  check text "$build/venv/bin/python" tests/llama/text.py "$source" "$build/generate" \
    "$build/models" "$texts"
fi
echo "$passed passed, $failed failed" | tee "$build/summary"
[ "$failed" -eq 0 ]
