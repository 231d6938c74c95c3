# SPDX-License-Identifier: Apache-2.0
# Collective communication beside what bounds it: copies of memory, and UCX's own messages.
if(ANYACL_HCCL_UCX)
  add_executable(hccl_bench hccl_bench.cc hccl_ucx_messages.cc)
  target_link_libraries(hccl_bench PRIVATE hccl ascendcl ucx::ucp ucx::ucs anyacl_options Threads::Threads)
endif()
