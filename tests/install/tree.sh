#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The files and links that programs and build systems look for in a CANN prefix.
# usage: tree.sh PREFIX
set -eu
cd "$1"
arch=$(uname -m)-linux
failed=0

fail() {
  echo "FAILED: $*" >&2
  failed=1
}

file() {
  { [ -f "$1" ] && [ ! -L "$1" ]; } || fail "$1 is not a file"
}

# same NAME FILE: the name leads to the very file.
same() {
  [ "$1" -ef "$2" ] || fail "$1 does not lead to $2"
}

for name in acl/acl acl/acl_rt acl/acl_base acl/acl_op acl/acl_op_compiler acl/acl_prof \
            acl/acl_dump acl/acl_tdt acl/acl_tdt_queue securec mstx/ms_tools_ext hccl/hccl hccl/hccl_comm \
            hccl/hccl_types hccl/hccl_sym_win hccl/hccl_res hcomm/hcomm_res acl/error_codes/rt_error_codes aclnn/acl_meta \
            aclnn/aclnn_base aclnn/opdev/op_errno aclnn/opdev/fp16_t aclnn/opdev/bfloat16 \
            aclnnop/aclnn_util; do
  file include/$name.h
done
headers=$(sed -n 's,.*"header":"aclnnop/\([^"]*\)".*,\1,p' share/anyacl/operators.json | sort -u)
[ "$(echo "$headers" | wc -l)" -gt 500 ] || fail "operators.json names few headers"
for header in $headers; do
  file include/aclnnop/$header
  file include/aclnnop/level2/$header
done
for name in ascendcl nnopbase opapi acl_op_compiler acl_tdt_channel acl_tdt_queue ascend_dump \
            ascend_hal ascend_protobuf asdops atb c_sec fmk_parser ge_runner graph hccl hccl_fwk \
            lcal ms_tools_ext msprofiler; do
  file lib64/lib$name.so
  same devlib/lib$name.so lib64/lib$name.so
  readelf --dynamic lib64/lib$name.so | grep -q "SONAME.*\[lib$name.so\]" || fail "SONAME of $name"
  others=$(readelf --dynamic lib64/lib$name.so | grep -E "\((RUNPATH|RPATH)\)" | grep -vF '[$ORIGIN]' || true)
  [ -z "$others" ] || fail "$name looks for libraries elsewhere than beside it: $others"
done
same lib64/libacl_rt.so lib64/libascendcl.so
same lib64/libacl_rt_impl.so lib64/libascendcl.so
same lib64/libprofapi.so lib64/libascendcl.so
same lib64/libruntime.so lib64/libascendcl.so
same lib64/libhcomm.so lib64/libhccl.so
same devlib/libhcomm.so lib64/libhccl.so
same atb/cxx_abi_1/lib/libatb.so lib64/libatb.so
same atb/cxx_abi_1/include/atb/operation.h include/atb/operation.h
for name in nn transformer math cv; do
  same lib64/libopapi_$name.so lib64/libopapi.so
done

for folder in include lib64 devlib tikcpp; do
  same "$arch/$folder" $folder
done
file tikcpp/ascendc_kernel_cmake/ascendc.cmake
same compiler/tikcpp tikcpp
same tools/tikcpp tikcpp
same opp/lib64 lib64
same "opp/$arch/include/aclnnop" include/aclnnop
same "$arch/include/aclnnop" include/aclnnop
same "devlib/linux/$(uname -m)" lib64
# torch_npu looks whether the first two folders exist; version.info is what its collect_env and
# build scripts read.
for folder in runtime compiler; do
  same $folder/lib64 lib64
  same $folder/include include
done
for package in runtime compiler toolkit opp hccl; do
  grep -qx 'Version=8.5.0' share/info/$package/version.info || fail "version of $package"
done
same version.info share/info/toolkit/version.info
same "$arch/ascend_toolkit_install.info" ascend_toolkit_install.info
grep -qx 'version=8.5.0' ascend_toolkit_install.info || fail "ascend_toolkit_install.info"
[ -d opp/vendors ] || fail "opp/vendors is not a folder"
file set_env.sh
file bin/setenv.bash
same bin/msprof tools/profiler/bin/msprof
file tools/profiler/profiler_tool/analysis/msprof/msprof.py
bin/msprof --help | grep "^usage: msprof" >/dev/null || fail "msprof --help"
file lib64/pkgconfig/anyacl.pc
file lib64/cmake/anyacl/anyaclConfig.cmake

# Links must survive a move of the prefix, and nothing may name the place it was built in.
absolute=$(find . -type l -lname '/*')
[ -z "$absolute" ] || fail "absolute links: $absolute"
dangling=$(find . -xtype l)
[ -z "$dangling" ] || fail "dangling links: $dangling"
fixed=$(grep -rlF "$PWD" . || true)
[ -z "$fixed" ] || fail "files that name the prefix: $fixed"

# Build systems take the third word of the seventh line for the kind of card.
[ "$(bin/npu-smi info | awk 'NF > 0 && NR == 7 { print $3 }')" = 910_9392 ] || fail "npu-smi info"
exit $failed
