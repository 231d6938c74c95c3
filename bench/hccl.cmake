# SPDX-License-Identifier: Apache-2.0
# Collective communication and the operators of attention and FFN workers beside what bounds it: copies of memory, and UCX's own messages.
if(ANYACL_HCCL_UCX)
  add_executable(hccl_bench hccl_bench.cc hccl_ucx_messages.cc)
  target_link_libraries(hccl_bench PRIVATE hccl ascendcl ucx::ucp ucx::ucs anyacl_options Threads::Threads)
  add_executable(afd_bench afd_bench.cc hccl_ucx_messages.cc)
  target_link_libraries(afd_bench PRIVATE
    opapi nnopbase hccl ascendcl ucx::ucp ucx::ucs anyacl_options Threads::Threads)
endif()
