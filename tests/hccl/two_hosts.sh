#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Two network namespaces with their own shared memory, as two hosts: ranks join and communicate over
# TCP. Skipped where namespaces cannot be made (they need root or CAP_SYS_ADMIN).
# usage: two_hosts.sh HOST_RANK_PROGRAM [RANKS]
set -u
program=$1
ranks=${2:-4}
a=anyacl-a-$$ b=anyacl-b-$$
work=$(mktemp -d)
cleanup() {
  ip netns del $a 2>/dev/null
  ip netns del $b 2>/dev/null
  rm -rf "$work"
}
trap cleanup EXIT

if ! { command -v ip && command -v unshare; } >/dev/null ||
  ! { ip netns add $a && ip netns add $b && unshare --ipc --mount true; } 2>"$work/log"; then
  echo "skipped: there are no network namespaces: $(head -n 1 "$work/log" 2>/dev/null)"
  exit 77
fi
ip link add va$$ netns $a type veth peer name vb$$ netns $b || exit 77
ip -n $a addr add 10.213.7.1/24 dev va$$
ip -n $b addr add 10.213.7.2/24 dev vb$$
for end in "$a va$$" "$b vb$$"; do
  ip -n ${end% *} link set ${end#* } up
  ip -n ${end% *} link set lo up
done

# UCX leaves out what is not up yet.
for end in "$a va$$" "$b vb$$"; do
  for _ in $(seq 100); do
    ip -n ${end% *} link show ${end#* } | grep -q 'state UP' && break
    sleep 0.05
  done
done

# Even ranks on one host, odd ones on the other; each host has a /dev/shm of its own.
on_host() {
  ip netns exec "$1" unshare --ipc --mount sh -c \
    "mount -t tmpfs none /dev/shm; exec timeout 100 $program $2 $ranks $work/root"
}
failed=0
for network in "" va$$,vb$$; do
  if [ -n "$network" ]; then export HCCL_SOCKET_IFNAME=$network; else unset HCCL_SOCKET_IFNAME; fi
  rm -f "$work/root"
  pids=
  for rank in $(seq 0 $((ranks - 1))); do
    host=$a
    [ $((rank % 2)) -eq 0 ] || host=$b
    on_host "$host" $rank &
    pids="$pids $!"
  done
  for pid in $pids; do
    wait "$pid" || { echo "FAILED: a rank ended with $?, HCCL_SOCKET_IFNAME='$network'" >&2; failed=1; }
  done
done
exit $failed
