# SPDX-License-Identifier: Apache-2.0
# The same as ../set_env.sh, in the place where older programs look for it. Source it from bash.
. "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../set_env.sh"
