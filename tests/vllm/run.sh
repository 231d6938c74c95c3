#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# vLLM with vLLM-Ascend, unmodified, serving small models with random weights on anyacl; every token
# is checked. `scripts/test vllm` runs this: some 15 minutes. VLLM_VERSION: 0.23.0, 0.18.0 or 0.13.0.
# usage: run.sh [REGEX]  (of the names of the models, tests/vllm/generate.py)
# Exit status: 0 all passed, 1 something failed, 77 the packages cannot be had: nothing was tested.
set -eu
cd "$(dirname -- "$0")/../.."
vllm=${VLLM_VERSION:-0.23.0}
venv=$PWD/build/vllm/venv-$vllm
prefix=$PWD/build/vllm/prefix
# vLLM without a device of its own: its kernels are vLLM-Ascend's. Without what they name themselves:
# NVIDIA's packages of torch would be 2.5 GB, and vLLM-Ascend's triton-ascend compiles for an NPU.
case $vllm in
  0.23.0)
    wheels="torch==2.10.0 torchvision==0.25.0 torch_npu==2.10.0.post4 vllm-ascend==$vllm
      compressed-tensors==0.17.0 xgrammar>=0.2,<1 apache-tvm-ffi depyf==0.20.0"
    imports="transformers==5.5.4 llguidance>=1.7.0,<1.8.0 outlines_core==0.2.14 anthropic
      setuptools-rust opentelemetry-sdk opentelemetry-api opentelemetry-exporter-otlp
      opentelemetry-semantic-conventions-ai"
    ;;
  0.18.0)
    wheels="torch==2.9.0 torchvision==0.24.0 torch_npu==2.9.0 vllm-ascend==$vllm
      compressed-tensors==0.13.0 xgrammar>=0.1.32,<1 apache-tvm-ffi depyf==0.20.0"
    imports="transformers>=4.57.4,<5 llguidance>=1.3.0,<1.4.0 outlines_core==0.2.11 anthropic
      openai<2.25 opentelemetry-sdk opentelemetry-api opentelemetry-exporter-otlp
      opentelemetry-semantic-conventions-ai"
    ;;
  0.13.0)
    wheels="torch==2.8.0 torchvision==0.23.0 torch_npu==2.8.0.post2 vllm-ascend==$vllm
      compressed-tensors==0.12.2 xgrammar==0.1.27 depyf==0.20.0"
    imports="transformers>=4.57.4,<5 llguidance>=1.3.0,<1.4.0 outlines_core==0.2.11
      anthropic==0.71.0"
    ;;
  *)
    echo "VLLM_VERSION is $vllm, expected 0.23.0, 0.18.0 or 0.13.0" >&2
    exit 1
    ;;
esac
imports="$imports numpy<2.3 pyyaml typing_extensions sympy networkx jinja2 filelock fsspec decorator attrs
  psutil scipy pillow pandas numba einops msgpack quart
  regex cachetools sentencepiece requests tqdm blake3 py-cpuinfo
  tokenizers protobuf fastapi[standard]<0.124.0 aiohttp openai pydantic prometheus_client
  prometheus-fastapi-instrumentator tiktoken lm-format-enforcer==0.11.3
  diskcache==5.6.3 lark==1.2.2 partial-json-parser pyzmq msgspec gguf
  mistral_common[image] opencv-python-headless cloudpickle watchfiles python-json-logger ninja
  pybase64 cbor2 ijson setproctitle openai-harmony
  model-hosting-container-standards<1.0 mcp astor dill loguru"

scripts/install-deps python3-venv
cmake --preset release
cmake --build --preset release --parallel "$(nproc)"
rm -rf "$prefix"
cmake --install build/release --prefix "$prefix" >/dev/null

[ -x "$venv/bin/pip" ] || python3 -m venv "$venv"
python=$venv/bin/python
# shellcheck disable=SC2086  # lists
install() {
  "$python" -m pip install --quiet --no-deps $wheels &&
    "$python" -m pip install --quiet $imports "setuptools>=77,<81" setuptools-scm wheel packaging &&
    "$python" tests/torch/without_cuda.py \
      "$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" || return 1
  # Where it is, it has been built, which takes a minute.
  "$python" -m pip show --quiet vllm 2>/dev/null ||
    TORCH_DEVICE_BACKEND_AUTOLOAD=0 VLLM_TARGET_DEVICE=empty VLLM_VERSION_OVERRIDE=$vllm \
      "$python" -m pip install --quiet --no-deps --no-build-isolation --no-binary vllm "vllm==$vllm"
}
if ! install; then
  echo "SKIPPED: NO TEST WAS RUN. pip could not install vllm $vllm and vllm-ascend, see above." >&2
  exit 77
fi

# The package as pip installs it, without compiling anything again.
rm -rf build/vllm/wheel
"$python" tests/torch/wheel_of_prefix.py "$prefix" build/vllm/wheel
"$python" -m pip install --quiet --no-deps --force-reinstall build/vllm/wheel/*.whl
for variable in $(env | sed -n 's/^\(\(ASCEND\|ANYACL\)_[A-Z_]*\)=.*/\1/p'); do
  unset "$variable"
done
unset LD_LIBRARY_PATH PYTHONPATH || true
# The wheel of vLLM-Ascend for x86-64 is the one for A2 products.
export ANYACL_SOC_NAME=Ascend910B3
"$python" tests/vllm/kernels_test.py
"$python" tests/vllm/linear_attention_test.py
exec "$python" tests/vllm/generate.py "$@"
