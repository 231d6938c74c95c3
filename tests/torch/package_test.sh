#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `pip install` of the clone beside torch and torch_npu, and a program with nothing else set.
# usage: package_test.sh VENV_WITH_TORCH
set -eu
cd "$(dirname -- "$0")/../.."
other=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

python3 -m venv "$folder/venv"
python=$folder/venv/bin/python
site=$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
"$python" -m pip install --quiet .
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
"$python" -m anyacl prefix "$folder/cann"
. "$folder/cann/set_env.sh"
echo '#include <acl/acl.h>
int main(void) { return aclInit(NULL); }' >main.c
cc main.c -I"$ASCEND_HOME_PATH/include" -L"$ASCEND_HOME_PATH/lib64" -lascendcl -lopapi_nn -o main
./main
echo '#include <hccl/hccl_comm.h>
int main(void) { return HcclGroupStart() || HcclGroupEnd(); }' >group.c
cc group.c -I"$ASCEND_HOME_PATH/include" -L"$ASCEND_HOME_PATH/lib64" -lhcomm -o group
./group
"$python" -m pip uninstall --quiet --yes anyacl
[ ! -e "$site/anyacl.pth" ] && [ ! -e "$site/_anyacl_hook.py" ]
