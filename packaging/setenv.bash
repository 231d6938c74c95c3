# SPDX-License-Identifier: Apache-2.0
# The same as ../set_env.sh, in the place where older programs look for it. Source it from bash.
. "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../set_env.sh"

# What projects with kernels in Ascend C want to know; the kernels themselves are refused when such a
# project is configured.
export SOC_VERSION="${SOC_VERSION:-${ANYACL_SOC_NAME:-Ascend910_9392}}"
export ASCENDC_CMAKE_DIR="${ASCENDC_CMAKE_DIR:-$ASCEND_HOME_PATH/tikcpp/ascendc_kernel_cmake}"
