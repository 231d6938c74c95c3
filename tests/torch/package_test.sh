#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `pip install` of the clone, or of a wheel, beside torch and torch_npu, a program with nothing else
# set, and what is left after `pip uninstall`.
# usage: package_test.sh VENV_WITH_TORCH [WHEEL]
set -eu
cd "$(dirname -- "$0")/../.."
other=$1
package=${2:-.}
timing=$PWD/tests/torch/package_timing.py
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

python3 -m venv "$folder/venv"
python=$folder/venv/bin/python
site=$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
before=$(ls "$site" "$folder/venv/bin")
"$python" -m pip install --quiet --no-deps "$package"
"$other/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))' >"$site/torch.pth"

cd "$folder"
env -i PATH="$PATH" HOME="$folder" "$python" -m anyacl info
output=$(env -i PATH="$PATH" HOME="$folder" "$python" -c '
import torch
x = torch.arange(6.).reshape(2, 3).npu()
print((x @ x.T + 1).cpu().tolist())')
[ "$output" = "[[6.0, 15.0], [15.0, 51.0]]" ]
queue=$(env -i PATH="$PATH" HOME="$folder" "$python" -c '
import os, torch
print(os.environ["TASK_QUEUE_ENABLE"])')
[ "$queue" = 0 ]
# As torch_npu looks for HcclGroupStart.
env -i PATH="$PATH" HOME="$folder" "$python" -c '
import ctypes, torch
ctypes.CDLL("libhcomm.so").HcclGroupStart'
env -i PATH="$PATH" HOME="$folder" "$python" -c 'import acl; raise SystemExit(acl.rt.set_device(0))'
env -i PATH="$PATH" HOME="$folder" "$python" "$timing"
"$folder/venv/bin/anyacl" prefix "$folder/cann"
. "$folder/cann/set_env.sh"
"$folder/cann/bin/npu-smi" info >smi.txt
echo '#include <acl/acl.h>
int main(void) { return aclInit(NULL); }' >main.c
cc main.c -I"$ASCEND_HOME_PATH/include" -L"$ASCEND_HOME_PATH/lib64" -lascendcl -lopapi_nn -o main
./main
echo '#include <hccl/hccl_comm.h>
int main(void) { return HcclGroupStart() || HcclGroupEnd(); }' >group.c
cc group.c -I"$ASCEND_HOME_PATH/include" -L"$ASCEND_HOME_PATH/lib64" -lhcomm -o group
./group

"$python" -m pip uninstall --quiet --yes anyacl
rm "$site/torch.pth"
after=$(ls "$site" "$folder/venv/bin")
if [ "$before" != "$after" ]; then
  echo "pip uninstall left something, or took something away:" >&2
  printf '%s\n' "$before" "$after" | sort | uniq -u >&2
  exit 1
fi
