#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# PyTorch programs on the unmodified wheels torch and torch_npu, which PyPI has. `scripts/test torch`
# runs this.
# usage: run.sh torch | torch-full
# TORCH_VERSION=2.14.0: another version of both; a part of the judges, with what came of the operator
# database in a file of its own, and the schedulers of attention and FFN workers, which 2.8 does not call.
# OP_PLUGIN=CHECKOUT: op-plugin's own tests of the first operators, too (torch-full, and with another
# version); what is known to fail is in op_plugin_known_*.txt.
# Exit status: 0 all passed, 1 something failed, 77 the wheels cannot be had: nothing was tested.
set -eu
cd "$(dirname -- "$0")/../.."
part=$1
version=${TORCH_VERSION:-2.8.0}
venv=$PWD/build/torch/venv
prefix=$PWD/build/torch/prefix
# One version of both, the newest for which all judges are written.
versions="torch==$version torch_npu==$version"
# What came of each pair of operator and type once, with two samples each.
outcomes=tests/torch/operator_database.txt
case $version in
  2.8.0) versions="$versions torchvision==0.23.0" ;;
  2.14.0) versions="$versions torchvision==0.29.0" ;;
esac
if [ "$version" != 2.8.0 ]; then
  venv=$venv-$version
  outcomes=tests/torch/operator_database_$version.txt
  part=other
fi
# What they import; NVIDIA's packages, which torch names, too, would be 2.5 GB. torchair imports
# pkg_resources, which newer setuptools do not have.
imports="setuptools<81 numpy pyyaml typing_extensions sympy networkx jinja2 filelock fsspec decorator
  attrs psutil scipy pillow protobuf"
judges="expecttest transformers==4.55.4 importlib_metadata xxhash aiohttp"
# Each would bring its own torch.
libraries="timm==1.0.31 diffusers==0.35.1 accelerate==1.15.0 peft==0.21.2 torch_geometric==2.8.1
  kornia==0.9.0 kornia_rs==0.2.0 torchmetrics==1.9.0 lightning-utilities==0.15.3"
[ -z "${OP_PLUGIN:-}" ] || judges="$judges einops hypothesis"

rm -f build/torch/summary
# The libraries, and what their users' programs need.
scripts/install-deps python3-venv
cmake --preset release
cmake --build --preset release --parallel "$(nproc)"
rm -rf "$prefix"
cmake --install build/release --prefix "$prefix" >/dev/null

[ -x "$venv/bin/pip" ] || python3 -m venv "$venv"
python=$venv/bin/python
# shellcheck disable=SC2086  # lists
if ! { "$python" -m pip install --quiet --no-deps $versions $libraries &&
       "$python" -m pip install --quiet $imports $judges; }; then
  echo "SKIPPED: NO TEST WAS RUN. pip could not install $versions: no PyPI?" >&2
  exit 77
fi
site=$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
"$python" tests/torch/without_cuda.py "$site"

# As the wheel does it: the hook in site-packages, and the package where it can be imported.
cp python/anyacl.pth python/_anyacl_hook.py "$site"
echo "$prefix/python/site-packages" >"$site/anyacl_prefix.pth"
for variable in $(env | sed -n 's/^\(\(ASCEND\|ANYACL\)_[A-Z_]*\)=.*/\1/p'); do
  unset "$variable"
done
unset LD_LIBRARY_PATH PYTHONPATH || true
# torch_npu's import starts processes that would compile for torch.compile: seconds for nothing.
export TORCHINDUCTOR_COMPILE_THREADS=1
"$python" -m anyacl info

. tests/check.sh

# judge NAME ARGUMENT...
judge() {
  judge=$1
  shift
  check "$judge" "$python" "tests/torch/$judge.py" "$@"
}

op_plugin() {
  [ -z "${OP_PLUGIN:-}" ] ||
    judge client_tests "$OP_PLUGIN" --known "tests/torch/op_plugin_known_$version.txt"
}
baseline="--baseline $outcomes"

judge distributed
judge gloo_oracle
judge npu_api_test
[ "$part" = other ] || judge profiler_test
judge compiler_test
judge first_operators_test
[ "$part" = other ] || judge named_operators_test
# shellcheck disable=SC2086  # an option and its value
case $part in
  torch)
    # Every 29th pair of operator and type.
    judge operator_database --samples 2 --part 0/29 $baseline
    judge programs
    # One of each kind.
    judge models '^(llama|mixtral|gpt2|albert|t5) |resnet18 (forward|train)'
    judge libraries '(timm (resnet18|vit_tiny_patch16_224)|unet|by DDIM|Trainer fp32|LoraConfig|GCNConv)$'
    judge memory_test 1000
    # The wheel, but for its compiler: that of the prefix.
    rm -rf build/torch/wheel
    check wheel "$python" tests/torch/wheel_of_prefix.py "$prefix" build/torch/wheel
    check package tests/torch/package_test.sh "$venv" "$PWD"/build/torch/wheel/*.whl
    ;;
  torch-full)
    judge operator_database $baseline
    judge programs
    judge models
    judge libraries
    judge memory_test 10000
    op_plugin
    check package tests/torch/package_test.sh "$venv"
    ;;
  other)
    judge worker_schedulers_test
    if [ -f "$outcomes" ]; then
      # Every 29th pair of the types that the file has.
      types=$(sed -n 's/^types //p' "$outcomes" | tr ' ' ,)
      judge operator_database --samples 2 --part 0/29 --dtypes "$types" $baseline
    fi
    judge programs
    # One of each kind.
    judge models '^(llama|mixtral|gpt2|albert|t5|bert) |resnet18 (forward|train)'
    judge libraries '(timm (resnet18|vit_tiny_patch16_224)|unet|by DDIM|Trainer fp32|LoraConfig|GCNConv)$'
    op_plugin
    ;;
esac
echo "$passed passed, $failed failed" | tee build/torch/summary
[ "$failed" -eq 0 ]
