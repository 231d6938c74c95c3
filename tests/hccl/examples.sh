#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds the example programs of HCCL's or hcomm's repository, unmodified, with their own Makefiles,
# and runs them with the threads of a process or, where they use MPI, processes as eight ranks. Each
# must print the lines that its README shows.
# usage: examples.sh PREFIX CHECKOUT NUMBER_OF_PROGRAMS
set -u
source=$2
. "$1/set_env.sh" || exit 1
export ANYACL_DEVICES=8
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 count=0

# MPICH as its own build would install it; Debian's is spread over the system.
export MPI_HOME=$work/mpi
system=$(gcc -print-multiarch)
mkdir -p "$MPI_HOME/bin" "$MPI_HOME/lib"
printf '#!/bin/sh\nexec mpirun.mpich "$@"\n' >"$MPI_HOME/bin/mpirun"
chmod +x "$MPI_HOME/bin/mpirun"
ln -s "/usr/include/$system/mpich" "$MPI_HOME/include"
ln -s "/usr/lib/$system/libmpich.so" "$MPI_HOME/lib/libmpi.so"

# expect NAME STATUS: what it has printed against the README's lines.
expect() {
  # Ranks print when they like; some have several lines.
  sort "$work/expected" -o "$work/expected"
  lines=$(wc -l <"$work/expected")
  if [ "$2" -ne 0 ] || [ "$lines" -eq 0 ] || ! diff "$work/expected" "$work/actual" >&2; then
    echo "FAILED: $1 ended with $2" >&2
    tail -n 5 "$work/output" >&2
    failed=1
  else
    echo "$1: $lines lines"
    count=$((count + 1))
  fi
}

for readme in "$source"/examples/0[12]_*/*/README.md; do
  example=$(dirname "$readme")
  name=$(basename "$example")
  cp -r "$example" "$work/$name"
  if ! make -C "$work/$name" >"$work/log" 2>&1; then
    echo "FAILED: $name does not build" >&2
    cat "$work/log" >&2
    failed=1
    continue
  fi
  timeout 120 make -C "$work/$name" test >"$work/output" 2>&1
  status=$?
  grep '^rankId' "$readme" >"$work/expected"
  grep '^rankId' "$work/output" | sort >"$work/actual"
  expect "$name" $status
done

# A collective in a graph, which is run again and again; it has no Makefile and no README.
graph=$source/examples/02_aclgraphs/allreduce_aclgraph_demo.cpp
if [ -e "$graph" ]; then
  g++ -std=c++14 "$graph" -I"$ASCEND_HOME_PATH/include" -I"$MPI_HOME/include" \
    -L"$ASCEND_HOME_PATH/lib64" -lhccl -lascendcl -L"$MPI_HOME/lib" -lmpi -o "$work/graph" &&
    timeout 120 "$MPI_HOME/bin/mpirun" -n 8 "$work/graph" >"$work/output" 2>&1
  status=$?
  # Every rank gives its number to all elements. They print piece by piece, which mpirun may mix.
  for element in $(seq 64); do echo 28; done >"$work/expected"
  sed 's/\[rank [0-7]\] [^=]* = \[//g; s/\]//g' "$work/output" | tr ' ' '\n' |
    grep -x '[0-9.-]*' | grep . >"$work/actual"
  expect allreduce_aclgraph_demo $status
fi

[ $count -eq "$3" ] || { echo "FAILED: $count of $3 programs print what they should" >&2; failed=1; }
exit $failed
