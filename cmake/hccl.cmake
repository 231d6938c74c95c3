# SPDX-License-Identifier: Apache-2.0
# libhccl and, where UCX is, its engine.

set(ANYACL_HCCL_SOURCES
  src/hccl/api_collective.cc
  src/hccl/api_communicator.cc
  src/hccl/api_pair.cc
  src/hccl/api_window.cc
  src/hccl/arguments.cc
  src/hccl/buffer.cc
  src/hccl/collectives.cc
  src/hccl/communicator.cc
  src/hccl/environment.cc
  src/hccl/error_string.cc
  src/hccl/exchange.cc
  src/hccl/group.cc
  src/hccl/join.cc
  src/hccl/label.cc
  src/hccl/network.cc
  src/hccl/operator_call.cc
  src/hccl/rank_table.cc
  src/hccl/reduce.cc
  src/hccl/root.cc
  src/hccl/settings.cc
  src/hccl/state_callbacks.cc
  src/hccl/window.cc
  src/hccl/window_end.cc
  src/hccl/window_messages.cc
  src/hccl/window_server.cc)
# Compiled once per tier.
set(ANYACL_HCCL_KERNEL_SOURCES src/hccl/kernel_reduce.cc)

anyacl_objects(anyacl_hccl ${ANYACL_HCCL_SOURCES})
# Apart, because tests have an engine of their own.
anyacl_objects(anyacl_hccl_engine src/hccl/engine.cc)
anyacl_isa_objects(anyacl_hccl_kernels ${ANYACL_HCCL_KERNEL_SOURCES})
list(TRANSFORM ANYACL_ISA_TIERS PREPEND anyacl_hccl_kernels_ OUTPUT_VARIABLE ANYACL_HCCL_KERNEL_OBJECTS)

anyacl_shared_library(hccl OBJECTS anyacl_base anyacl_hccl anyacl_hccl_engine ${ANYACL_HCCL_KERNEL_OBJECTS} NEEDS ascendcl ${CMAKE_DL_LIBS})
# Without UCX's headers the library says at its first use what is missing.
find_package(ucx CONFIG QUIET)
set(ANYACL_HCCL_UCX ${ucx_FOUND} CACHE BOOL "Build the engine of collective communication, on UCX")
if(ANYACL_HCCL_UCX)
  anyacl_objects(anyacl_hccl_ucx_objects src/hccl/ucx/ucx_engine.cc)
  target_link_libraries(anyacl_hccl_ucx_objects PRIVATE ucx::ucp)
  anyacl_shared_library(anyacl_hccl_ucx OBJECTS anyacl_base anyacl_hccl_ucx_objects NEEDS ascendcl)
  target_link_libraries(anyacl_hccl_ucx PRIVATE ucx::ucp ucx::ucs)
endif()
