#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The README's program builds as the README says, and prints what the README says.
# usage: readme_program.sh PREFIX README
set -eu
readme=$2
. "$1/set_env.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sed -n '/^```cpp$/,/^```$/{/^```/d;p}' "$readme" >"$work/main.cpp"
cd "$work"

# shellcheck disable=SC2046  # the flags are several words
g++ -std=c++11 -Wall -Wextra -Werror main.cpp $(pkg-config --cflags --libs anyacl) -o main
output=$(./main)
echo "$output"
grep -qF "$output" "$readme"
