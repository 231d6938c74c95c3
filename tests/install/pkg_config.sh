#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A program built through pkg-config runs.
# usage: pkg_config.sh PREFIX
set -eu
here=$(dirname "$0")
. "$1/set_env.sh"
program=$(mktemp)
trap 'rm -f "$program"' EXIT

# shellcheck disable=SC2046  # the flags are several words
g++ -std=c++11 -Wall -Wextra -Werror "$here/client/client.cpp" \
  $(pkg-config --cflags --libs anyacl) -o "$program"
"$program"
