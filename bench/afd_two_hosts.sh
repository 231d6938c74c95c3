#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The bench with two network namespaces for its processes. Needs root or CAP_SYS_ADMIN.
# usage: afd_two_hosts.sh AFD_BENCH
set -eu
a=anyacl-a-$$ b=anyacl-b-$$
cleanup() {
  ip netns del $a
  ip netns del $b
}
ip netns add $a
ip netns add $b
trap cleanup EXIT
ip link add va$$ netns $a type veth peer name vb$$ netns $b
ip -n $a addr add 10.213.7.1/24 dev va$$
ip -n $b addr add 10.213.7.2/24 dev vb$$
for end in "$a va$$" "$b vb$$"; do
  ip -n ${end% *} link set ${end#* } up
  ip -n ${end% *} link set lo up
done
# UCX leaves out what is not up yet.
for end in "$a va$$" "$b vb$$"; do
  until ip -n ${end% *} link show ${end#* } | grep -q 'state UP'; do sleep 0.05; done
done
"$1" $a $b
