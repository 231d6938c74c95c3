#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The Python module of the prefix, in a shell that has only sourced set_env.sh.
# usage: py_acl.sh PREFIX TEST_SCRIPT
set -eu
prefix=$1 script=$2

command -v python3 >/dev/null || exit 77
unset PYTHONPATH LD_LIBRARY_PATH
. "$prefix/set_env.sh"
PYTHONDONTWRITEBYTECODE=1 python3 "$script"
# The libraries beside the module are found without LD_LIBRARY_PATH, too.
unset LD_LIBRARY_PATH
PYTHONDONTWRITEBYTECODE=1 python3 -c 'import acl; raise SystemExit(acl.rt.set_device(0))'
